#include "pt2/diff/program_diff.h"

#include "pt2/canonical/canonical.h"
#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

std::string coloured(const std::string& line, const char* code, Colours colours) {
  return colours == Colours::none ? line + "\n" : "\x1b[" + std::string(code) + "m" + line + "\x1b[0m\n";
}

}  // namespace

std::string difference_text(const std::vector<Difference>& differences, Colours colours) {
  std::string text;
  std::string part;
  std::string where;
  for (const Difference& difference : differences) {
    if (difference.part != part) text += (text.empty() ? "" : "\n") + difference.part + "\n";
    if (difference.where != where && !difference.where.empty()) text += "  in " + difference.where + ":\n";
    part = difference.part;
    where = difference.where;
    const std::string indent = where.empty() ? "" : "  ";
    if (difference.before == difference.after && !difference.before.empty()) {
      text += indent + "  " + difference.before + "\n";
    } else {
      if (!difference.before.empty()) text += coloured(indent + "- " + difference.before, "31", colours);
      if (!difference.after.empty()) text += coloured(indent + "+ " + difference.after, "32", colours);
    }
    for (const std::string& detail : difference.details) text += indent + "    (" + detail + ")\n";
  }
  if (differences.empty()) return "no differences\n";
  return text + "\n" + schemagen::counted(differences.size(), "difference") + "\n";
}

std::function<void(const std::string& pass, const ExportedProgram& before, const ExportedProgram& after)>
pass_printer(std::ostream& out) {
  return [&out](const std::string& pass, const ExportedProgram& before, const ExportedProgram& after) {
    out << pass << ":\n" << difference_text(diff_programs(normalize(before), normalize(after)));
  };
}

}  // namespace pt2
