#include "evolution/version_edit.h"

#include <cstddef>
#include <stdexcept>
#include <utility>

#include "front/diagnostics.h"
#include "front/yaml.h"

namespace generator {
namespace {

const YamlNode& part(const YamlNode& version, std::string_view key, std::int32_t expected) {
  const YamlEntry* entry = version.find(key);
  Diagnostics diagnostics("schema", "");
  if (entry == nullptr || read_int(entry->value, key, diagnostics) != expected) {
    throw std::logic_error("the text does not match the schema");
  }
  return entry->value;
}

}  // namespace

std::string with_version(const std::string& text, const Model& model, Version version) {
  Diagnostics diagnostics("schema", text);
  const YamlNode root = parse_yaml(diagnostics);
  const YamlEntry* entry = root.find("version");
  if (entry == nullptr) throw std::logic_error("the text does not match the schema");
  struct Edit {
    std::size_t offset;
    std::size_t length;
    std::string number;
  };
  const auto edit = [&](std::string_view key, std::int32_t from, std::int32_t to) {
    const YamlNode& node = part(entry->value, key, from);
    return Edit{SourceLines(text).offset(node.span), node.text.size(), std::to_string(to)};
  };
  Edit first = edit("major", model.version.major_, version.major_);
  Edit second = edit("minor", model.version.minor_, version.minor_);
  if (first.offset > second.offset) std::swap(first, second);
  std::string result = text;
  for (const Edit& one : {second, first}) result.replace(one.offset, one.length, one.number);
  return result;
}

}  // namespace generator
