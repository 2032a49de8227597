// Builds programs in a few lines of code.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "pt2/archive/tensors/tensor.h"
#include "pt2/edit/graph.h"
#include "pt2/infer/infer.h"

namespace pt2 {

struct Value {
  std::string name;
  ValueName::Table table = ValueName::Table::tensors;
};

/// One argument of a call. Write it as you would in Python, e.g. `x`, `1`, `0.5`, `true`, `"mean"` or
/// `ScalarType::FLOAT`, but use `nullptr` for None and `{1, n}` for a list. An Argument of any kind is also
/// accepted.
class Operand {
 public:
  using List = std::vector<Operand>;

  // NOLINTBEGIN(google-explicit-constructor): operands are written as plain values
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

  /// Returns a wildcard, which stands for any argument, including a list; see PatternBuilder.
  static Operand any(const std::string& name);
  bool is_any() const noexcept { return is_any_; }

  /// Returns the list, or null if this is not a list.
  const List* list() const noexcept { return std::get_if<List>(&held_); }
  /// Returns the argument. Do not call this function if the operand is a list.
  const Argument& argument() const { return std::get<Argument>(held_); }

 private:
  std::variant<Argument, List> held_;
  bool is_any_ = false;
};

/// A keyword argument, e.g. `{"beta", 1}`.
struct NamedOperand {
  std::string name;
  Operand value;
};

/// Returns the operator with this target, which can be written as `torch.ops.aten.relu.default`,
/// `aten.relu.default`, `aten.relu` or `aten::relu`. Throws UsageError if there is no such operator.
const Operator& operator_called(std::string_view target, const OperatorSet& operators = {});

/// Returns the inputs of a node that calls `op`, in the form that torch exports. Arguments are positional
/// unless they are keyword-only. Keyword arguments and trailing positional arguments are omitted if they
/// equal their defaults. Values are converted to the types in the schema: an int to a float, a single item to
/// a list (for `int[2]`), a string to a device, a list with a symbolic int to symbolic ints, and a list with
/// None to optional tensors. The arguments of a higher-order operator are not converted because it declares
/// no types. Throws UsageError, with the operator's schema, if an argument is missing, repeated, unknown, or
/// of the wrong type. Source: serialize_input() in torch/_export/serde/serialize.py.
std::vector<NamedArgument> node_inputs(const Operator& op, const std::vector<Operand>& positional,
                                       const std::vector<NamedOperand>& keywords = {});

/// Throws UsageError with a message such as `cannot call 'aten.relu.default': WHAT; its schema is
/// aten::relu(Tensor self) -> Tensor`.
[[noreturn]] void fail_call(const Operator& op, const std::string& what);

/// Builds one graph. Values get the same names as in torch, which are based on the operator's name (e.g.
/// `add` and `add_1`) or, for one of several results, on `getitem`.
class GraphBuilder {
 public:
  /// Adds a tensor input. Throws UsageError if the name is taken or is not a valid name in Python, or if a
  /// size is negative.
  Value input(const std::string& name, const TensorType& type);
  /// Adds an input that is a symbolic int. Throws UsageError for the same reasons.
  Value input(const std::string& name, const Size& size);

  /// Calls an operator with one result, e.g. `call("aten.addmm.default", {bias, x, w}, {{"beta", 2}})`.
  /// `target` may omit `torch.ops.`. See node_inputs() for how the arguments are converted. `type` is the
  /// type of the result; by default, infer_results() infers it. Throws UsageError, and leaves the graph
  /// unchanged, if the operator is unknown, if an argument has the wrong type or belongs to another graph, if
  /// `type` is omitted and cannot be inferred, or if the number of results is not one. The message contains
  /// the operator's schema.
  Value call(std::string_view target, const std::vector<Operand>& arguments,
             const std::vector<NamedOperand>& keywords = {}, std::optional<ValueType> type = std::nullopt);

  /// Calls an operator with any number of results and returns all results, including the items of lists. A
  /// result that is None has an empty name. `types` has one type per result in the schema; by default, the
  /// types are inferred.
  std::vector<Value> call_all(std::string_view target, const std::vector<Operand>& arguments,
                              const std::vector<NamedOperand>& keywords = {},
                              std::vector<ValueType> types = {});

  /// Returns a new graph as an argument, e.g. for `higher_order.cond`. Calls `body` to build the graph, which
  /// can use only its own inputs. `name` is the name of the graph; torch uses names such as `true_graph_0`.
  GraphArgument subgraph(const std::string& name, const std::function<void(GraphBuilder&)>& body);

  /// Makes a value or literal the next output. Throws UsageError if the value belongs to another graph or is
  /// a list.
  void output(const Operand& value);

  /// Makes `value` the only output of a subgraph that returns one value instead of a tuple, such as the
  /// condition of a `while_loop`.
  void only_output(const Operand& value);

  /// Returns the type of a tensor. Throws UsageError if there is no tensor with that name.
  TensorType type_of(const Value& value) const;

 protected:
  /// State that all graphs of a program share.
  struct Shared {
    OperatorSet operators;
    Bindings hints;
    SizeTexts texts;
  };

