#include "import/import.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "import/type_expression.h"
#include "schemagen/base/utf8.h"
#include "text/message.h"

namespace generator {
namespace {

using Expression = PythonExpression;
using Statement = PythonStatement;

/// Names that differ in Python: `Class`, `Class.member` or a constant, from the SCHEMA_NAMES that `export
/// --format python` writes.
class SchemaNames {
 public:
  explicit SchemaNames(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) {
      if (statement.kind != Statement::Kind::assignment || statement.name != "SCHEMA_NAMES") continue;
      const std::vector<Expression>& parts = statement.value->parts;
      for (std::size_t i = 0; statement.value->kind == Expression::Kind::dict && i + 1 < parts.size(); i += 2)
        names_[parts[i].text] = parts[i + 1].text;
    }
  }

  std::string of(const std::string& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? name : found->second;
  }
  std::string of(const std::string& owner, const std::string& name) const {
    const auto found = names_.find(owner + "." + name);
    return found == names_.end() ? name : found->second;
  }

  Expression in(Expression value) const {
    if (value.kind == Expression::Kind::attribute)
      value.text = of(value.parts.front().last_name(), value.text);
    if (value.kind == Expression::Kind::call) {
      const Expression& function = value.parts.front();
      const std::string owner =
          (function.text == "create" && !function.parts.empty() ? function.parts.front() : function)
              .last_name();
      for (std::string& keyword : value.keywords) keyword = of(owner, keyword);
    }
    if (value.kind == Expression::Kind::name) value.text = of(value.text);
    for (Expression& part : value.parts) part = in(std::move(part));
    return value;
  }

 private:
  std::map<std::string, std::string> names_;
};

std::optional<DefinitionKind> kind_of(const Statement& statement) {
  if (statement.kind != Statement::Kind::class_definition) return std::nullopt;
  const auto has_base = [&](std::string_view name) {
    return std::any_of(statement.bases.begin(), statement.bases.end(),
                       [&](const Expression& base) { return base.last_name() == name; });
  };
  const auto has_decorator = [&](std::string_view name) {
    return std::any_of(statement.decorators.begin(), statement.decorators.end(), [&](const Expression& one) {
      return (one.kind == Expression::Kind::call ? one.parts.front() : one).last_name() == name;
    });
  };
  if (has_base("Enum") || has_base("IntEnum")) return DefinitionKind::enumeration;
  if (has_base("_Union") || has_decorator("_union_dataclass")) return DefinitionKind::union_;
  return has_decorator("dataclass") ? std::optional(DefinitionKind::structure) : std::nullopt;
}

struct SchemaPyReader {
  const std::vector<Statement>& statements;
  const PythonComments& comments;
  Diagnostics& diagnostics;
  const SchemaNames python{statements};
  ImportedNames names{};
  ImportedSchema schema{};

  ImportedSchema read() {
    collect_names();
    read_version();
    for (const Statement& statement : statements) {
      const std::optional<DefinitionKind> kind = kind_of(statement);
      if (kind) schema.types.push_back(read_class(*kind, statement));
      if (statement.kind == Statement::Kind::assignment || statement.kind == Statement::Kind::annotation)
        read_constant(statement);
    }
    if (schema.types.empty()) diagnostics.error({1, 1, 1}, "no dataclass, union or enum in this file");
    return std::move(schema);
  }

  void collect_names() {
    for (const Statement& statement : statements) {
      if (const std::optional<DefinitionKind> kind = kind_of(statement)) {
        names.types[statement.name] = python.of(statement.name);
        if (*kind == DefinitionKind::enumeration) names.enums.insert(python.of(statement.name));
      } else {
        if (!statement.name.empty()) names.elsewhere.insert(statement.name);
        names.elsewhere.insert(statement.names.begin(), statement.names.end());
      }
    }
  }

  void read_version() {
    for (const Statement& statement : statements) {
      if (statement.name != "SCHEMA_VERSION" || !statement.value) continue;
      const Expression& value = *statement.value;
      const bool is_list = value.kind == Expression::Kind::tuple || value.kind == Expression::Kind::list;
      return set_version(schema, is_list ? value.parts : std::vector{value}, value.span, diagnostics);
    }
    report_missing_version(diagnostics);
  }

  void read_constant(const Statement& statement) {
    if (!statement.value || statement.value->kind != Expression::Kind::integer ||
        statement.name == "SCHEMA_VERSION")
      return;
    schema.constants.push_back({python.of(statement.name), statement.span, statement.value->text});
  }

  ImportedDefinition read_class(DefinitionKind kind, const Statement& statement) {
    ImportedDefinition definition;
    definition.kind = kind;
    definition.name = python.of(statement.name);
    definition.span = statement.span;
    definition.doc = doc_of(comments, statement.first_line, statement.span.line);
    if (kind == DefinitionKind::enumeration) {
      read_values(statement, definition);
    } else {
      read_fields(statement, definition);
    }
    return definition;
  }

