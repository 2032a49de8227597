// Finds what a pickle of any protocol would import and call, without loading it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/base/limits.h"

namespace pt2 {

/// weights_only rejects it because it could run code.
struct PickleDanger {
  std::string what;     // the global, `posix.system`; `?` if its name is computed on loading
  std::string message;  // contains names as in the file: print it escaped
  std::size_t position = 0;
};

struct PickleScan {
  std::vector<PickleDanger> dangers;
  /// The first one that would stop Python from loading it.
  std::optional<std::string> fault;
  std::size_t fault_position = 0;
  /// Whether it calls something or sets a state before the fault.
  bool calls = false;
  /// Where a dict first gets a key that may not be a plain literal: an integer, a bool, None, or a string
  /// without quotes, backslashes and control characters.
  std::optional<std::size_t> odd_key;
  /// Past STOP or, without one, past the readable part.
  std::size_t end = 0;
};

/// Up to the first STOP. Tracks on the stack and in the memo only what determines the names of globals:
/// strings, and which values are globals. Scans on after a fault as far as possible. Exceeding
/// `limits.memory_bytes` is a fault.
PickleScan scan_pickle(std::string_view bytes, const schemagen::Limits& limits = {});

}  // namespace pt2
