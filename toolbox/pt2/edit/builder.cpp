#include "pt2/edit/builder.h"

#include "pt2/edit/torch_conventions.h"
#include "pt2/graph/signature.h"
#include "pt2/operators/operator_schema.h"
#include "pt2/schema_info.h"
#include "pt2/text/python_name.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using Table = ValueName::Table;

[[noreturn]] void cannot_build(const std::string& message) {
  throw schemagen::UsageError("cannot build: " + message);
}

bool is_list_type(const OperatorType& type) {
  return without_optional(type).kind == OperatorTypeKind::list;
}

std::string wrong_sizes(const TensorType& type) {
  for (std::size_t i = 0; i < type.sizes.size(); ++i) {
    const std::optional<std::int64_t> size = type.sizes[i].number();
    if (size && *size < 0)
      return "the size of dimension " + std::to_string(i) + " is negative: " + std::to_string(*size);
  }
  return {};
}

void check_types(const Operator& op, const std::vector<ValueType>& types) {
  for (const ValueType& type : types) {
    const auto* const tensor = std::get_if<TensorType>(&type);
    if (tensor == nullptr) continue;
    if (const std::string wrong = wrong_sizes(*tensor); !wrong.empty()) fail_call(op, wrong);
  }
  if (op.returns_more) return;
  if (types.size() != op.returns.size()) {
    fail_call(op, "expected " + schemagen::counted(op.returns.size(), "result type") + ", got " +
                      std::to_string(types.size()));
  }
  for (std::size_t i = 0; i < types.size(); ++i) {
    const bool is_list = std::holds_alternative<std::vector<TensorType>>(types[i]);
    if (is_list != is_list_type(op.returns[i].type)) {
      fail_call(op, "expected a " + std::string(is_list ? "single type" : "list of types") + " for result " +
                        std::to_string(i) + ", got a " + (is_list ? "list" : "single type"));
    }
  }
}

}  // namespace

void GraphBuilder::take_name(const std::string& name) {
  if (!is_value_name(name)) cannot_build("invalid value name " + schemagen::quoted(name));
  if (!names_.claim(name)) cannot_build("the value " + schemagen::quoted(name) + " already exists");
}

Value GraphBuilder::add_tensor(const std::string& name, TensorMeta meta) {
  graph_.tensor_values.insert(name, std::move(meta));
  return {name, Table::tensors};
}

void GraphBuilder::add_input(const std::string& name, Argument value) {
  graph_.inputs.push_back(std::move(value));
  input_names_.push_back(name);
}

Value GraphBuilder::input(const std::string& name, const TensorType& type) {
  if (const std::string wrong = wrong_sizes(type); !wrong.empty()) {
    cannot_build("the input " + schemagen::quoted(name) + ": " + wrong);
  }
  take_name(name);
  Value value = add_tensor(name, type.meta(shared_->hints));
  add_input(name, Operand(value).argument());
  return value;
}

Value GraphBuilder::input(const std::string& name, const Size& size) {
  take_name(name);
  graph_.sym_int_values.insert(name, size.sym_int(shared_->hints));
  Value value = {name, Table::sym_ints};
  add_input(name, Operand(value).argument());
  return value;
}

TensorType GraphBuilder::type_of(const Value& value) const {
  const TensorMeta* const meta = graph_.tensor_values.find(value.name);
  if (meta == nullptr) cannot_build("this graph has no tensor " + schemagen::quoted(value.name));
  return TensorType(*meta);
}

void GraphBuilder::require_value(const Argument& argument) const {
  for_each_name(argument, [&](const std::string& name, Table table) {
    bool is_known = false;
    for_each_table(graph_, [&](const auto& values, Table which) {
      is_known = is_known || (which == table && values.contains(name));
    });
    if (is_known) return;
    cannot_build("this graph has no value " + schemagen::quoted(name) +
                 "; pass values of other graphs as inputs");
  });
}

