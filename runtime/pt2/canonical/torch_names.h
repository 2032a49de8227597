// Internal to torch_form.h.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/canonical/torch_values.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// torch moves the table entry of each defined value to the new name, replacing any entry that already has
/// it.
class TorchNames {
 public:
  /// In the order of inputs and nodes; does not change the graph. Throws DataError if a value has no table
  /// entry or is defined twice.
  TorchNames(Graph& graph, TorchValues values, const std::string& path);

  /// Throws DataError, at `path`, if the graph does not define it.
  std::string new_name(std::string_view name, const std::string& path) const;

  /// Except subgraphs. Call it last.
  void apply(const std::string& path);

 private:
  using Number = TorchValues::Number;

  /// By the number of the value's current name.
  struct TableNames {
    std::vector<Number> entry_of;                    // by number of an old name; kNone: no such key
    std::vector<std::pair<Number, Number>> renamed;  // new number and entry, for names that did not exist
    Number entries = 0;
  };

  void define(Argument& argument, const std::string& path);
  template <class T>
  void enter_table(const schemagen::Map<T>& table, TableNames& names);
  template <class T>
  void rename_table(schemagen::Map<T>& old, schemagen::Map<T>& table, const TableNames& names) const;

  Graph& graph_;
  TorchValues values_;
  std::vector<Number> new_numbers_;  // by number; kNone: keeps its name
  Number defined_ = 0;
  std::array<TableNames, 5> tables_;
  std::vector<std::pair<std::string*, Number>> definitions_;
};

}  // namespace pt2
