#include <algorithm>

#include "pt2/edit/builder.h"
#include "pt2/edit/torch_conventions.h"
#include "pt2/operators/operator_schema.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

bool is_list_result(const OperatorReturn& result) {
  return without_optional(result.type).kind == OperatorTypeKind::list;
}

/// The list in the results of `op`, if there is one, takes all names that the others leave.
std::vector<std::size_t> counts_of_results(const Operator& op, std::size_t names) {
  std::vector<std::size_t> counts(op.returns.size(), 1);
  if (op.returns_more) counts.assign(std::max<std::size_t>(names, 1), 1);
  const auto list = std::find_if(op.returns.begin(), op.returns.end(), is_list_result);
  if (list != op.returns.end()) {
    if (names < counts.size()) fail_call(op, "it returns a list, so each result needs a name");
    counts[static_cast<std::size_t>(list - op.returns.begin())] = names + 1 - counts.size();
  } else if (names != 0 && names != counts.size()) {
    fail_call(op, "expected " + schemagen::counted(counts.size(), "result") + ", got " +
                      schemagen::counted(names, "name"));
  }
  return counts;
}

}  // namespace

std::string PatternBuilder::take_name(const std::string& name) {
  return names_.claim(name) ? name : names_.take(name);
}

Value PatternBuilder::any(const std::string& name) {
  if (!name.empty() && !names_.claim(name))
    throw schemagen::UsageError("the pattern already has a value " + schemagen::quoted(name));
  Value value{name.empty() ? names_.take("_") : name};
  is_any_[value.name] = true;
  graph_.inputs.push_back(Operand(value).argument());
  return value;
}

Operand PatternBuilder::operand(const Operand& given) const {
  if (given.list() != nullptr) {
    std::vector<Operand> items;
    for (const Operand& item : *given.list()) items.push_back(operand(item));
    return items;
  }
  const std::string* const name = value_of(given.argument());
  if (name == nullptr) return given;
  const bool* const is_any = is_any_.find(*name);
  if (is_any == nullptr) throw schemagen::UsageError("the pattern has no value " + schemagen::quoted(*name));
  return *is_any ? Operand::any(*name) : given;
}

std::vector<Value> PatternBuilder::call(std::string_view target, const std::vector<Operand>& arguments,
                                        std::vector<NamedOperand> keywords,
                                        const std::vector<std::string>& names, bool takes_rest) {
  const Operator& op = operator_called(target, operators_);
  const std::vector<std::size_t> counts = counts_of_results(op, names.size());
  std::vector<Operand> positional;
  for (const Operand& argument : arguments) positional.push_back(operand(argument));
  for (NamedOperand& keyword : keywords) keyword.value = operand(keyword.value);
  for (std::size_t i = arguments.size(); takes_rest && i < op.arguments.size(); ++i) {
    const std::string& name = op.arguments[i].name;
    const auto is_it = [&](const NamedOperand& keyword) { return keyword.name == name; };
    if (std::none_of(keywords.begin(), keywords.end(), is_it))
      keywords.push_back({name, Operand::any(any().name)});
  }
  Node node;
  node.target = op.target;
  node.inputs = node_inputs(op, positional, keywords);
  const bool is_one = counts.size() == 1 && (op.returns.empty() || !is_list_result(op.returns[0]));
  node.name = is_one && !names.empty() ? take_name(names[0]) : names_.take(node_name_of(op.target));
  std::vector<Value> results;
  const auto add_result = [&](ValueName::Table table) {
    const std::size_t i = results.size();
    const std::string name = is_one          ? *node.name
                             : names.empty() ? names_.take("getitem")
                                             : take_name(names[i]);
    is_any_[name] = false;
    results.push_back({name, table});
    return Operand(results.back()).argument();
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (op.returns_more || !is_list_result(op.returns[i])) {
      node.outputs.push_back(
          add_result(op.returns_more ? ValueName::Table::tensors : table_of(op.returns[i].type)));
      continue;
    }
    auto& items = node.outputs.emplace_back().emplace<Argument::as_tensors>();
    for (std::size_t item = 0; item < counts[i]; ++item)
      items.push_back(add_result(ValueName::Table::tensors).get<Argument::as_tensor>());
  }
  graph_.nodes.push_back(std::move(node));
  return results;
}

void PatternBuilder::output(const Operand& value) {
  if (value.list() != nullptr)
    throw schemagen::UsageError("expected a single value as an output, got a list");
  graph_.outputs.push_back(operand(value).argument());
}

}  // namespace pt2
