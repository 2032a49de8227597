#include "schemagen/base/unknown_fields.h"

#include "schemagen/base/value_path.h"

namespace schemagen {

std::size_t memory_of(const UnknownField& field) {
  std::size_t bytes = sizeof field + field.name.size() + field.after.size() + field.bytes.size();
  for (const UnknownFieldStep& step : field.path) bytes += sizeof step + step.key.size();
  return bytes;
}

std::string path_text(const UnknownField& field) {
  std::string path;
  for (const UnknownFieldStep& step : field.path) {
    step.count == 0 ? append_key(path, step.key) : append_index(path, step.index);
  }
  if (field.id == 0) {
    append_key(path, field.name);
  } else {
    append_id(path, field.id);
  }
  return path;
}

}  // namespace schemagen
