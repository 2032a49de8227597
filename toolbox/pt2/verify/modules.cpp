#include "pt2/verify/check.h"

#include "pt2/graph/walk.h"
#include "schemagen/base/map.h"

namespace pt2 {
namespace {

class ModuleCheck {
 public:
  explicit ModuleCheck(Check& check) : check_(check) {}

  void check_entry(const ModuleCallEntry& entry, const std::string& path) {
    if (!entry.signature) return;
    check_values(entry.signature->inputs, path + ".signature.inputs");
    check_values(entry.signature->outputs, path + ".signature.outputs");
  }

 private:
  void check_values(const std::vector<Argument>& arguments, const std::string& path) {
    const GraphIndex& top = check_.index().top();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      for_each_slot(arguments[i], [&](const std::string* name, ValueName::Table) {
        if (name == nullptr || name->empty()) return;
        const std::uint32_t value = top.find(*name);
        if ((value != GraphIndex::kNone && top.is_defined(value)) || other_names().contains(*name)) return;
        check_.add(RuleId::module_value, at_index(path, i),
                   "the graph lacks the value " + schemagen::quoted(*name));
      });
    }
  }

  /// Of nodes and constant inputs. Few programs need them.
  const schemagen::Set& other_names() {
    if (!names_.empty()) return names_;
    for (const auto& parts : check_.index().signature().inputs()) {
      if (parts.name != nullptr) names_.insert(*parts.name);
    }
    for (const Node& node : check_.program().graph_module.graph.nodes) {
      if (node.name) names_.insert(*node.name);
    }
    return names_;
  }

  Check& check_;
  schemagen::Set names_;
};

}  // namespace

void check_modules(Check& check) {
  const std::vector<ModuleCallEntry>& entries = check.program().graph_module.module_call_graph;
  const std::string path = "graph_module.module_call_graph";
  ModuleCheck modules(check);
  for (std::size_t i = 0; i < entries.size(); ++i) modules.check_entry(entries[i], at_index(path, i));
  if (entries.empty() || !entries[0].fqn.empty() || !entries[0].signature) {
    check.add(RuleId::module_root, path,
              "expected the first entry to be the model itself, with a signature and an empty name");
  }
}

}  // namespace pt2
