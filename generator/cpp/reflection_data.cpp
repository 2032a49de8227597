#include <iterator>
#include <map>
#include <string_view>

#include "cpp/template_data.h"
#include "text/message.h"

namespace generator {
namespace {

class TypeTable {
 public:
  explicit TypeTable(const Model& model) : model_(model) {
    for (const Definition& definition : model.types) {
      for (const Field& field : definition.fields) add(field.type);
    }
  }

  std::size_t index(const Type& type) const {
    return type.kind == Type::Kind::named ? type.named : indices_.at(spelled(model_, type));
  }
  const std::vector<const Type*>& others() const { return others_; }

 private:
  void add(const Type& type) {
    for (const Type& element : type.args) add(element);
    if (type.kind == Type::Kind::named) return;
    const std::size_t next = model_.types.size() + others_.size();
    if (indices_.emplace(spelled(model_, type), next).second) others_.push_back(&type);
  }

  const Model& model_;
  std::vector<const Type*> others_;
  std::map<std::string, std::size_t> indices_;
};

/// Of ReflectedType, in the order of Type::Kind.
constexpr std::string_view kEnumerators[] = {
    "boolean", "integer", "floating", "int8",  "int16", "int32", "uint8", "uint16", "uint32",
    "uint64",  "float32", "string",   "bytes", "unit",  "any",   "list",  "map",    "optional"};
static_assert(std::size(kEnumerators) == static_cast<std::size_t>(Type::Kind::named));

std::string enumerator_of(Type::Kind kind) {
  return std::string(kEnumerators[static_cast<std::size_t>(kind)]);
}

TemplateData::List field_datas(const Model& model, const TypeTable& table, std::size_t index) {
  const Definition& definition = model.types[index];
  TemplateData::List items;
  for (const Field& member : definition.members()) {
    const Type type = definition.is_enum() ? Type{Type::Kind::named, {}, index} : member.type;
    items.push_back({{{"schema_name", member.name},
                      {"id", std::to_string(member.id)},
                      {"type_index", std::to_string(table.index(type))},
                      {"type_text", spelled(model, type)}}});
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
  const auto add = [&](std::string kind, std::string text, std::string fields, std::size_t count,
                       std::string element) {
    types.push_back({{{"kind", std::move(kind)},
                      {"type_text", std::move(text)},
                      {"fields", std::move(fields)},
                      {"field_count", std::to_string(count)},
                      {"element", std::move(element)}}});
  };
  for (std::size_t i = 0; i < model.types.size(); ++i) {
    const Definition& definition = model.types[i];
    TemplateData::List fields = field_datas(model, table, i);
    const std::string name = fields.empty() ? "nullptr" : table_name(type_names[i].name);
    const std::string_view kind = word_of(definition.kind, {"structure", "union_", "enumeration"});
    add(std::string(kind), definition.name, name, fields.size(), "0");
    if (!fields.empty()) structs.push_back({{{"name", name}, {"fields", std::move(fields)}}});
  }
  for (const Type* type : table.others()) {
    std::string element = type->args.empty() ? "0" : std::to_string(table.index(type->args.front()));
    if (const Type* const key = key_of(*type)) element += ", " + std::to_string(table.index(*key));
    add(enumerator_of(type->kind), spelled(model, *type), "nullptr", 0, std::move(element));
  }
  data.set("reflected_type_count", std::to_string(types.size()));
  data.set("reflected_structs", std::move(structs));
  data.set("reflected_types", std::move(types));
}

}  // namespace generator
