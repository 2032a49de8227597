#include "pt2/nodes/modules.h"

#include <map>
#include <set>
#include <tuple>

namespace pt2 {
namespace {

constexpr std::size_t kMostDepth = 256;
constexpr std::size_t kMostModuleBytes = std::size_t{256} << 20;

using Chain = std::vector<std::size_t>;

class CallTree {
 public:
  CallTree(const GraphModule& module, const GraphIndex& values, std::optional<schemagen::DataError>* fault)
      : graph_(module.graph), signature_(module.signature), values_(values), fault_(fault), calls_(1) {}

  std::vector<ModuleCall> build() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) chains_.push_back(place(i));
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
      for (const GraphIndex::Use& use : values_.uses(i)) read(use.value, chains_[i]);
    }
    for (const std::uint32_t value : values_.graph_outputs()) read(value, {});
    for (const auto& [call, value] : made_) calls_[call].outputs.emplace_back(values_.name(value));
    return std::move(calls_);
  }

 private:
  using CallValues = std::set<std::pair<std::size_t, std::uint32_t>>;

  Chain place(std::size_t i) {
    Chain chain = {0};
    std::optional<schemagen::DataError> fault;
    if (has_same_stack(i)) {
      chain = chains_.back();
    } else {
      for (const ModuleFrame& frame : module_frames(graph_.nodes[i], &fault)) enter(frame, chain);
    }
    if (fault && fault_ != nullptr && !*fault_)
      fault_->emplace(fault->reason(), path_of_stack(i), fault->place());
    if (chain.size() > kMostDepth + 1) {
      throw schemagen::DataError("expected at most " + std::to_string(kMostDepth) + " nested modules, got " +
                                     std::to_string(chain.size() - 1),
                                 path_of_stack(i));
    }
    for (const std::size_t call : chain) calls_[call].nodes.push_back(i);
    return chain;
  }

  /// Whether the node was traced in the same modules as the one before, as most are.
  bool has_same_stack(std::size_t i) const {
    const auto stack = [&](std::size_t node) { return graph_.nodes[node].metadata.find("nn_module_stack"); };
    return i > 0 && stack(i) != nullptr && stack(i - 1) != nullptr && *stack(i) == *stack(i - 1);
  }

  static std::string path_of_stack(std::size_t node) {
    return "graph.nodes[" + std::to_string(node) + "].metadata.nn_module_stack";
  }

  void enter(const ModuleFrame& frame, Chain& chain) {
    if (is_placeholder(frame)) return;
    const std::string path = module_path(frame);
    const std::size_t parent = chain.back();
    if (path.empty()) {
      if (parent == 0) calls_[0].type = frame.type;
      return;
    }
    const std::tuple key(parent, path, call_number(frame));
    const auto [found, is_new] = known_.try_emplace(key, calls_.size());
    if (is_new)
      calls_.push_back({path, frame.type, call_number(frame), parent, chain.size(), {}, {}, {}, {}});
    chain.push_back(found->second);
  }

  bool is_in(std::size_t call, const Chain& chain) const {
    return calls_[call].depth < chain.size() && chain[calls_[call].depth] == call;
  }

  void read(std::uint32_t value, const Chain& reader) {
    static const Chain kNobody;
    const std::uint32_t node = values_.defining_node(value);
    const Chain& maker = node == GraphIndex::kNone ? kNobody : chains_[node];
    for (const std::size_t call : reader) {
      if (is_in(call, maker) || !read_.emplace(call, value).second) continue;
      const std::string name(values_.name(value));
      take(name);
      const bool is_weight = signature_.target_of_input(name) != nullptr;
      (is_weight ? calls_[call].weights : calls_[call].inputs).push_back(name);
    }
    for (const std::size_t call : maker) {
      if (!is_in(call, reader) && made_.emplace(call, value).second) take(values_.name(value));
    }
  }

  void take(std::string_view name) {
    constexpr std::size_t kPerValue = sizeof(std::string) + sizeof(CallValues::value_type) + 32;
    if (left_ < kPerValue + name.size()) {
      throw schemagen::DataError("the inputs and outputs of modules take more than " +
                                 std::to_string(kMostModuleBytes) + " bytes");
    }
    left_ -= kPerValue + name.size();
  }

  const Graph& graph_;
  ExportGraphSignature signature_;
  const GraphIndex& values_;
  std::optional<schemagen::DataError>* fault_;
  std::vector<ModuleCall> calls_;
  std::vector<Chain> chains_;
  std::map<std::tuple<std::size_t, std::string, std::size_t>, std::size_t> known_;
  std::size_t left_ = kMostModuleBytes;
  CallValues read_;
  CallValues made_;
};

}  // namespace

std::vector<ModuleFrame> module_frames(const Node& node, std::optional<schemagen::DataError>* fault) {
  const std::string* const text = node.metadata.find("nn_module_stack");
  if (text == nullptr || text->empty()) return {};
  try {
    return parse_module_stack(*text);
  } catch (const schemagen::DataError& error) {
    if (fault != nullptr) *fault = error;
    return {};
  }
}

std::vector<ModuleCall> module_calls(const GraphModule& module, std::optional<schemagen::DataError>* fault) {
  return module_calls(module, GraphIndex(module.graph), fault);
}

std::vector<ModuleCall> module_calls(const GraphModule& module, const GraphIndex& values,
                                     std::optional<schemagen::DataError>* fault) {
  return CallTree(module, values, fault).build();
}

}  // namespace pt2
