// One interface; each codec has a separate file.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// After the texts that codecs get.
inline constexpr std::size_t kReadableAfter = 64;

class Codec {
 public:
  virtual ~Codec() = default;
  virtual std::string name() const = 0;
  virtual void load_file(const char* path) = 0;
  virtual void load(std::string_view text) = 0;
  virtual void drop() = 0;
  virtual void keep(std::string_view text) = 0;
  virtual std::size_t write() = 0;
};

std::unique_ptr<Codec> make_pt2();
std::unique_ptr<Codec> make_torch();
/// A lower bound for every codec.
std::unique_ptr<Codec> make_copy();

}  // namespace bench