Value GraphBuilder::call(std::string_view target, const std::vector<Operand>& arguments,
                         const std::vector<NamedOperand>& keywords, std::optional<ValueType> type) {
  std::vector<ValueType> types;
  if (type) types.push_back(std::move(*type));
  return add_call(target, arguments, keywords, std::move(types), true).front();
}

std::vector<Value> GraphBuilder::call_all(std::string_view target, const std::vector<Operand>& arguments,
                                          const std::vector<NamedOperand>& keywords,
                                          std::vector<ValueType> types) {
  return add_call(target, arguments, keywords, std::move(types), false);
}

std::vector<Value> GraphBuilder::add_call(std::string_view target, const std::vector<Operand>& arguments,
                                          const std::vector<NamedOperand>& keywords,
                                          std::vector<ValueType> types, bool gives_one) {
  const Operator& op = operator_called(target, shared_->operators);
  Node node;
  node.target = op.target;
  node.inputs = node_inputs(op, arguments, keywords);
  for (const NamedArgument& input : node.inputs) require_value(input.arg);
  if (types.empty() && (op.returns_more || !op.returns.empty())) {
    try {
      auto inferred = infer_results(node, shared_->operators.inferred_as(op), graph_, shared_->hints, {},
                                    &shared_->texts);
      if (!inferred) fail_call(op, "cannot infer the types of its results; pass them");
      types = std::move(*inferred);
    } catch (const schemagen::DataError& error) {
      fail_call(op, error.reason());
    }
  }
  check_types(op, types);
  if (gives_one && (types.size() != 1 || std::holds_alternative<std::vector<TensorType>>(types.front()))) {
    fail_call(op, "expected one result; use call_all() for any other number");
  }
  node.name = names_.take(node_name_of(op.target));
  if (op.kind == OperatorKind::higher_order) node.is_hop_single_tensor_return = false;
  const bool is_one = types.size() == 1 && !op.returns_more &&
                      !std::holds_alternative<std::vector<TensorType>>(types.front());
  std::vector<Value> values;
  for (const ValueType& type : types) node.outputs.push_back(define(type, is_one ? *node.name : "", values));
  graph_.nodes.push_back(std::move(node));
  return values;
}

/// Empty `name`: an item that getitem will pick.
Argument GraphBuilder::define(const ValueType& type, const std::string& name, std::vector<Value>& values) {
  const auto add = [&](auto& table, auto entry, Table kind) {
    values.push_back({name.empty() ? names_.take("getitem") : name, kind});
    table.insert(values.back().name, std::move(entry));
    return Operand(values.back()).argument();
  };
  if (const auto* const tensor = std::get_if<TensorType>(&type)) {
    return add(graph_.tensor_values, tensor->meta(shared_->hints), Table::tensors);
  }
  if (const auto* const tensors = std::get_if<std::vector<TensorType>>(&type)) {
    Argument list;
    auto& items = list.emplace<Argument::as_tensors>();
    for (const TensorType& tensor : *tensors)
      items.push_back(define(tensor, "", values).get<Argument::as_tensor>());
    return list;
  }
  if (const auto* const number = std::get_if<SymInt>(&type)) {
    return add(graph_.sym_int_values, *number, Table::sym_ints);
  }
  if (const auto* const number = std::get_if<SymFloat>(&type)) {
    return add(graph_.sym_float_values, *number, Table::sym_floats);
  }
  if (const auto* const truth = std::get_if<SymBool>(&type)) {
    return add(graph_.sym_bool_values, *truth, Table::sym_bools);
  }
  values.emplace_back();
  return Argument::of<Argument::as_none>(true);
}

GraphArgument GraphBuilder::subgraph(const std::string& name,
                                     const std::function<void(GraphBuilder&)>& body) {
  take_name(name);
  GraphBuilder inner(shared_);
  body(inner);
  GraphArgument argument;
  argument.name = name;
  *argument.graph = std::move(inner.graph_);
  return argument;
}

