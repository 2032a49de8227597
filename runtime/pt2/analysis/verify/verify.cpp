#include "pt2/analysis/verify/verify.h"

#include "pt2/analysis/verify/check.h"

namespace pt2 {

std::vector<Finding> verify(const ExportedProgram& program) {
  return verify(program, ProgramIndex(program));
}

std::vector<Finding> verify(const ExportedProgram& program, const ProgramIndex& index) {
  Check check(program, index);
  check_names(check);
  check_values(check);
  check_metas(check);
  check_signature(check);
  check_symbols(check);
  check_verifiers(check);
  for (const Check::Scope& scope : index.scopes()) {
    check_scope(check, scope);
    const std::vector<Node>& nodes = scope.index.graph().nodes;
    const bool several_devices = has_several_devices(scope.index.graph());
    for (std::uint32_t number = 0; number < nodes.size(); ++number) {
      const NodePlace place{scope, number, nodes[number], find_operator(nodes[number].target)};
      check_operator(check, place);
      check_arguments(check, place);
      check_subgraphs(check, place);
      check_operands(check, place, several_devices);
    }
  }
  check_modules(check);
  check_texts(check);
  check_code(check, program);
  return check.take();
}

}  // namespace pt2
