#include "value_types.h"

#include "pt2/binary.h"
#include "pt2/json.h"
#include "schemagen/thrift/wire.h"

namespace pt2::tool {
namespace {

template <class T>
T read(const ProgramFile& file, std::vector<schemagen::SkippedField>& skipped) {
  if (const BinaryFile* const binary = file.binary_file()) {
    schemagen::BinaryReadOptions options;
    options.skipped = &skipped;
    return schemagen::from_binary_file<T>(*binary, options);
  }
  schemagen::JsonReadOptions options;
  options.readable_after = file.bytes().readable_after();
  return schemagen::from_json<T>(file.bytes().view(), options);
}

template <class T>
std::string convert(const ProgramFile& in, const OutputFormat& out,
                    std::vector<schemagen::SkippedField>& skipped) {
  return encode(read<T>(in, skipped), out);
}

template <class... Types>
struct ValueTypes {
  const std::vector<ValueType> all = {{compact_type(static_cast<Types*>(nullptr)).name, convert<Types>}...};
};

const std::vector<ValueType>& value_types() {
  static const all_types<ValueTypes> types;
  return types.all;
}

}  // namespace

const ValueType* find_value_type(std::string_view name) {
  for (const ValueType& type : value_types()) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

std::vector<std::string> value_type_names() {
  std::vector<std::string> names;
  for (const ValueType& type : value_types()) names.emplace_back(type.name);
  return names;
}

}  // namespace pt2::tool
