#include "pt2/archive/zip.h"

#include <algorithm>
#include <limits>
#include <new>
#include <numeric>
#include <optional>
#include <utility>

#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

#ifdef PT2_WITH_ZLIB
#include <zlib.h>
#else
#include <array>
#endif

namespace pt2 {
namespace {

constexpr std::string_view kLocalHeader = "PK\3\4";     // 4.3.7
constexpr std::string_view kDirectoryEntry = "PK\1\2";  // 4.3.12
constexpr std::string_view kEndRecord64 = "PK\6\6";     // 4.3.14
constexpr std::string_view kEndLocator64 = "PK\6\7";    // 4.3.15
constexpr std::string_view kEndRecord = "PK\5\6";       // 4.3.16

// Sizes without the parts of variable length.
constexpr std::size_t kLocalHeaderSize = 30;
constexpr std::size_t kDirectoryEntrySize = 46;
constexpr std::size_t kEndRecord64Size = 56;
constexpr std::size_t kEndLocator64Size = 20;
constexpr std::size_t kEndRecordSize = 22;
constexpr std::size_t kMaxComment = 0xFFFF;

constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;

// A number of all ones stands for "see the ZIP64 field" (4.4.1.4).
constexpr std::uint64_t kAllOnes16 = 0xFFFF;
constexpr std::uint64_t kAllOnes32 = 0xFFFFFFFF;

constexpr std::uint64_t kZip64Field = 0x0001;  // 4.5.3

// General purpose bits that say "encrypted": the data, strongly, the directory (4.4.4).
constexpr unsigned kEncryptedBits = 1u << 0 | 1u << 6 | 1u << 13;

constexpr char kHexDigits[] = "0123456789abcdef";

[[noreturn]] void fail(std::string reason, std::uint64_t offset) {
  schemagen::Place place;
  place.offset = static_cast<std::size_t>(offset);
  throw schemagen::DataError(std::move(reason), {}, place);
}

[[noreturn]] void fail(const ZipMember& member, const std::string& reason, std::uint64_t offset) {
  fail("zip member " + schemagen::quoted(member.name) + ": " + reason, offset);
}

/// The little-endian number of `width` bytes at `offset`, which is inside of `bytes`.
std::uint64_t number(std::string_view bytes, std::uint64_t offset, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < width; ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[static_cast<std::size_t>(offset) + i])}
             << (8 * i);
  }
  return value;
}

std::uint16_t number16(std::string_view bytes, std::uint64_t offset) {
  return static_cast<std::uint16_t>(number(bytes, offset, 2));
}

/// `count` bytes from `offset`, which are inside of `bytes`.
std::string_view part(std::string_view bytes, std::uint64_t offset, std::uint64_t count) {
  return bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
}

/// Whether `count` bytes from `offset` end at or before `end`. No sum that could wrap around.
bool fits(std::uint64_t offset, std::uint64_t count, std::uint64_t end) {
  return offset <= end && count <= end - offset;
}

bool has_signature(std::string_view bytes, std::uint64_t offset, std::string_view signature) {
  return fits(offset, signature.size(), bytes.size()) && part(bytes, offset, signature.size()) == signature;
}

/// What the records at the archive's end tell about the central directory.
struct Directory {
  std::uint64_t members = 0;
  std::uint64_t size = 0;    // in bytes
  std::uint64_t offset = 0;  // of its first byte
  std::uint64_t end = 0;     // where the end records begin: it may reach up to there
};

/// Offset of the end record, whose comment reaches to the last byte.
std::uint64_t find_end_record(std::string_view bytes) {
  const std::size_t last = bytes.size() < kEndRecordSize ? 0 : bytes.size() - kEndRecordSize;
  const std::size_t first = last < kMaxComment ? 0 : last - kMaxComment;
  for (std::size_t at = last + 1; at-- > first;) {
    if (has_signature(bytes, at, kEndRecord) && fits(at, kEndRecordSize, bytes.size()) &&
        at + kEndRecordSize + number16(bytes, at + 20) == bytes.size()) {
      return at;
    }
  }
  if (!looks_like_zip(bytes)) throw schemagen::DataError("not a zip archive");
  fail("the zip archive is truncated, or has other bytes after its end: no end-of-central-directory record",
       bytes.size());
}

