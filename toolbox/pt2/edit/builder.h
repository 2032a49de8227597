// Programs made from nothing: a few lines for a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "pt2/archive/tensors/tensor.h"
#include "pt2/edit/graph.h"
#include "pt2/graph/walk.h"
#include "pt2/infer/infer.h"
#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

// What a call of an operator is given: values of the graph, numbers, lists of them.

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

// The inputs of a node from what its operator is called with.

/// The operator that nodes call `target`; `torch.ops` and the dot before its name may be left out.
/// Errors: UsageError if it is not known.
const Operator& operator_called(std::string_view target, const OperatorSet& operators = {});

/// What a node of `op` that is called so has as its inputs, as torch's export writes it: arguments that are
/// not by keyword only come by position, in the order of the schema; the last of these that have their
/// default values are left out, and so is each by keyword that has it. The schema says which kind an argument
/// is: an int is a float where one is asked for, one item is a list of as many as `int[2]` says, a text is a
/// device, a list with a symbolic int is one of symbolic ints, one with a None one of optional tensors. A
/// higher-order operator's arguments, and items of its lists, are of the kind that they have by themselves.
///
/// Errors: UsageError, with the operator's schema, if an argument is missing, given twice, unknown, or not of
/// the type that the schema has for it. Source: serialize_input of torch/_export/serde/serialize.py.
std::vector<NamedArgument> node_inputs(const Operator& op, const std::vector<Operand>& positional,
                                       const std::vector<NamedOperand>& keywords = {});

/// Throws UsageError: `cannot call 'aten.relu.default': WHAT; its schema is aten::relu(Tensor self) ->
/// Tensor`.
[[noreturn]] void fail_call(const Operator& op, const std::string& what);

/// Makes one graph: inputs, calls, outputs. Values are named as torch names them: after the operator, `add`,
/// `add_1`, or `getitem` where there are several.
class GraphBuilder {
 public:
  /// An input of this graph. Errors: UsageError if the name is taken, or none that Python could have, or a
  /// size is negative.
  Value input(const std::string& name, const TensorType& type);
  /// A symbolic int.
  Value input(const std::string& name, const Size& size);

  /// Calls an operator of one result: `call("aten.addmm.default", {bias, x, w}, {{"beta", 2}})`. `target` is
  /// as nodes have it, with or without `torch.ops.`; node_inputs() says what becomes of the arguments.
  /// `type`: that of the result; nullopt: infer_results() finds it. Errors: UsageError, with the operator's
  /// schema, if it is not known, an argument does not fit, is no value of this graph, types are not inferred
  /// and not given, do not go together, or there is not one result. The graph is then as it was.
  Value call(std::string_view target, const std::vector<Operand>& arguments,
             const std::vector<NamedOperand>& keywords = {}, std::optional<ValueType> type = std::nullopt);

  /// The same of an operator with any number of results: these in a row, those of lists, too; one that is
  /// None has no name. `types`: one for each result that the operator's schema has; empty: they are inferred.
  std::vector<Value> call_all(std::string_view target, const std::vector<Operand>& arguments,
                              const std::vector<NamedOperand>& keywords = {},
                              std::vector<ValueType> types = {});

  /// A graph as an argument, e.g. of `higher_order.cond`: `body` makes it. It sees no values but its own
  /// inputs. `name` is as torch gives it: `true_graph_0`.
  GraphArgument subgraph(const std::string& name, const std::function<void(GraphBuilder&)>& body);

  /// Makes a value of this graph, or a literal, the next output. Errors: UsageError if it is no such value,
  /// or a list.
  void output(const Operand& value);

  /// The same of a subgraph that gives one value and not a tuple of it, as the condition of a `while_loop`.
  void only_output(const Operand& value);

  /// The type of a tensor of this graph. Errors: UsageError if there is none of that name.
  TensorType type_of(const Value& value) const;

