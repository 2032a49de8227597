// A fuzzer cannot guess the checksum, so it is corrected.
#include <everything/binary.h>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "fault.h"
#include "pt2/binary/binary_file.h"
#include "schemagen/base/error.h"
#include "schemagen/binary_file/records.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

using schemagen::BinaryFile;
using schemagen::Compression;

namespace {

void check_value(const schemagen::BinaryFileFormat& format, std::string_view file,
                 const schemagen::BinaryReadOptions& options) {
  try {
    const auto value = schemagen::from_binary_file<everything::Containers>(file, options, format);
    const std::string written = schemagen::to_binary_file(value, {}, format);
    const auto back = schemagen::from_binary_file<everything::Containers>(written, options, format);
    require(schemagen::to_binary_file(back, {}, format) == written, "what is written is read");
  } catch (const schemagen::DataError& error) {
    require_message(error);
  }
}

void check(const schemagen::BinaryFileFormat& format, std::string_view file) {
  schemagen::BinaryReadOptions options;
  options.limits.input_bytes = std::size_t{1} << 20;
  const schemagen::Limits& limits = options.limits;
  try {
    const BinaryFile binary(format, file, limits);
    require(binary.payload().size() <= limits.input_bytes, "limits hold");
    const std::string again = seal(format, binary.header(), binary.payload(), Compression::none);
    require(BinaryFile(format, again, limits).payload() == binary.payload(), "what is sealed is read");
    if (binary.compression() == Compression::none)
      require(again == file, "what was not compressed is sealed alike");
    check_value(format, file, options);
  } catch (const schemagen::DataError& error) {
    require_message(error);
    require(error.place().offset && *error.place().offset <= file.size(), "a place is in the file");
  }
}

void check(std::string_view file) {
  check(pt2::kPt2b, file);
  check(schemagen::kAnySchema, file);
}

template <class Take>
void read_records(const std::string& file, const Take& take) {
  schemagen::BinaryReadOptions options;
  options.limits.input_bytes = std::size_t{1} << 20;
  std::istringstream in(file);
  schemagen::BinaryRecordReader<everything::Containers> reader(in, options);
  for (std::uint64_t number = 0;;) {
    const auto record = reader.try_next();
    if (record && !*record) return;
    if (!record) {
      require_message(record.failure().what());
      const auto offset = record.failure().place().offset;
      require(offset && *offset <= file.size(), "a place is in the file");
      if (reader.number() == number) return;
    }
    require(reader.number() == number + 1, "records are counted");
    ++number;
    if (record) take(**record);
  }
}

void check_records(std::string_view bytes) {
  std::ostringstream out;
  schemagen::BinaryRecordWriter<everything::Containers> writer(out);
  std::size_t count = 0;
  read_records(out.str() + std::string(bytes), [&](const everything::Containers& value) {
    writer.write(value);
    ++count;
  });
  read_records(out.str(), [&](const everything::Containers&) { --count; });
  require(count == 0, "records that are written are read");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string file(reinterpret_cast<const char*>(data), size);
  check(file);
  check_records(file);
  const std::uint64_t checksum = XXH3_64bits(file.data(), file.size());
  for (int i = 0; i < 8; ++i) file += static_cast<char>(static_cast<unsigned char>(checksum >> (8 * i)));
  check(file);
  return 0;
}
