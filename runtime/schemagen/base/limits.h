// Limits the memory and nesting depth that a document may require.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace schemagen {

/// Limits that protect against hostile or broken input. The same limits apply to JSON, binary data and
/// archives, both when reading and when writing. A DataError names the limit that was exceeded. An absent
/// field counts as if its default were present, so any value that can be read can also be written in every
/// format within the same limits. The only exception is `input_bytes`, because sizes differ between formats.
struct Limits {
  std::size_t depth = 256;                              // nesting depth of structs, unions, lists and maps
  std::size_t input_bytes = std::size_t{1} << 30;       // size of one document, after decompression
  std::size_t string_bytes = std::size_t{64} << 20;     // size of a string, an Any value or decoded bytes
  std::size_t container_items = std::size_t{16} << 20;  // number of items in one list or map
  /// The memory that one input may take in addition to its own bytes. Decompressed bytes, the parsed form and
  /// the values all count, including allocator overhead. The limit is checked before each allocation, and
  /// each stage passes its remaining budget to the next. The default, 1.75 GiB, leaves 256 MiB of a 2 GiB
  /// process for everything else.
  std::size_t memory_bytes = std::size_t{7} << 28;

  /// Returns these limits adapted to a file of `file_bytes` bytes: `memory_bytes` becomes at most 16 times
  /// the file's size, or 512 MiB if that is larger. The decompressed size does not matter.
  Limits for_file(std::size_t file_bytes) const noexcept;
};

/// Returns limits for this library's own output, which exceeds none except perhaps `depth`.
Limits only_depth(std::size_t depth) noexcept;

/// Keeps track of how much of Limits::memory_bytes remains.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t bytes) noexcept : left_(bytes) {}

  /// Takes `count` times `size` bytes. If fewer bytes remain, takes nothing and returns false.
  bool take(std::size_t count, std::size_t size) noexcept {
    if (size != 0 && count > left_ / size) return false;
    left_ -= count * size;
    return true;
  }
  std::size_t left() const noexcept { return left_; }

  /// The most memory that allocators add to a heap block: one word, plus rounding.
  static constexpr std::size_t kPerBlock = 24;
  /// Returns the overhead of a string of `size` bytes. Short strings do not need a heap block.
  static constexpr std::size_t beside_string(std::size_t size) noexcept {
    constexpr std::size_t kShort = 15;
    return size > kShort ? kPerBlock : 0;
  }

  /// Returns how many of `count` values to reserve memory for before the first value is read. This is limited
  /// so that data that merely claims to have many values costs little memory.
  static std::size_t at_once(std::size_t count, std::size_t size) noexcept {
    constexpr std::size_t kBytes = std::size_t{16} << 20;
    return count < kBytes / size ? count : kBytes / size + 1;
  }

 private:
  std::size_t left_;
};

/// The most that the default of a single field can add to a value. schemagen rejects schemas that exceed
/// these bounds.
inline constexpr std::size_t kMostDefaultLevels = 64;  // levels of nested structs, lists and maps
inline constexpr std::size_t kMostDefaultItems = 100'000;
inline constexpr std::size_t kMostDefaultText = std::size_t{24} << 20;  // size in bytes

/// Keeps track of how much of Limits::depth remains. The last levels are set aside, because a value that
/// needs them could exceed the limit once the defaults of its absent fields are counted.
class LevelBudget {
 public:
  explicit LevelBudget(std::size_t depth) noexcept
      : left_(depth > kMostDefaultLevels ? depth - kMostDefaultLevels : 0), set_aside_(depth - left_) {}

  /// Takes a level. If no level remains, takes nothing and returns false.
  bool take() noexcept {
    if (left_ == 0 && !take_set_aside()) return false;
    --left_;
    return true;
  }
  void give_back() noexcept { ++left_; }
  std::size_t left() const noexcept { return left_ + set_aside_; }
  /// Returns whether any of the levels that were set aside have been taken.
  bool was_low() const noexcept { return set_aside_ == 0; }

 private:
  bool take_set_aside() noexcept;

  std::size_t left_;
  std::size_t set_aside_;
};

/// Returns whether the defaults of absent fields could push a value over the limits. `was_low` is true if the
/// value leaves fewer than kMostDefaultLevels levels unused.
bool defaults_may_exceed(const Limits& limits, bool was_low) noexcept;
/// Appended to the message when a value exceeds a limit only because of its defaults.
inline constexpr char kWithDefaults[] = ", counting the defaults of absent fields";

/// Returns the message for a value that exceeds the depth limit, e.g. "nested more than 8 levels deep".
std::string too_deep(const Limits& limits);
/// Returns a message such as "17 items, over the limit of 16".
std::string too_many_items(std::uint64_t count, const Limits& limits);
/// Returns a message such as "a string of 17 bytes, over the limit of 16", where `what` is "a string".
std::string too_many_bytes(std::string_view what, std::uint64_t size, std::uint64_t limit);
std::string too_much_memory(const Limits& limits);
/// Returns a message such as "the output exceeds 16 bytes".
std::string too_large(std::size_t most);
/// Returns a message that names the integer type with these bounds, e.g. "the integer does not fit in int8
/// (-128 to 127)".
std::string out_of_range(std::int64_t min, std::uint64_t max);

}  // namespace schemagen
