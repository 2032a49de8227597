// A payload that can be decoded survives a round trip in every form. The first byte selects schema and
// options.
#include <everything/binary.h>
#include <pt2/binary.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fault.h"
#include "schemagen/base/error.h"

namespace {

using schemagen::BinaryReadOptions;

template <class T>
void check_value(const T& value, const BinaryReadOptions& options, std::string_view payload) {
  const std::string bytes = schemagen::to_binary(value);
  require(schemagen::to_binary(schemagen::from_binary<T>(bytes)) == bytes, "what is written is read");

  schemagen::BinaryWriteOptions sorted;
  sorted.canonical = true;
  BinaryReadOptions strict;
  strict.canonical_check = true;
  const std::string canonical = schemagen::to_binary(value, sorted);
  require(schemagen::to_binary(schemagen::from_binary<T>(canonical, strict)) == canonical,
          "canonical bytes are taken");
  const bool is_whole = options.unknown_fields == schemagen::UnknownFields::error &&
                        options.doubles == schemagen::DoubleOrder::little_endian;
  if (is_whole && options.canonical_check) require(canonical == payload, "only canonical bytes are taken");
}

template <class T>
void check_kept(const T& value, std::vector<schemagen::UnknownField> kept) {
  BinaryReadOptions reading;
  reading.unknown_fields = schemagen::UnknownFields::keep;
  reading.preserved = &kept;
  schemagen::BinaryWriteOptions writing;
  writing.preserved = &kept;
  const std::string bytes = schemagen::to_binary(value, writing);
  const T again = schemagen::from_binary<T>(bytes, reading);
  require(schemagen::to_binary(again, writing) == bytes, "what is put back is kept again");
}

template <class T>
void check(std::string_view payload, BinaryReadOptions options) {
  std::vector<schemagen::UnknownField> kept;
  options.preserved = &kept;
  std::vector<schemagen::SkippedField> skipped;
  options.skipped = &skipped;
  options.limits.depth = 40;
  options.limits.string_bytes = 1000;
  options.limits.container_items = 1000;
  T value;
  try {
    value = schemagen::from_binary<T>(payload, options);
  } catch (const schemagen::DataError& error) {
    require_message(error);
    require(error.place().offset && *error.place().offset <= payload.size(), "a place is in the payload");
    return;
  }
  if (options.unknown_fields == schemagen::UnknownFields::keep) check_kept(value, kept);
  // Skipping the member of a union leaves no bytes.
  if (options.unknown_fields == schemagen::UnknownFields::error) check_value(value, options, payload);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned choice = data[0];
  const std::vector<char> copy(data + 1, data + size);
  const std::string_view payload(copy.data(), copy.size());
  BinaryReadOptions options;
  options.unknown_fields = static_cast<schemagen::UnknownFields>(choice & 3);
  options.canonical_check = (choice & 4) != 0;
  if ((choice & 8) != 0) options.doubles = schemagen::DoubleOrder::big_endian;
  switch (choice >> 4) {
    case 0:
      check<everything::Scalars>(payload, options);
      break;
    case 1:
      check<everything::Containers>(payload, options);
      break;
    case 2:
      check<everything::Tree>(payload, options);
      break;
    case 3:
      check<pt2::Graph>(payload, options);
      break;
    case 4:
      check<everything::Numbers>(payload, options);
      break;
    default:
      check<pt2::ExportedProgram>(payload, options);
      break;
  }
  return 0;
}
