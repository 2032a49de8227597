// Describes what verify() and scan_file() find.
#pragma once

#include "pt2/findings/rules.h"
#include "schemagen/base/error.h"

namespace pt2 {

/// A fault in a program or file. The strings contain raw text from the file; pass them through
/// schemagen::printable() before you print them.
struct Finding {
  RuleId rule;
  Severity severity;  // the rule's severity, unless a RuleSet or a policy changes it
  /// The path in the program's JSON, e.g. `graph_module.graph.nodes[3].inputs[0].arg`. Can be empty.
  std::string path;
  std::string message;  // one line
  /// The name of the archive's record without the top-level folder, e.g. `data/weights/model.pt`. If the
  /// record is a torch.save file, `!` and the name of the record inside that file follow, e.g.
  /// `data/weights/model.pt!archive/data.pkl`. Empty if the finding is about the file as a whole, or if there
  /// is no file.
  std::string record = {};
  /// The offending global (e.g. `posix.system`), string or member; set only by scan_file().
  std::string what = {};
  schemagen::Place place = {};  // the position in the record
};

}  // namespace pt2
