// Finds a node's arguments by name, including the default values of omitted arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// One argument of a node.
struct NodeArgument {
  std::string name;  // the name in the operator's schema
  /// The declaration in the schema; null for an argument that `...` covers.
  const OperatorArgument* declared = nullptr;
  const Argument* given = nullptr;  // the argument in the node; null if the node omits it
  Argument default_value;           // the value if the node omits the argument

  const Argument& value() const noexcept { return given != nullptr ? *given : default_value; }
};

/// A node's arguments, including omitted ones, in the order of the operator's schema. The node and the
/// operator must outlive this object.
///
/// Access by name throws DataError if the operator has no such argument or the value is of a different kind;
/// the message names the node, the argument and its kind. An int can be read as a float, or as a list where
/// the schema allows that (e.g. `int[2]`). An empty list can be read as a list of any kind.
class NodeArguments {
 public:
  /// Matches the node's arguments to those of `op`. Throws DataError if an argument is unknown, missing or
  /// given twice.
  NodeArguments(const Node& node, const Operator& op);

  const std::vector<NodeArgument>& all() const& noexcept { return all_; }
  void all() && = delete;  // the reference would dangle
  const NodeArgument& at(std::string_view name) const;
  bool is_none(std::string_view name) const;

  /// These functions return literals. A symbolic argument is an error, because the program does not contain
  /// its value.
  std::int64_t get_int(std::string_view name) const { return member<Argument::as_int>(name, "int"); }
  std::vector<std::int64_t> get_ints(std::string_view name) const {
    return members<Argument::as_int>(name, "list of ints");
  }
  double get_float(std::string_view name) const;
  std::vector<double> get_floats(std::string_view name) const;
  bool get_bool(std::string_view name) const { return member<Argument::as_bool>(name, "bool"); }
  std::vector<bool> get_bools(std::string_view name) const {
    return members<Argument::as_bool>(name, "list of bools");
  }
  std::string get_string(std::string_view name) const { return member<Argument::as_string>(name, "string"); }
  ScalarType get_scalar_type(std::string_view name) const {
    return member<Argument::as_scalar_type>(name, "scalar type");
  }
  Layout get_layout(std::string_view name) const { return member<Argument::as_layout>(name, "layout"); }
  MemoryFormat get_memory_format(std::string_view name) const {
    return member<Argument::as_memory_format>(name, "memory format");
  }
  Device get_device(std::string_view name) const { return member<Argument::as_device>(name, "device"); }

  /// These functions return names of values. The list of optional_tensors() has nullopt for None.
  std::string tensor(std::string_view name) const { return member<Argument::as_tensor>(name, "tensor").name; }
  std::vector<std::string> tensors(std::string_view name) const;
  std::vector<std::optional<std::string>> optional_tensors(std::string_view name) const;

  /// These functions return integers that can be symbolic.
  SymIntArgument sym_int(std::string_view name) const;
  std::vector<SymIntArgument> sym_ints(std::string_view name) const;

  /// Calls one of the functions above, or returns nullopt if the argument is None. For example:
  ///
  ///     arguments.unless_none(&NodeArguments::tensor, "bias")
  template <class T>
  std::optional<T> unless_none(T (NodeArguments::*get)(std::string_view) const, std::string_view name) const {
    if (is_none(name)) return std::nullopt;
    return (this->*get)(name);
  }
  std::optional<std::string> optional_tensor(std::string_view name) const {
    return unless_none(&NodeArguments::tensor, name);
  }

 private:
  void place(const Operator& op, const NamedArgument& input, std::size_t position);
  Argument of_kind(std::string_view name, Argument::Kind kind, const char* expected) const;
  template <Argument::Kind K>
  Argument::Member<K> member(std::string_view name, const char* expected) const {
    return of_kind(name, K, expected).get<K>();
  }
  std::vector<Argument> items(std::string_view name, const char* expected) const;
  template <Argument::Kind K>
  std::vector<Argument::Member<K>> members(std::string_view name, const char* expected) const {
    std::vector<Argument::Member<K>> found;
    for (Argument& item : items(name, expected)) {
      if (item.kind() != K) fail_kind(name, expected);
      found.push_back(std::move(item.get<K>()));
    }
    return found;
  }
  [[noreturn]] void fail(std::string_view argument, const std::string& what) const;
  [[noreturn]] void fail_kind(std::string_view argument, const char* expected) const;

  const Node& node_;
  std::vector<NodeArgument> all_;
};

/// Returns whether `op` has all arguments that `node` gives, and `node` gives all that `op` requires.
bool takes_call(const Operator& op, const Node& node);

/// Returns the operator that `node` calls, or null if it is unknown. For PyTorch's operators, this is the
/// first of operator_signatures() that takes the call, so that calls from any release are understood.
const Operator* called_operator(const Node& node, const OperatorSet& operators);

/// Returns the arguments of `node`. Throws DataError if the node's operator is unknown, or if an argument is
/// unknown, missing or given twice.
NodeArguments arguments_of(const Node& node, const OperatorSet& operators = {});

}  // namespace pt2
