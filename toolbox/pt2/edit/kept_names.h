#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schemagen/base/error.h"
#include "schemagen/base/map.h"
#include "schemagen/base/quote.h"

namespace pt2 {

class KeptNames {
 public:
  explicit KeptNames(const std::vector<std::string>& names) {
    for (const std::string& name : names) asked_.try_emplace(name);
  }

  bool empty() const noexcept { return asked_.empty(); }

  bool has(std::string_view name) {
    bool* const asked = asked_.find(name);
    if (asked != nullptr) *asked = true;
    return asked != nullptr;
  }
  /// Returns whether the names contain `path` or an enclosing module, e.g. `encoder` for
  /// `encoder.norm.weight`.
  bool has_path(std::string_view path) {
    bool found = false;
    while (!path.empty()) {
      found = has(path) || found;
      const std::size_t dot = path.rfind('.');
      path = path.substr(0, dot == path.npos ? 0 : dot);
    }
    return found;
  }

  void require_all_used() const {
    std::vector<std::string_view> unused;
    for (const auto& [name, asked] : asked_) {
      if (!asked) unused.push_back(name);
    }
    if (unused.empty()) return;
    throw schemagen::UsageError("unknown name to keep: " + schemagen::quoted_list(unused) +
                                "; expected names of weights, inputs, nodes or modules");
  }

 private:
  schemagen::Map<bool> asked_;
};

}  // namespace pt2