  void read_values(const Statement& statement, ImportedDefinition& definition) {
    long long largest = 0;
    for (const Statement& line : statement.body) {
      if (!line.value || line.name.empty() || line.name.substr(0, 2) == "__") continue;
      const Expression& value = *line.value;
      const bool is_auto = value.kind == Expression::Kind::call && value.parts.size() == 1 &&
                           value.parts.front().last_name() == "auto";
      if (!is_auto && value.kind != Expression::Kind::integer) {
        diagnostics.error(line.span,
                          "the value of " + label_of(line.name, statement.name) + " is not an integer");
        continue;
      }
      const std::string number = is_auto ? std::to_string(largest + 1) : value.text;
      // Numbers beyond 32 bits are reported when the schema is checked.
      largest = std::clamp(std::strtoll(number.c_str(), nullptr, 10), largest, 1LL << 32);
      definition.values.push_back({python.of(statement.name, line.name), line.span, number});
    }
  }

  void read_fields(const Statement& statement, ImportedDefinition& definition) {
    for (const Expression& base : statement.bases) {
      if (base.last_name() == "_Union" || base.last_name() == "object") continue;
      diagnostics.error(
          base.span, quoted(statement.name) + " has a base class, and the schema language has no inheritance",
          "repeat the fields of the base class");
    }
    for (const Statement& line : statement.body) {
      if (line.kind == Statement::Kind::class_definition) {
        diagnostics.error(line.span, filled("class '$' is nested in '$'", line.name, statement.name),
                          "types must be at the top level of the file");
      }
      if (line.kind == Statement::Kind::annotation && !is_class_variable(*line.annotation))
        definition.fields.push_back(read_field(line, statement.name));
    }
  }

  static bool is_class_variable(const Expression& annotation) {
    const bool is_subscript = annotation.kind == Expression::Kind::subscript;
    return (is_subscript ? annotation.parts.front() : annotation).last_name() == "ClassVar";
  }

  ImportedField read_field(const Statement& statement, const std::string& owner) {
    ImportedField field;
    field.name = python.of(owner, statement.name);
    field.span = statement.span;
    field.doc = doc_of(comments, statement.first_line, statement.last_line);
    const std::string label = label_of(field.name, owner);
    const Expression annotation = unquoted(*statement.annotation);
    const bool is_annotated = annotation.kind == Expression::Kind::subscript && annotation.parts.size() > 1 &&
                              annotation.parts.front().last_name() == "Annotated";
    const Expression& type = is_annotated ? annotation.parts[1] : *statement.annotation;
    field.type_span = type.span;
    field.type = read_type(type, label, names, diagnostics);
    if (is_annotated && annotation.parts.size() > 2) {
      const Expression& id = annotation.parts[2];
      if (id.kind != Expression::Kind::integer)
        diagnostics.error(id.span, "the id of " + label + " is not an integer");
      field.id = id.text;
      field.id_span = id.span;
    }
    if (statement.value) field.default_value = read_default(*statement.value, label);
    return field;
  }

  std::optional<Expression> read_default(const Expression& value, const std::string& label) {
    if (value.kind != Expression::Kind::call || value.parts.front().last_name() != "field")
      return python.in(value);
    for (std::size_t i = 0; i < value.keywords.size(); ++i) {
      const Expression& argument = value.parts[i + 1];
      if (value.keywords[i] == "default") return read_default(argument, label);
      if (value.keywords[i] == "default_factory") return made_by(argument, value.span);
    }
    return std::nullopt;
  }

  Expression made_by(const Expression& factory, const Span& span) const {
    Expression made{Expression::Kind::other, "", {}, {}, span};
    if (factory.kind == Expression::Kind::lambda) made = python.in(factory.parts.front());
    if (factory.is_name("list")) made.kind = Expression::Kind::list;
    if (factory.is_name("dict")) made.kind = Expression::Kind::dict;
    made.span = span;
    return made;
  }
};

bool check_encoding(Diagnostics& diagnostics) {
  const std::optional<std::size_t> bad = schemagen::find_bad_utf8(diagnostics.text());
  if (!bad) return true;
  return diagnostics.refuse(SourceLines(diagnostics.text()).place(*bad),
                            "the file contains bytes that are not UTF-8", "save it as UTF-8");
}

}  // namespace

std::optional<ImportedSchema> read_schema_py(Diagnostics& diagnostics, bool with_comments) {
  if (!check_encoding(diagnostics)) return std::nullopt;
  std::optional<PythonFile> file = parse_python(diagnostics);
  if (!file) return std::nullopt;
  if (!with_comments) file->comments.clear();
  ImportedSchema schema = SchemaPyReader{file->statements, file->comments, diagnostics}.read();
  return diagnostics.has_errors() ? std::nullopt : std::optional(std::move(schema));
}

}  // namespace generator
