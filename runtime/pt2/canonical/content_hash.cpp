#include "pt2/canonical/canonical.h"

#include <cstdint>
#include <utility>

#include "pt2/graph/index.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/sha256.h"

namespace pt2 {
namespace {

void require_defined_names(const ExportedProgram& program) {
  for_each_graph(program.graph_module.graph, [](const Graph& graph) {
    const GraphIndex index(graph);
    for (std::uint32_t value = index.defined_count(); value < index.size(); ++value) {
      // Objects that are not lifted to inputs are constants with that name.
      if (index.table(value) == ValueName::Table::custom_objects) continue;
      throw schemagen::DataError("cannot hash the program: the value " +
                                 schemagen::quoted(index.name(value)) + " is used but not defined");
    }
  });
}

}  // namespace

std::string content_text(ExportedProgram program) {
  require_defined_names(program);
  return schemagen::to_json(canonicalize(std::move(program), CanonicalForm::normal, Provenance::drop));
}

std::string content_hash(ExportedProgram program) {
  return "sha256:" + schemagen::sha256_hex(content_text(std::move(program)));
}

}  // namespace pt2
