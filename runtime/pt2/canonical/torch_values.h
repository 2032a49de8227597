// The values of a graph as torch's canonicalize sees them. Internal to torch_form.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/graph/index.h"
#include "pt2/graph/walk.h"
#include "pt2/schema_info.h"
#include "pt2/types.h"

namespace pt2 {

/// Throws DataError with torch's message and the path.
[[noreturn]] void torch_refuses(const std::string& reason, const std::string& path);

std::string torch_symbol(std::string_view name);

/// Visits slots as torch's algorithm does, which, unlike for_each_slot(), does not see slots in a dict.
template <class Arg, class Visit>
void for_each_torch_slot(Arg& argument, const std::string& path, const Visit& visit) {
  if (argument.kind() == Argument::unset || argument.template is<Argument::as_optional_tensor>()) {
    torch_refuses("unknown input type to the ExportedProgram: " + std::string(name_of(argument.kind())),
                  path);
  }
  if (argument.template is<Argument::as_string_to_argument>())
    return visit(nullptr, ValueName::Table::tensors);
  for_each_slot(argument, visit);
}

/// Refers to the graph's names, which must not change.
class TorchValues {
 public:
  using Number = std::uint32_t;
  static constexpr Number kNone = NameNumbers::kNone;
  using Slots = std::pair<const Number*, const Number*>;

  TorchValues(const Graph& graph, const std::string& path);

  /// Like torch, treats an empty name as no name.
  static bool is_name(const std::string* name) { return name != nullptr && !name->empty(); }

  Number find(std::string_view name) const { return numbers_.find(name); }
  Number number(const std::string& name);
  std::size_t size() const { return names_.size(); }
  std::string_view name(Number number) const { return names_[number]; }

  std::uint32_t defining_node(Number number) const { return defining_[number]; }
  Slots slots_of_input(std::uint32_t node, std::size_t input) const {
    const std::uint32_t* const slot = &argument_slots_[node_arguments_[node] + input];
    return {slots_.data() + slot[0], slots_.data() + slot[1]};
  }
  Slots slots_of_node(std::uint32_t node) const {
    return {slots_.data() + argument_slots_[node_arguments_[node]],
            slots_.data() + argument_slots_[node_arguments_[node + 1]]};
  }

 private:
  void number_definitions(const Graph& graph, const std::string& path);
  void number_uses(const Graph& graph, const std::string& path);

  NameNumbers numbers_;
  std::vector<std::string_view> names_;
  std::vector<std::uint32_t> defining_;
  std::vector<bool> is_input_;
  std::vector<std::uint32_t> node_arguments_;
  std::vector<std::uint32_t> argument_slots_;
  std::vector<Number> slots_;
};

}  // namespace pt2
