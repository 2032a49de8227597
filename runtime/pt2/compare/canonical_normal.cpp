#include "pt2/compare/canonical_normal.h"

#include "pt2/compare/node_order.h"
#include "pt2/compare/symbol_renaming.h"
#include "pt2/compare/unordered_parts.h"
#include "pt2/compare/value_renaming.h"

namespace pt2 {

ExportedProgram canonical_normal(ExportedProgram program, Provenance provenance) {
  sort_unordered(program, provenance);
  order_nodes(program);
  rename_values(program.graph_module);
  rename_symbols(program);
  return program;
}

}  // namespace pt2
