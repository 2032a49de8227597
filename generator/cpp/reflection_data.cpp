#include <iterator>
#include <map>
#include <string_view>

#include "cpp/template_data.h"
#include "text/message.h"

namespace generator {
namespace {

struct TypeTable {
  explicit TypeTable(const Model& model_) : model(model_) {
    for (const Definition& definition : model.types) {
      for (const Field& field : definition.fields) add(field.type);
    }
  }

  std::size_t index(const Type& type) const {
    return type.kind == Type::Kind::named ? type.named : indices.at(spelled(model, type));
  }
  void add(const Type& type) {
    for (const Type& element : type.args) add(element);
    if (type.kind == Type::Kind::named) return;
    const std::size_t next = model.types.size() + others.size();
    if (indices.emplace(spelled(model, type), next).second) others.push_back(&type);
  }

  const Model& model;
  std::vector<const Type*> others;
  std::map<std::string, std::size_t> indices;
};

/// Of ReflectedType, in the order of Type::Kind.
constexpr std::string_view kEnumerators[] = {
    "boolean", "integer", "floating", "int8",  "int16", "int32", "uint8", "uint16", "uint32",
    "uint64",  "float32", "string",   "bytes", "unit",  "any",   "list",  "map",    "optional"};
static_assert(std::size(kEnumerators) == static_cast<std::size_t>(Type::Kind::named));

TemplateData::List field_datas(const Model& model, const TypeTable& table, std::size_t index) {
  const Definition& definition = model.types[index];
  TemplateData::List items;
  for (const Field& member : definition.members()) {
    const Type type = definition.is_enum() ? Type{Type::Kind::named, {}, index} : member.type;
    items.push_back(TemplateData::of("schema_name", member.name, "id", member.id, "type_index",
                                     table.index(type), "type_text", spelled(model, type)));
  }
  return items;
}

std::string table_name(const std::string& type_name) {
  return "k" + type_name + "Fields";
}

}  // namespace

void add_reflection(TemplateData& data, const Model& model, const std::vector<CppName>& type_names) {
  const TypeTable table(model);
  TemplateData::List structs;
  TemplateData::List types;
  // `element` is the element type of a list, map or optional, followed by the key type unless keys are
  // strings.
  const auto add = [&](std::string_view kind, const std::string& text, const std::string& fields,
                       std::size_t count, const std::string& element) {
    types.push_back(TemplateData::of("kind", kind, "type_text", text, "fields", fields, "field_count", count,
                                     "element", element));
  };
  for (std::size_t i = 0; i < model.types.size(); ++i) {
    const Definition& definition = model.types[i];
    TemplateData::List fields = field_datas(model, table, i);
    const std::string name = fields.empty() ? "nullptr" : table_name(type_names[i].name);
    add(word_of(definition.kind, {"structure", "union_", "enumeration"}), definition.name, name,
        fields.size(), "0");
    if (!fields.empty()) structs.push_back(TemplateData::of("name", name, "fields", std::move(fields)));
  }
  for (const Type* type : table.others) {
    std::string element = type->args.empty() ? "0" : std::to_string(table.index(type->args.front()));
    if (const Type* const key = key_of(*type)) element += ", " + std::to_string(table.index(*key));
    add(kEnumerators[static_cast<std::size_t>(type->kind)], spelled(model, *type), "nullptr", 0, element);
  }
  data.set("reflected_type_count", types.size(), "reflected_structs", std::move(structs), "reflected_types",
           std::move(types));
}

}  // namespace generator
