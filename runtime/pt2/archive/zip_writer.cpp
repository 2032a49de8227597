#include "pt2/archive/zip.h"

#include "pt2/archive/crc32.h"
#include "pt2/archive/zip_bytes.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/utf8.h"

namespace pt2 {
namespace {

constexpr std::uint64_t kRecordAlignment = 64;

// Format versions that a reader must support (4.4.3).
constexpr std::uint64_t kVersion = 20;
constexpr std::uint64_t kZip64Version = 45;

constexpr std::uint64_t kFirstDay = 0x21;  // 1980-01-01, the earliest date

class Record {
 public:
  explicit Record(std::string_view signature = {}) : bytes_(signature) {}

  Record& number(std::uint64_t value, unsigned width) {
    zip::append_number(bytes_, value, width);
    return *this;
  }
  Record& text(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

bool is_wide(std::uint64_t value) {
  return value >= zip::kAllOnes32;
}

std::uint64_t narrow(std::uint64_t value) {
  return std::min(value, zip::kAllOnes32);
}

std::string zip64_field(const std::vector<std::uint64_t>& numbers) {
  if (numbers.empty()) return {};
  Record field;
  field.number(zip::kZip64Field, 2).number(numbers.size() * 8, 2);
  for (const std::uint64_t value : numbers) field.number(value, 8);
  return field.bytes();
}

/// Aligns the data, which would begin at `offset` without it.
std::string padding_field(std::uint64_t offset) {
  const std::uint64_t start = offset + 4;
  const std::uint64_t padding = (kRecordAlignment - start % kRecordAlignment) % kRecordAlignment;
  return Record("FB").number(padding, 2).bytes() + std::string(static_cast<std::size_t>(padding), 'Z');
}

std::string common_part(std::string_view name, std::uint32_t crc32, std::uint64_t size, bool is_zip64) {
  const bool is_ascii = schemagen::is_ascii(name);
  Record part;
  part.number(is_zip64 ? kZip64Version : kVersion, 2).number(is_ascii ? 0 : zip::kUtf8Bit, 2);
  part.number(0, 2);
  part.number(0, 2).number(kFirstDay, 2);
  return part.number(crc32, 4).number(narrow(size), 4).number(narrow(size), 4).bytes();
}

std::string end_records64(std::uint64_t members, std::uint64_t size, std::uint64_t offset) {
  Record record(zip::kEndRecord64);
  record.number(zip::kEndRecord64Size - 12, 8).number(kZip64Version, 2).number(kZip64Version, 2);
  record.number(0, 4).number(0, 4);
  record.number(members, 8).number(members, 8).number(size, 8).number(offset, 8);
  record.text(zip::kEndLocator64).number(0, 4).number(offset + size, 8).number(1, 4);
  return record.bytes();
}

/// 4.3.16
std::string end_record(std::uint64_t members, std::uint64_t size, std::uint64_t offset) {
  const std::uint64_t count = std::min(members, zip::kAllOnes16);
  Record record(zip::kEndRecord);
  record.number(0, 2).number(0, 2).number(count, 2).number(count, 2);
  return record.number(narrow(size), 4).number(narrow(offset), 4).number(0, 2).bytes();
}

}  // namespace

void ZipWriter::write(std::string_view bytes) {
  sink_(bytes);
  offset_ += bytes.size();
}

void ZipWriter::add(std::string_view name, std::string_view content) {
  add(
      name, content.size(), [content](const ByteSink& sink) { sink(content); }, crc32_of(content));
}

void ZipWriter::add(std::string_view name, std::uint64_t size, const ByteSource& content,
                    std::optional<std::uint32_t> crc32) {
  if (name.size() > zip::kAllOnes16) {
    throw schemagen::UsageError("the name of a zip member is " + std::to_string(name.size()) +
                                " bytes long, over the limit of 65535");
  }
  if (!crc32) {
    crc32 = 0;
    content([&](std::string_view part) { crc32 = crc32_of(part, *crc32); });
  }
  const Entry entry = {std::string(name), *crc32, size, offset_};
  entries_.push_back(entry);
  write(local_header(entry));
  const std::uint64_t end = offset_ + size;
  content([&](std::string_view part) { write(part); });
  if (offset_ != end) {
    throw schemagen::UsageError("zip member " + schemagen::quoted(name) + ": expected " +
                                schemagen::counted(size, "byte") + " of content, got " +
                                std::to_string(size + offset_ - end));
  }
}

std::string ZipWriter::local_header(const Entry& entry) {
  std::string extra;
  if (is_wide(entry.size)) extra = zip64_field({entry.size, entry.size});
  extra += padding_field(entry.offset + zip::kLocalHeaderSize + entry.name.size() + extra.size());
  Record header(zip::kLocalHeader);
  header.text(common_part(entry.name, entry.crc32, entry.size, is_wide(entry.size)));
  header.number(entry.name.size(), 2).number(extra.size(), 2).text(entry.name).text(extra);
  return header.bytes();
}

std::string ZipWriter::directory_entry(const Entry& entry) {
  std::vector<std::uint64_t> wide;
  if (is_wide(entry.size)) wide = {entry.size, entry.size};
  if (is_wide(entry.offset)) wide.push_back(entry.offset);
  const std::string extra = zip64_field(wide);
  Record record(zip::kDirectoryEntry);
  record.number(wide.empty() ? kVersion : kZip64Version, 2);
  record.text(common_part(entry.name, entry.crc32, entry.size, !wide.empty()));
  record.number(entry.name.size(), 2).number(extra.size(), 2).number(0, 2);
  record.number(0, 2).number(0, 2).number(0, 4);
  return record.number(narrow(entry.offset), 4).text(entry.name).text(extra).bytes();
}

void ZipWriter::finish() {
  const std::uint64_t start = offset_;
  for (const Entry& entry : entries_) write(directory_entry(entry));
  const std::uint64_t size = offset_ - start;
  if (entries_.size() >= zip::kAllOnes16 || is_wide(size) || is_wide(start)) {
    write(end_records64(entries_.size(), size, start));
  }
  write(end_record(entries_.size(), size, start));
}

}  // namespace pt2
