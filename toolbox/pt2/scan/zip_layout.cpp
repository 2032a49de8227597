#include "pt2/scan/zip_layout.h"

#include <iterator>

#include "pt2/archive/zip_bytes.h"
#include "pt2/scan/record_roles.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/utf8.h"

namespace pt2 {
namespace {

using zip::fits;
using zip::number;
using zip::number16;
using zip::part;

constexpr std::size_t kMaxTricks = 1000;

// These do not affect readers (4.5, 4.6; FB is torch's padding).
constexpr std::uint64_t kPlainFields[] = {zip::kZip64Field, 0x4246, 0x5455, 0x7875};

struct End {
  std::uint64_t record;
  std::uint64_t end;
};

std::optional<End> find_end(const SparseBytes& bytes) {
  const std::uint64_t first = zip::begin_of_end(bytes.size());
  const std::string_view tail = part(bytes, first, bytes.size());
  for (std::size_t at = tail.size(); at-- > 0;) {
    if (!zip::has_signature(tail, at, zip::kEndRecord) || !fits(at, zip::kEndRecordSize, tail.size()))
      continue;
    const std::uint64_t end = at + zip::kEndRecordSize + number16(tail, at + 20);
    if (end <= tail.size()) return End{first + at, first + end};
  }
  return std::nullopt;
}

/// Before an archive whose offsets count from its own start, as in Python's zipfile.
std::uint64_t bytes_before(const SparseBytes& bytes, std::uint64_t end_record) {
  const std::uint64_t size = number(bytes, end_record + 12, 4);
  const std::uint64_t offset = number(bytes, end_record + 16, 4);
  if (offset == zip::kAllOnes32) return 0;  // the zip64 records have the offset
  if (zip::has_signature(bytes, offset, zip::kDirectoryEntry) || size + offset >= end_record) return 0;
  const std::uint64_t before = end_record - size - offset;
  return zip::has_signature(bytes, before + offset, zip::kDirectoryEntry) ? before : 0;
}

std::optional<std::uint64_t> data_offset(const SparseBytes& archive, const ZipMember& member) {
  const std::uint64_t header = member.header_offset;
  if (!fits(header, zip::kLocalHeaderSize, archive.size()) ||
      !zip::has_signature(archive, header, zip::kLocalHeader)) {
    return std::nullopt;
  }
  const std::uint64_t data =
      header + zip::kLocalHeaderSize + number(archive, header + 26, 2) + number(archive, header + 28, 2);
  return fits(data, member.compressed_size, archive.size()) ? std::optional(data) : std::nullopt;
}

/// APPNOTE 4.3.9: with or without a signature, with 4- or 8-byte sizes.
std::uint64_t descriptor_size(const SparseBytes& archive, std::uint64_t at, const ZipMember& member) {
  const std::uint64_t crc = zip::has_signature(archive, at, zip::kDescriptor) ? 4 : 0;
  for (const unsigned width : {8u, 4u}) {
    const std::uint64_t sizes = at + crc + 4;
    const std::uint64_t step = width;
    if (fits(sizes, 2 * step, archive.size()) && number(archive, at + crc, 4) == member.crc32 &&
        number(archive, sizes, width) == member.compressed_size &&
        number(archive, sizes + step, width) == member.size) {
      return crc + 4 + 2 * step;
    }
  }
  return 0;
}

/// Null unless the path could lead out of the extraction folder.
const char* why_unsafe_path(std::string_view name) {
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '\x7F') return "its name has a control character";
    if (c == '\\') return "its name has a backslash";
  }
  if (name.empty()) return "its name is empty";
  if (name.front() == '/') return "its name is an absolute path";
  if (name.size() > 1 && name[1] == ':') return "its name begins with a drive letter";
  if (name.back() == '/') name.remove_suffix(1);
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view component = name.substr(begin, end - begin);
    if (component == "..") return "its name leads outside its folder";
    if (component.empty() || component == ".") return "its name is not a normalized path";
    begin = end + 1;
  }
  return nullptr;
}

bool has_plain_fields(std::string_view fields) {
  while (fields.size() >= 4) {
    const std::uint64_t size = number(fields, 2, 2);
    const std::uint64_t id = number(fields, 0, 2);
    if (std::find(std::begin(kPlainFields), std::end(kPlainFields), id) == std::end(kPlainFields)) {
      return false;
    }
    if (size > fields.size() - 4) return false;
    fields.remove_prefix(static_cast<std::size_t>(4 + size));
  }
  return fields.empty();
}

