#include "model/type_graph.h"

#include <algorithm>

#include "text/message.h"

namespace generator {
namespace {

Holding holding_of(const Field& field) {
  if (field.boxed) return Holding::boxed;
  bool in_map = false;
  for (const Type* type = &field.type; !type->args.empty(); type = &type->args.front()) {
    if (type->kind == Type::Kind::list) return Holding::list;
    if (type->kind == Type::Kind::map) in_map = true;
  }
  if (in_map) return Holding::map;
  return field.type.kind == Type::Kind::optional ? Holding::optional : Holding::by_value;
}

}  // namespace

std::string_view name_of(Holding holding) {
  return word_of(holding, {"by-value", "optional", "map", "list", "boxed"});
}

std::vector<Arc> arcs(const Model& model) {
  std::vector<Arc> result;
  for (std::size_t from = 0; from < model.types.size(); ++from) {
    const auto first = static_cast<std::ptrdiff_t>(result.size());
    const std::vector<Field>& fields = model.types[from].fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const Holding holding = holding_of(fields[i]);
      for (const std::size_t to : all_named_in(fields[i].type)) {
        auto found = std::find_if(result.begin() + first, result.end(),
                                  [&](const Arc& arc) { return arc.to == to && arc.holding == holding; });
        if (found == result.end()) found = result.insert(result.end(), {from, to, holding, {}});
        if (found->fields.empty() || found->fields.back() != i) found->fields.push_back(i);
      }
    }
  }
  return result;
}

std::string field_names(const Model& model, const Arc& arc) {
  const std::vector<Field>& fields = model.types[arc.from].fields;
  return joined(arc.fields, ", ", [&](std::size_t field) { return fields[field].name; });
}

}  // namespace generator