[[noreturn]] void refuse_parts(std::uint64_t offset) {
  fail("the zip archive is one of several parts, which are not supported", offset);
}

/// 4.3.16. The record at `end` is complete.
Directory read_end_record(std::string_view bytes, std::uint64_t end) {
  const bool one_part = number(bytes, end + 4, 2) == 0 && number(bytes, end + 6, 2) == 0 &&
                        number(bytes, end + 8, 2) == number(bytes, end + 10, 2);
  if (!one_part) refuse_parts(end);
  return {number(bytes, end + 10, 2), number(bytes, end + 12, 4), number(bytes, end + 16, 4), end};
}

/// A number of the short end record must be that of the ZIP64 one, or all ones.
void require_agreement(std::uint64_t narrow, std::uint64_t all_ones, std::uint64_t wide, const char* what,
                       std::uint64_t offset) {
  if (narrow == all_ones || narrow == wide) return;
  fail("the two end records of the zip archive disagree about " + std::string(what) + ": " +
           std::to_string(narrow) + " and " + std::to_string(wide),
       offset);
}

/// 4.3.14 and 4.3.15. `locator` is complete and directly before the record at `end`.
Directory read_end_record64(std::string_view bytes, std::uint64_t locator, std::uint64_t end) {
  const std::uint64_t record = number(bytes, locator + 8, 8);
  if (number(bytes, locator + 4, 4) != 0 || number(bytes, locator + 16, 4) > 1) refuse_parts(locator);
  if (!fits(record, kEndRecord64Size, locator) || !has_signature(bytes, record, kEndRecord64)) {
    fail("there is no ZIP64 end record at byte " + std::to_string(record) + ", where its locator points to",
         locator);
  }
  const std::uint64_t size = number(bytes, record + 4, 8);  // without the 12 bytes up to here
  if (size < kEndRecord64Size - 12 || !fits(record + 12, size, locator)) {
    fail("the ZIP64 end record has a wrong size of " + std::to_string(size) + " bytes", record);
  }
  const bool one_part = number(bytes, record + 16, 4) == 0 && number(bytes, record + 20, 4) == 0 &&
                        number(bytes, record + 24, 8) == number(bytes, record + 32, 8);
  if (!one_part) refuse_parts(record);
  const Directory directory = {number(bytes, record + 32, 8), number(bytes, record + 40, 8),
                               number(bytes, record + 48, 8), record};
  require_agreement(number(bytes, end + 10, 2), kAllOnes16, directory.members, "the number of members", end);
  require_agreement(number(bytes, end + 12, 4), kAllOnes32, directory.size, "the directory's size", end);
  require_agreement(number(bytes, end + 16, 4), kAllOnes32, directory.offset, "the directory's place", end);
  return directory;
}

Directory find_directory(std::string_view bytes, const ZipLimits& limits) {
  const std::uint64_t end = find_end_record(bytes);
  const bool is_zip64 =
      end >= kEndLocator64Size && has_signature(bytes, end - kEndLocator64Size, kEndLocator64);
  const Directory directory =
      is_zip64 ? read_end_record64(bytes, end - kEndLocator64Size, end) : read_end_record(bytes, end);
  if (!fits(directory.offset, directory.size, directory.end)) {
    fail("the central directory, " + std::to_string(directory.size) + " bytes from byte " +
             std::to_string(directory.offset) + ", does not end before the end record",
         directory.end);
  }
  if (directory.members > limits.members) {
    fail("the zip archive has " + std::to_string(directory.members) + " members, more than the limit of " +
             std::to_string(limits.members) + " (members)",
         end);
  }
  if (directory.members > directory.size / kDirectoryEntrySize) {
    fail("a central directory of " + std::to_string(directory.size) + " bytes cannot hold " +
             std::to_string(directory.members) + " members",
         end);
  }
  return directory;
}

