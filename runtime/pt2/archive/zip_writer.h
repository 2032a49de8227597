// Zip archives as PyTorch writes them: members are stored, and their data can be mapped.
// A writer is for one thread at a time.
// Source: PKWARE's APPNOTE.TXT 6.3.10; caffe2/serialize/inline_container.cc (PyTorch) for the alignment.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pt2 {

/// Where the bytes of a file go, in order.
using ByteSink = std::function<void(std::string_view)>;

/// Writes an archive from its first byte to its last. The data of each member begin at a multiple of 64
/// bytes: an extra field 'FB' pads its header. Sizes, places and numbers of members that need it are in ZIP64
/// form. The same members give the same bytes: there are no times in them.
class ZipWriter {
 public:
  explicit ZipWriter(ByteSink sink) : sink_(std::move(sink)) {}

  /// Adds a member. Names are not compared with those of earlier members.
  /// Errors: UsageError if the name is longer than 65535 bytes; those of the sink.
  void add(std::string_view name, std::string_view content);

  /// Writes the directory. Nothing can be added after that.
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint32_t crc32;
    std::uint64_t size;
    std::uint64_t offset;  // of the local header
  };
  void write(std::string_view bytes);
  static std::string directory_entry(const Entry& entry);

  ByteSink sink_;
  std::uint64_t offset_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace pt2
