// What a call of an operator is given: values of the graph, numbers, lists of them. All functions may be
// called from several threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "pt2/graph/value_slots.h"
#include "pt2/types.h"

namespace pt2 {

/// A value of a graph, by its name.
struct Value {
  std::string name;
  ValueName::Table table = ValueName::Table::tensors;
};

/// One argument of a call, written as in Python: `x`, `1`, `0.5`, `true`, `"mean"`, `nullptr` for None,
/// `ScalarType::FLOAT`, `{1, n}` for a list, and any Argument as it is.
class Operand {
 public:
  using List = std::vector<Operand>;

  // NOLINTBEGIN(google-explicit-constructor): operands are written as what they are
  Operand(const Value& value);
  Operand(Argument argument) : held_(std::move(argument)) {}
  Operand(std::nullptr_t) : held_(Argument::of<Argument::as_none>(true)) {}
  Operand(bool value) : held_(Argument::of<Argument::as_bool>(value)) {}
  template <class T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, int> = 0>
  Operand(T value) : held_(Argument::of<Argument::as_int>(static_cast<std::int64_t>(value))) {}
  Operand(double value) : held_(Argument::of<Argument::as_float>(value)) {}
  Operand(const char* value) : held_(Argument::of<Argument::as_string>(value)) {}
  Operand(std::string value) : held_(Argument::of<Argument::as_string>(std::move(value))) {}
  Operand(ScalarType value) : held_(Argument(value)) {}
  Operand(Layout value) : held_(Argument(value)) {}
  Operand(MemoryFormat value) : held_(Argument(value)) {}
  Operand(Device value) : held_(Argument(std::move(value))) {}
  Operand(GraphArgument value) : held_(Argument(std::move(value))) {}
  Operand(std::initializer_list<Operand> items) : held_(List(items)) {}
  template <class T>
  Operand(const std::vector<T>& items) : held_(List(items.begin(), items.end())) {}
  // NOLINTEND(google-explicit-constructor)

  /// Null: it is one argument.
  const List* list() const noexcept { return std::get_if<List>(&held_); }
  /// Only if it is not a list.
  const Argument& argument() const { return std::get<Argument>(held_); }

 private:
  std::variant<Argument, List> held_;
};

/// An argument that is given by its name: `{"beta", 1}`.
struct NamedOperand {
  std::string name;
  Operand value;
};

}  // namespace pt2