struct Range {
  std::uint64_t begin;
  std::uint64_t end;
  const ZipMember* member;
};

class LayoutCheck {
 public:
  LayoutCheck(const SparseBytes& bytes, const ZipDirectory& directory)
      : bytes_(bytes), directory_(directory) {}

  std::vector<ZipTrick> tricks() {
    compare_names();
    std::vector<Range> ranges;
    for (const ZipMember& member : directory_.members) {
      check_entry(member);
      const std::optional<std::uint64_t> data = data_offset(bytes_, member);
      if (!data) {
        add(member, "its local header or data is outside the archive", member.entry_offset);
        continue;
      }
      compare_headers(member);
      std::uint64_t end = *data + member.compressed_size;
      if ((member.flags & zip::kStreamedBit) != 0) end += descriptor_size(bytes_, end, member);
      ranges.push_back({member.header_offset, end, &member});
    }
    find_gaps(std::move(ranges));
    check_end_records();
    return std::move(tricks_);
  }

 private:
  void add(ZipTrick trick) {
    if (tricks_.size() < kMaxTricks) tricks_.push_back(std::move(trick));
  }
  void add(const ZipMember& member, std::string message, std::uint64_t position) {
    add({RuleId::zip_trick, std::string(member.name), std::move(message), position});
  }
  void add_name(const ZipMember& member, std::string message) {
    add({RuleId::record_name, std::string(member.name), std::move(message), member.entry_offset});
  }
  void add_gap(const char* where, std::uint64_t begin, std::uint64_t end) {
    add({RuleId::zip_trick, "",
         "no member contains the " + schemagen::counted(end - begin, "byte") + " " + where + " the members",
         begin});
  }

  void compare_names() {
    std::vector<std::pair<std::string, const ZipMember*>> order;
    for (const ZipMember& member : directory_.members) {
      order.emplace_back(folded(member.name), &member);
      if (const char* const why = why_unsafe_path(member.name)) add_name(member, why);
      if (!schemagen::is_ascii(member.name) && (member.flags & zip::kUtf8Bit) == 0) {
        add_name(member, "its name is not ASCII and not marked as UTF-8: readers decode it differently");
      }
    }
    std::sort(order.begin(), order.end());
    for (std::size_t i = 1; i < order.size(); ++i) {
      const ZipMember& one = *order[i - 1].second;
      const ZipMember& other = *order[i].second;
      if (order[i].first != order[i - 1].first) continue;
      if (one.name == other.name) {
        add(other, "another member has the same name", other.entry_offset);
      } else {
        add_name(other, "its name and " + schemagen::quoted(one.name) +
                            " differ only in case, which torch's reader ignores");
      }
    }
  }

  void check_entry(const ZipMember& member) {
    const auto refuse = [&](std::string message) { add(member, std::move(message), member.entry_offset); };
    if ((member.flags & zip::kEncryptedBits) != 0) refuse("it is encrypted");
    if (member.method != zip::kStored && member.method != zip::kDeflated) {
      refuse("it uses compression method " + std::to_string(member.method));
    }
    if (member.method == zip::kStored && member.size != member.compressed_size) {
      refuse("it is stored, but its sizes differ: " + schemagen::counted(member.compressed_size, "byte") +
             " in the archive, " + std::to_string(member.size) + " when read");
    }
    const std::uint64_t extra = member.entry_offset + zip::kDirectoryEntrySize + member.name.size();
    if (!has_plain_fields(part(bytes_, extra, number(bytes_, member.entry_offset + 30, 2)))) {
      refuse("its entry has an unknown extra field, which could change the member's name");
    }
  }

