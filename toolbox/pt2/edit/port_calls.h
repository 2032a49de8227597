// Calls of operators, as another release of PyTorch takes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/types.h"
#include "schemagen/base/schema_version.h"

namespace pt2 {

struct LoadedProgram;

/// The release of PyTorch whose calls `program` has, `2.6`: the one that it names or, as up to 2.4 none is
/// named, the first that wrote its schema; this also where it names a release of a later schema, as what was
/// downgraded does. `upgraded_from`: what that was, see LoadedProgram.
std::string release_of(const ExportedProgram& program,
                       const std::optional<SchemaVersion>& upgraded_from = std::nullopt);

/// What became of a call on its way to another release of PyTorch.
struct CallChange {
  std::string path;  // of the node: `graph_module.graph.nodes[3]`
  std::string
      what;  // such as "aten.foo.default: 'a' becomes 'b'"; "aten.foo.default has no argument 'c' in ..."
  bool is_done = false;  // false: it cannot be done, and the node is as it was
};

/// Makes calls of operators that release `from` of PyTorch has with other arguments than release `to`, both
/// as `2.6`, calls of the latter: arguments get other names or, if they have their default values, are left
/// out; what was left out is given where the default value is another one. What the releases have is as
/// find_operator() says; of types only tuples are looked at, which programs cannot give. Functions of
/// torch's modules that `to` cannot load calls of, as vmap leaves them, are refused; operators that only one
/// of them has are passed over, see supported_by_torch(), and so are calls that only `to` takes as they are.
/// Calls that neither takes, but the release of operator_releases().schemas, are taken for its own.
///
/// Returns what was changed, and what cannot be. O(nodes).
std::vector<CallChange> port_calls(ExportedProgram& program, std::string_view from, std::string_view to);

/// The same of a program that was loaded, from its release_of() to that of operator_releases().schemas; one
/// of that release or a later one stays as it is.
std::vector<CallChange> port_calls(LoadedProgram& loaded);

}  // namespace pt2
