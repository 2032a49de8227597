#include "call_changes.h"

#include "pt2/operators/operators.h"
#include "pt2/stats/stats.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {

std::string call_lines(const std::string& file, const std::vector<CallChange>& calls,
                       const std::string& level) {
  std::string text;
  for (const CallChange& call : calls) {
    text += file + ": " + (call.is_done ? "note" : level) + ": " +
            schemagen::shortened(schemagen::printable(call.path)) + ": " + schemagen::printable(call.what) +
            "\n";
  }
  return text;
}

std::string missing_operators(const std::string& file, const ExportedProgram& program,
                              const std::string& release) {
  std::string text;
  for (const OperatorUse& use : operator_report(program, supported_by_torch(release))) {
    const bool is_gone =
        find_operator(use.target) != nullptr && find_operator(use.target, release) == nullptr;
    if (!is_gone) continue;
    text += file + ": warning: torch " + release + " lacks the operator " + schemagen::printable(use.target) +
            ": it " + use.missing + "\n";
  }
  return text;
}

}  // namespace pt2::tool
