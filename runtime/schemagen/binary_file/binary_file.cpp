#include "schemagen/binary_file/binary_file.h"

#include "schemagen/base/attempt.h"
#include "schemagen/base/base64.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/quote.h"
#include "schemagen/binary_file/payload.h"
#include "schemagen/thrift/wire.h"

#ifdef PT2_WITH_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

#include <new>
#endif

#ifdef PT2_WITH_XXHASH
#define XXH_INLINE_ALL
#include <xxhash.h>
#endif

namespace schemagen {

void detail::bad_file(std::size_t offset, std::string reason) {
  throw DataError(std::move(reason), {}, {offset});
}

namespace {

using detail::bad_file;

constexpr std::size_t kMagicBytes = 8;
constexpr unsigned kVersion = 1;
constexpr unsigned kBigEndianDoubles = 1;
constexpr unsigned kZstd = 2;
constexpr std::size_t kChecksumBytes = 8;

void append_little_endian(std::string& out, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    out += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
}

class Parts {
 public:
  explicit Parts(std::string_view file) : file_(file) {}

  std::size_t offset() const { return at_; }
  std::size_t left() const { return file_.size() - at_; }
  std::string_view bytes(std::size_t count, const char* what) {
    if (count > left()) bad_file(at_, std::string("the file ends within ") + what);
    at_ += count;
    return file_.substr(at_ - count, count);
  }
  std::uint64_t number(std::size_t count, const char* what) {
    std::uint64_t value = 0;
    const std::string_view digits = bytes(count, what);
    for (std::size_t i = count; i-- > 0;) value = (value << 8) | static_cast<unsigned char>(digits[i]);
    return value;
  }

