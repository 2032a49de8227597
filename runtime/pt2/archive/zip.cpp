#include "pt2/archive/zip.h"

#include "pt2/archive/crc32.h"
#include "pt2/archive/inflate.h"
#include "pt2/archive/zip_bytes.h"
#include "schemagen/base/base64.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using zip::fail;
using zip::fits;
using zip::has_signature;
using zip::number;
using zip::number16;
using zip::part;

struct EndRecord {
  std::uint64_t members = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
  std::uint64_t end = 0;  // bounds the directory
};

/// The record's comment must extend to the last byte.
std::uint64_t find_end_record(const SparseBytes& bytes) {
  const std::uint64_t last = bytes.size() - std::min<std::uint64_t>(bytes.size(), zip::kEndRecordSize);
  for (const std::uint64_t first : {last, last - std::min<std::uint64_t>(last, zip::kMaxComment)}) {
    const std::string_view tail = part(bytes, first, bytes.size());
    for (std::size_t at = tail.size(); at-- > 0;) {
      if (has_signature(tail, at, zip::kEndRecord) && fits(at, zip::kEndRecordSize, tail.size()) &&
          at + zip::kEndRecordSize + number16(tail, at + 20) == tail.size()) {
        return first + at;
      }
    }
  }
  if (!looks_like_zip(bytes)) throw schemagen::DataError("not a zip archive");
  fail("the zip archive is truncated or has trailing bytes: no end-of-central-directory record",
       bytes.size());
}

[[noreturn]] void refuse_parts(std::uint64_t offset) {
  fail("multi-part zip archives are not supported", offset);
}

/// 4.3.16. The record at `end` is complete.
EndRecord read_end_record(const SparseBytes& bytes, std::uint64_t end) {
  const bool one_part = number(bytes, end + 4, 2) == 0 && number(bytes, end + 6, 2) == 0 &&
                        number(bytes, end + 8, 2) == number(bytes, end + 10, 2);
  if (!one_part) refuse_parts(end);
  return {number(bytes, end + 10, 2), number(bytes, end + 12, 4), number(bytes, end + 16, 4), end};
}

/// A number in the short end record must equal the ZIP64 one or be all ones.
void require_agreement(std::uint64_t narrow, std::uint64_t all_ones, std::uint64_t wide, const char* what,
                       std::uint64_t offset) {
  if (narrow == all_ones || narrow == wide) return;
  fail("the two end records of the zip archive disagree about " + std::string(what) + ": " +
           std::to_string(narrow) + " and " + std::to_string(wide),
       offset);
}

/// 4.3.14 and 4.3.15. `locator` is complete and directly precedes the record at `end`.
EndRecord read_end_record64(const SparseBytes& bytes, std::uint64_t locator, std::uint64_t end) {
  const std::uint64_t record = number(bytes, locator + 8, 8);
  if (number(bytes, locator + 4, 4) != 0 || number(bytes, locator + 16, 4) > 1) refuse_parts(locator);
  if (!fits(record, zip::kEndRecord64Size, locator) || !has_signature(bytes, record, zip::kEndRecord64)) {
    fail("no ZIP64 end record at byte " + std::to_string(record) + ", where its locator points", locator);
  }
  const std::uint64_t size = number(bytes, record + 4, 8);  // without the 12 bytes up to here
  if (size < zip::kEndRecord64Size - 12 || !fits(record + 12, size, locator)) {
    fail("the ZIP64 end record has an invalid size of " + schemagen::counted(size, "byte"), record);
  }
  const bool one_part = number(bytes, record + 16, 4) == 0 && number(bytes, record + 20, 4) == 0 &&
                        number(bytes, record + 24, 8) == number(bytes, record + 32, 8);
  if (!one_part) refuse_parts(record);
  const EndRecord directory = {number(bytes, record + 32, 8), number(bytes, record + 40, 8),
                               number(bytes, record + 48, 8), record};
  require_agreement(number(bytes, end + 10, 2), zip::kAllOnes16, directory.members, "the number of members",
                    end);
  require_agreement(number(bytes, end + 12, 4), zip::kAllOnes32, directory.size, "the directory's size", end);
  require_agreement(number(bytes, end + 16, 4), zip::kAllOnes32, directory.offset, "the directory's offset",
                    end);
  return directory;
}

