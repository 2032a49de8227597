// A node's arguments by name, including the default values of omitted ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// One argument of a node.
struct NodeArgument {
  std::string name;                            // in the operator's schema
  const OperatorArgument* declared = nullptr;  // in the schema; null for an argument that `...` covers
  const Argument* given = nullptr;             // in the node; null if omitted
  Argument default_value;                      // used if the argument is omitted

  const Argument& value() const noexcept { return given != nullptr ? *given : default_value; }
};

/// All arguments of a node, in the order of the operator's schema. The node and the operator must outlive
/// this.
///
/// Access by name throws DataError with the node, the argument and its kind if the operator has no such
/// argument or the value has another kind. An int may be read as a float, and as a list where the schema
/// allows that (`int[2]`); an empty list may be read as a list of any kind.
class NodeArguments {
 public:
  /// Throws DataError: see arguments_of().
  NodeArguments(const Node& node, const Operator& op);

  const std::vector<NodeArgument>& all() const& noexcept { return all_; }
  void all() && = delete;  // because the result would dangle
  const NodeArgument& at(std::string_view name) const;
  bool is_none(std::string_view name) const;

  /// Literals. Symbolic values are errors, because a program does not contain their values.
  std::int64_t get_int(std::string_view name) const;
  std::vector<std::int64_t> get_ints(std::string_view name) const;
  double get_float(std::string_view name) const;
  std::vector<double> get_floats(std::string_view name) const;
  bool get_bool(std::string_view name) const;
  std::vector<bool> get_bools(std::string_view name) const;
  std::string get_string(std::string_view name) const;
  ScalarType get_scalar_type(std::string_view name) const;
  Layout get_layout(std::string_view name) const;
  MemoryFormat get_memory_format(std::string_view name) const;
  Device get_device(std::string_view name) const;

  /// Names of values. optional_tensors() may contain nullopt.
  std::string tensor(std::string_view name) const;
  std::vector<std::string> tensors(std::string_view name) const;
  std::vector<std::optional<std::string>> optional_tensors(std::string_view name) const;

  /// Ints that may be symbolic.
  SymIntArgument sym_int(std::string_view name) const;
  std::vector<SymIntArgument> sym_ints(std::string_view name) const;

  /// Calls one of the functions above, or returns nullopt if the argument is None:
  ///
  ///     arguments.unless_none(&NodeArguments::tensor, "bias")
  template <class T>
  std::optional<T> unless_none(T (NodeArguments::*get)(std::string_view) const, std::string_view name) const {
    if (is_none(name)) return std::nullopt;
    return (this->*get)(name);
  }
  std::optional<std::int64_t> optional_int(std::string_view name) const {
    return unless_none(&NodeArguments::get_int, name);
  }
  std::optional<std::vector<std::int64_t>> optional_ints(std::string_view name) const {
    return unless_none(&NodeArguments::get_ints, name);
  }
  std::optional<double> optional_float(std::string_view name) const {
    return unless_none(&NodeArguments::get_float, name);
  }
  std::optional<bool> optional_bool(std::string_view name) const {
    return unless_none(&NodeArguments::get_bool, name);
  }
  std::optional<std::string> optional_string(std::string_view name) const {
    return unless_none(&NodeArguments::get_string, name);
  }
  std::optional<std::string> optional_tensor(std::string_view name) const {
    return unless_none(&NodeArguments::tensor, name);
  }
  std::optional<ScalarType> optional_scalar_type(std::string_view name) const {
    return unless_none(&NodeArguments::get_scalar_type, name);
  }
  std::optional<Device> optional_device(std::string_view name) const {
    return unless_none(&NodeArguments::get_device, name);
  }

 private:
  void place(const Operator& op, const NamedArgument& input, std::size_t position);
  template <Argument::Kind K>
  const auto& member(std::string_view name, const char* expected) const;
  [[noreturn]] void fail(std::string_view argument, const std::string& what) const;
  [[noreturn]] void fail_kind(std::string_view argument, const char* expected) const;

  const Node& node_;
  std::vector<NodeArgument> all_;
};

/// Returns the arguments of `node`. Throws DataError if the operator is unknown, or if an argument is
/// unknown, missing or given twice.
NodeArguments arguments_of(const Node& node, const OperatorSet& operators = {});

}  // namespace pt2