 protected:
  /// What the graphs of one program share.
  struct Shared {
    OperatorSet operators;
    Bindings hints;
    SizeTexts texts;
  };

  explicit GraphBuilder(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  Value add_tensor(const std::string& name, TensorMeta meta);
  void take_name(const std::string& name);
  void require_value(const Argument& argument) const;

  std::shared_ptr<Shared> shared_;
  Graph graph_;
  FreshNames names_{Graph()};
  std::vector<std::string> input_names_;  // one for each of the graph's inputs

 private:
  Argument define(const ValueType& type, const std::string& name, std::vector<Value>& values);
  std::vector<Value> add_call(std::string_view target, const std::vector<Operand>& arguments,
                              const std::vector<NamedOperand>& keywords, std::vector<ValueType> types,
                              bool gives_one);
  std::vector<Value> add_node(const Operator& op, Node node, std::vector<ValueType> types);
};

/// A program and the tensors that it needs: what save_program() writes as an archive.
struct BuiltProgram {
  ExportedProgram program;
  std::vector<NamedTensor> tensors;
};

/// Makes a program:
///
///     pt2::ProgramBuilder model;
///     const pt2::Size batch = model.symbol("s0", 1, 64);
///     const pt2::Value x = model.input("x", {pt2::ScalarType::FLOAT, {batch, 4}});
///     const pt2::Value weight = model.parameter("linear.weight", tensor);
///     model.output(model.call("aten.relu.default", {model.call("aten.linear.default", {x, weight})}));
///     const pt2::BuiltProgram built = model.finish();
///     pt2::save_program(built.program, "linear.pt2", pt2::SaveOptions::with_tensors(built.tensors));
///
/// The program is called with its user inputs in a row, and gives its user output, or a tuple of them.
class ProgramBuilder : public GraphBuilder {
 public:
  /// `operators`: those that can be called beside PyTorch's.
  explicit ProgramBuilder(OperatorSet operators = {});

  /// A size that is known when the program runs, from `min` to `max` (nullopt: no limit). `name` is as torch
  /// names those: `s` and digits. `example` is what the size was for sample inputs, if there had been some;
  /// nullopt: any in the range. Errors: UsageError if the name is taken, or another one; if the range has no
  /// number, or the example is not in it.
  Size symbol(const std::string& name, std::int64_t min, std::optional<std::int64_t> max = std::nullopt,
              std::optional<std::int64_t> example = std::nullopt);

  /// An input whose value is a part of the program: a number, text, truth value or None. Errors: UsageError
  /// for anything else, or if the name is taken.
  void fixed_input(const std::string& name, const Operand& value);

  /// A parameter, buffer or constant of the model, by the name that it has there: `linear.weight`. A buffer
  /// that is not persistent is no part of the state dict. Errors: UsageError if there is one of that name, or
  /// of one that makes the same input; DataError of check_tensor().
  Value parameter(const std::string& name, const Tensor& tensor);
  Value buffer(const std::string& name, const Tensor& tensor, bool persistent = true);
  Value constant(const std::string& name, const Tensor& tensor);

  /// When the program has run, the parameter, buffer or user input `target` has the value `value`. Errors:
  /// UsageError if it is none of these, or mutated already.
  void mutate(const Value& target, const Value& value);

  /// The program. Ends the use of this object.
  BuiltProgram finish();

 private:
  struct Mutation {
    std::string target;
    std::string value;
  };

  Value weight(const char* prefix, const std::string& name, const Tensor& tensor);
  OutputSpec mutation_spec(const Mutation& mutation) const;
  void finish_inputs(GraphModule& module);
  void finish_outputs(GraphModule& module, const std::vector<OutputSpec>& mutations) const;

  std::vector<InputSpec> weights_;  // of parameters, buffers and constants
  std::vector<NamedTensor> tensors_;
  std::vector<Mutation> mutations_;
  schemagen::Map<RangeConstraint> ranges_;
};

}  // namespace pt2
