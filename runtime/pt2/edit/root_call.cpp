#include "pt2/edit/root_call.h"

#include <vector>

#include "pt2/versions/text/treespec.h"

namespace pt2 {
namespace {

/// A tuple of `count` leaves.
TreeSpec tuple_of(std::size_t count) {
  return {"builtins.tuple", schemagen::Json{"\"null\""}, std::vector<TreeSpec>(count)};
}

}  // namespace

ModuleCallEntry root_call(std::size_t inputs, std::size_t outputs) {
  TreeSpec arguments = tuple_of(2);
  arguments.children[0] = tuple_of(inputs);
  arguments.children[1] = {"builtins.dict", schemagen::Json{"\"[]\""}, {}};
  ModuleCallEntry entry;
  entry.signature.emplace();
  entry.signature->in_spec = treespec_json(arguments);
  entry.signature->out_spec = treespec_json(outputs == 1 ? TreeSpec() : tuple_of(outputs));
  return entry;
}

ModuleCallSignature* root_signature(ExportedProgram& program) {
  std::vector<ModuleCallEntry>& calls = program.graph_module.module_call_graph;
  return calls.empty() || !calls[0].fqn.empty() || !calls[0].signature ? nullptr : &*calls[0].signature;
}

}  // namespace pt2
