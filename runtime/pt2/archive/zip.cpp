#include "pt2/archive/zip.h"

#include <algorithm>
#include <numeric>

#include "pt2/archive/crc32.h"
#include "pt2/archive/inflate.h"
#include "pt2/archive/zip_bytes.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using zip::fits;
using zip::number;
using zip::number16;
using zip::part;

std::vector<std::size_t> sort_by_name(const ZipDirectory& directory) {
  const std::vector<ZipMember>& members = directory.members;
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return members[a].name < members[b].name; });
  const auto duplicate = std::adjacent_find(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return members[a].name == members[b].name;
  });
  if (duplicate != order.end()) {
    zip::fail("the zip archive has two members named " + schemagen::quoted(members[*duplicate].name),
              directory.offset);
  }
  return order;
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

void inflate_member(const ZipMember& member, std::string_view packed, const MappedPages& pages,
                    const ByteSink& out) {
  const auto pass_on = [&](std::string_view part) {
    out(part);
    pages.notify(part);
  };
  const std::string fault = inflate(packed, member.size, pass_on);
  if (!fault.empty()) fail_at_member(member, fault, member.header_offset);
}

std::string inflate_member(const ZipMember& member, std::string_view packed, const MappedPages& pages,
                           const schemagen::Limits& limits) {
  if (member.size > limits.memory_bytes) {
    fail_at_member(member,
                   "it inflates to " + schemagen::counted(member.size, "byte") + ", over the limit of " +
                       std::to_string(limits.memory_bytes) + " (memory_bytes)",
                   member.entry_offset);
  }
  require_possible_size(member, packed);
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(member.size));
  inflate_member(member, packed, pages, [&](std::string_view part) { bytes += part; });
  return bytes;
}

std::vector<std::uint64_t> sort_offsets(const ZipDirectory& directory) {
  std::vector<std::uint64_t> offsets;
  offsets.reserve(directory.members.size());
  for (const ZipMember& member : directory.members) offsets.push_back(member.header_offset);
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

std::string hex32(std::uint32_t value) {
  constexpr char kHexDigits[] = "0123456789abcdef";
  std::string text(8, '0');
  for (std::size_t i = 8; i-- > 0; value >>= 4) text[i] = kHexDigits[value & 15];
  return text;
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

ZipReader::ZipReader(const SparseBytes& bytes, const schemagen::Limits& limits, Checksums checksums,
                     MappedPages pages)
    : bytes_(bytes),
      limits_(limits),
      checksums_(checksums),
      pages_(pages),
      directory_(read_zip_directory(bytes, limits)),
      by_name_(sort_by_name(directory_)),
      by_offset_(sort_offsets(directory_)) {
  require_possible_whole(directory_, bytes.size(), limits);
}

const ZipMember* ZipReader::find(std::string_view name) const {
  const auto found = std::lower_bound(
      by_name_.begin(), by_name_.end(), name,
      [&](std::size_t index, std::string_view wanted) { return members()[index].name < wanted; });
  if (found == by_name_.end() || members()[*found].name != name) return nullptr;
  return &members()[*found];
}

// Keeps all offsets: a member must not reach into one that is hidden.
ZipReader ZipReader::without(const std::function<bool(const ZipMember&)>& is_left_out) const {
  ZipReader rest = *this;
  std::vector<ZipMember>& members = rest.directory_.members;
  members.erase(std::remove_if(members.begin(), members.end(), is_left_out), members.end());
  rest.by_name_ = sort_by_name(rest.directory_);
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
  if (!zip::has_signature(bytes_, header, zip::kLocalHeader)) {
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
  MemberBytes content = member.method == zip::kStored
                            ? MemberBytes(packed)
                            : MemberBytes(inflate_member(member, packed, pages_, limits_));
  if (checksums_ == Checksums::verify) {
    std::uint32_t crc32 = 0;
    for_each_part(content.view(), pages_, [&](std::string_view part) { crc32 = crc32_of(part, crc32); });
    require_checksum(member, crc32);
  }
  return content;
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
    inflate_member(member, packed, pages_, pass_on);
  }
  if (checksums_ == Checksums::verify) require_checksum(member, crc32);
}

std::optional<SparseBytes> ZipReader::stored(const ZipMember& member) const {
  require_readable(member);
  if (member.method != zip::kStored) return std::nullopt;
  return packed_bytes(member);
}

}  // namespace pt2