EndRecord find_directory(const SparseBytes& bytes, const schemagen::Limits& limits) {
  const std::uint64_t end = find_end_record(bytes);
  const bool is_zip64 =
      end >= zip::kEndLocator64Size && has_signature(bytes, end - zip::kEndLocator64Size, zip::kEndLocator64);
  const EndRecord directory =
      is_zip64 ? read_end_record64(bytes, end - zip::kEndLocator64Size, end) : read_end_record(bytes, end);
  if (!fits(directory.offset, directory.size, directory.end)) {
    fail("the central directory (" + schemagen::counted(directory.size, "byte") + " at byte " +
             std::to_string(directory.offset) + ") extends past the end record",
         directory.end);
  }
  if (directory.members > limits.container_items) {
    fail("the zip archive has " + std::to_string(directory.members) + " members, over the limit of " +
             std::to_string(limits.container_items) + " (container_items)",
         end);
  }
  if (directory.members > directory.size / zip::kDirectoryEntrySize) {
    fail("a central directory of " + schemagen::counted(directory.size, "byte") + " cannot hold " +
             schemagen::counted(directory.members, "member"),
         end);
  }
  return directory;
}

/// 4.5.3: holds the numbers that are all ones in the entry, in this order.
void widen(ZipMember& member, std::string_view extra, std::uint64_t offset) {
  std::uint64_t* const numbers[] = {&member.size, &member.compressed_size, &member.header_offset};
  std::optional<std::string_view> field = find_extra_field(extra, zip::kZip64Field);
  if (!field) return;
  for (std::uint64_t* value : numbers) {
    if (*value != zip::kAllOnes32) continue;
    if (field->size() < 8) fail_at_member(member, "its ZIP64 field is too short", offset);
    *value = number(*field, 0, 8);
    field->remove_prefix(8);
  }
}

ZipMember read_entry(const SparseBytes& bytes, std::uint64_t& offset, std::uint64_t end) {
  if (!fits(offset, zip::kDirectoryEntrySize, end))
    fail("the central directory ends inside an entry", offset);
  if (!has_signature(bytes, offset, zip::kDirectoryEntry)) {
    fail("expected a central directory entry", offset);
  }
  const std::uint64_t name_size = number(bytes, offset + 28, 2);
  const std::uint64_t extra_size = number(bytes, offset + 30, 2);
  const std::uint64_t comment_size = number(bytes, offset + 32, 2);
  const std::uint64_t name_offset = offset + zip::kDirectoryEntrySize;
  if (!fits(name_offset, name_size + extra_size + comment_size, end)) {
    fail("the central directory ends inside an entry", offset);
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
  member.entry_offset = offset;
  widen(member, part(bytes, name_offset + name_size, extra_size), offset);
  offset = name_offset + name_size + extra_size + comment_size;
  return member;
}

std::vector<ZipMember> read_entries(const SparseBytes& bytes, const EndRecord& directory) {
  part(bytes, directory.offset, directory.size);  // all at once, if it is missing
  std::vector<ZipMember> members;
  members.reserve(static_cast<std::size_t>(directory.members));
  std::uint64_t offset = directory.offset;
  const std::uint64_t end = directory.offset + directory.size;
  while (members.size() < directory.members) members.push_back(read_entry(bytes, offset, end));
  if (offset != end) fail("the central directory continues after its last entry", offset);
  return members;
}

std::map<std::string_view, std::size_t> numbers_by_name(const ZipDirectory& directory) {
  std::map<std::string_view, std::size_t> numbers;
  for (std::size_t i = 0; i < directory.members.size(); ++i) {
    const std::string_view name = directory.members[i].name;
    if (numbers.emplace(name, i).second) continue;
    fail("the zip archive has two members named " + schemagen::quoted(name), directory.offset);
  }
  return numbers;
}

void require_not_encrypted(const ZipMember& member, unsigned flags, std::uint64_t offset) {
  if ((flags & zip::kEncryptedBits) != 0)
    fail_at_member(member, "encrypted members are not supported", offset);
}

void require_readable(const ZipMember& member) {
  require_not_encrypted(member, member.flags, member.entry_offset);
  if (member.method != zip::kStored && member.method != zip::kDeflated) {
    fail_at_member(member,
                   "compression method " + std::to_string(member.method) +
                       " is not supported, only 0 (stored) and 8 (deflated)",
                   member.entry_offset);
  }
  if (member.method == zip::kStored && member.size != member.compressed_size) {
    fail_at_member(
        member,
        "it is stored, but its sizes differ: " + schemagen::counted(member.compressed_size, "byte") +
            " in the archive, " + std::to_string(member.size) + " when read",
        member.entry_offset);
  }
}

void require_possible_size(const ZipMember& member, std::string_view packed) {
  if (member.size / kMaxInflateRatio <= packed.size()) return;
  fail_at_member(member,
                 "its " + schemagen::counted(packed.size(), "compressed byte") + " cannot inflate to " +
                     schemagen::counted(member.size, "byte") + ", the size in its entry",
                 member.entry_offset);
}

std::vector<std::uint64_t> sort_offsets(const ZipDirectory& directory) {
  std::vector<std::uint64_t> offsets;
  offsets.reserve(directory.members.size());
  for (const ZipMember& member : directory.members) offsets.push_back(member.header_offset);
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

std::string hex32(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFF);
  return schemagen::hex_text(bytes);
}

void require_checksum(const ZipMember& member, std::uint32_t found) {
  if (found == member.crc32) return;
  fail_at_member(member,
                 "CRC-32 mismatch: its data has " + hex32(found) + ", its entry says " + hex32(member.crc32) +
                     "; the data is damaged, or was written without checksums",
                 member.header_offset);
}

void require_possible_whole(const ZipDirectory& directory, std::uint64_t bytes,
                            const schemagen::Limits& limits) {
  constexpr std::uint64_t kPerByte = 64;
  const std::uint64_t most = std::max<std::uint64_t>(limits.memory_bytes, bytes * kPerByte);
  std::uint64_t total = 0;
  for (const ZipMember& member : directory.members) {
    if (member.method == zip::kStored) continue;
    if (member.size > most - total) {
      throw schemagen::DataError("the zip archive's members decompress to more than " + std::to_string(most) +
                                 " bytes in total");
    }
    total += member.size;
  }
}

}  // namespace

