#include "front/load.h"

#include "front/imports.h"
#include "front/resolve.h"

namespace generator {

std::optional<Model> load_model(Diagnostics& diagnostics, const Names& rules, const SchemaFiles& files) {
  // Continues after YAML errors to report all in one run.
  std::optional<Model> model = resolve(read_documents(diagnostics, files), rules, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return model;
}

}  // namespace generator
