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

std::string zip_numbers(unsigned width, const std::vector<std::uint64_t>& values) {
  std::string bytes;
  for (const std::uint64_t value : values) zip::append_number(bytes, value, width);
  return bytes;
}

bool is_wide(std::uint64_t value) {
  return value >= zip::kAllOnes32;
}

std::uint64_t narrow(std::uint64_t value) {
  return std::min(value, zip::kAllOnes32);
}

std::string zip64_field(const std::vector<std::uint64_t>& numbers) {
  if (numbers.empty()) return {};
  return zip_numbers(2, {zip::kZip64Field, numbers.size() * 8}) + zip_numbers(8, numbers);
}

/// Aligns the data, which would begin at `offset` without it.
std::string padding_field(std::uint64_t offset) {
  const std::uint64_t start = offset + 4;
  const std::uint64_t padding = (kRecordAlignment - start % kRecordAlignment) % kRecordAlignment;
  return "FB" + zip_numbers(2, {padding}) + std::string(static_cast<std::size_t>(padding), 'Z');
}

std::string common_part(std::string_view name, std::uint32_t crc32, std::uint64_t size, bool is_zip64) {
  const std::uint64_t version = is_zip64 ? kZip64Version : kVersion;
  const std::uint64_t flags = schemagen::is_ascii(name) ? 0 : zip::kUtf8Bit;
  return zip_numbers(2, {version, flags, zip::kStored, 0, kFirstDay}) +
         zip_numbers(4, {crc32, narrow(size), narrow(size)});
}

std::string end_records64(std::uint64_t members, std::uint64_t size, std::uint64_t offset) {
  return std::string(zip::kEndRecord64) + zip_numbers(8, {zip::kEndRecord64Size - 12}) +
         zip_numbers(2, {kZip64Version, kZip64Version}) + zip_numbers(4, {0, 0}) +
         zip_numbers(8, {members, members, size, offset}) + std::string(zip::kEndLocator64) +
         zip_numbers(4, {0}) + zip_numbers(8, {offset + size}) + zip_numbers(4, {1});
}

/// 4.3.16
std::string end_record(std::uint64_t members, std::uint64_t size, std::uint64_t offset) {
  const std::uint64_t count = std::min(members, zip::kAllOnes16);
  return std::string(zip::kEndRecord) + zip_numbers(2, {0, 0, count, count}) +
         zip_numbers(4, {narrow(size), narrow(offset)}) + zip_numbers(2, {0});
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
  return std::string(zip::kLocalHeader) +
         common_part(entry.name, entry.crc32, entry.size, is_wide(entry.size)) +
         zip_numbers(2, {entry.name.size(), extra.size()}) + entry.name + extra;
}

std::string ZipWriter::directory_entry(const Entry& entry) {
  std::vector<std::uint64_t> wide;
  if (is_wide(entry.size)) wide = {entry.size, entry.size};
  if (is_wide(entry.offset)) wide.push_back(entry.offset);
  const std::string extra = zip64_field(wide);
  return std::string(zip::kDirectoryEntry) + zip_numbers(2, {wide.empty() ? kVersion : kZip64Version}) +
         common_part(entry.name, entry.crc32, entry.size, !wide.empty()) +
         zip_numbers(2, {entry.name.size(), extra.size(), 0, 0, 0}) +
         zip_numbers(4, {0, narrow(entry.offset)}) + entry.name + extra;
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
