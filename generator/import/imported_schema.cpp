#include "import/imported_schema.h"

#include <algorithm>

#include "text/message.h"

namespace generator {
std::string spelled(const ImportedType& type) {
  std::string text = type.head;
  for (std::size_t i = 0; i < type.args.size(); ++i) text += (i == 0 ? "[" : ", ") + spelled(type.args[i]);
  return type.args.empty() ? text : text + "]";
}

void add_heads(const ImportedType& type, std::vector<std::string>& heads) {
  heads.push_back(type.head);
  for (const ImportedType& arg : type.args) add_heads(arg, heads);
}

std::string label_of(std::string_view field, std::string_view owner) {
  return quoted(field) + " of " + quoted(owner);
}

void set_version(ImportedSchema& schema, const std::vector<PythonExpression>& parts, const Span& span,
                 Diagnostics& diagnostics) {
  const bool are_integers = std::all_of(parts.begin(), parts.end(), [](const PythonExpression& part) {
    return part.kind == PythonExpression::Kind::integer;
  });
  if (!are_integers || parts.empty() || parts.size() > 2) {
    diagnostics.error(span, "SCHEMA_VERSION is neither (major, minor) nor one integer");
    return;
  }
  schema.version_span = span;
  schema.major = parts.front().text;
  if (parts.size() == 2) schema.minor = parts.back().text;
}

void report_missing_version(Diagnostics& diagnostics) {
  diagnostics.error({1, 1, 1}, "no SCHEMA_VERSION in this file",
                    "write SCHEMA_VERSION = (major, minor) at the top level");
}

}  // namespace generator
