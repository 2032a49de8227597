// What a pickle of any protocol would import and call when Python loads it, found without loading it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/base/limits.h"

namespace pt2 {

/// One thing that weights_only refuses as it could run code.
struct PickleDanger {
  std::string what;     // the global, `posix.system`; `?` where its name is made while the pickle is loaded
  std::string message;  // names are as in the file: not printable as they stand
  std::size_t position = 0;
};

struct PickleScan {
  std::vector<PickleDanger> dangers;  // each global once, where it comes first; at most 1000
  /// The first thing that stops Python from loading it, with its place.
  std::optional<std::string> fault;
  std::size_t fault_position = 0;
  /// Whether something is called, or a state set, before that.
  bool calls = false;
  /// Where a dict first gets a key that may not be a plain literal: a whole number, a bool, None, or a
  /// text without quotes, backslashes and control characters.
  std::optional<std::size_t> odd_key;
  /// Past STOP; where there is none, past what could be looked at.
  std::size_t end = 0;
};

/// Walks the pickle at the start of `bytes` up to its STOP. The stack and the memo hold what is needed to
/// know the names of globals: texts, and which values are globals. What comes after a fault is looked at as
/// far as it can be. Takes memory of up to `limits.memory_bytes`, beyond which it is a fault.
PickleScan scan_pickle(std::string_view bytes, const schemagen::Limits& limits = {});

}  // namespace pt2
