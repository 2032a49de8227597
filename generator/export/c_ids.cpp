#include <set>
#include <utility>
#include <vector>

#include "export/export.h"
#include "text/characters.h"
#include "text/message.h"

namespace generator {
namespace {

std::vector<std::pair<std::string, std::int32_t>> constants_of(const Model& model, const Definition& type) {
  const std::string start = upper(model.name) + "_" + type.name + "_";
  std::vector<std::pair<std::string, std::int32_t>> constants;
  for (const Field& member : type.members()) constants.emplace_back(start + member.name, member.id);
  return constants;
}

}  // namespace

std::string unsupported_in_c(const Model& model) {
  std::set<std::string> names;
  std::string twice;
  for (const Definition& type : model.types) {
    for (const auto& [name, number] : constants_of(model, type)) {
      if (!names.insert(name).second) twice = name;
    }
  }
  return twice.empty() ? twice : "two of its names would become '" + twice + "'";
}

std::string export_c(const Model& model) {
  const std::string guard = upper(model.name) + "_IDS_H";
  std::string text = filled(
      "/* The ids of fields and union members and the numbers of enum members in the schema $ $.$.\n   "
      "Written by schemagen export --format c; do not edit. */\n#ifndef $\n#define $\n",
      model.name, model.version.major_, model.version.minor_, guard, guard);
  for (const Definition& type : model.types) {
    text += "\n/* " + type.name + " */\n";
    for (const auto& [name, number] : constants_of(model, type))
      text += filled(number < 0 ? "#define $ ($)\n" : "#define $ $\n", name, number);
  }
  return text + "\n#endif\n";
}

}  // namespace generator
