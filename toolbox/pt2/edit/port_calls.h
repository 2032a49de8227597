// Adapts operator calls to another release of PyTorch.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/types.h"
#include "schemagen/base/schema_version.h"

namespace pt2 {

struct LoadedProgram;

/// Returns the release of PyTorch whose operators `program` calls, e.g. `2.6`. Usually, the program names
/// this release. If it names no release (torch up to 2.4), or a release whose schema is later than its own (a
/// downgraded program), returns the first release that wrote its schema. `upgraded_from` is
/// LoadedProgram::upgraded_from.
std::string release_of(const ExportedProgram& program,
                       const std::optional<SchemaVersion>& upgraded_from = std::nullopt);

/// A change to a call, or the reason why the call cannot be ported.
struct CallChange {
  std::string path;  // path of the node, e.g. `graph_module.graph.nodes[3]`
  /// For example, "aten.foo.default: renamed argument 'a' to 'b'" or "aten.foo.default has no argument 'c'
  /// in ...".
  std::string what;
  bool is_done = false;  // false if the call cannot be ported; the node is then unchanged
};

/// Adapts calls to operators whose arguments differ between the PyTorch releases `from` and `to`, e.g. `2.6`.
/// Renames arguments, drops arguments that `to` lacks if they have their default values, and adds arguments
/// whose defaults have changed. The arguments of each release are those that find_operator() returns.
/// Argument types are compared only for tuples, which programs cannot pass. Calls to functions in torch's
/// modules that `to` cannot load, such as those that vmap leaves behind, are reported as impossible to port.
/// Skips operators that only one of the releases has (see supported_by_torch()), and calls that `to` already
/// accepts but `from` does not. If neither release accepts a call, it is ported from
/// operator_releases().schemas, provided that this release accepts it.
///
/// Returns the changes and the calls that cannot be ported. Takes O(nodes) time.
std::vector<CallChange> port_calls(ExportedProgram& program, std::string_view from, std::string_view to);

/// Ports a loaded program from the release that release_of() returns to operator_releases().schemas. A
/// program from that release or a later one does not change.
std::vector<CallChange> port_calls(LoadedProgram& loaded);

}  // namespace pt2