/// The content of the extra field with this id (4.5.1); nullopt if there is none.
std::optional<std::string_view> find_extra_field(std::string_view fields, std::uint64_t id) {
  while (fields.size() >= 4) {
    const std::uint64_t size = number(fields, 2, 2);
    if (size > fields.size() - 4) return std::nullopt;
    if (number(fields, 0, 2) == id) return part(fields, 4, size);
    fields.remove_prefix(static_cast<std::size_t>(4 + size));
  }
  return std::nullopt;
}

/// 4.5.3: those numbers that are all ones in the entry stand in the field, in this order.
void widen(ZipMember& member, std::string_view extra, std::uint64_t offset) {
  std::uint64_t* const numbers[] = {&member.size, &member.compressed_size, &member.header_offset};
  std::optional<std::string_view> field = find_extra_field(extra, kZip64Field);
  if (!field) return;  // all ones may be meant as they stand; the checks on reading see to that
  for (std::uint64_t* value : numbers) {
    if (*value != kAllOnes32) continue;
    if (field->size() < 8) fail(member, "its ZIP64 field is too short", offset);
    *value = number(*field, 0, 8);
    field->remove_prefix(8);
  }
}

/// Reads the entry at `offset` and moves past it (4.3.12).
ZipMember read_entry(std::string_view bytes, std::uint64_t& offset, std::uint64_t end) {
  if (!fits(offset, kDirectoryEntrySize, end)) fail("the central directory ends inside of an entry", offset);
  if (!has_signature(bytes, offset, kDirectoryEntry)) {
    fail("the central directory has something else where an entry should begin", offset);
  }
  const std::uint64_t name_size = number(bytes, offset + 28, 2);
  const std::uint64_t extra_size = number(bytes, offset + 30, 2);
  const std::uint64_t comment_size = number(bytes, offset + 32, 2);
  const std::uint64_t name_offset = offset + kDirectoryEntrySize;
  if (!fits(name_offset, name_size + extra_size + comment_size, end)) {
    fail("the central directory ends inside of an entry", offset);
  }
  if (number(bytes, offset + 34, 2) != 0) refuse_parts(offset);

  ZipMember member;
  member.name = part(bytes, name_offset, name_size);
  member.flags = number16(bytes, offset + 8);
  member.method = number16(bytes, offset + 10);
  member.crc32 = static_cast<std::uint32_t>(number(bytes, offset + 16, 4));
  member.compressed_size = number(bytes, offset + 20, 4);
  member.size = number(bytes, offset + 24, 4);
  member.header_offset = number(bytes, offset + 42, 4);
  widen(member, part(bytes, name_offset + name_size, extra_size), offset);
  offset = name_offset + name_size + extra_size + comment_size;
  return member;
}

std::vector<ZipMember> read_directory(std::string_view bytes, const Directory& directory) {
  std::vector<ZipMember> members;
  members.reserve(static_cast<std::size_t>(directory.members));  // at most its size in bytes / 46
  std::uint64_t offset = directory.offset;
  const std::uint64_t end = directory.offset + directory.size;
  while (members.size() < directory.members) members.push_back(read_entry(bytes, offset, end));
  if (offset != end) fail("the central directory goes on after its last entry", offset);
  return members;
}

std::vector<std::size_t> sort_by_name(const std::vector<ZipMember>& members, std::uint64_t directory_offset) {
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return members[a].name < members[b].name; });
  const auto twin = std::adjacent_find(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return members[a].name == members[b].name;
  });
  if (twin != order.end()) {
    fail("the zip archive has two members named " + schemagen::quoted(members[*twin].name), directory_offset);
  }
  return order;
}

