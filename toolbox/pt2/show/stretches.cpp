#include "pt2/show/stretches.h"

#include <algorithm>
#include <map>
#include <utility>

#include "pt2/nodes/modules.h"
#include "pt2/nodes/node_key.h"
#include "pt2/text/literal.h"
#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t call = 0;
};

class Stretches {
 public:
  Stretches(const GraphModule& module, const PrintOptions& options)
      : graph_(module.graph), options_(options), calls_(module_calls(module)), chains_(graph_.nodes.size()) {
    for (std::size_t i = 1; i < calls_.size(); ++i) {
      for (const std::size_t node : calls_[i].nodes) chains_[node].push_back(i);  // inner calls come later
    }
    originals_.assign(calls_.size(), 0);
    if (options.fold) find_repeats();
  }

  std::vector<Stretch> build() const {
    std::vector<Stretch> stretches;
    const std::vector<Run> all = runs();
    for (std::size_t i = 0; i < all.size();) {
      std::size_t end = i + 1;
      const std::size_t original = originals_[all[i].call];
      while (original != 0 && end < all.size() && originals_[all[end].call] == original &&
             all[end].begin == all[end - 1].end) {
        ++end;
      }
      stretches.push_back({all[i].begin, all[end - 1].end, text(all[i], all[end - 1])});
      i = end;
    }
    return stretches;
  }

 private:
  void find_repeats() {
    std::map<std::string, std::size_t> numbers;
    std::vector<std::size_t> keys;
    for (const Node& node : graph_.nodes)
      keys.push_back(numbers.emplace(node_key(node), numbers.size()).first->second);
    std::map<std::pair<std::size_t, std::string>, std::size_t> first;
    for (std::size_t i = 1; i < calls_.size(); ++i) {
      std::string key = calls_[i].type;
      for (const std::size_t node : calls_[i].nodes) {
        key += "\n" + std::to_string(keys[node]) + " " + std::to_string(chains_[node].size());
      }
      const auto [found, is_new] = first.emplace(std::pair(calls_[i].parent, std::move(key)), i);
      if (!is_new) originals_[i] = found->second;
    }
  }

  bool is_shown(std::size_t node) const {
    if (!options_.module) return true;
    const auto is_it = [&](std::size_t call) { return calls_[call].path == *options_.module; };
    return options_.module->empty() || std::any_of(chains_[node].begin(), chains_[node].end(), is_it);
  }

  std::size_t stand_in(std::size_t node) const {
    const std::vector<std::size_t>& chain = chains_[node];
    for (std::size_t depth = 0; depth < chain.size(); ++depth) {
      if ((options_.depth && depth >= *options_.depth) || originals_[chain[depth]] != 0) return chain[depth];
    }
    return 0;
  }

  std::vector<Run> runs() const {
    std::vector<Run> runs;
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
      if (!is_shown(node)) continue;
      const std::size_t call = stand_in(node);
      if (!runs.empty() && runs.back().end == node && runs.back().call == call) {
        ++runs.back().end;
      } else {
        runs.push_back({node, node + 1, call});
      }
    }
    return runs;
  }

  std::string name(std::size_t call) const {
    const std::size_t number = calls_[call].call;
    return printable(calls_[call].path) + (number == 0 ? "" : " (call " + std::to_string(number + 1) + ")");
  }

  std::string text(const Run& first, const Run& last) const {
    if (first.call == 0) return "";
    const std::string nodes = schemagen::counted(last.end - first.begin, "node");
    const std::size_t original = originals_[first.call];
    const bool is_line = last.end - first.begin == 1;
    if (original == 0 || is_line) {
      if (original != 0 && !options_.depth) return "";
      const std::string& type = calls_[first.call].type;
      return name(first.call) + ": " + printable(type.substr(type.rfind('.') + 1)) + ", " + nodes;
    }
    if (first.call == last.call) return name(first.call) + ": the same as " + name(original) + ", " + nodes;
    return name(first.call) + " ... " + name(last.call) + ": each the same as " + name(original) + ", " +
           nodes;
  }

  const Graph& graph_;
  const PrintOptions& options_;
  std::vector<ModuleCall> calls_;
  std::vector<std::vector<std::size_t>> chains_;
  std::vector<std::size_t> originals_;
};

}  // namespace

std::vector<Stretch> stretches_of(const GraphModule& module, const PrintOptions& options) {
  if (!options.module && !options.depth && !options.fold) return {{0, module.graph.nodes.size(), ""}};
  return Stretches(module, options).build();
}

}  // namespace pt2