 private:
  std::string_view file_;
  std::size_t at_ = 0;
};

void check_magic(const BinaryFileFormat& format, std::string_view file) {
  if (file.substr(0, kMagicBytes) == format.magic) return;
  if (looks_like(format, file)) {
    if (format.magic.substr(0, file.size()) == file) bad_file(file.size(), "the file ends within the magic");
    // The magic contains both kinds of line endings, which reveals text-mode transfers.
    bad_file(4,
             "the file was transferred in text mode, which changed its line endings; hint: transfer it in "
             "binary mode");
  }
  bad_file(0, "not a " + std::string(format.file) + " file: expected magic " + hex_text(format.magic, " "));
}

std::uint64_t read_flags(Parts& parts) {
  parts.bytes(kMagicBytes, "the magic");
  const std::size_t version_offset = parts.offset();
  if (const auto version = parts.number(1, "the header"); version != kVersion) {
    bad_file(version_offset, "unknown binary file version " + std::to_string(version) + ", expected 1");
  }
  const std::size_t flags_offset = parts.offset();
  const std::uint64_t flags = parts.number(1, "the header");
  if ((flags & ~std::uint64_t{kBigEndianDoubles | kZstd}) != 0) {
    bad_file(flags_offset, "unknown flags " + std::to_string(flags) + ": a newer library wrote this file");
  }
  return flags;
}

void require_within(std::size_t limit, const char* name, std::uint64_t size, std::size_t offset) {
  if (size <= limit) return;
  bad_file(offset, "the payload has " + std::to_string(size) + " bytes, over the limit of " +
                       std::to_string(limit) + " (" + name + ")");
}

BinaryFileHeader read_header(Parts& parts, std::uint64_t flags) {
  BinaryFileHeader header;
  header.doubles = (flags & kBigEndianDoubles) != 0 ? DoubleOrder::big_endian : DoubleOrder::little_endian;
  header.schema_major = static_cast<std::uint32_t>(parts.number(4, "the header"));
  header.schema_minor = static_cast<std::uint32_t>(parts.number(4, "the header"));
  for (std::uint8_t& byte : header.schema_id) byte = static_cast<std::uint8_t>(parts.number(1, "the header"));
  header.root = parts.bytes(static_cast<std::size_t>(parts.number(1, "the header")), "the header");
  return header;
}

#ifdef PT2_WITH_XXHASH
std::uint64_t checksum_of(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}
#else
[[noreturn]] std::uint64_t checksum_of(std::string_view) {
  throw DataError(
      "cannot check binary files: this library was built without xxHash; hint: compile it with "
      "-DPT2_WITH_XXHASH");
}
#endif

#ifdef PT2_WITH_ZSTD
// zstd's default: higher levels gain little and take several times as long.
constexpr int kLevel = 3;

const char* zstd_fault(std::size_t result) {
  if (!ZSTD_isError(result)) return nullptr;
  if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  return ZSTD_getErrorName(result);
}

std::string compressed(std::string_view payload) {
  std::string frame(ZSTD_compressBound(payload.size()), '\0');
  const std::size_t size = ZSTD_compress(frame.data(), frame.size(), payload.data(), payload.size(), kLevel);
  if (const char* const fault = zstd_fault(size)) throw Error(std::string("zstd: ") + fault);
  frame.resize(size);
  return frame;
}
#else
std::string compressed(std::string_view) {
  throw UsageError("cannot compress: this library was built without libzstd");
}
#endif

}  // namespace

std::string schema_id_text(const BinaryFileHeader& header) {
  return hex_text({reinterpret_cast<const char*>(header.schema_id.data()), header.schema_id.size()});
}

bool has_zstd() noexcept {
#ifdef PT2_WITH_ZSTD
  return true;
#else
  return false;
#endif
}

bool looks_like(const BinaryFileFormat& format, std::string_view file) {
  constexpr std::size_t kHalf = kMagicBytes / 2;
  return file.substr(0, kHalf) == format.magic.substr(0, kHalf);
}

BinaryFile::BinaryFile(const BinaryFileFormat& format, std::string_view file, const Limits& limits)
    : format_(format) {
  check_magic(format, file);
  Parts parts(file);
  const std::uint64_t flags = read_flags(parts);
  compression_ = (flags & kZstd) != 0 ? Compression::zstd : Compression::none;
  header_ = read_header(parts, flags);
  const std::size_t length_offset = parts.offset();
  const std::uint64_t length = parts.number(8, "the header");
  if (length == 0 && parts.left() > kChecksumBytes) {
    bad_file(length_offset, "expected a file with one value, got a file of records");
  }
  if (parts.left() < kChecksumBytes || length != parts.left() - kChecksumBytes) {
    bad_file(length_offset, "expected a payload of " + counted(length, "byte") +
                                " and a checksum of 8, found " + counted(parts.left(), "byte"));
  }
  const std::size_t payload_offset = parts.offset();
  payload_ = parts.bytes(static_cast<std::size_t>(length), "the payload");
  const std::size_t checksum_offset = parts.offset();
  if (parts.number(kChecksumBytes, "the checksum") != checksum_of(file.substr(0, checksum_offset))) {
    bad_file(checksum_offset, "checksum mismatch: the file is damaged");
  }
  if (compression_ == Compression::zstd) decompress(payload_, payload_offset, limits);
  require_within(limits.input_bytes, "input_bytes", payload_.size(), payload_offset);
}

#ifdef PT2_WITH_ZSTD
void BinaryFile::decompress(std::string_view frame, std::size_t offset, const Limits& limits) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_ERROR) bad_file(offset, "the payload is not a zstd frame");
  if (size == ZSTD_CONTENTSIZE_UNKNOWN) bad_file(offset, "the zstd frame does not record its content size");
  require_within(limits.input_bytes, "input_bytes", size, offset);
  require_within(limits.memory_bytes, "memory_bytes", size, offset);
  // Bounds the allocation: a block of at most 128 KiB takes at least four bytes.
  constexpr unsigned long long kBlockContent = 128ULL * 1024;
  if (size > (frame.size() / 4 + 1) * kBlockContent ||
      ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size()) {
    bad_file(offset, "the payload is not exactly one zstd frame");
  }
  decompressed_.reset(new char[static_cast<std::size_t>(size)]);  // make_unique would clear it
  const std::size_t result =
      ZSTD_decompress(decompressed_.get(), static_cast<std::size_t>(size), frame.data(), frame.size());
  if (const char* const fault = zstd_fault(result)) bad_file(offset, std::string("zstd: ") + fault);
  if (result != size) bad_file(offset, "the zstd frame is shorter than its recorded size");
  payload_ = {decompressed_.get(), result};
}
#else
void BinaryFile::decompress(std::string_view, std::size_t offset, const Limits&) {
  bad_file(
      offset,
      "cannot decompress the payload: this library was built without libzstd; hint: write the file without "
      "compression");
}
#endif

std::string seal(const BinaryFileFormat& format, const BinaryFileHeader& header, std::string_view payload,
                 Compression compression) {
  if (header.root.size() > 255) throw UsageError("the name of the root type exceeds 255 bytes");
  std::string frame;
  if (compression == Compression::zstd) payload = frame = compressed(payload);

  std::string file;
  file.reserve(64 + header.root.size() + payload.size());
  file += format.magic;
  file += static_cast<char>(kVersion);
  file += static_cast<char>((header.doubles == DoubleOrder::big_endian ? kBigEndianDoubles : 0) |
                            (compression == Compression::zstd ? kZstd : 0));
  append_little_endian(file, header.schema_major, 4);
  append_little_endian(file, header.schema_minor, 4);
  file.append(header.schema_id.begin(), header.schema_id.end());
  append_little_endian(file, header.root.size(), 1);
  file += header.root;
  append_little_endian(file, payload.size(), 8);
  file += payload;
  append_little_endian(file, checksum_of(file), kChecksumBytes);
  return file;
}

}  // namespace schemagen

