// Represents files of which only some parts are in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include "schemagen/base/error.h"

namespace pt2 {

/// The bytes of a file from offset `begin` to offset `end`, without the latter.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Thrown when bytes are read that are not in memory.
class MissingBytes : public schemagen::IoError {
 public:
  explicit MissingBytes(const ByteRange& range);
  const ByteRange& range() const noexcept { return range_; }

 private:
  ByteRange range_;
};

/// A file of known size whose parts are added as they arrive, for example from a server.
class FileParts {
 public:
  /// It costs as much to request a part as to read `least` bytes: plans read what is between two parts if
  /// that is less.
  explicit FileParts(std::uint64_t size, std::uint64_t least = std::uint64_t{1} << 16)
      : size_(size), least_(least) {}

  std::uint64_t size() const noexcept { return size_; }
  std::uint64_t least() const noexcept { return least_; }

  /// Adds a part. Returns its bytes, which the caller must write before anything else is called. Throws
  /// UsageError if the part is not in the file.
  char* add(std::uint64_t offset, std::size_t size);

  /// Returns whether a single part contains the range.
  bool has(const ByteRange& range) const;

  /// Returns the bytes, which are valid as long as this object exists. Throws MissingBytes unless has().
  std::string_view view(const ByteRange& range) const;

 private:
  std::uint64_t size_;
  std::uint64_t least_;
  std::vector<std::unique_ptr<char[]>> owned_;
  std::map<std::uint64_t, std::string_view> parts_;  // by offset; no part contains another
};

/// A view of a file's bytes, or of a range of them. Like a string_view, but parts can be missing.
class SparseBytes {
 public:
  template <class Text, std::enable_if_t<std::is_convertible_v<const Text&, std::string_view>, int> = 0>
  SparseBytes(const Text& whole) : whole_(whole), size_(whole_.size()) {}
  explicit SparseBytes(const FileParts& parts) : parts_(&parts), size_(parts.size()) {}

  std::uint64_t size() const noexcept { return size_; }
  /// Returns size(), or the largest number that a size in memory can have.
  std::size_t most_bytes() const noexcept {
    return static_cast<std::size_t>(std::min<std::uint64_t>(size_, SIZE_MAX));
  }
  /// Returns the offset in the file of the first byte.
  std::uint64_t begin() const noexcept { return begin_; }

  /// Returns at most `count` bytes; fewer if there are no more. Throws MissingBytes.
  std::string_view part(std::uint64_t offset, std::uint64_t count) const;
  std::string_view whole() const { return part(0, size_); }
  SparseBytes sub(std::uint64_t offset, std::uint64_t count) const;

 private:
  std::string_view whole_;  // of the file
  const FileParts* parts_ = nullptr;
  std::uint64_t begin_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace pt2
