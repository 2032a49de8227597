#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {

/// Thrown if an archive has several models and the caller must choose one.
class SeveralModels : public schemagen::DataError {
 public:
  explicit SeveralModels(std::vector<std::string> names)
      : DataError(text(names, "model: \"", "\"")), names_(std::move(names)) {}

  /// Returns the message for an interface where the name of a model, after `before`, chooses it.
  std::string choose_with(std::string_view before, std::string_view after = {}) const {
    return text(names_, before, after);
  }

 private:
  static std::string text(const std::vector<std::string>& names, std::string_view before,
                          std::string_view after) {
    return "the archive has " + std::to_string(names.size()) +
           " models: " + schemagen::quoted_list({names.begin(), names.end()}) + "; choose one with " +
           std::string(before) + schemagen::printable(names.front()) + std::string(after);
  }

  std::vector<std::string> names_;
};

}  // namespace pt2
