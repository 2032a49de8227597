#include "pt2/compare/canonical_names.h"

#include "pt2/compare/symbol_renaming.h"
#include "pt2/compare/unordered_parts.h"
#include "pt2/compare/value_renaming.h"

namespace pt2 {

ExportedProgram canonical_names(ExportedProgram program, Provenance provenance) {
  sort_unordered(program, provenance);
  rename_values(program.graph_module);
  rename_symbols(program);
  return program;
}

}  // namespace pt2
