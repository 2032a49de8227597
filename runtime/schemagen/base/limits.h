// Limits on the memory and depth that a document may require.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace schemagen {

/// Bounds against hostile or broken input: one set for JSON, binary and archives, for reading and writing.
/// Exceeding one throws a DataError that names the limit. Absent fields count with their defaults, so that a
/// value that was read can be written in any format within the same limits, except for `input_bytes`: sizes
/// differ between formats.
struct Limits {
  std::size_t depth = 256;                              // nested structs, unions, lists and maps
  std::size_t input_bytes = std::size_t{1} << 30;       // of one document, decompressed
  std::size_t string_bytes = std::size_t{64} << 20;     // of one text or Any, and of decoded bytes
  std::size_t container_items = std::size_t{16} << 20;  // of one list or map
  /// Limits the memory that one input may take in addition to its own bytes: decompressed bytes, parsed form
  /// and values together, including allocator overhead. Checked before each allocation. Each stage passes its
  /// remaining budget to the next. The default leaves the rest of 2 GiB to the process.
  std::size_t memory_bytes = std::size_t{7} << 28;

  /// Returns these limits for a file of `file_bytes`: `memory_bytes` becomes at most 16 times the file size,
  /// or 512 MiB if that is larger, however much the file decompresses to.
  Limits for_file(std::size_t file_bytes) const noexcept;
};

/// What is left of Limits::memory_bytes.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t bytes) noexcept : left_(bytes) {}

  /// Takes `count` times `size` bytes. If fewer are left, takes nothing and returns false.
  bool take(std::size_t count, std::size_t size) noexcept {
    if (size != 0 && count > left_ / size) return false;
    left_ -= count * size;
    return true;
  }
  std::size_t left() const noexcept { return left_; }

  /// The most that allocators add to a heap block: one word and rounding.
  static constexpr std::size_t kPerBlock = 24;
  /// Returns the overhead of a string of `size` bytes. Short strings need no heap block.
  static constexpr std::size_t beside_string(std::size_t size) noexcept {
    constexpr std::size_t kShort = 15;
    return size > kShort ? kPerBlock : 0;
  }

  /// Returns how many of `count` values to reserve before the first one is read, so that data that merely
  /// claims to have many values costs little.
  static std::size_t at_once(std::size_t count, std::size_t size) noexcept {
    constexpr std::size_t kBytes = std::size_t{16} << 20;
    return count < kBytes / size ? count : kBytes / size + 1;
  }

 private:
  std::size_t left_;
};

/// The most that the default of one field may add to a value. schemagen keeps schemas within these.
inline constexpr std::size_t kMostDefaultLevels = 64;  // of structs, lists and maps
inline constexpr std::size_t kMostDefaultItems = 100'000;
inline constexpr std::size_t kMostDefaultText = std::size_t{24} << 20;  // bytes

/// What is left of Limits::depth. The last levels are set aside: a value that needs them may exceed the limit
/// together with the defaults of its absent fields.
class LevelBudget {
 public:
  explicit LevelBudget(std::size_t depth) noexcept
      : left_(depth > kMostDefaultLevels ? depth - kMostDefaultLevels : 0), set_aside_(depth - left_) {}

  /// Takes a level. Returns false, and takes nothing, if none is left.
  bool take() noexcept {
    if (left_ == 0 && !take_set_aside()) return false;
    --left_;
    return true;
  }
  void give_back() noexcept { ++left_; }
  std::size_t left() const noexcept { return left_ + set_aside_; }
  /// Returns whether levels that were set aside have been taken.
  bool was_low() const noexcept { return set_aside_ == 0; }

 private:
  bool take_set_aside() noexcept;

  std::size_t left_;
  std::size_t set_aside_;
};

/// Returns whether the defaults of absent fields may take a value beyond the limits. `was_low`: the value
/// leaves fewer than kMostDefaultLevels.
bool defaults_may_exceed(const Limits& limits, bool was_low) noexcept;
/// The addition to messages about limits that a value exceeds only with its defaults.
inline constexpr char kWithDefaults[] = ", with the defaults of absent fields";

/// Returns the message for an exceeded limit: "nested more than 8 levels deep".
std::string too_deep(const Limits& limits);
/// Returns "17 items, over the limit of 16".
std::string too_many_items(std::uint64_t count, const Limits& limits);
/// Returns "a string of 17 bytes, over the limit of 16", where `what` is "a string".
std::string too_many_bytes(std::string_view what, std::uint64_t size, std::uint64_t limit);
std::string too_much_memory(const Limits& limits);
/// Returns "the output exceeds 16 bytes".
std::string too_large(std::size_t most);
/// Returns "the integer does not fit in int8 (-128 to 127)", for the integer type with these bounds.
std::string out_of_range(std::int64_t min, std::uint64_t max);

}  // namespace schemagen
