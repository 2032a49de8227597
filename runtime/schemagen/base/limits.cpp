#include "schemagen/base/limits.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace schemagen {
namespace {

std::string over(std::string_view what, std::uint64_t size, std::string_view unit, std::uint64_t limit) {
  return std::string(what) + std::to_string(size) + std::string(unit) + ", over the limit of " +
         std::to_string(limit);
}

}  // namespace

Limits only_depth(std::size_t depth) noexcept {
  constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
  return {depth, kAny, kAny, kAny, kAny};
}

bool LevelBudget::take_set_aside() noexcept {
  left_ = std::exchange(set_aside_, 0);
  return left_ != 0;
}

bool defaults_may_exceed(const Limits& limits, bool was_low) noexcept {
  return was_low || limits.container_items < kMostDefaultItems || limits.string_bytes < kMostDefaultText;
}

std::string too_deep(const Limits& limits) {
  return "nested more than " + std::to_string(limits.depth) + " levels deep";
}

std::string too_many_items(std::uint64_t count, const Limits& limits) {
  return over("", count, " items", limits.container_items);
}

std::string too_many_bytes(std::string_view what, std::uint64_t size, std::uint64_t limit) {
  return over(std::string(what) + " of ", size, " bytes", limit);
}

Limits Limits::for_file(std::size_t file_bytes) const noexcept {
  constexpr std::size_t kLeast = std::size_t{512} << 20;
  constexpr std::size_t kPerByte = 16;
  Limits limits = *this;
  const std::size_t wanted = std::max(kLeast, std::min(file_bytes, memory_bytes) * kPerByte);
  limits.memory_bytes = std::min(memory_bytes, wanted);
  return limits;
}

std::string too_large(std::size_t most) {
  return "the output exceeds " + std::to_string(most) + " bytes";
}

std::string too_much_memory(const Limits& limits) {
  return "needs more memory than the limit of " + std::to_string(limits.memory_bytes) + " bytes";
}

std::string out_of_range(std::int64_t min, std::uint64_t max) {
  int bits = min < 0 ? 1 : 0;
  for (std::uint64_t rest = max; rest != 0; rest >>= 1) ++bits;
  return std::string("the integer does not fit in ") + (min < 0 ? "int" : "uint") + std::to_string(bits) +
         " (" + std::to_string(min) + " to " + std::to_string(max) + ")";
}

}  // namespace schemagen