void GraphBuilder::output(const Operand& value) {
  if (value.list() != nullptr) cannot_build("expected a single value as an output, got a list");
  require_value(value.argument());
  graph_.outputs.push_back(value.argument());
}

void GraphBuilder::only_output(const Operand& value) {
  if (!graph_.outputs.empty()) cannot_build("the graph already has an output");
  output(value);
  graph_.is_single_tensor_return = true;
}

ProgramBuilder::ProgramBuilder(OperatorSet operators)
    : GraphBuilder(std::make_shared<Shared>(Shared{std::move(operators), {}, {}})) {}

Size ProgramBuilder::symbol(const std::string& name, std::int64_t min, std::optional<std::int64_t> max,
                            std::optional<std::int64_t> example) {
  const bool is_symbol =
      name.size() > 1 && name.front() == 's' &&
      std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!is_symbol) cannot_build("expected a symbol such as 's0', got " + schemagen::quoted(name));
  if (ranges_.find(name) != nullptr)
    cannot_build("the symbol " + schemagen::quoted(name) + " already exists");
  if (min < 0 || (max && *max < min))
    cannot_build("the range of " + schemagen::quoted(name) + " is negative or empty");
  // torch specializes on 0 and 1, and unifies symbols with equal hints.
  const std::int64_t usual = std::max<std::int64_t>(min, 5) + static_cast<std::int64_t>(ranges_.size());
  const std::int64_t hint = example.value_or(std::min(usual, max.value_or(usual)));
  if (hint < min || (max && hint > *max))
    cannot_build("the example of " + schemagen::quoted(name) + " is outside its range");
  ranges_.insert(name, RangeConstraint{min, max});
  shared_->hints.insert(name, hint);
  return Size::symbol(name);
}

void ProgramBuilder::fixed_input(const std::string& name, const Operand& value) {
  if (value.list() != nullptr || constant_of(value.argument()).kind() == ConstantValue::unset) {
    cannot_build("the input " + schemagen::quoted(name) +
                 ": expected a number, string, bool or None as its fixed value");
  }
  take_name(name);
  add_input(name, value.argument());
}

Value ProgramBuilder::weight(const char* prefix, const std::string& name, const Tensor& tensor) {
  check_tensor(tensor);
  const std::string input = input_name_of(prefix, name);
  take_name(input);
  tensors_.push_back({name, tensor});
  return add_tensor(input, meta_of(tensor));
}

Value ProgramBuilder::parameter(const std::string& name, const Tensor& tensor) {
  Value value = weight("p_", name, tensor);
  weights_.push_back(InputSpec(InputToParameterSpec{{value.name}, name}));
  return value;
}

Value ProgramBuilder::buffer(const std::string& name, const Tensor& tensor, bool persistent) {
  Value value = weight("b_", name, tensor);
  weights_.push_back(InputSpec(InputToBufferSpec{{value.name}, name, persistent}));
  return value;
}

Value ProgramBuilder::constant(const std::string& name, const Tensor& tensor) {
  Value value = weight("c_", name, tensor);
  weights_.push_back(InputSpec(InputToTensorConstantSpec{{value.name}, name}));
  return value;
}

void ProgramBuilder::mutate(const Value& target, const Value& value) {
  require_value(Operand(value).argument());
  const TensorArgument result = {value.name};
  const Argument input = Operand(target).argument();
  OutputSpec spec;
  if (std::find(graph_.inputs.begin(), graph_.inputs.end(), input) != graph_.inputs.end())
    spec = OutputSpec::of<OutputSpec::user_input_mutation>(UserInputMutationSpec{result, target.name});
  for (const InputSpec& weight : weights_) {
    const auto parts = parts_of(weight);
    if (*parts.name != target.name) continue;
    if (parts.kind == InputSpec::tensor_constant)
      cannot_build("the constant " + schemagen::quoted(*parts.target) + " cannot be mutated");
    if (parts.kind == InputSpec::parameter) {
      spec = OutputSpec::of<OutputSpec::parameter_mutation>(ParameterMutationSpec{result, *parts.target});
    } else {
      spec = OutputSpec::of<OutputSpec::buffer_mutation>(BufferMutationSpec{result, *parts.target});
    }
  }
  if (spec.kind() == OutputSpec::unset)
    cannot_build("the value " + schemagen::quoted(target.name) + " is not an input, so it cannot be mutated");
  for (const OutputSpec& other : mutations_) {
    if (other.kind() == spec.kind() && *parts_of(other).target == *parts_of(std::as_const(spec)).target)
      cannot_build("the input " + schemagen::quoted(target.name) + " is already mutated");
  }
  mutations_.push_back(std::move(spec));
}

