// One JSON value of a report: commas and quotes are put where they belong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "schemagen/base/error.h"
#include "schemagen/base/limits.h"
#include "schemagen/json/writer.h"

namespace pt2 {

/// Appends tokens in order; that brackets and keys come where JSON has them is for the caller to see to.
/// Strings must be UTF-8. Errors: DataError if it becomes larger than kMostBytes, as a report can be of a
/// small program: long names come again wherever something is said of them.
class JsonBuilder {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;

  /// `compact`: without spaces, for machines only.
  explicit JsonBuilder(bool compact = false) : comma_(compact ? "," : ", "), colon_(compact ? ":" : ": ") {}

  JsonBuilder& begin(char bracket) {
    separate();
    out_.text({&bracket, 1});
    after_item_ = false;
    return *this;
  }
  JsonBuilder& end(char bracket) {
    out_.text({&bracket, 1});
    after_item_ = true;
    return *this;
  }
  JsonBuilder& key(std::string_view name) {
    separate();
    out_.string(name);
    out_.text(colon_);
    after_item_ = false;
    return *this;
  }
  JsonBuilder& string(std::string_view value) {
    separate();
    out_.string(value);
    return *this;
  }
  JsonBuilder& string_or_null(const std::optional<std::string>& value) {
    return value ? string(*value) : null();
  }
  JsonBuilder& integer(std::int64_t value) {
    separate();
    out_.integer(value);
    return *this;
  }
  JsonBuilder& count(std::size_t value) { return integer(static_cast<std::int64_t>(value)); }
  JsonBuilder& integer_or_null(const std::optional<std::int64_t>& value) {
    return value ? integer(*value) : null();
  }
  JsonBuilder& floating(double value) {
    separate();
    out_.floating(value);
    return *this;
  }
  JsonBuilder& boolean(bool value) {
    separate();
    out_.boolean(value);
    return *this;
  }
  JsonBuilder& null() {
    separate();
    out_.null();
    return *this;
  }

  std::string_view view() const noexcept { return out_.view(); }

 private:
  void separate() {
    if (out_.view().size() > kMostBytes) throw schemagen::DataError(schemagen::too_large(kMostBytes));
    if (after_item_) out_.text(comma_);
    after_item_ = true;
  }

  std::string_view comma_;
  std::string_view colon_;
  schemagen::JsonWriter out_;
  bool after_item_ = false;
};

}  // namespace pt2
