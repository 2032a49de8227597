#include "pt2/scan/scan_rules.h"

#include "pt2/scan/scan.h"

namespace pt2 {

const std::vector<Rule>& scan_rules() {
  static const std::vector<Rule> kRules = {
      {"NATIVE_CODE", Level::error, "a record is native code",
       "torch loads the shared objects of AOTInductor, and runs them, before anybody calls the model."},
      {"NESTED_ARCHIVE", Level::note, "a record is an archive that torch.save did not write",
       "What is in it was looked at, too."},
      {"PICKLE_GLOBAL", Level::error, "a pickle names a class or function that weights_only refuses",
       "Loading a pickle imports what it names, and calls it with arguments of its own. torch.export.load "
       "does not "
       "ask for weights_only. The globals that it takes are those of tensors, numbers and containers."},
      {"PICKLE_LEGACY", Level::note, "a record is a pickle of plain values",
       "It names nothing but what weights_only takes."},
      {"PICKLE_MALFORMED", Level::error, "a pickle is broken",
       "Python runs a pickle up to the place where it is broken. Readers do not agree on what is."},
      {"SOURCE_CODE", Level::warning, "a record is source code, or a text that Python evaluates",
       "Sources of AOTInductor are not run by torch; those of TorchScript are. Symbolic expressions are "
       "given to "
       "sympy, which evaluates them as Python; a node calls whatever Python finds by the name of its "
       "target."},
      {"ZIP_TRICK", Level::error, "the parts of an archive contradict each other",
       "Another reader may see other members, or other contents of them: two of one name, headers that "
       "disagree, "
       "members that overlap, bytes that belong to none."},
  };
  return kRules;
}

const Rule& scan_rule(ScanRule id) {
  return scan_rules()[static_cast<std::size_t>(id)];
}

}  // namespace pt2
