#include "model/model.h"

namespace generator {
namespace {

using MeaningTexts = std::vector<std::string>;

void add_texts(MeaningTexts& all, const MeaningTexts& more) {
  all.insert(all.end(), more.begin(), more.end());
}

void add_meaning(const Model& model, const Definition& type, MeaningTexts& all) {
  add_texts(all, {"type", type.name, type.doc, type.cpp_name.value_or(""), std::string(name_of(type.kind)),
                  type.is_named_in_json ? "names" : "numbers"});
  for (const Field& field : type.members()) {
    add_texts(all, {field.name, std::to_string(field.id), spelled(model, field.type),
                    field.fallback ? "= " + spelled(*field.fallback) : "", field.boxed ? "boxed" : "",
                    field.states_version ? "states version" : "", field.doc, field.deprecated, field.since,
                    field.cpp_name.value_or("")});
  }
  for (const std::int32_t id : type.reserved.ids) all.push_back(std::to_string(id));
  add_texts(all, type.reserved.names);
}

MeaningTexts meaning_of(const Model& model) {
  MeaningTexts all = {model.name, spelled(model.version)};
  for (const Constant& constant : model.constants)
    add_texts(all, {constant.name, std::to_string(constant.value)});
  for (const std::size_t root : model.roots) add_texts(all, {"root", model.types[root].name});
  for (const Definition& type : model.types) add_meaning(model, type, all);
  return all;
}

}  // namespace

bool same_meaning(const Model& a, const Model& b) {
  return meaning_of(a) == meaning_of(b);
}

}  // namespace generator
