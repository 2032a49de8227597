#include "schemagen/binary_file/records.h"

#include <algorithm>
#include <istream>
#include <ostream>

#include "schemagen/base/attempt.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/record_stream.h"
#include "schemagen/binary_file/payload.h"

namespace schemagen::detail {
namespace {

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(static_cast<unsigned char>(value | 0x80));
  return bytes += static_cast<char>(static_cast<unsigned char>(value));
}

}  // namespace

std::size_t BinaryRecords::append(std::size_t size) {
  // A file may claim more than it has, so allocate as data arrives.
  constexpr std::size_t kAtOnce = std::size_t{64} << 10;
  std::size_t total = 0;
  while (total < size) {
    const std::size_t before = buffer_.size();
    const std::size_t part = std::min(size - total, std::max(kAtOnce, before));
    buffer_.resize(before + part);
    const std::size_t got = read_bytes(*in_, &buffer_[before], part);
    buffer_.resize(before + got);
    total += got;
    if (got < part) break;
  }
  offset_ += total;
  return total;
}

void BinaryRecords::open() {
  constexpr std::size_t kToName = BinaryFileHeader::kRootAt + 1;
  constexpr std::size_t kLengthBytes = 8;
  constexpr std::size_t kBehindLength = 8;
  require_quiet(*in_);
  if (append(kToName) == kToName && looks_like(format_, buffer_)) {
    const std::size_t name = static_cast<unsigned char>(buffer_.back());
    append(name + kLengthBytes);
    const std::string_view length =
        std::string_view(buffer_).substr(std::min(buffer_.size(), kToName + name));
    if (length.find_first_not_of('\0') != std::string_view::npos) {
      bad_file(kToName + name, "expected a file of records, got a file with one value");
    }
    append(kBehindLength);
  }
  const BinaryFile opened(format_, buffer_, options_.limits);
  header_ = opened.header();
  options_ = adapted(opened, *root_, options_);
}

bool BinaryRecords::read_size(std::uint64_t& size) {
  const std::size_t start = offset_;
  size = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    char byte = '\0';
    if (read_bytes(*in_, &byte, 1) == 0) {
      if (shift == 0) return false;
      bad_file(start, "the file ends within the length of a record");
    }
    if (shift == 0) ++number_;
    ++offset_;
    const auto bits = static_cast<unsigned char>(byte);
    if (shift == 63 && bits > 1) break;
    size |= std::uint64_t{bits & 0x7fu} << shift;
    if (bits < 0x80) return true;
  }
  bad_file(start, "the length of a record does not fit in 64 bits");
}

bool BinaryRecords::next_payload() {
  const std::size_t start = offset_;
  std::uint64_t size = 0;
  if (!read_size(size)) return false;
  if (size > options_.limits.input_bytes) {
    bad_file(start, too_many_bytes("a record", size, options_.limits.input_bytes));
  }
  buffer_.clear();
  const std::size_t got = append(static_cast<std::size_t>(size));
  if (got == size) return true;
  bad_file(start, "expected a record of " + counted(size, "byte") + ", found " + std::to_string(got) +
                      " before the end of the file");
}

void BinaryRecords::next(const CompactCodec& codec, void* value) {
  if (is_over_) return;
  try {
    if (offset_ == 0) open();
    if (!next_payload()) return;
  } catch (const DataError& error) {
    is_over_ = true;
    if (number_ == 0) throw;
    throw in_record(error, number_, error.place());
  }
  try {
    read_adapted(header_, buffer_, *root_, options_, codec, value);
  } catch (const DataError& error) {
    throw in_record(error, number_, {offset_ - buffer_.size() + error.place().offset.value_or(0)});
  }
}

Result<void> BinaryRecords::try_next(const CompactCodec& codec, void* value) noexcept {
  return attempt([&] { next(codec, value); });
}

BinaryRecordsOut::BinaryRecordsOut(std::ostream& out, const CompactType& root,
                                   const BinaryFileWriteOptions& options, const BinaryFileFormat& format)
    : out_(&out), root_(&root), options_(options.payload) {
  require_quiet(out);
  if (options.compression != Compression::none) throw UsageError("cannot compress a file of records");
  if (options.payload.preserved != nullptr && options.written_by == nullptr)
    throw UsageError(kUnknownWithoutHeader);
  const std::string header = seal(format, header_for(format, root, options), {}, Compression::none);
  out.write(header.data(), static_cast<std::streamsize>(header.size()));
}

void BinaryRecordsOut::write(const CompactCodec& codec, const void* value) {
  try {
    const std::string payload = write_payload(*root_, options_, codec.write, value);
    write_record(*out_, varint(payload.size()) + payload, number_ + 1);
    ++number_;
  } catch (const DataError& error) {
    throw in_record(error, number_ + 1, error.place());
  }
}

Result<void> BinaryRecordsOut::try_write(const CompactCodec& codec, const void* value) noexcept {
  return attempt([&] { write(codec, value); });
}

}  // namespace schemagen::detail
