#include "pt2/nodes/arguments.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "pt2/graph/walk.h"
#include "pt2/nodes/default_value.h"
#include "pt2/operators/operator_schema.h"
#include "pt2/schema_info.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

/// Nodes in old files have no name.
std::string description(const Node& node) {
  std::string name = node.name.value_or("");
  const std::string* const result = first_name(node.outputs);
  if (name.empty() && result != nullptr) name = *result;
  return "node " + schemagen::quoted(name) + " (" + schemagen::printable_start(node.target) + ")";
}

std::string description(const Argument& argument) {
  std::string text(argument.kind() == Argument::unset ? "nothing" : name_of(argument.kind()).substr(3));
  std::replace(text.begin(), text.end(), '_', ' ');
  std::size_t count = 0;
  std::string name;
  for_each_slot(argument, [&](const std::string* value, ValueName::Table) {
    ++count;
    if (value != nullptr) name = *value;
  });
  return count == 1 && !name.empty() ? text + " " + schemagen::quoted(name) : text;
}

bool is_empty_list(const Argument& argument) {
  using A = Argument;
  const auto is_empty = [](const auto* list) { return list != nullptr && list->empty(); };
  return is_empty(argument.get_if<A::as_ints>()) || is_empty(argument.get_if<A::as_bools>()) ||
         is_empty(argument.get_if<A::as_floats>()) || is_empty(argument.get_if<A::as_tensors>()) ||
         is_empty(argument.get_if<A::as_strings>()) || is_empty(argument.get_if<A::as_sym_ints>()) ||
         is_empty(argument.get_if<A::as_optional_tensors>());
}

std::size_t items_of_one(const NodeArgument& argument) {
  if (argument.declared == nullptr) return 1;
  return static_cast<std::size_t>(without_optional(argument.declared->type).size.value_or(1));
}

}  // namespace

NodeArguments::NodeArguments(const Node& node, const Operator& op) : node_(node) {
  all_.reserve(op.arguments.size());
  for (const OperatorArgument& declared : op.arguments) {
    all_.push_back({declared.name, &declared, nullptr, {}});
  }
  for (std::size_t i = 0; i < node.inputs.size(); ++i) place(op, node.inputs[i], i);
  for (NodeArgument& argument : all_) {
    if (argument.given != nullptr) continue;
    if (!argument.declared->default_value) fail(argument.name, "is missing");
    argument.default_value = argument_of(*argument.declared->default_value, argument.declared->type);
  }
}

void NodeArguments::place(const Operator& op, const NamedArgument& input, std::size_t position) {
  const std::size_t declared = op.arguments.size();
  std::size_t at = position;
  if (!input.name.empty()) {
    for (at = 0; at < declared && op.arguments[at].name != input.name;) ++at;
  }
  if (at < declared) {
    if (all_[at].given != nullptr) fail(all_[at].name, "is given twice");
    all_[at].given = &input.arg;
  } else if (op.takes_more) {
    all_.push_back({input.name, nullptr, &input.arg, {}});
  } else if (input.name.empty()) {
    fail(std::to_string(position),
         "is unexpected: the operator takes only " + schemagen::counted(declared, "argument"));
  } else {
    fail(input.name, "is not in the operator's schema");
  }
}

void NodeArguments::fail(std::string_view argument, const std::string& what) const {
  throw schemagen::DataError(description(node_) + ": argument " + schemagen::quoted(argument) + " " + what);
}

void NodeArguments::fail_kind(std::string_view argument, const char* expected) const {
  fail(argument, "is " + description(at(argument).value()) + ", expected " + expected);
}

const NodeArgument& NodeArguments::at(std::string_view name) const {
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const NodeArgument& argument) { return argument.name == name; });
  if (found == all_.end()) fail(name, "is not in the operator's schema");
  return *found;
}

bool NodeArguments::is_none(std::string_view name) const {
  const Argument& value = at(name).value();
  const auto* const tensor = value.get_if<Argument::as_optional_tensor>();
  return value.is<Argument::as_none>() ||
         (tensor != nullptr && tensor->is<OptionalTensorArgument::as_none>());
}

template <Argument::Kind K>
const auto& NodeArguments::member(std::string_view name, const char* expected) const {
  const auto* const found = at(name).value().get_if<K>();
  if (found == nullptr) fail_kind(name, expected);
  return *found;
}

std::int64_t NodeArguments::get_int(std::string_view name) const {
  const SymIntArgument value = sym_int(name);
  const auto* const number = value.get_if<SymIntArgument::as_int>();
  if (number == nullptr) fail_kind(name, "int");
  return *number;
}

std::vector<std::int64_t> NodeArguments::get_ints(std::string_view name) const {
  std::vector<std::int64_t> numbers;
  for (const SymIntArgument& value : sym_ints(name)) {
    const auto* const number = value.get_if<SymIntArgument::as_int>();
    if (number == nullptr) fail_kind(name, "list of ints");
    numbers.push_back(*number);
  }
  return numbers;
}

SymIntArgument NodeArguments::sym_int(std::string_view name) const {
  const Argument& value = at(name).value();
  if (const auto* const symbolic = value.get_if<Argument::as_sym_int>()) return *symbolic;
  SymIntArgument literal;
  literal.emplace<SymIntArgument::as_int>(member<Argument::as_int>(name, "int"));
  return literal;
}

