#include <set>

#include "export/export.h"
#include "text/characters.h"
#include "text/message.h"

namespace generator {
namespace {

template <class Begin, class Visit>
void for_each_constant(const Model& model, const Begin& begin, const Visit& visit) {
  const std::string prefix = upper(model.name) + "_";
  for (const Definition& type : model.types) {
    begin(type);
    const std::string start = prefix + type.name + "_";
    for (const EnumValue& value : type.values) visit(start + value.name, value.number);
    for (const Field& field : type.fields) visit(start + field.name, field.id);
  }
}

}  // namespace

std::string unsupported_in_c(const Model& model) {
  std::set<std::string> names;
  std::string twice;
  for_each_constant(
      model, [](const Definition&) {},
      [&](const std::string& name, std::int32_t) {
        if (!names.insert(name).second) twice = name;
      });
  return twice.empty() ? twice : "two of its names would become '" + twice + "'";
}

std::string export_c(const Model& model) {
  const std::string guard = upper(model.name) + "_IDS_H";
  std::string text = filled(
      "/* The ids of fields and union members and the numbers of enum members in the schema $ $.$.\n   "
      "Written by schemagen export --format c; do not edit. */\n#ifndef $\n#define $\n",
      model.name, model.version.major_, model.version.minor_, guard, guard);
  for_each_constant(
      model, [&](const Definition& type) { text += "\n/* " + type.name + " */\n"; },
      [&](const std::string& name, std::int32_t number) {
        text += "#define " + name + " " +
                (number < 0 ? "(" + std::to_string(number) + ")" : std::to_string(number)) + "\n";
      });
  return text + "\n#endif\n";
}

}  // namespace generator
