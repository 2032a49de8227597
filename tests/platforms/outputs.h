// Prints text unchanged, but of bytes only size and hash.
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace outputs {

/// FNV-1a.
inline std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

inline void print(const std::string& what, std::string_view text) {
  std::printf("%s: %.*s\n", what.c_str(), static_cast<int>(text.size()), text.data());
}

inline void print_hash(const std::string& what, std::string_view bytes) {
  std::printf("%s: %" PRIu64 " bytes, %016" PRIx64 "\n", what.c_str(), std::uint64_t{bytes.size()},
              hash_of(bytes));
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// splitmix64: unlike <random>, the same on every platform.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t value = state_ += 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
  }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }

 private:
  std::uint64_t state_;
};

inline std::string damaged(std::string bytes, Numbers& numbers) {
  if (bytes.empty()) return bytes;
  const std::size_t at = numbers.below(bytes.size());
  if (numbers.below(4) == 0) {
    bytes.resize(at);
  } else {
    bytes[at] = static_cast<char>(numbers.below(numbers.below(8) == 0 ? 256 : 128));
  }
  return bytes;
}

template <class Report>
void for_each_path(const Report& report) {
  char line[4096];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    std::string path = line;
    while (!path.empty() && (path.back() == '\n' || path.back() == '\r')) path.pop_back();
    std::printf("file %s\n", path.c_str());
    report(path);
    std::fflush(stdout);
  }
}

}  // namespace outputs
