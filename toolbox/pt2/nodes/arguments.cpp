#include "pt2/nodes/arguments.h"

#include <algorithm>

#include "pt2/graph/walk.h"
#include "pt2/nodes/argument_fit.h"
#include "pt2/nodes/default_value.h"
#include "pt2/nodes/list_items.h"
#include "pt2/operators/operator_schema.h"
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
  const std::string text = kind_text(argument);
  std::size_t count = 0;
  std::string name;
  for_each_slot(argument, [&](const std::string* value, ValueName::Table) {
    ++count;
    if (value != nullptr) name = *value;
  });
  return count == 1 && !name.empty() ? text + " " + schemagen::quoted(name) : text;
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
  const std::size_t at = input.name.empty() ? position : argument_position(op, input.name);
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

Argument NodeArguments::of_kind(std::string_view name, Argument::Kind kind, const char* expected) const {
  const Argument& value = at(name).value();
  Argument found = value.kind() == kind ? value : without_wrapper(value);
  if (found.kind() != kind) fail_kind(name, expected);
  return found;
}

std::vector<Argument> NodeArguments::items(std::string_view name, const char* expected) const {
  const NodeArgument& argument = at(name);
  if (auto items = items_of(argument.value())) return *std::move(items);
  const Argument single = without_wrapper(argument.value());
  const bool can_be_repeated =
      single.is<Argument::as_int>() || single.is<Argument::as_sym_int>() || single.is<Argument::as_float>();
  if (!can_be_repeated) fail_kind(name, expected);
  return std::vector<Argument>(items_of_one(argument), single);
}

SymIntArgument NodeArguments::sym_int(std::string_view name) const {
  const auto* const symbolic = at(name).value().get_if<Argument::as_sym_int>();
  return symbolic != nullptr ? *symbolic : SymIntArgument(member<Argument::as_int>(name, "int"));
}

std::vector<SymIntArgument> NodeArguments::sym_ints(std::string_view name) const {
  std::vector<SymIntArgument> values;
  for (const Argument& item : items(name, "list of ints")) {
    const auto* const symbolic = item.get_if<Argument::as_sym_int>();
    const auto* const literal = item.get_if<Argument::as_int>();
    if (symbolic == nullptr && literal == nullptr) fail_kind(name, "list of ints");
    values.push_back(symbolic != nullptr ? *symbolic : SymIntArgument(*literal));
  }
  return values;
}

double NodeArguments::get_float(std::string_view name) const {
  const auto* const whole = at(name).value().get_if<Argument::as_int>();
  return whole != nullptr ? static_cast<double>(*whole) : member<Argument::as_float>(name, "float");
}

std::vector<double> NodeArguments::get_floats(std::string_view name) const {
  if (const auto* const whole = at(name).value().get_if<Argument::as_ints>())
    return {whole->begin(), whole->end()};
  return members<Argument::as_float>(name, "list of floats");
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
  std::vector<std::optional<std::string>> names;
  for (Argument& item : items(name, "list of tensors")) {
    auto* const tensor = item.get_if<Argument::as_tensor>();
    if (tensor == nullptr && !item.is<Argument::as_none>()) fail_kind(name, "list of tensors");
    names.push_back(tensor == nullptr ? std::nullopt : std::optional(std::move(tensor->name)));
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