namespace schemagen::detail {
namespace {

Version version_of(const BinaryFileHeader& header) {
  return {header.schema_major, header.schema_minor};
}

std::string root_name(const BinaryFileFormat& format, const CompactType& root) {
  const std::string name(root.name);
  return format.names_schema ? std::string(root.schema->name) + "." + name : name;
}

std::optional<std::string> why_unreadable(const BinaryFileFormat& format, const BinaryFileHeader& header,
                                          const CompactType& root) {
  const Version version = version_of(header);
  return format.why_unreadable != nullptr ? format.why_unreadable(version)
                                          : schemagen::why_unreadable(*root.schema, header.root, version);
}

void check_type(const BinaryFile& file, const CompactType& root) {
  const BinaryFileHeader& header = file.header();
  const std::string own = root_name(file.format(), root);
  // The version matters only for files with this schema.
  const std::size_t schema_size = own.size() - root.name.size();
  if (header.root.compare(0, schema_size, own, 0, schema_size) == 0) {
    const auto reason = why_unreadable(file.format(), header, root);
    if (reason) throw DataError(*reason, {}, {BinaryFileHeader::kVersionAt});
  }
  if (header.root == own) return;
  throw DataError(
      "expected a value of type " + schemagen::quoted(own) + ", got " + schemagen::quoted(header.root), {},
      {BinaryFileHeader::kRootAt});
}

}  // namespace

BinaryFileHeader header_for(const BinaryFileFormat& format, const CompactType& root,
                            const BinaryFileWriteOptions& options) {
  BinaryFileHeader header;
  header.schema_major = static_cast<std::uint32_t>(root.schema->version.major);
  if (options.written_by != nullptr) {
    header.schema_minor = options.written_by->schema_minor;
    header.schema_id = options.written_by->schema_id;
  } else if (options.payload.preserved == nullptr || options.payload.preserved->empty()) {
    header.schema_minor = static_cast<std::uint32_t>(root.schema->version.minor);
    header.schema_id = root.schema->id;
  } else {
    throw UsageError(kUnknownWithoutHeader);
  }
  header.root = root_name(format, root);
  return header;
}

std::string write_binary_file(const BinaryFileFormat& format, const CompactType& root,
                              const BinaryFileWriteOptions& options, WritePayload write, const void* value) {
  const BinaryFileHeader header =
      header_for(format, root, options);  // first: its errors are about the options
  return seal(format, header, write_payload(root, options.payload, write, value), options.compression);
}

BinaryReadOptions adapted(const BinaryFile& file, const CompactType& root, const BinaryReadOptions& options) {
  check_type(file, root);
  const BinaryFileHeader& header = file.header();
  BinaryReadOptions reading = options;
  reading.doubles = header.doubles;
  reading.unknown_fields = unknown_fields_for(*root.schema, version_of(header), options.unknown_fields);
  return reading;
}

void read_adapted(const BinaryFileHeader& header, std::string_view payload, const CompactType& root,
                  const BinaryReadOptions& options, const CompactCodec& codec, void* value) {
  try {
    read_payload(payload, root, options, codec, value);
  } catch (const DataError& error) {
    if (header.schema_id == root.schema->id) throw;
    throw DataError(error.reason() + "; written with schema id " + schema_id_text(header) + " (" +
                        version_text(version_of(header)) + "), read with " +
                        version_text(root.schema->version) +
                        ", where a field id may have a different meaning",
                    error.path(), error.place(), {error.fault().is_unknown_field, true});
  }
}

void read_binary_file(const BinaryFile& file, const CompactType& root, const BinaryReadOptions& options,
                      const CompactCodec& codec, void* value) {
  read_adapted(file.header(), file.payload(), root, adapted(file, root, options), codec, value);
}

void read_file(const BinaryFileFormat& format, std::string_view file, const CompactType& root,
               const BinaryReadOptions& options, const CompactCodec& codec, void* value) {
  const BinaryFile opened(format, file, options.limits);
  BinaryReadOptions reading = options;
  reading.limits.memory_bytes -= opened.owned_bytes();
  read_binary_file(opened, root, reading, codec, value);
}

Result<std::string> try_write_binary_file(const BinaryFileFormat& format, const CompactType& root,
                                          const BinaryFileWriteOptions& options, WritePayload write,
                                          const void* value) noexcept {
  return attempt([&] { return write_binary_file(format, root, options, write, value); });
}

Result<void> try_read_file(const BinaryFileFormat& format, std::string_view file, const CompactType& root,
                           const BinaryReadOptions& options, const CompactCodec& codec,
                           void* value) noexcept {
  return attempt([&] { read_file(format, file, root, options, codec, value); });
}

}  // namespace schemagen::detail
