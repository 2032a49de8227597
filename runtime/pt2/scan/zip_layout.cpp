#include "pt2/scan/zip_layout.h"

#include <algorithm>
#include <optional>

#include "pt2/archive/zip_bytes.h"
#include "schemagen/value/quote.h"

namespace pt2 {
namespace {

using zip::fits;
using zip::number;
using zip::number16;
using zip::part;

constexpr std::string_view kLocalHeader = "PK\3\4";
constexpr std::string_view kDescriptor = "PK\7\10";
constexpr std::string_view kEntry = "PK\1\2";
constexpr std::string_view kEndRecord = "PK\5\6";
constexpr std::size_t kLocalHeaderSize = 30;
constexpr std::size_t kEndRecordSize = 22;
constexpr std::size_t kMaxComment = 0xFFFF;
constexpr std::size_t kMaxTricks = 1000;
constexpr unsigned kStreamed = 1u << 3;  // sizes follow the data
constexpr std::uint64_t kAllOnes32 = 0xFFFFFFFF;

struct End {
  std::size_t record;  // the last end record whose comment ends in the bytes
  std::size_t end;     // past its comment
};

/// Nullopt: there is none.
std::optional<End> find_end(std::string_view bytes) {
  if (bytes.size() < kEndRecordSize) return std::nullopt;
  const std::size_t last = bytes.size() - kEndRecordSize;
  const std::size_t first = last < kMaxComment ? 0 : last - kMaxComment;
  for (std::size_t at = last + 1; at-- > first;) {
    if (!zip::has_signature(bytes, at, kEndRecord)) continue;
    const std::size_t end = at + kEndRecordSize + number16(bytes, at + 20);
    if (end <= bytes.size()) return End{at, end};
  }
  return std::nullopt;
}

/// How many bytes stand before an archive whose numbers count from its own begin, as Python's zipfile reads
/// it.
std::size_t bytes_before(std::string_view bytes, std::size_t end_record) {
  const std::uint64_t size = number(bytes, end_record + 12, 4);
  const std::uint64_t offset = number(bytes, end_record + 16, 4);
  if (zip::has_signature(bytes, offset, kEntry) || size + offset >= end_record) return 0;
  const auto before = static_cast<std::size_t>(end_record - size - offset);
  return zip::has_signature(bytes, before + offset, kEntry) ? before : 0;
}

/// Where the data of a member begins; nullopt: there is no local header where it should be.
std::optional<std::uint64_t> data_offset(std::string_view archive, const ZipMember& member) {
  const std::uint64_t header = member.header_offset;
  if (!fits(header, kLocalHeaderSize, archive.size()) || !zip::has_signature(archive, header, kLocalHeader)) {
    return std::nullopt;
  }
  const std::uint64_t data =
      header + kLocalHeaderSize + number(archive, header + 26, 2) + number(archive, header + 28, 2);
  return fits(data, member.compressed_size, archive.size()) ? std::optional(data) : std::nullopt;
}

/// Bytes of the data descriptor at `at` (APPNOTE 4.3.9): with or without a signature, sizes of 4 or 8 bytes.
std::uint64_t descriptor_size(std::string_view archive, std::uint64_t at, const ZipMember& member) {
  const std::uint64_t crc = zip::has_signature(archive, at, kDescriptor) ? 4 : 0;
  for (const unsigned width : {8u, 4u}) {
    const std::uint64_t sizes = at + crc + 4;
    const std::uint64_t step = width;
    if (fits(sizes, 2 * step, archive.size()) && number(archive, sizes, width) == member.compressed_size &&
        number(archive, sizes + step, width) == member.size) {
      return crc + 4 + 2 * step;
    }
  }
  return 0;
}

struct Range {
  std::uint64_t begin;
  std::uint64_t end;
  const ZipMember* member;
};

class Layout {
 public:
  Layout(std::string_view bytes, const ZipDirectory& directory) : bytes_(bytes), directory_(directory) {}

