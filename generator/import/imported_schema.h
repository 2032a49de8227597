// Names and ids are checked when the schema is written.
#pragma once

#include <string_view>

#include "import/python_syntax.h"
#include "model/model.h"

namespace generator {

/// For example, `List[int]` has the head `List`.
struct ImportedType {
  std::string head;
  std::vector<ImportedType> args;
  bool is_quoted = false;  // whether this is a quoted reference to a later type
};

struct ImportedField {
  std::string name;
  Span span;
  ImportedType type;
  Span type_span;
  std::string id;  // digits; empty if there is none
  Span id_span;
  std::optional<PythonExpression> default_value;
  bool is_boxed = false;
  bool states_version = false;
  std::string doc;
  std::string since;
  std::string deprecated;
  std::string cpp_name;
};

/// A constant, or a member of an enum.
struct ImportedNumber {
  std::string name;
  Span span;
  std::string number;
};

struct ImportedDefinition {
  DefinitionKind kind = DefinitionKind::structure;
  std::string name;
  Span span;
  std::vector<ImportedField> fields;
  std::vector<ImportedNumber> values;
  bool is_named_in_json = false;
  std::string doc;
  std::string cpp_name;
  std::vector<std::int32_t> reserved_ids;
  std::vector<std::string> reserved_names;
};

struct ImportedSchema {
  std::string major = "0";
  std::string minor = "0";
  Span version_span;
  std::vector<ImportedNumber> constants;
  std::vector<ImportedDefinition> types;
  std::vector<std::string> roots;
};

std::string spelled(const ImportedType& type);

void add_heads(const ImportedType& type, std::vector<std::string>& heads);

std::string label_of(std::string_view field, std::string_view owner);

/// Sets the version from SCHEMA_VERSION, which must consist of one or two integers.
void set_version(ImportedSchema& schema, const std::vector<PythonExpression>& parts, const Span& span,
                 Diagnostics& diagnostics);

void report_missing_version(Diagnostics& diagnostics);

/// Returns a default as YAML, even if it does not match the type. Returns nullopt unless the default is a
/// literal, an enum member, or a list, dict or object of these.
std::optional<std::string> default_text(const PythonExpression& value, const ImportedType& type,
                                        const ImportedSchema& schema);

}  // namespace generator
