// Zip archives as PyTorch writes them: members are stored, and their data can be mapped.
// A writer is for one thread at a time.
// Source: PKWARE's APPNOTE.TXT 6.3.10; caffe2/serialize/inline_container.cc (PyTorch) for the alignment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/archive/byte_sink.h"

namespace pt2 {

/// Writes an archive from its first byte to its last. The data of each member begin at a multiple of 64
/// bytes: an extra field 'FB' pads its header. Sizes, places and numbers of members that need it are in ZIP64
/// form. The same members give the same bytes: there are no times in them.
class ZipWriter {
 public:
  explicit ZipWriter(ByteSink sink) : sink_(std::move(sink)) {}

  /// Adds a member. Names are not compared with those of earlier members.
  /// Errors: UsageError if the name is longer than 65535 bytes; those of the sink.
  void add(std::string_view name, std::string_view content);

  /// Adds a member of `size` bytes that `content` gives, in parts; `crc32` is known of what is copied. Where
  /// it is not, `content` is called twice: the checksum stands before the bytes. Errors: also those of
  /// `content`; UsageError if it gives more or fewer bytes.
  void add(std::string_view name, std::uint64_t size, const ByteSource& content,
           std::optional<std::uint32_t> crc32 = std::nullopt);

  /// The checksum of the member that was added last.
  std::uint32_t last_crc32() const { return entries_.back().crc32; }

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
  static std::string local_header(const Entry& entry);
  static std::string directory_entry(const Entry& entry);

  ByteSink sink_;
  std::uint64_t offset_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace pt2