  std::vector<ZipTrick> tricks() {
    find_twins();
    std::vector<Range> ranges;
    for (const ZipMember& member : directory_.members) {
      const std::optional<std::uint64_t> data = data_offset(bytes_, member);
      if (!data) {
        add(member, "its local header or its data is not in the archive", member.entry_offset);
        continue;
      }
      compare_headers(member);
      std::uint64_t end = *data + member.compressed_size;
      if ((number16(bytes_, member.header_offset + 6) & kStreamed) != 0)
        end += descriptor_size(bytes_, end, member);
      ranges.push_back({member.header_offset, end, &member});
    }
    find_gaps(std::move(ranges));
    return std::move(tricks_);
  }

 private:
  void add(const ZipMember& member, const std::string& message, std::uint64_t position) {
    if (tricks_.size() < kMaxTricks) tricks_.push_back({std::string(member.name), message, position});
  }

  void find_twins() {
    std::vector<const ZipMember*> order;
    for (const ZipMember& member : directory_.members) order.push_back(&member);
    std::sort(order.begin(), order.end(),
              [](const ZipMember* a, const ZipMember* b) { return a->name < b->name; });
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (order[i]->name != order[i - 1]->name) continue;
      add(*order[i], "another member has the same name", order[i]->entry_offset);
    }
  }

  void compare_headers(const ZipMember& member) {
    const std::uint64_t header = member.header_offset;
    const std::uint64_t name_size = number(bytes_, header + 26, 2);
    if (part(bytes_, header + kLocalHeaderSize, name_size) != member.name) {
      add(member,
          "its local header has the name " +
              schemagen::quoted(part(bytes_, header + kLocalHeaderSize, name_size)),
          header);
    }
    if (number16(bytes_, header + 8) != member.method)
      add(member, "its local header has another method", header);
    if ((number16(bytes_, header + 6) & kStreamed) != 0) return;
    const std::uint64_t packed = number(bytes_, header + 18, 4);
    const std::uint64_t size = number(bytes_, header + 22, 4);
    const bool has_sizes = packed != kAllOnes32 && size != kAllOnes32;
    if (has_sizes && (packed != member.compressed_size || size != member.size)) {
      add(member, "its local header has other sizes", header);
    }
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
      tricks_.push_back({"", "a member reaches into the central directory", directory_.offset});
    } else if (end < directory_.offset) {
      add_gap(ranges.empty() ? "before" : "after", end, directory_.offset);
    }
  }
  void add_gap(const char* where, std::uint64_t begin, std::uint64_t end) {
    if (tricks_.size() >= kMaxTricks) return;
    tricks_.push_back(
        {"", std::to_string(end - begin) + " bytes " + where + " the members belong to none of them", begin});
  }

  std::string_view bytes_;
  const ZipDirectory& directory_;
  std::vector<ZipTrick> tricks_;
};

}  // namespace

bool ends_like_zip(std::string_view bytes) {
  const std::optional<End> end = find_end(bytes);
  return end && end->end == bytes.size();
}

std::string_view packed_member(std::string_view archive, const ZipMember& member) {
  const std::optional<std::uint64_t> data = data_offset(archive, member);
  return data ? part(archive, *data, member.compressed_size) : std::string_view();
}

ZipLayout lay_out_zip(std::string_view bytes, const schemagen::Limits& limits) {
  ZipLayout layout;
  const std::optional<End> end = find_end(bytes);
  const std::size_t before = end ? bytes_before(bytes, end->record) : 0;
  layout.bytes = end ? bytes.substr(before, end->end - before) : bytes;
  ZipDirectory directory = read_zip_directory(layout.bytes, limits);
  layout.tricks = Layout(layout.bytes, directory).tricks();
  if (before > 0) layout.tricks.push_back({"", std::to_string(before) + " bytes precede the archive", 0});
  if (end && end->end < bytes.size()) {
    layout.tricks.push_back(
        {"", std::to_string(bytes.size() - end->end) + " bytes follow the archive", end->end});
  }
  layout.members = std::move(directory.members);
  return layout;
}

}  // namespace pt2
