#include "front/load.h"

#include "front/imports.h"
#include "front/other_language.h"
#include "front/resolve.h"

namespace generator {

std::optional<Model> load_model(Diagnostics& diagnostics, const Names& rules, const SchemaFiles& files) {
  if (is_other_language(diagnostics)) return std::nullopt;
  // Continues after YAML errors to report all in one run.
  std::optional<Model> model = resolve(read_documents(diagnostics, files), rules, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return model;
}

}  // namespace generator
