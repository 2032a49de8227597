#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schemagen/base/map.h"

namespace pt2 {

class KeptNames {
 public:
  explicit KeptNames(const std::vector<std::string>& names);

  bool empty() const noexcept { return asked_.empty(); }

  bool has(std::string_view name);
  /// Returns whether the names contain `path` or an enclosing module, e.g. `encoder` for
  /// `encoder.norm.weight`.
  bool has_path(std::string_view path);

  void require_all_used() const;

 private:
  schemagen::Map<bool> asked_;
};

}  // namespace pt2
