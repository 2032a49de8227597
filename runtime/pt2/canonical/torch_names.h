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

/// Renames values as torch does: torch moves the table entry of each defined value to the new name, replacing
/// any entry that already has this name.
class TorchNames {
 public:
  /// Chooses the new names in the order of inputs and nodes, without changing the graph. Throws DataError if
  /// a value has no table entry or is defined twice.
  TorchNames(Graph& graph, TorchValues values, const std::string& path);

  std::string new_name(std::string_view name, const std::string& path) const;

  void apply(const std::string& path);

 private:
  using Number = TorchValues::Number;

  struct TableNames {
    std::vector<Number> entry_of;
    std::vector<std::pair<Number, Number>> renamed;
    Number entries = 0;
  };

  void define(Argument& argument, const std::string& path);
  template <class T>
  void enter_table(const schemagen::Map<T>& table, TableNames& names);
  template <class T>
  void rename_table(schemagen::Map<T>& old, schemagen::Map<T>& table, const TableNames& names) const;

  Graph& graph_;
  TorchValues values_;
  std::vector<Number> new_numbers_;
  Number defined_ = 0;
  std::array<TableNames, 5> tables_;
  std::vector<std::pair<std::string*, Number>> definitions_;
};

}  // namespace pt2