  explicit GraphBuilder(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  Value add_tensor(const std::string& name, TensorMeta meta);
  void add_input(const std::string& name, Argument value);
  void take_name(const std::string& name);
  void require_value(const Argument& argument) const;

  std::shared_ptr<Shared> shared_;
  Graph graph_;
  FreshNames names_{Graph()};
  std::vector<std::string> input_names_;  // names of the graph's inputs, in order

 private:
  Argument define(const ValueType& type, const std::string& name, std::vector<Value>& values);
  std::vector<Value> add_call(std::string_view target, const std::vector<Operand>& arguments,
                              const std::vector<NamedOperand>& keywords, std::vector<ValueType> types,
                              bool gives_one);
};

/// Builds the graph of a Pattern or of its replacement, whose values have no types.
class PatternBuilder {
 public:
  explicit PatternBuilder(OperatorSet operators = {}) : operators_(std::move(operators)) {}

  /// Adds an input. In calls, it can be any argument, so its name belongs into Pattern::any. An empty `name`
  /// creates a name. Throws UsageError if the name is taken.
  Value any(const std::string& name = {});

  /// Adds a call and returns its results. Their names are `names`, with a number where a name is taken; by
  /// default, they are based on the operator's name, as in GraphBuilder. If an operator returns a list,
  /// `names` determines the number of results. If `takes_rest` is true, omitted arguments match anything
  /// instead of their default values. Throws UsageError, with the operator's schema, if the operator is
  /// unknown, if an argument has the wrong type, or if the number of names is wrong.
  std::vector<Value> call(std::string_view target, const std::vector<Operand>& arguments,
                          std::vector<NamedOperand> keywords = {}, const std::vector<std::string>& names = {},
                          bool takes_rest = false);

  /// Makes `value` the next output. Throws UsageError for a list.
  void output(const Operand& value);

  const Graph& graph() const noexcept { return graph_; }

 private:
  Operand operand(const Operand& given) const;
  std::string take_name(const std::string& name);

  OperatorSet operators_;
  Graph graph_;
  FreshNames names_{Graph()};
  schemagen::Map<bool> is_any_;  // the names of all values, and whether they are inputs
};

/// A program and its tensors, both of which save_program() accepts.
struct BuiltProgram {
  ExportedProgram program;
  std::vector<NamedTensor> tensors;
};

/// Builds a program. For example:
///
///     pt2::ProgramBuilder model;
///     const pt2::Size batch = model.symbol("s0", 1, 64);
///     const pt2::Value x = model.input("x", {pt2::ScalarType::FLOAT, {batch, 4}});
///     const pt2::Value weight = model.parameter("linear.weight", tensor);
///     model.output(model.call("aten.relu.default", {model.call("aten.linear.default", {x, weight})}));
///     const pt2::BuiltProgram built = model.finish();
///     pt2::save_program(built.program, "linear.pt2", pt2::SaveOptions::with_tensors(built.tensors));
///
/// The program takes its user inputs as positional arguments. It returns its user output, or a tuple if there
/// are several outputs.
class ProgramBuilder : public GraphBuilder {
 public:
  /// Creates an empty program, which can call `operators` in addition to PyTorch's operators.
  explicit ProgramBuilder(OperatorSet operators = {});

  /// Adds a dynamic size between `min` and `max`. By default, there is no upper bound. `name` is `s` followed
  /// by digits, as in torch. `example` is the hint that torch would take from sample inputs; by default, it
  /// is a value in the range. Throws UsageError if the name is taken or has a different form, if the range is
  /// empty, or if the example is outside the range.
  Size symbol(const std::string& name, std::int64_t min, std::optional<std::int64_t> max = std::nullopt,
              std::optional<std::int64_t> example = std::nullopt);

  /// Adds an input with a fixed value: a number, string, bool or None. Throws UsageError for other values, or
  /// if the name is taken.
  void fixed_input(const std::string& name, const Operand& value);

  /// Adds a parameter, buffer or constant. `name` is its name in the model, e.g. `linear.weight`.
  /// Non-persistent buffers are not in the state dict. Throws UsageError if the name is taken, or if the
  /// input name that torch would derive from it is taken. Throws DataError if check_tensor() does.
  Value parameter(const std::string& name, const Tensor& tensor);
  Value buffer(const std::string& name, const Tensor& tensor, bool persistent = true);
  Value constant(const std::string& name, const Tensor& tensor);

  /// Makes the program write `value` to the parameter, buffer or user input `target` when it ends. Throws
  /// UsageError if `target` is something else or is already mutated.
  void mutate(const Value& target, const Value& value);

  /// Returns the program. Do not use the builder afterwards.
  BuiltProgram finish();

 private:
  Value weight(const char* prefix, const std::string& name, const Tensor& tensor);
  void finish_inputs(GraphModule& module);
  void finish_outputs(GraphModule& module) const;

  std::vector<InputSpec> weights_;  // specs of parameters, buffers and constants
  std::vector<NamedTensor> tensors_;
  std::vector<OutputSpec> mutations_;
  schemagen::Map<RangeConstraint> ranges_;
};

}  // namespace pt2
