// Names of what is to stay as it is. Each is for one thread at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schemagen/base/map.h"

namespace pt2 {

/// Names, and which of them were asked for.
class KeptNames {
 public:
  explicit KeptNames(const std::vector<std::string>& names);

  bool empty() const noexcept { return asked_.empty(); }

  /// Whether `name` is one of them.
  bool has(std::string_view name);
  /// Whether one of them is `path`, or a module that it is in: `encoder` of `encoder.norm.weight`.
  bool has_path(std::string_view path);

  /// Errors: UsageError, if has() was never true of some.
  void require_all_used() const;

 private:
  schemagen::Map<bool> asked_;
};

}  // namespace pt2
