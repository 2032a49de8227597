// The names that torch's canonicalize gives: a part of torch_form.h.
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

/// New names for the values of one graph. Torch takes the entry of each value that is defined out of its
/// table, and puts it back under the new name, where it replaces the one that had that name before.
class TorchNames {
 public:
  /// Gives new names to what `graph` defines, in the order of its inputs and nodes. The graph keeps its old
  /// names. Errors: DataError if a value has no entry, or is defined twice.
  TorchNames(Graph& graph, TorchValues values, const std::string& path);

  /// The new name of `name`. Errors: DataError, at `path`, if the graph does not define it.
  std::string new_name(std::string_view name, const std::string& path) const;

  /// Writes the new names into the graph, but for those of its subgraphs. Ends the use of this object.
  void apply(const std::string& path);

 private:
  using Number = TorchValues::Number;

  /// Where the entry of each value is in its table, by the number of the name that it has by now.
  struct TableNames {
    std::vector<Number> entry_of;                    // by number of an old name; kNone: no such key
    std::vector<std::pair<Number, Number>> renamed;  // new number and entry, of new names that no old one has
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
