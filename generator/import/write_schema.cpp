#include "import/import.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "front/fmt.h"
#include "text/message.h"
#include "text/quoting.h"

namespace generator {
namespace {

struct TracedText {
  std::string text{};
  std::map<std::pair<std::size_t, std::size_t>, Span> origins{};  // by line and column
  std::size_t line = 1;
  std::size_t line_start = 0;

  void add(std::string_view more, const Span& origin) {
    origins[{line, text.size() - line_start + 1}] = origin;
    text += more;
    line += static_cast<std::size_t>(std::count(more.begin(), more.end(), '\n'));
    line_start = text.rfind('\n') + 1;
  }

  Span origin_of(const Span& place) const {
    const auto after = origins.upper_bound({place.line, place.column});
    return after == origins.begin() ? Span() : std::prev(after)->second;
  }
};

struct SchemaWriter {
  const ImportedSchema& schema;
  Diagnostics& source;
  TracedText out{};

  TracedText write(const std::string& name) {
    out.add("name: " + yaml_string(name) + "\n", {1, 1, 1});
    out.add("version: {major: " + schema.major + ", minor: " + schema.minor + "}\n", schema.version_span);
    if (!schema.constants.empty()) out.add("constants:\n", schema.constants.front().span);
    for (const ImportedNumber& constant : schema.constants)
      out.add("  " + yaml_string(constant.name) + ": " + constant.number + "\n", constant.span);
    if (!schema.roots.empty()) out.add("roots: " + list_of(schema.roots) + "\n", {1, 1, 1});
    out.add("types:\n", {1, 1, 1});
    for (const ImportedDefinition& definition : schema.types) write_definition(definition);
    return std::move(out);
  }

  static std::string list_of(const std::vector<std::string>& names) {
    return "[" + joined(names, ", ", yaml_string) + "]";
  }

  void write_definition(const ImportedDefinition& definition) {
    const auto add = [&](const std::string& text) { out.add(text, definition.span); };
    add("  " + yaml_string(definition.name) + ":\n    kind: " + std::string(name_of(definition.kind)) + "\n");
    if (definition.is_named_in_json) add("    json: name\n");
    if (!definition.cpp_name.empty()) add("    cpp_name: " + yaml_string(definition.cpp_name) + "\n");
    if (!definition.doc.empty()) add("    doc: " + yaml_string(definition.doc) + "\n");
    add(definition.fields.empty() && definition.values.empty() ? "    fields: {}\n" : "    fields:\n");
    for (const ImportedField& field : definition.fields) write_field(field, definition);
    for (const ImportedNumber& value : definition.values)
      out.add("      " + yaml_string(value.name) + ": " + value.number + "\n", value.span);
    const std::string ids =
        joined(definition.reserved_ids, ", ", [](std::int32_t id) { return std::to_string(id); });
    if (!ids.empty() || !definition.reserved_names.empty())
      add("    reserved: {ids: [" + ids + "], names: " + list_of(definition.reserved_names) + "}\n");
  }

  void write_field(const ImportedField& field, const ImportedDefinition& owner) {
    ImportedType type = field.type;
    const std::string value = default_of(field, owner, type);
    out.add("      " + yaml_string(field.name) + ": {", field.span);
    if (!field.id.empty())
      out.add("id: " + field.id + ", ", field.id_span.line == 0 ? field.span : field.id_span);
    out.add("type: " + yaml_string(spelled(type)), field.type_span);
    if (!value.empty()) out.add(", default: " + value, field.default_value->span);
    std::string rest;
    if (field.is_boxed) rest += ", boxed: true";
    if (field.states_version) rest += ", states_version: true";
    const auto add = [&](std::string_view key, const std::string& text) {
      if (!text.empty()) rest.append(", ").append(key).append(": ").append(yaml_string(text));
    };
    add("since", field.since);
    add("deprecated", field.deprecated);
    add("cpp_name", field.cpp_name);
    add("doc", field.doc);
    out.add(rest + "}\n", field.span);
  }

  /// Any becomes Optional, because its default can only be null.
  std::string default_of(const ImportedField& field, const ImportedDefinition& owner, ImportedType& type) {
    if (!field.default_value) return "";
    const Span& span = field.default_value->span;
    if (type.head == "Any") {
      if (field.default_value->is_name("None")) {
        type = {"Optional", {type}, false};
        return "null";
      }
      source.add(
          {Severity::warning, span,
           label_of(field.name, owner.name) + " loses its default: the default of Any can only be null"});
      return "";
    }
    if (std::optional<std::string> text = default_text(*field.default_value, type, schema))
      return *std::move(text);
    source.error(
        span, "the default of " + label_of(field.name, owner.name) + " is not a literal",
        "write None, a bool, number, string or enum member, or field(default_factory=...) with list, dict "
        "or a lambda that returns one of these");
    return "";
  }
};

}  // namespace

std::optional<std::string> write_schema(const ImportedSchema& schema, const std::string& name,
                                        Diagnostics& source) {
  const TracedText text = SchemaWriter{schema, source}.write(name);
  Diagnostics written(source.file(), text.text);
  std::optional<std::string> out = formatted(written, {});
  for (Diagnostic diagnostic : written.all()) {
    diagnostic.span = text.origin_of(diagnostic.span);
    for (Note& note : diagnostic.notes) note.span = text.origin_of(note.span);
    source.add(std::move(diagnostic));
  }
  return source.has_errors() ? std::nullopt : out;
}

}  // namespace generator
