#include "pt2/archive/archive_writer.h"

#include "pt2/archive/archive_rewrite.h"
#include "pt2/archive/record_names.h"
#include "pt2/text/affix.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

/// c10::hash_combine
std::uint64_t combine(std::uint64_t seed, std::uint64_t value) {
  return seed ^ (value + 0x9e3779b9 + (seed << 6) + (seed >> 2));
}

/// FNV-1a. PyTorch's value depends on its C++ library and on the order of a hash table.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::string twenty_digits(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  return std::string(20 - digits.size(), '0') + digits;
}

}  // namespace

ArchiveWriter::ArchiveWriter(ByteSink out, std::string top_folder)
    : zip_(std::move(out)), top_folder_(std::move(top_folder)) {}

std::string ArchiveWriter::new_name(std::string_view record) {
  if (!records_.emplace(record).second) {
    throw schemagen::UsageError("the archive already has a record " + schemagen::quoted(record));
  }
  names_hash_ = combine(names_hash_, hash_of(record));
  return top_folder_.empty() ? std::string(record) : top_folder_ + "/" + std::string(record);
}

void ArchiveWriter::note_checksum() {
  checksums_hash_ = combine(checksums_hash_, zip_.last_crc32());
}

void ArchiveWriter::add(std::string_view record, std::string_view content) {
  zip_.add(new_name(record), content);
  note_checksum();
}

void ArchiveWriter::add(std::string_view record, std::uint64_t size, const ByteSource& content,
                        std::optional<std::uint32_t> crc32) {
  zip_.add(new_name(record), size, content, crc32);
  note_checksum();
}

void ArchiveWriter::copy(const ZipReader& zip, const ZipMember& member, std::string_view record) {
  copy_member(zip, member, new_name(record), zip_);
  note_checksum();
}

std::size_t ArchiveWriter::count(std::string_view prefix) const {
  std::size_t number = 0;
  for (auto record = records_.lower_bound(prefix); record != records_.end() && starts_with(*record, prefix);
       ++record) {
    ++number;
  }
  return number;
}

void ArchiveWriter::add_missing(std::string_view record, std::string_view content) {
  if (records_.find(record) == records_.end()) add(record, content);
}

void ArchiveWriter::finish() {
  add_missing(record::kFormat, "pt2");
  add_missing(record::kVersion, "0");
  add_missing(record::kZipVersion, "6\n");  // the oldest reader that can read it
  add_missing(record::kByteOrder, "little");
  add_missing(record::kSerializationId, twenty_digits(names_hash_) + twenty_digits(checksums_hash_));
  zip_.finish();
}

void add_missing_inputs(const Archive& archive, ArchiveWriter& out) {
  for (const ArchivedModel& model : archive.models) {
    const std::string inputs = record::joined(record::kSampleInputs, model.name, record::kPickle);
    if (out.count(inputs) == 0) out.add(inputs, "");
  }
}

}  // namespace pt2
