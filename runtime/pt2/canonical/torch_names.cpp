#include "pt2/canonical/torch_names.h"

#include <algorithm>
#include <cstddef>

#include "pt2/graph/walk.h"

namespace pt2 {
namespace {

constexpr TorchValues::Number kNoNumber = TorchValues::kNone;

std::string torch_name(TorchValues::Number number) {
  return "_" + std::to_string(number);
}

}  // namespace

TorchNames::TorchNames(Graph& graph, TorchValues values, const std::string& path)
    : graph_(graph), values_(std::move(values)) {
  for_each_table(graph_, [&](const auto& table, ValueName::Table kind) {
    enter_table(table, tables_[static_cast<std::size_t>(kind)]);
  });
  new_numbers_.assign(values_.size(), kNoNumber);
  for (Argument& input : graph_.inputs) define(input, path);
  for (Node& node : graph_.nodes) {
    for (Argument& output : node.outputs) define(output, path);
  }
}

template <class T>
void TorchNames::enter_table(const schemagen::Map<T>& table, TableNames& names) {
  for (const auto& [key, value] : table) {
    const Number number = values_.number(key);
    if (names.entry_of.size() <= number) names.entry_of.resize(number + 1, kNoNumber);
    names.entry_of[number] = names.entries++;
  }
}

void TorchNames::define(Argument& argument, const std::string& path) {
  for_each_torch_slot(argument, path, [&](std::string* name, ValueName::Table kind) {
    if (argument.kind() == Argument::as_optional_tensors) {
      torch_refuses("unknown argument type OptionalTensorArgument of a defined value", path);
    }
    if (name == nullptr) return;
    TableNames& table = tables_[static_cast<std::size_t>(kind)];
    const Number old_number = values_.find(*name);
    if (old_number != kNoNumber && new_numbers_[old_number] != kNoNumber) {
      torch_refuses(torch_symbol(*name) + " already in name_table", path);
    }
    if (old_number >= table.entry_of.size() || table.entry_of[old_number] == kNoNumber) {
      torch_refuses(torch_symbol(*name) + " not in the graph's values", path);
    }
    const Number new_number = defined_++;
    const Number entry = std::exchange(table.entry_of[old_number], kNoNumber);
    new_numbers_[old_number] = new_number;
    definitions_.emplace_back(name, new_number);
    const Number taken = values_.find(torch_name(new_number));
    if (taken == kNoNumber) {
      table.renamed.emplace_back(new_number, entry);
    } else {
      if (table.entry_of.size() <= taken) table.entry_of.resize(taken + 1, kNoNumber);
      table.entry_of[taken] = entry;
    }
  });
}

std::string TorchNames::new_name(std::string_view name, const std::string& path) const {
  const Number number = values_.find(name);
  if (number == kNoNumber || new_numbers_[number] == kNoNumber) {
    torch_refuses(torch_symbol(name) + " has no new name", path);
  }
  return torch_name(new_numbers_[number]);
}

template <class T>
void TorchNames::rename_table(schemagen::Map<T>& old, schemagen::Map<T>& table,
                              const TableNames& names) const {
  old = std::move(table);
  std::vector<std::pair<std::string, Number>> entries;
  entries.reserve(names.entries);
  for (Number number = 0; number < names.entry_of.size(); ++number) {
    if (names.entry_of[number] != kNoNumber)
      entries.emplace_back(values_.name(number), names.entry_of[number]);
  }
  for (const auto& [new_number, entry] : names.renamed) entries.emplace_back(torch_name(new_number), entry);
  std::sort(entries.begin(), entries.end());
  std::vector<T*> values;
  values.reserve(old.size());
  for (auto& entry : old) values.push_back(&entry.value);
  table = {};
  table.reserve(entries.size());
  for (auto& [key, entry] : entries) *table.try_emplace(std::move(key)).first = std::move(*values[entry]);
}

void TorchNames::apply(const std::string& path) {
  std::vector<std::pair<std::string*, Number>> uses;
  const auto collect = [&](std::string* name, ValueName::Table) {
    if (name == nullptr) return;
    const Number number = values_.find(*name);
    if (number != kNoNumber && new_numbers_[number] != kNoNumber)
      uses.emplace_back(name, new_numbers_[number]);
  };
  for (Node& node : graph_.nodes) {
    for (NamedArgument& input : node.inputs) for_each_torch_slot(input.arg, path, collect);
  }
  for (Argument& output : graph_.outputs) for_each_torch_slot(output, path + ".outputs", collect);

  // The old tables own the names until all tables are rebuilt.
  Graph old;
  for_each_table(old, graph_, [&](auto& old_table, auto& table, ValueName::Table kind) {
    rename_table(old_table, table, tables_[static_cast<std::size_t>(kind)]);
  });
  for (const auto& [name, number] : definitions_) *name = torch_name(number);
  for (const auto& [name, number] : uses) *name = torch_name(number);
}

}  // namespace pt2
