#pragma once

#include <optional>
#include <string_view>

#include "schemagen/base/unknown_fields.h"

namespace schemagen {

/// The preserved fields, grouped by the values that contain them. Keeps track of which ones have been
/// written.
class UnknownFieldPlaces {
 public:
  /// A run of fields that belong to the same value. `depth` is the number of steps from the root to that
  /// value.
  struct Range {
    std::size_t first;
    std::size_t last;
    std::size_t depth;
    bool empty() const noexcept { return first == last; }
  };

  /// `unset_unions` contains the offsets of the unset unions in the written text, in ascending order.
  UnknownFieldPlaces(const std::vector<UnknownField>& fields, const std::vector<std::size_t>& unset_unions);

  Range all() const noexcept { return {0, sorted_.size(), 0}; }
  /// The fields of the value itself, without those of nested values.
  Range direct(const Range& range) const noexcept;
  Range in(const Range& range, std::string_view key) const {
    return children(range, {std::string(key), 0, 0});
  }
  Range in_item(const Range& range, std::size_t index) const { return children(range, {{}, index, 1}); }
  void check_count(const Range& range, std::size_t count) const;

  /// Checks the unknown fields of the struct or union that begins at `offset`. Throws DataError if the fields
  /// come from the other format, if an unset union has more than one, or if a union with a set member has
  /// any.
  void check_direct(const Range& direct, std::size_t offset, bool in_binary);

  const UnknownField& operator[](std::size_t i) const noexcept { return *sorted_[i]; }
  bool is_written(std::size_t i) const noexcept { return is_written_[i]; }
  void set_written(std::size_t i) noexcept { is_written_[i] = true; }

  [[noreturn]] void fail(std::size_t i, const std::string& why) const;
  /// Returns the offset of the first union that is still unset, if there is one. Throws DataError unless all
  /// fields have been written.
  std::optional<std::size_t> finish() const;

 private:
  Range children(const Range& range, const UnknownFieldStep& step) const;

  std::vector<const UnknownField*> sorted_;
  std::vector<bool> is_written_;
  const std::vector<std::size_t>& unset_unions_;
  std::vector<bool> is_set_;
};

}  // namespace schemagen
