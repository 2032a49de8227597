#include "output_format.h"

#include "pt2/text/affix.h"

namespace pt2::tool {
bool is_archive_name(const std::string& path) {
  return ends_with(path, ".pt2");
}

std::optional<Format> format_of_name(const std::string& path) {
  if (ends_with(path, ".json")) return Format::json;
  if (ends_with(path, ".pt2b")) return Format::pt2b;
  return std::nullopt;
}

}  // namespace pt2::tool
