// Independent of the reader. Invalid archives are patched valid ones.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace zip_builder {

inline const std::string kLocalHeader = "PK\3\4";
inline const std::string kDirectoryEntry = "PK\1\2";
inline const std::string kEndRecord = "PK\5\6";
inline const std::string kEndRecord64 = "PK\6\6";
inline const std::string kEndLocator64 = "PK\6\7";

struct Entry {
  std::string name;
  std::string content;
  bool deflated = false;
  bool streamed = false;    // sizes and CRC-32 follow the data
  bool zip64 = false;       // sizes and offset are in the ZIP64 field
  std::string local_extra;  // such as PyTorch's padding
  std::string comment;
};

struct Options {
  std::string comment;
  bool zip64 = false;  // with ZIP64 end records
};

inline std::string bytes_of(std::uint64_t value, unsigned width) {
  std::string text;
  for (unsigned i = 0; i < width; ++i) text += static_cast<char>(value >> (8 * i) & 0xFF);
  return text;
}

inline std::string patched(std::string bytes, std::size_t offset, unsigned width, std::uint64_t value) {
  return bytes.replace(offset, width, bytes_of(value, width));
}

inline std::string deflate_raw(const std::string& content) {
  z_stream stream = {};
  if (deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  std::string packed(deflateBound(&stream, static_cast<uLong>(content.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int status = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::runtime_error("deflate");
  return packed;
}

inline std::uint64_t crc_of(const std::string& content) {
  return crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
}

inline std::string local_header(const Entry& entry, std::uint64_t packed_size) {
  const bool known = !entry.streamed;
  std::string text = kLocalHeader + bytes_of(20, 2) + bytes_of(entry.streamed ? 8 : 0, 2);
  text += bytes_of(entry.deflated ? 8 : 0, 2) + bytes_of(0, 4);
  text += bytes_of(known ? crc_of(entry.content) : 0, 4);
  text += bytes_of(known ? packed_size : 0, 4) + bytes_of(known ? entry.content.size() : 0, 4);
  text += bytes_of(entry.name.size(), 2) + bytes_of(entry.local_extra.size(), 2);
  return text + entry.name + entry.local_extra;
}

inline std::string directory_entry(const Entry& entry, std::uint64_t packed_size, std::uint64_t offset) {
  const std::uint64_t all_ones = 0xFFFFFFFF;
  std::string extra;
  if (entry.zip64) {
    extra = bytes_of(0x4242, 2) + bytes_of(3, 2) + "any";
    extra += bytes_of(1, 2) + bytes_of(24, 2);
    extra += bytes_of(entry.content.size(), 8) + bytes_of(packed_size, 8) + bytes_of(offset, 8);
  }
  std::string text = kDirectoryEntry + bytes_of(45, 2) + bytes_of(45, 2);
  text += bytes_of(entry.streamed ? 8 : 0, 2) + bytes_of(entry.deflated ? 8 : 0, 2) + bytes_of(0, 4);
  text += bytes_of(crc_of(entry.content), 4);
  text += bytes_of(entry.zip64 ? all_ones : packed_size, 4);
  text += bytes_of(entry.zip64 ? all_ones : entry.content.size(), 4);
  text += bytes_of(entry.name.size(), 2) + bytes_of(extra.size(), 2) + bytes_of(entry.comment.size(), 2);
  text += bytes_of(0, 2) + bytes_of(0, 2) + bytes_of(0, 4) + bytes_of(entry.zip64 ? all_ones : offset, 4);
  return text + entry.name + extra + entry.comment;
}

inline std::string end_records(std::uint64_t members, std::uint64_t size, std::uint64_t offset,
                               const Options& options) {
  std::string text;
  if (options.zip64) {
    text +=
        kEndRecord64 + bytes_of(44, 8) + bytes_of(45, 2) + bytes_of(45, 2) + bytes_of(0, 4) + bytes_of(0, 4);
    text += bytes_of(members, 8) + bytes_of(members, 8) + bytes_of(size, 8) + bytes_of(offset, 8);
    text += kEndLocator64 + bytes_of(0, 4) + bytes_of(offset + size, 8) + bytes_of(1, 4);
  }
  text += kEndRecord + bytes_of(0, 4);
  text += bytes_of(options.zip64 ? 0xFFFF : members, 2) + bytes_of(options.zip64 ? 0xFFFF : members, 2);
  text += bytes_of(options.zip64 ? 0xFFFFFFFF : size, 4) + bytes_of(options.zip64 ? 0xFFFFFFFF : offset, 4);
  return text + bytes_of(options.comment.size(), 2) + options.comment;
}

inline std::string build(const std::vector<Entry>& entries, const Options& options = {}) {
  std::string archive;
  std::string directory;
  for (const Entry& entry : entries) {
    const std::string packed = entry.deflated ? deflate_raw(entry.content) : entry.content;
    directory += directory_entry(entry, packed.size(), archive.size());
    archive += local_header(entry, packed.size()) + packed;
    if (entry.streamed) {
      archive += "PK\7\10" + bytes_of(crc_of(entry.content), 4) + bytes_of(packed.size(), 4) +
                 bytes_of(entry.content.size(), 4);
    }
  }
  return archive + directory + end_records(entries.size(), directory.size(), archive.size(), options);
}

inline Entry stored(std::string name, std::string content) {
  Entry entry;
  entry.name = std::move(name);
  entry.content = std::move(content);
  return entry;
}

inline Entry deflated(std::string name, std::string content) {
  Entry entry = stored(std::move(name), std::move(content));
  entry.deflated = true;
  return entry;
}

}  // namespace zip_builder
