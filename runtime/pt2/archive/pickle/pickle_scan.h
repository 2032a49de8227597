// Finds what a pickle of any protocol would import and call, without loading it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/base/limits.h"

namespace pt2 {

/// Something that could run code and that weights_only therefore rejects.
struct PickleDanger {
  std::string what;     // the global, e.g. `posix.system`, or `?` if its name is computed during loading
  std::string message;  // contains names from the file, so escape it before printing
  std::size_t position = 0;
};

struct PickleScan {
  std::vector<PickleDanger> dangers;
  /// The globals that weights_only accepts only once torchao is imported; see torchao_for().
  std::vector<PickleDanger> of_torchao;
  /// The first error that would stop Python from loading the pickle.
  std::optional<std::string> fault;
  std::size_t fault_position = 0;
  /// Whether the pickle calls something or sets a state before the error.
  bool calls = false;
  /// The offset at which a dict first gets a key that might not be a plain literal. Plain literals are
  /// numbers, bools, None, strings without quotes, backslashes and control characters, and tuples of these.
  std::optional<std::size_t> odd_key;
  /// The offset after STOP or, without STOP, after the readable part.
  std::size_t end = 0;
};

/// Scans the pickle up to the first STOP. Tracks on the stack and in the memo only what determines the names
/// of globals: strings, and which values are globals. Continues after an error as far as possible. Exceeding
/// `limits.memory_bytes` is an error.
PickleScan scan_pickle(std::string_view bytes, const schemagen::Limits& limits = {});

}  // namespace pt2
