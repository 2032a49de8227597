#include "pt2/edit/root_call.h"

#include <vector>

#include "pt2/text/treespec.h"

namespace pt2 {
ModuleCallEntry root_call(std::size_t inputs, std::size_t outputs) {
  const auto leaves = [](std::size_t count) { return tuple_spec(std::vector<TreeSpec>(count)); };
  ModuleCallEntry entry;
  entry.signature.emplace();
  entry.signature->in_spec = treespec_json(tuple_spec({leaves(inputs), dict_spec({}, {})}));
  entry.signature->out_spec = treespec_json(outputs == 1 ? TreeSpec() : leaves(outputs));
  return entry;
}

ModuleCallSignature* root_signature(ExportedProgram& program) {
  std::vector<ModuleCallEntry>& calls = program.graph_module.module_call_graph;
  return calls.empty() || !calls[0].fqn.empty() || !calls[0].signature ? nullptr : &*calls[0].signature;
}

}  // namespace pt2
