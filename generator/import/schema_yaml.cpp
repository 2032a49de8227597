#include "import/import.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "front/yaml.h"
#include "import/type_expression.h"
#include "text/message.h"

namespace generator {
namespace {

struct SchemaYamlReader {
  const YamlNode& root;
  Diagnostics& diagnostics;
  ImportedNames names{};
  ImportedSchema schema{};

  ImportedSchema read() {
    for (const YamlEntry& entry : root.entries) {
      if (entry.value.kind != YamlNode::Kind::map) continue;
      names.types[entry.key.text] = entry.key.text;
      if (kind_of(entry) == DefinitionKind::enumeration) names.enums.insert(entry.key.text);
    }
    bool has_version = false;
    for (const YamlEntry& entry : root.entries) {
      if (entry.value.kind == YamlNode::Kind::map) {
        read_definition(entry);
      } else if (entry.key.text == "SCHEMA_VERSION") {
        has_version = true;
        read_version(entry.value);
      } else if (check_integer(entry.value, quoted(entry.key.text), diagnostics)) {
        schema.constants.push_back({entry.key.text, entry.key.span, entry.value.text});
      }
    }
    if (!has_version) report_missing_version(diagnostics);
    return std::move(schema);
  }

  static DefinitionKind kind_of(const YamlEntry& type) {
    const YamlEntry* const kind = type.value.find("kind");
    if (kind == nullptr) return DefinitionKind::structure;
    return kind->value.text == "enum"    ? DefinitionKind::enumeration
           : kind->value.text == "union" ? DefinitionKind::union_
                                         : DefinitionKind::structure;
  }

  void check_known(const YamlNode& map, std::initializer_list<std::string_view> known,
                   const std::string& what) {
    for (const YamlEntry& entry : map.entries) {
      if (std::find(known.begin(), known.end(), entry.key.text) == known.end())
        diagnostics.error(entry.key.span, "unknown key " + quoted(entry.key.text) + " in " + what);
    }
  }

  const YamlNode* find_value(const YamlEntry& owner, std::string_view key, const std::string& what) {
    const YamlEntry* const entry = owner.value.find(key);
    if (entry != nullptr) return &entry->value;
    diagnostics.error(owner.key.span, what + " has no " + std::string(key));
    return nullptr;
  }

  void read_definition(const YamlEntry& entry) {
    ImportedDefinition definition;
    definition.kind = kind_of(entry);
    definition.name = entry.key.text;
    definition.span = entry.key.span;
    const std::string what = quoted(definition.name);
    check_known(entry.value, {"kind", "fields"}, what);
    const YamlNode* const kind = find_value(entry, "kind", what);
    if (kind != nullptr && kind->text != name_of(definition.kind))
      diagnostics.error(kind->span, "kind " + quoted(kind->text) + " is not struct, union or enum");
    const YamlNode* const fields = find_value(entry, "fields", what);
    const bool are_fields =
        fields != nullptr && check_kind(*fields, YamlNode::Kind::map, "fields of " + what, diagnostics);
    for (std::size_t i = 0; are_fields && i < fields->entries.size(); ++i) {
      const YamlEntry& field = fields->entries[i];
      const std::string label = label_of(field.key.text, definition.name);
      if (definition.kind != DefinitionKind::enumeration) {
        read_field(field, label, definition);
      } else if (check_integer(field.value, "the value of " + label, diagnostics)) {
        definition.values.push_back({field.key.text, field.key.span, field.value.text});
      }
    }
    schema.types.push_back(std::move(definition));
  }

  void read_field(const YamlEntry& entry, const std::string& label, ImportedDefinition& owner) {
    if (!check_kind(entry.value, YamlNode::Kind::map, label, diagnostics)) return;
    check_known(entry.value, {"type", "default"}, label);
    const YamlNode* const type = find_value(entry, "type", label);
    if (type == nullptr) return;
    ImportedField field;
    field.name = entry.key.text;
    field.span = entry.key.span;
    field.type_span = type->span;
    field.type = read_type(python_string(*type), label, names, diagnostics);
    field.type.is_quoted = false;  // every type is a string here
    if (const YamlEntry* const value = entry.value.find("default")) {
      PythonExpression text = python_string(value->value);
      field.default_value = field.type.head == "str" ? std::move(text) : unquoted(std::move(text));
    }
    owner.fields.push_back(std::move(field));
  }

  static PythonExpression python_string(const YamlNode& node) {
    return {PythonExpression::Kind::string, node.text, {}, {}, node.span};
  }

  void read_version(const YamlNode& node) {
    std::vector<PythonExpression> parts;
    const bool is_list = node.kind == YamlNode::Kind::sequence;
    for (const YamlNode& item : node.items) parts.push_back(unquoted(python_string(item)));
    if (!is_list && !node.quoted) parts.push_back(unquoted(python_string(node)));
    set_version(schema, parts, node.span, diagnostics);
  }
};

}  // namespace

std::optional<ImportedSchema> read_schema_yaml(Diagnostics& diagnostics) {
  const YamlNode root = parse_yaml(diagnostics);
  if (diagnostics.has_errors() || !check_kind(root, YamlNode::Kind::map, "the schema", diagnostics))
    return std::nullopt;
  if (const YamlEntry* const types = root.find("types"))
    return diagnostics.error(types->key.span, "this is already a schemagen schema",
                             "to format it, use schemagen fmt");
  ImportedSchema schema = SchemaYamlReader{root, diagnostics}.read();
  return diagnostics.has_errors() ? std::nullopt : std::optional(std::move(schema));
}

}  // namespace generator
