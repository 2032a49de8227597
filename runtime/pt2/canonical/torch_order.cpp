#include "pt2/canonical/torch_order.h"

#include <algorithm>
#include <cstddef>
#include <queue>

#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

constexpr std::uint32_t kUnranked = TorchValues::kNone;

class TorchRanks {
 public:
  TorchRanks(const Graph& graph, const TorchValues& values, const std::string& path)
      : graph_(graph), values_(values), path_(path), ranks_(values.size(), kUnranked) {
    for (const Argument& input : graph_.inputs) add(input);
  }

  void add(const Argument& argument) {
    for_each_torch_slot(argument, path_, [&](const std::string* name, ValueName::Table) {
      if (!TorchValues::is_name(name)) return;
      std::uint32_t& rank = ranks_[values_.find(*name)];
      if (rank != kUnranked) torch_refuses(torch_symbol(*name) + " already in rank", path_);
      rank = count_++;
    });
  }

  bool goes_before(std::uint32_t a, std::uint32_t b) const {
    const Node& node_a = graph_.nodes[a];
    const Node& node_b = graph_.nodes[b];
    if (const int order = node_a.target.compare(node_b.target)) return order < 0;
    for (std::size_t i = 0; i < std::min(node_a.inputs.size(), node_b.inputs.size()); ++i) {
      if (const int order = node_a.inputs[i].name.compare(node_b.inputs[i].name)) return order < 0;
      if (const int order = compare(values_.slots_of_input(a, i), values_.slots_of_input(b, i)))
        return order < 0;
    }
    return node_a.inputs.size() != node_b.inputs.size() ? node_a.inputs.size() < node_b.inputs.size() : a < b;
  }

 private:
  int compare(TorchValues::Slots a, TorchValues::Slots b) const {
    for (; a.first != a.second && b.first != b.second; ++a.first, ++b.first) {
      if (rank(*a.first) != rank(*b.first)) return rank(*a.first) < rank(*b.first) ? -1 : 1;
    }
    return static_cast<int>(a.first != a.second) - static_cast<int>(b.first != b.second);
  }

  std::int64_t rank(TorchValues::Number slot) const {
    return slot == TorchValues::kNone ? -1 : static_cast<std::int64_t>(ranks_[slot]);
  }

  const Graph& graph_;
  const TorchValues& values_;
  const std::string& path_;
  std::vector<std::uint32_t> ranks_;
  std::uint32_t count_ = 0;
};

}  // namespace

std::vector<std::uint32_t> torch_order(const Graph& graph, const TorchValues& values,
                                       const std::string& path) {
  const std::size_t count = graph.nodes.size();
  std::vector<std::vector<std::uint32_t>> users(count);
  std::vector<std::uint32_t> waiting_for(count, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto [first, last] = values.slots_of_node(i);
    for (const TorchValues::Number* slot = first; slot != last; ++slot) {
      if (*slot == TorchValues::kNone || values.defining_node(*slot) == TorchValues::kNone) continue;
      users[values.defining_node(*slot)].push_back(i);
      ++waiting_for[i];
    }
  }
  TorchRanks ranks(graph, values, path);
  const auto goes_after = [&](std::uint32_t a, std::uint32_t b) { return ranks.goes_before(b, a); };
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(goes_after)> ready(goes_after);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (waiting_for[i] == 0) ready.push(i);
  }
  std::vector<std::uint32_t> order;
  order.reserve(count);
  while (!ready.empty()) {
    const std::uint32_t node = ready.top();
    ready.pop();
    for (const Argument& output : graph.nodes[node].outputs) ranks.add(output);
    order.push_back(node);
    for (const std::uint32_t user : users[node]) {
      if (--waiting_for[user] == 0) ready.push(user);
    }
  }
  if (order.size() != count) {
    torch_refuses(
        "expected " + schemagen::counted(count, "sorted node") + ", got " + std::to_string(order.size()),
        path);
  }
  return order;
}

}  // namespace pt2
