#include "schemagen/base/map.h"

#include <cstring>
#include <random>

#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace schemagen {
namespace {

std::uint64_t random_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

}  // namespace

std::uint64_t hash_key(std::string_view key) noexcept {
  static const std::uint64_t seed = random_seed();
  std::uint64_t hash = seed ^ key.size();
  const char* at = key.data();
  std::size_t left = key.size();
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    hash = mix(hash ^ word);
  }
  std::uint64_t tail = 0;
  if (left != 0) std::memcpy(&tail, at, left);
  return mix(hash ^ tail);
}

void missing_key(std::string_view key) {
  throw UsageError("the map has no key " + quoted(key));
}

}  // namespace schemagen