/// In torch's order.
void ProgramBuilder::finish_inputs(GraphModule& module) {
  std::vector<Argument> user_inputs;
  user_inputs.swap(module.graph.inputs);
  std::vector<InputSpec>& specs = module.signature.input_specs;
  specs = std::move(weights_);
  std::stable_sort(specs.begin(), specs.end(),
                   [](const InputSpec& a, const InputSpec& b) { return a.kind() < b.kind(); });
  for (const InputSpec& spec : specs) {
    module.graph.inputs.push_back(Argument(TensorArgument{*parts_of(spec).name}));
  }
  for (std::size_t i = 0; i < user_inputs.size(); ++i) {
    const ConstantValue fixed = constant_of(user_inputs[i]);
    if (fixed.kind() == ConstantValue::unset) {
      specs.push_back(InputSpec::of<InputSpec::user_input>(UserInputSpec{user_inputs[i]}));
    } else {
      specs.push_back(
          InputSpec::of<InputSpec::constant_input>(InputToConstantInputSpec{input_names_[i], fixed}));
    }
    module.graph.inputs.push_back(std::move(user_inputs[i]));
  }
}

void ProgramBuilder::finish_outputs(GraphModule& module) const {
  std::vector<OutputSpec>& specs = module.signature.output_specs;
  std::vector<Argument> outputs;
  for (const OutputSpec& mutation : mutations_) {
    outputs.push_back(Argument(TensorArgument{*parts_of(mutation).name}));
    specs.push_back(mutation);
  }
  for (Argument& output : module.graph.outputs) {
    specs.push_back(OutputSpec::of<OutputSpec::user_output>(UserOutputSpec{output}));
    outputs.push_back(std::move(output));
  }
  module.graph.outputs = std::move(outputs);
}

BuiltProgram ProgramBuilder::finish() {
  std::stable_sort(mutations_.begin(), mutations_.end(), [](const OutputSpec& a, const OutputSpec& b) {
    return a.kind() != b.kind() && b.kind() == OutputSpec::user_input_mutation;
  });
  BuiltProgram built;
  built.tensors = std::move(tensors_);
  ExportedProgram& program = built.program;
  program.opset_version.insert("aten", operator_releases().aten_opset);
  program.schema_version = {kSchemaMajor, kSchemaMinor};
  program.torch_version = std::string(operator_releases().schemas) + ".0";
  program.verifiers = {mutations_.empty() ? "TRAINING" : "ATEN"};
  program.range_constraints = std::move(ranges_);
  GraphModule& module = program.graph_module;
  module.module_call_graph.push_back(root_call(input_names_.size(), graph_.outputs.size()));
  module.module_call_graph.front().signature->forward_arg_names = input_names_;
  module.graph = std::move(graph_);
  finish_inputs(module);
  finish_outputs(module);
  return built;
}

Operand::Operand(const Value& value) : held_(value_argument(value.table, value.name)) {
  if (value.table != ValueName::Table::custom_objects) return;
  throw schemagen::UsageError("expected an Argument that names the class of the custom object " +
                              schemagen::quoted(value.name) + ", got a Value");
}

Operand Operand::any(const std::string& name) {
  Operand operand(value_argument(ValueName::Table::tensors, name));
  operand.is_any_ = true;
  return operand;
}

}  // namespace pt2