bool looks_like_zip(const SparseBytes& bytes) {
  return has_signature(bytes, 0, zip::kLocalHeader) || has_signature(bytes, 0, zip::kEndRecord);
}

ZipDirectory read_zip_directory(const SparseBytes& bytes, const schemagen::Limits& limits) {
  const EndRecord record = find_directory(bytes, limits);
  return {record.offset, record.offset + record.size, record.end, read_entries(bytes, record)};
}

std::optional<std::string_view> find_extra_field(std::string_view fields, std::uint64_t id) {
  while (fields.size() >= 4) {
    const std::uint64_t size = number(fields, 2, 2);
    if (size > fields.size() - 4) return std::nullopt;
    if (number(fields, 0, 2) == id) return part(fields, 4, size);
    fields.remove_prefix(static_cast<std::size_t>(4 + size));
  }
  return std::nullopt;
}

void fail_at_member(const ZipMember& member, const std::string& reason, std::uint64_t offset) {
  fail("zip member " + schemagen::quoted(member.name) + ": " + reason, offset);
}

ZipReader::ZipReader(const SparseBytes& bytes, const schemagen::Limits& limits, Checksums checksums,
                     MappedPages pages)
    : bytes_(bytes),
      limits_(limits),
      checksums_(checksums),
      pages_(pages),
      directory_(read_zip_directory(bytes, limits)),
      by_name_(numbers_by_name(directory_)),
      by_offset_(sort_offsets(directory_)) {
  require_possible_whole(directory_, bytes.size(), limits);
}

const ZipMember* ZipReader::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &members()[found->second];
}

// Keeps all offsets: a member must not reach into one that is hidden.
ZipReader ZipReader::without(const std::function<bool(const ZipMember&)>& is_left_out) const {
  ZipReader rest = *this;
  std::vector<ZipMember>& members = rest.directory_.members;
  members.erase(std::remove_if(members.begin(), members.end(), is_left_out), members.end());
  rest.by_name_ = numbers_by_name(rest.directory_);
  return rest;
}

/// Up to the next member or the directory. Members with the same offset have no space.
std::uint64_t ZipReader::end_of_space(const ZipMember& member) const {
  const auto own = std::lower_bound(by_offset_.begin(), by_offset_.end(), member.header_offset);
  const auto next = own == by_offset_.end() ? own : own + 1;
  return next == by_offset_.end() ? directory_.offset : std::min(*next, directory_.offset);
}

