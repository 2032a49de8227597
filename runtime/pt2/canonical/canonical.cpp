#include "pt2/canonical/canonical.h"

#include <utility>

#include "pt2/canonical/node_order.h"
#include "pt2/canonical/symbol_renaming.h"
#include "pt2/canonical/torch_form.h"
#include "pt2/canonical/unordered_parts.h"
#include "pt2/canonical/unused_entries.h"
#include "pt2/canonical/value_renaming.h"
#include "pt2/graph/walk.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

void sort_parts(ExportedProgram& program, CanonicalForm form, Provenance provenance,
                const OperatorSet& operators) {
  if (form == CanonicalForm::torch) return sort_as_torch(program);
  sort_unordered(program, provenance);
  if (form == CanonicalForm::normal) order_nodes(program, operators);
}

schemagen::Map<std::string> give_names(ExportedProgram& program, CanonicalForm form,
                                       OriginalNames* original = nullptr) {
  if (form == CanonicalForm::torch) {
    // torch orders the nodes of a subgraph after renaming the graph around it.
    order_and_rename_as_torch(program.graph_module);
    return {};
  }
  const UnusedEntries unused = rename_values(program.graph_module, original);
  schemagen::Map<std::string> symbols = rename_symbols(program, unused);
  for_each_graph(program.graph_module.graph, [&](Graph& graph) { name_unused_entries(graph, unused); });
  return symbols;
}

}  // namespace

CanonicalForm canonical_form_named(std::string_view name) {
  if (name == "torch") return CanonicalForm::torch;
  if (name == "names") return CanonicalForm::names;
  if (name == "normal") return CanonicalForm::normal;
  throw schemagen::UsageError("unknown form " + schemagen::quoted(name) +
                              ", expected torch, names or normal");
}

ExportedProgram canonicalize(ExportedProgram program, CanonicalForm form, Provenance provenance) {
  sort_parts(program, form, provenance, {});
  give_names(program, form);
  return program;
}

NormalProgram normalize(ExportedProgram program, const OperatorSet& operators) {
  sort_parts(program, CanonicalForm::normal, Provenance::drop, operators);
  NormalProgram normal;
  normal.symbols = give_names(program, CanonicalForm::normal, &normal.names);
  normal.program = std::move(program);
  return normal;
}

}  // namespace pt2
