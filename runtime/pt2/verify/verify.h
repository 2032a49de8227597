// Checks of a program that its schema cannot express. All functions may be called from several threads at
// once.
#pragma once

#include <string>
#include <vector>

#include "pt2/graph/index.h"
#include "pt2/types.h"

namespace pt2 {

enum class Level {
  error,    // torch, or any runtime, will refuse the program or misread it
  warning,  // suspicious, but not refused
  note,     // worth knowing
};

/// `error`, `warning`, `note`.
const char* level_text(Level level);

/// One thing that is wrong with a program.
struct Finding {
  const char* rule;     // its id, see rules.h
  Level level;          // that of the rule
  std::string path;     // in the program's JSON, e.g. `graph_module.graph.nodes[3].inputs[0].arg`
  std::string message;  // names are as in the file: not printable as they stand
};

/// What the rules find in `program`, sorted by path, as the document has it, then by rule. Takes time linear
/// in the program, and reports at most 1000 findings of a rule.
std::vector<Finding> verify(const ExportedProgram& program);

/// The same with an index that is there already.
std::vector<Finding> verify(const ExportedProgram& program, const ProgramIndex& index);

}  // namespace pt2
