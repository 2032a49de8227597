// Findings of verify() and scan_file().
#pragma once

#include <string>

#include "pt2/findings/rules.h"
#include "schemagen/base/error.h"

namespace pt2 {

/// A fault in a program or file. Its strings are as in the file: pass them through schemagen::printable()
/// before you print them.
struct Finding {
  RuleId rule;
  Severity severity;    // the rule's own, unless a RuleSet or policy changes it
  std::string path;     // in the program's JSON: `graph_module.graph.nodes[3].inputs[0].arg`; may be empty
  std::string message;  // one line
  /// The record in the archive, without the top folder: `data/weights/model.pt`; if the record is a
  /// torch.save file, with the record in that: `data/weights/model.pt!archive/data.pkl`. Empty if the finding
  /// is about the file itself, or there is no file.
  std::string record = {};
  std::string what = {};        // scan_file(): the global (`posix.system`), string or member at fault
  schemagen::Place place = {};  // within the record
};

}  // namespace pt2
