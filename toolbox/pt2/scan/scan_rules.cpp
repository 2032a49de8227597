#include "pt2/scan/scan.h"

#include <algorithm>
#include <string_view>

#include "pt2/verify/code.h"
#include "pt2/verify/rule_table.h"

namespace pt2 {
namespace {

constexpr RuleRow<ScanRule> kScanRuleRows[] = {
    {ScanRule::native_code,
     {"NATIVE_CODE", Severity::error, "a record is native code",
      "torch loads the shared objects of AOTInductor, and runs them, before anybody calls the model."}},
    {ScanRule::nested_archive,
     {"NESTED_ARCHIVE", Severity::error,
      "what is to be unpickled is an archive that torch.save does not write",
      "torch unpacks and unpickles tar archives without weights_only, and runs TorchScript. What else is in "
      "an archive depends on who looks."}},
    {ScanRule::not_understood,
     {"NOT_UNDERSTOOD", Severity::error, "a part of the file is not understood",
      "What cannot be read, or is for nobody who is known, cannot be said to be harmless: torch, another "
      "release of it or another runtime may run it."}},
    {ScanRule::pickle_global,
     {"PICKLE_GLOBAL", Severity::error, "a pickle names a class or function that weights_only refuses",
      "Loading a pickle imports what it names, and calls it with arguments of its own. torch.export.load "
      "does not ask for weights_only. The globals that it takes are those of tensors, numbers and "
      "containers."}},
    {ScanRule::pickle_legacy,
     {"PICKLE_LEGACY", Severity::note, "a record is a pickle of plain values",
      "It names nothing but what weights_only takes."}},
    {ScanRule::pickle_malformed,
     {"PICKLE_MALFORMED", Severity::error, "a pickle is broken",
      "Python runs a pickle up to the place where it is broken. Readers do not agree on what is."}},
    {ScanRule::record_name,
     {"RECORD_NAME", Severity::error, "a record has a name that readers understand differently",
      "torch unpacks records of compiled models by their names, also to places outside of their folder, and "
      "finds records without regard to case."}},
    {ScanRule::source_code,
     {"SOURCE_CODE", Severity::error, "a record is source code, or told to a compiler",
      "torch compiles the sources of AOTInductor and of TorchScript, and runs them. The flags of the "
      "compiler become a part of a shell command."}},
    {ScanRule::zip_trick,
     {"ZIP_TRICK", Severity::error, "the parts of an archive contradict each other",
      "Another reader may see other members, or other contents of them: two of one name, headers that "
      "disagree, members that overlap, bytes that belong to none."}},
};
static_assert(is_complete(kScanRuleRows, ScanRule::zip_trick));

}  // namespace

const std::vector<const Rule*>& scan_rules() {
  static const std::vector<const Rule*> kRules = [] {
    std::vector<const Rule*> all = rules_in(kScanRuleRows);
    for (const RuleId id : kCodeRules) all.push_back(&rule_of(id));
    std::sort(all.begin(), all.end(),
              [](const Rule* a, const Rule* b) { return std::string_view(a->id) < b->id; });
    return all;
  }();
  return kRules;
}

const Rule& scan_rule(ScanRule id) {
  return row_of(kScanRuleRows, id);
}

}  // namespace pt2
