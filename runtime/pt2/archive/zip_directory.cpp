#include "pt2/archive/zip.h"

#include <algorithm>
#include <optional>

#include "pt2/archive/zip_bytes.h"
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

}  // namespace pt2
