// New names for the values and nodes of a graph, as torch's FX gives them. Several threads may read the same
// object at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace pt2 {

/// The names of one graph, which its values and nodes share.
class GraphNames {
 public:
  /// Takes `name` as it is; whether it was free.
  bool take(const std::string& name) { return used_.insert(name).second; }

  /// A name that is free, and is taken from now on: `add`, then `add_1`, `add_2`. What Python's builtins and
  /// keywords are called gets a number at once: `sum_1`. Source: _Namespace of torch/fx/graph.py.
  std::string create(const std::string& candidate);

 private:
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string, std::uint64_t> last_numbers_;  // by name without a number
};

/// What torch calls a node that calls `target`: `add` for `torch.ops.aten.add.Tensor`.
std::string node_name_of(std::string_view target);

/// What torch calls the input that stands for a parameter, buffer or the like: `p_linear_weight` for
/// `linear.weight` and the prefix `p_`. Source: placeholder_naming_pass of torch/_export/utils.py.
std::string input_name_of(std::string_view prefix, std::string_view fully_qualified_name);

/// Whether Python could call a value so: letters, digits and `_`, no digit first.
bool is_value_name(std::string_view name) noexcept;

}  // namespace pt2
