// Limits on the memory and depth that a document may ask for. Several threads may read the same object at
// once.
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
  /// form and the values made of it, all together. It is compared with what is about to be asked for, before
  /// it is asked for; what the allocator adds is not counted. Who makes one stage's result out of another's
  /// passes on what the first one left of it.
  std::size_t memory_bytes = std::size_t{2} << 30;
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

}  // namespace schemagen