void require_readable(const ZipMember& member, unsigned flags) {
  if ((flags & kEncryptedBits) != 0) {
    fail(member, "it is encrypted, which is not supported", member.header_offset);
  }
  if (member.method != kStored && member.method != kDeflated) {
    fail(member,
         "compression method " + std::to_string(member.method) +
             " is not supported, only 0 (stored) and 8 (deflated)",
         member.header_offset);
  }
  if (member.method == kStored && member.size != member.compressed_size) {
    fail(member,
         "it is stored, but its sizes differ: " + std::to_string(member.compressed_size) +
             " bytes in the archive, " + std::to_string(member.size) + " when read",
         member.header_offset);
  }
}

void require_inflatable(const ZipMember& member, const ZipLimits& limits) {
  if (member.size > limits.inflated_bytes) {
    fail(member,
         "it has " + std::to_string(member.size) + " bytes, more than the limit of " +
             std::to_string(limits.inflated_bytes) + " (inflated_bytes)",
         member.header_offset);
  }
  const std::size_t ratio = std::max<std::size_t>(limits.inflate_ratio, 1);
  if (member.size / ratio > member.compressed_size) {
    fail(member,
         "it has " + std::to_string(member.compressed_size) + " bytes that should become " +
             std::to_string(member.size) + ", more than the limit of " + std::to_string(ratio) +
             " for each (inflate_ratio)",
         member.header_offset);
  }
}

#ifdef PT2_WITH_ZLIB
/// zlib's state of one inflation, raw: without the headers of zlib or gzip.
class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  /// Inflates more of `input`, from which it removes what it used. Returns what came out, valid until the
  /// next call; `done()` tells whether that was the last. nullopt: damaged or truncated.
  std::optional<std::string_view> next(std::string_view& input) {
    const std::size_t given = std::min<std::size_t>(input.size(), std::numeric_limits<uInt>::max());
    // zlib declares its input as not const, and does not write to it.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(given);
    stream_.next_out = reinterpret_cast<Bytef*>(output_);
    stream_.avail_out = sizeof output_;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) return std::nullopt;
    done_ = status == Z_STREAM_END;
    input.remove_prefix(given - stream_.avail_in);
    return std::string_view(output_, sizeof output_ - stream_.avail_out);
  }

  bool done() const { return done_; }

 private:
  z_stream stream_ = {};
  char output_[1 << 16];
  bool done_ = false;
};

std::string inflate_member(const ZipMember& member, std::string_view packed, const ZipLimits& limits) {
  require_inflatable(member, limits);
  Inflater inflater;
  std::string bytes;
  while (!inflater.done()) {
    const std::optional<std::string_view> more = inflater.next(packed);
    if (!more) fail(member, "its compressed data are damaged", member.header_offset);
    if (more->size() > member.size - bytes.size()) {
      fail(member, "it inflates to more than the " + std::to_string(member.size) + " bytes of its entry",
           member.header_offset);
    }
    bytes.append(*more);
  }
  if (bytes.size() != member.size) {
    fail(member,
         "it inflates to " + std::to_string(bytes.size()) + " bytes, not the " + std::to_string(member.size) +
             " of its entry",
         member.header_offset);
  }
  if (!packed.empty()) {
    fail(member, "its compressed data end " + std::to_string(packed.size()) + " bytes early",
         member.header_offset);
  }
  return bytes;
}

std::uint32_t crc32_of(std::string_view bytes) {
  const uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return static_cast<std::uint32_t>(crc);  // a uLong may be wider, its value is not
}
#else
std::string inflate_member(const ZipMember& member, std::string_view, const ZipLimits& limits) {
  require_inflatable(member, limits);
  fail(member,
       "it is compressed, and this library was built without zlib: compile it with -DPT2_WITH_ZLIB, link -lz",
       member.header_offset);
}

