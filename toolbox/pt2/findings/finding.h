// Findings of verify() and scan_file().
#pragma once

#include <string>

#include "pt2/findings/rules.h"
#include "schemagen/base/error.h"

namespace pt2 {

/// A fault of a program or a file. Its strings are as in the file: pass them through schemagen::printable()
/// before you print them.
struct Finding {
  RuleId rule;
  Severity severity;    // the rule's, unless a RuleSet or a policy says otherwise
  std::string path;     // in the program's JSON: `graph_module.graph.nodes[3].inputs[0].arg`; empty: none
  std::string message;  // one line
  /// The record of the archive, without its top folder: `data/weights/model.pt`; within a torch.save file in
  /// it, `data/weights/model.pt!archive/data.pkl`. Empty: the file itself, or no file.
  std::string record = {};
  std::string what = {};        // scan_file(): the global (`posix.system`), text or member at fault
  schemagen::Place place = {};  // in the record
};

}  // namespace pt2
