// Adapts calls to operators to another release of PyTorch.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/types.h"
#include "schemagen/base/schema_version.h"

namespace pt2 {

struct LoadedProgram;

/// Returns the release of PyTorch whose operators `program` calls, such as `2.6`. That is the release that
/// the program names, or the first that wrote its schema if it names none (torch up to 2.4) or one with a
/// later schema (a downgraded program). `upgraded_from` is LoadedProgram::upgraded_from.
std::string release_of(const ExportedProgram& program,
                       const std::optional<SchemaVersion>& upgraded_from = std::nullopt);

/// A change to a call, or the reason why it cannot be ported.
struct CallChange {
  std::string path;  // path of the node, e.g. `graph_module.graph.nodes[3]`
  std::string
      what;  // "aten.foo.default: renamed argument 'a' to 'b'"; "aten.foo.default has no argument 'c' in ..."
  bool is_done = false;  // false if the call cannot be ported; the node is then unchanged
};

/// Adapts calls to operators whose arguments differ between the releases `from` and `to` of PyTorch, such as
/// `2.6`: renames arguments, drops those with default values, and adds those whose default has changed.
/// find_operator() knows the arguments of each release; their types are compared only for tuples, which
/// programs cannot pass. Functions of torch's modules that `to` cannot load, such as those that vmap leaves
/// behind, are reported as impossible. Skips operators that only one of the releases has (see
/// supported_by_torch()), and calls that only `to` accepts as they are. Calls that neither release accepts
/// are ported from operator_releases().schemas if that release accepts them.
///
/// Returns the changes, and the calls that cannot be ported. Takes O(nodes) time.
std::vector<CallChange> port_calls(ExportedProgram& program, std::string_view from, std::string_view to);

/// Ports a loaded program from its release_of() to operator_releases().schemas. A program from that release
/// or a later one does not change.
std::vector<CallChange> port_calls(LoadedProgram& loaded);

}  // namespace pt2