ByteRange ZipReader::space_of(const ZipMember& member) const {
  constexpr std::uint64_t kAround = std::uint64_t{3} << 16;  // a name, extra fields and a descriptor
  const std::uint64_t most = std::min(member.compressed_size, bytes_.size()) + kAround;
  return {member.header_offset, std::min(end_of_space(member), member.header_offset + most)};
}

/// After the local header (4.3.7), whose sizes may be missing (4.4.4, bit 3).
SparseBytes ZipReader::packed_bytes(const ZipMember& member) const {
  const std::uint64_t header = member.header_offset;
  const std::uint64_t end = directory_.offset;
  if (!fits(header, zip::kLocalHeaderSize, end)) {
    fail_at_member(
        member,
        "its local header, at byte " + std::to_string(header) + ", is not before the central directory",
        member.entry_offset);
  }
  if (!has_signature(bytes_, header, zip::kLocalHeader)) {
    fail_at_member(member, "no local header at its offset", header);
  }
  require_not_encrypted(member, number16(bytes_, header + 6), header);
  if (const std::uint16_t method = number16(bytes_, header + 8); method != member.method) {
    fail_at_member(member,
                   "its local header has compression method " + std::to_string(method) +
                       ", but its entry has " + std::to_string(member.method),
                   header);
  }
  const std::uint64_t name_offset = header + zip::kLocalHeaderSize;
  const std::uint64_t name_size = number(bytes_, header + 26, 2);
  const std::uint64_t extra_size = number(bytes_, header + 28, 2);
  if (!fits(name_offset, name_size, end) || part(bytes_, name_offset, name_size) != member.name) {
    fail_at_member(member, "its local header has a different name", header);
  }
  const std::uint64_t data_offset = name_offset + name_size + extra_size;
  if (!fits(data_offset, member.compressed_size, end)) {
    fail_at_member(member,
                   "its " + schemagen::counted(member.compressed_size, "byte") + " from byte " +
                       std::to_string(data_offset) + " do not end before the central directory",
                   member.entry_offset);
  }
  if (!fits(data_offset, member.compressed_size, end_of_space(member))) {
    fail_at_member(member, "it overlaps with the member after it", header);
  }
  return bytes_.sub(data_offset, member.compressed_size);
}

MemberBytes ZipReader::read(const ZipMember& member) const {
  require_readable(member);
  const std::string_view packed = packed_bytes(member).whole();
  if (member.method == zip::kStored) {
    if (checksums_ == Checksums::verify) copy(member, [](std::string_view) {});
    return MemberBytes(packed);
  }
  if (member.size > limits_.memory_bytes) {
    fail_at_member(member,
                   "it inflates to " + schemagen::counted(member.size, "byte") + ", over the limit of " +
                       std::to_string(limits_.memory_bytes) + " (memory_bytes)",
                   member.entry_offset);
  }
  std::string bytes;
  bytes.reserve(
      static_cast<std::size_t>(std::min<std::uint64_t>(member.size, packed.size() * kMaxInflateRatio)));
  copy(member, [&](std::string_view part) { bytes += part; });
  return MemberBytes(std::move(bytes));
}

void ZipReader::copy(const ZipMember& member, const ByteSink& sink) const {
  require_readable(member);
  const std::string_view packed = packed_bytes(member).whole();
  std::uint32_t crc32 = 0;
  const auto pass_on = [&](std::string_view part) {
    if (checksums_ == Checksums::verify) crc32 = crc32_of(part, crc32);
    sink(part);
  };
  if (member.method == zip::kStored) {
    for_each_part(packed, pages_, pass_on);
  } else {
    require_possible_size(member, packed);
    const std::string fault = inflate(packed, member.size, [&](std::string_view part) {
      pass_on(part);
      pages_.notify(part);
    });
    if (!fault.empty()) fail_at_member(member, fault, member.header_offset);
  }
  if (checksums_ == Checksums::verify) require_checksum(member, crc32);
}

std::optional<SparseBytes> ZipReader::stored(const ZipMember& member) const {
  require_readable(member);
  if (member.method != zip::kStored) return std::nullopt;
  return packed_bytes(member);
}

}  // namespace pt2