constexpr std::array<std::uint32_t, 256> make_checksum_table() {
  constexpr std::uint32_t kPolynomial = 0xEDB88320;  // 4.4.7, its bits reversed
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
    table[byte] = rest;
  }
  return table;
}

std::uint32_t crc32_of(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = make_checksum_table();
  std::uint32_t rest = 0xFFFFFFFF;
  for (const char c : bytes) rest = (rest >> 8) ^ kTable[(rest ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~rest;
}
#endif

std::string hex32(std::uint32_t value) {
  std::string text(8, '0');
  for (std::size_t i = 8; i-- > 0; value >>= 4) text[i] = kHexDigits[value & 15];
  return text;
}

void require_checksum(const ZipMember& member, std::string_view bytes) {
  const std::uint32_t found = crc32_of(bytes);
  if (found == member.crc32) return;
  fail(member,
       "its CRC-32 is " + hex32(found) + ", its entry says " + hex32(member.crc32) +
           ": the data are damaged, or were written without checksums",
       member.header_offset);
}

}  // namespace

bool looks_like_zip(std::string_view bytes) {
  return has_signature(bytes, 0, kLocalHeader) || has_signature(bytes, 0, kEndRecord);  // the latter is empty
}

ZipReader::ZipReader(std::string_view bytes, const ZipLimits& limits, Checksums checksums)
    : bytes_(bytes), limits_(limits), checksums_(checksums) {
  const Directory directory = find_directory(bytes, limits);
  directory_offset_ = directory.offset;
  members_ = read_directory(bytes, directory);
  by_name_ = sort_by_name(members_, directory.offset);
}

const ZipMember* ZipReader::find(std::string_view name) const {
  const auto found = std::lower_bound(
      by_name_.begin(), by_name_.end(), name,
      [&](std::size_t index, std::string_view wanted) { return members_[index].name < wanted; });
  if (found == by_name_.end() || members_[*found].name != name) return nullptr;
  return &members_[*found];
}

/// The member's bytes as they stand in the archive, after its local header (4.3.7). Sizes are taken from the
/// central directory: in the local header they may be unknown yet (4.4.4, bit 3).
std::string_view ZipReader::packed_bytes(const ZipMember& member) const {
  const std::uint64_t header = member.header_offset;
  if (!fits(header, kLocalHeaderSize, directory_offset_)) {
    fail(member, "its local header would be outside of the members' part of the archive", header);
  }
  if (!has_signature(bytes_, header, kLocalHeader))
    fail(member, "there is no local header at its place", header);
  require_readable(member, number16(bytes_, header + 6));
  if (number16(bytes_, header + 8) != member.method) {
    fail(member,
         "its local header has another compression method, " + std::to_string(number16(bytes_, header + 8)),
         header);
  }
  const std::uint64_t name_offset = header + kLocalHeaderSize;
  const std::uint64_t name_size = number(bytes_, header + 26, 2);
  const std::uint64_t extra_size = number(bytes_, header + 28, 2);
  if (!fits(name_offset, name_size, directory_offset_) ||
      part(bytes_, name_offset, name_size) != member.name) {
    fail(member, "its local header has another name", header);
  }
  const std::uint64_t data_offset = name_offset + name_size + extra_size;
  if (!fits(data_offset, member.compressed_size, directory_offset_)) {
    fail(member,
         "its " + std::to_string(member.compressed_size) + " bytes from byte " + std::to_string(data_offset) +
             " would reach into or past the central directory",
         header);
  }
  return part(bytes_, data_offset, member.compressed_size);
}

MemberBytes ZipReader::read(const ZipMember& member) const {
  require_readable(member, member.flags);
  const std::string_view packed = packed_bytes(member);
  MemberBytes content =
      member.method == kStored ? MemberBytes(packed) : MemberBytes(inflate_member(member, packed, limits_));
  if (checksums_ == Checksums::verify) require_checksum(member, content.view());
  return content;
}

}  // namespace pt2
