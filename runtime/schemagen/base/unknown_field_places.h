// Finds the places of unknown fields in a value that is being written.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/base/unknown_fields.h"

namespace schemagen {

/// Unknown fields by the values that contain them, and which of them have been written.
class UnknownFieldPlaces {
 public:
  /// Those in one value, which is `depth` steps from the root: some that follow each other.
  struct Range {
    std::size_t first;
    std::size_t last;
    std::size_t depth;
    bool empty() const noexcept { return first == last; }
  };

  /// `unset_unions`: where the unions without a member begin in what was written, ascending. Both must
  /// outlive this.
  UnknownFieldPlaces(const std::vector<UnknownField>& fields, const std::vector<std::size_t>& unset_unions);

  Range all() const noexcept { return {0, sorted_.size(), 0}; }
  /// Those of the value itself: in the order of the data.
  Range own(const Range& range) const noexcept;
  /// Those in the field, member or entry called `key`.
  Range in(const Range& range, std::string_view key) const;
  /// Those in an item of a list, which has `count` items now. Errors: DataError, if it had another number.
  Range in_item(const Range& range, std::size_t index) const;
  void check_count(const Range& range, std::size_t count) const;

  /// To be called with those of a struct or union that begins at `offset`. Errors: DataError, if they are not
  /// of this format, or if they are not one member in a union without one, or fields in a struct.
  void check_own(const Range& own, std::size_t offset, bool in_binary);

  const UnknownField& operator[](std::size_t i) const noexcept { return *sorted_[i]; }
  bool is_written(std::size_t i) const noexcept { return is_written_[i]; }
  void set_written(std::size_t i) noexcept { is_written_[i] = true; }

  /// Throws DataError about field `i`.
  [[noreturn]] void fail(std::size_t i, const std::string& why) const;
  /// Where the first union begins that is left without a member. Errors: DataError, if not all have been
  /// written.
  std::optional<std::size_t> finish() const;

 private:
  Range children(const Range& range, const UnknownFieldStep& step) const;

  std::vector<const UnknownField*> sorted_;  // by their paths
  std::vector<bool> is_written_;
  const std::vector<std::size_t>& unset_unions_;
  std::vector<bool> is_set_;  // those of unset_unions_ that have got a member
};

}  // namespace schemagen
