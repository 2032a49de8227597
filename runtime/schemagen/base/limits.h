// Limits on the memory and depth that a document may ask for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace schemagen {

/// Bounds against hostile or broken input; one set for JSON, binary and archives, for reading and writing.
/// Exceeding one is a DataError that names the limit.
struct Limits {
  std::size_t depth = 256;                         // nested structs, unions, lists and maps, all counted
  std::size_t input_bytes = std::size_t{1} << 30;  // of one document, read or written, decompressed
  std::size_t string_bytes = std::size_t{64} << 20;
  std::size_t container_items = std::size_t{16} << 20;  // of one list or map
  /// What reading one input may take in memory beside the input itself: its decompressed bytes, its parsed
  /// form and the values made of it, all together, with what the allocator adds to them. It is compared with
  /// what is about to be asked for, before it is asked for. Who makes one stage's result out of another's
  /// passes on what the first one left of it. What is left of 2 GiB is for the process itself.
  std::size_t memory_bytes = std::size_t{7} << 28;

  /// Those of a file of this size: whatever it inflates to, `memory_bytes` is at most 16 times that, or 512
  /// MiB, so that there is room for what is then made of its values.
  Limits for_file(std::size_t file_bytes) const noexcept;
};

/// What is left of Limits::memory_bytes.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t bytes) noexcept : left_(bytes) {}

  /// Takes `count` times `size` bytes; false, and nothing is taken, where they are more than are left.
  bool take(std::size_t count, std::size_t size) noexcept {
    if (size != 0 && count > left_ / size) return false;
    left_ -= count * size;
    return true;
  }
  std::size_t left() const noexcept { return left_; }

  /// The most that allocators add to a block on the heap: a word of their own, and the rounding of its size.
  static constexpr std::size_t kPerBlock = 24;
  /// What a string takes beside its bytes: those of a short one lie in the object.
  static constexpr std::size_t beside_string(std::size_t size) noexcept {
    constexpr std::size_t kShort = 15;
    return size > kShort ? kPerBlock : 0;
  }

  /// How many of `count` values to make room for before the first is read: data that only claims to have many
  /// must not cost much.
  static std::size_t at_once(std::size_t count, std::size_t size) noexcept {
    constexpr std::size_t kBytes = std::size_t{16} << 20;
    return count < kBytes / size ? count : kBytes / size + 1;
  }

 private:
  std::size_t left_;
};

/// What errors say about what exceeds a limit: "nested more than 8 levels deep".
std::string too_deep(const Limits& limits);
/// "17 items, over the limit of 16".
std::string too_many_items(std::uint64_t count, const Limits& limits);
/// `what`: "a string", as in "a string of 17 bytes, over the limit of 16".
std::string too_many_bytes(std::string_view what, std::uint64_t size, std::uint64_t limit);
std::string too_much_memory(const Limits& limits);
/// Of what would be written: "more than 16 bytes would have to be written".
std::string too_large(std::size_t most);
/// "the integer does not fit in int8 (-128 to 127)": in the integer type with these bounds.
std::string out_of_range(std::int64_t min, std::uint64_t max);

}  // namespace schemagen