std::vector<SymIntArgument> NodeArguments::sym_ints(std::string_view name) const {
  const NodeArgument& argument = at(name);
  const Argument& value = argument.value();
  if (const auto* const symbolic = value.get_if<Argument::as_sym_ints>()) return *symbolic;
  if (is_empty_list(value)) return {};
  if (value.is<Argument::as_int>() || value.is<Argument::as_sym_int>()) {
    return std::vector<SymIntArgument>(items_of_one(argument), sym_int(name));
  }
  std::vector<SymIntArgument> literals;
  for (const std::int64_t number : member<Argument::as_ints>(name, "list of ints")) {
    literals.emplace_back().emplace<SymIntArgument::as_int>(number);
  }
  return literals;
}

double NodeArguments::get_float(std::string_view name) const {
  const Argument& value = at(name).value();
  if (const auto* const whole = value.get_if<Argument::as_int>()) return static_cast<double>(*whole);
  if (const auto* const symbolic = value.get_if<Argument::as_sym_float>()) {
    if (const auto* const literal = symbolic->get_if<SymFloatArgument::as_float>()) return *literal;
  }
  return member<Argument::as_float>(name, "float");
}

std::vector<double> NodeArguments::get_floats(std::string_view name) const {
  const NodeArgument& argument = at(name);
  const Argument& value = argument.value();
  if (is_empty_list(value)) return {};
  if (value.is<Argument::as_float>()) return std::vector<double>(items_of_one(argument), get_float(name));
  if (const auto* const whole = value.get_if<Argument::as_ints>()) return {whole->begin(), whole->end()};
  return member<Argument::as_floats>(name, "list of floats");
}

bool NodeArguments::get_bool(std::string_view name) const {
  const Argument& value = at(name).value();
  if (const auto* const symbolic = value.get_if<Argument::as_sym_bool>()) {
    if (const auto* const literal = symbolic->get_if<SymBoolArgument::as_bool>()) return *literal;
  }
  return member<Argument::as_bool>(name, "bool");
}

std::vector<bool> NodeArguments::get_bools(std::string_view name) const {
  if (is_empty_list(at(name).value())) return {};
  return member<Argument::as_bools>(name, "list of bools");
}

std::string NodeArguments::get_string(std::string_view name) const {
  return member<Argument::as_string>(name, "string");
}

ScalarType NodeArguments::get_scalar_type(std::string_view name) const {
  return member<Argument::as_scalar_type>(name, "scalar type");
}

Layout NodeArguments::get_layout(std::string_view name) const {
  return member<Argument::as_layout>(name, "layout");
}

MemoryFormat NodeArguments::get_memory_format(std::string_view name) const {
  return member<Argument::as_memory_format>(name, "memory format");
}

Device NodeArguments::get_device(std::string_view name) const {
  return member<Argument::as_device>(name, "device");
}

std::string NodeArguments::tensor(std::string_view name) const {
  const Argument& value = at(name).value();
  if (const auto* const optional = value.get_if<Argument::as_optional_tensor>()) {
    if (const auto* const held = optional->get_if<OptionalTensorArgument::as_tensor>()) return held->name;
  }
  return member<Argument::as_tensor>(name, "tensor").name;
}

std::vector<std::string> NodeArguments::tensors(std::string_view name) const {
  std::vector<std::string> names;
  for (std::optional<std::string>& tensor : optional_tensors(name)) {
    if (!tensor) fail_kind(name, "list of tensors without None");
    names.push_back(std::move(*tensor));
  }
  return names;
}

std::vector<std::optional<std::string>> NodeArguments::optional_tensors(std::string_view name) const {
  const Argument& value = at(name).value();
  std::vector<std::optional<std::string>> names;
  if (is_empty_list(value)) return names;
  if (const auto* const tensors = value.get_if<Argument::as_tensors>()) {
    for (const TensorArgument& tensor : *tensors) names.emplace_back(tensor.name);
    return names;
  }
  for (const auto& item : member<Argument::as_optional_tensors>(name, "list of tensors")) {
    const auto* const held = item.template get_if<OptionalTensorArgument::as_tensor>();
    names.push_back(held == nullptr ? std::nullopt : std::optional<std::string>(held->name));
  }
  return names;
}

bool takes_call(const Operator& op, const Node& node) {
  try {
    const NodeArguments arguments(node, op);
    return true;
  } catch (const schemagen::DataError&) {
    return false;
  }
}

const Operator* called_operator(const Node& node, const OperatorSet& operators) {
  const Operator* const op = operators.find(node.target);
  const std::vector<const Operator*> signatures = operator_signatures(node.target);
  if (signatures.size() < 2 || op != signatures[0]) return op;
  const auto found = std::find_if(signatures.begin(), signatures.end(),
                                  [&](const Operator* each) { return takes_call(*each, node); });
  return found == signatures.end() ? op : *found;
}

NodeArguments arguments_of(const Node& node, const OperatorSet& operators) {
  const Operator* const op = called_operator(node, operators);
  if (op == nullptr) {
    throw schemagen::DataError(description(node) +
                               ": unknown operator; pass its schema to OperatorSet::add()");
  }
  return NodeArguments(node, *op);
}

}  // namespace pt2
