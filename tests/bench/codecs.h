// The codecs that the benchmark compares, behind one interface, each in a separate file.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// Bytes that may be read past the end of the texts that a codec is given.
inline constexpr std::size_t kReadableAfter = 64;

/// One way to turn a program's JSON into typed values and back.
class Codec {
 public:
  virtual ~Codec() = default;
  virtual std::string name() const = 0;
  /// Makes a value from the file at `path`, as a user would.
  virtual void load_file(const char* path) = 0;
  /// Makes a value from `text`.
  virtual void load(std::string_view text) = 0;
  /// Drops what load() made.
  virtual void drop() = 0;
  /// Makes a value from `text` and keeps it, for write().
  virtual void keep(std::string_view text) = 0;
  /// The kept value as JSON; its length.
  virtual std::size_t write() = 0;
};

std::unique_ptr<Codec> make_pt2();
std::unique_ptr<Codec> make_torch();
/// A copy of the value or text: a lower bound for every codec.
std::unique_ptr<Codec> make_copy();

}  // namespace bench