  void compare_headers(const ZipMember& member) {
    const std::uint64_t header = member.header_offset;
    const auto differ = [&](const std::string& what) { add(member, "its local header has " + what, header); };
    const std::uint64_t name_size = number(bytes_, header + 26, 2);
    const std::string_view name = part(bytes_, header + zip::kLocalHeaderSize, name_size);
    if (name != member.name) differ("the name " + schemagen::quoted(name));
    if (number16(bytes_, header + 6) != member.flags) differ("different flags");
    if (number16(bytes_, header + 8) != member.method) differ("a different compression method");
    const std::string_view extra =
        part(bytes_, header + zip::kLocalHeaderSize + name_size, number(bytes_, header + 28, 2));
    if (!has_plain_fields(extra)) differ("an unknown extra field");
    // Sizes and checksum are zero here if they follow the data.
    const bool is_streamed = (member.flags & zip::kStreamedBit) != 0;
    const auto agrees = [&](std::uint64_t local, std::uint64_t own) {
      return local == own || (is_streamed && local == 0);
    };
    std::uint64_t packed = number(bytes_, header + 18, 4);
    std::uint64_t size = number(bytes_, header + 22, 4);
    if (const auto wide = find_extra_field(extra, zip::kZip64Field); wide && wide->size() >= 16) {
      if (size == zip::kAllOnes32) size = number(*wide, 0, 8);
      if (packed == zip::kAllOnes32) packed = number(*wide, 8, 8);
    }
    if (!agrees(packed, member.compressed_size) || !agrees(size, member.size)) differ("different sizes");
    if (!agrees(number(bytes_, header + 14, 4), member.crc32)) differ("a different checksum");
  }

  void find_gaps(std::vector<Range> ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
    std::uint64_t end = 0;
    for (const Range& range : ranges) {
      if (range.begin < end) {
        add(*range.member, "it overlaps another member", range.begin);
      } else if (range.begin > end) {
        add_gap(end == 0 ? "before" : "between", end, range.begin);
      }
      end = std::max(end, range.end);
    }
    if (end > directory_.offset) {
      add({RuleId::zip_trick, "", "a member extends into the central directory", directory_.offset});
    } else if (end < directory_.offset) {
      add_gap(ranges.empty() ? "before" : "after", end, directory_.offset);
    }
  }

  /// The directory is readable, so the end record is, too.
  void check_end_records() {
    const auto add_at = [&](std::string message, std::uint64_t position) {
      add({RuleId::zip_trick, "", std::move(message), position});
    };
    if (directory_.end != directory_.end_records) {
      add_at("there are bytes between the central directory and the end records", directory_.end);
    }
    const std::uint64_t first = zip::begin_of_end(bytes_.size());
    const std::uint64_t end = first + part(bytes_, first, bytes_.size()).rfind(zip::kEndRecord);
    if (bytes_.size() - end != zip::kEndRecordSize) {
      return add_at(
          "expected an end record without a comment at the end of the archive, where readers look for it",
          end);
    }
    if (end == directory_.end_records) return;
    const std::uint64_t end64 = directory_.end_records;
    if (end - end64 != zip::kEndRecord64Size + zip::kEndLocator64Size ||
        number(bytes_, end64 + 4, 8) != zip::kEndRecord64Size - 12) {
      add_at("there are bytes between the end records", end64);
    }
  }

  SparseBytes bytes_;
  const ZipDirectory& directory_;
  std::vector<ZipTrick> tricks_;
};

}  // namespace

bool ends_like_zip(const SparseBytes& bytes) {
  return find_end(bytes).has_value();
}

SparseBytes packed_member(const SparseBytes& archive, const ZipMember& member) {
  const std::optional<std::uint64_t> data = data_offset(archive, member);
  return archive.sub(data.value_or(0), data ? member.compressed_size : 0);
}

ZipLayout lay_out_zip(const SparseBytes& bytes, const schemagen::Limits& limits) {
  const std::optional<End> end = find_end(bytes);
  const std::uint64_t before = end ? bytes_before(bytes, end->record) : 0;
  ZipLayout layout{{}, {}, end ? bytes.sub(before, end->end - before) : bytes};
  ZipDirectory directory = read_zip_directory(layout.bytes, limits);
  layout.tricks = LayoutCheck(layout.bytes, directory).tricks();
  const auto add = [&](std::uint64_t count, const char* where, std::uint64_t position) {
    if (count == 0) return;
    layout.tricks.push_back({RuleId::zip_trick, "",
                             "found " + schemagen::counted(count, "byte") + " " + where + " the archive",
                             position});
  };
  add(before, "before", 0);
  if (end) add(bytes.size() - end->end, "after", end->end);
  layout.members = std::move(directory.members);
  return layout;
}

}  // namespace pt2
