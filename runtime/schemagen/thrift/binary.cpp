#include "schemagen/thrift/binary.h"

#include "schemagen/base/attempt.h"
#include "schemagen/base/unwritable.h"
#include "schemagen/thrift/reader.h"
#include "schemagen/thrift/writer.h"

namespace schemagen::detail {

namespace {

/// Like check_json_defaults().
void check_binary_defaults(const CompactCodec& codec, const CompactType& type, const Limits& limits,
                           std::size_t memory, const void* value) {
  const std::vector<UnknownField> any(1);
  BinaryWriteOptions options{limits, false, &any};
  options.limits.input_bytes = memory;
  CompactWriter out(type, options);
  try {
    codec.write(out, value);
    out.check_size();
  } catch (const DataError& error) {
    const Place whole = {0};
    if (error.path().empty()) throw DataError(too_much_memory(limits), {}, whole);
    throw DataError(error.reason() + kWithDefaults, error.path(), whole);
  }
}

}  // namespace

void read_payload(std::string_view payload, const CompactType& type, const BinaryReadOptions& options,
                  const CompactCodec& codec, void* value) {
  if (options.unknown_fields == UnknownFields::keep && options.preserved == nullptr)
    throw UsageError(kNoPlaceForUnknown);
  CompactReader in(payload, type, options);
  void* const made = codec.make(value);
  codec.read(in, made);
  if (defaults_may_exceed(options.limits, in.was_deep())) {
    check_binary_defaults(codec, type, options.limits, in.memory_left(), made);
  }
  in.finish();
}

bool reads_over(CompactReader& in, void (*read)(CompactReader&, void*), void* value) {
  return in.read_over(read, value);
}

std::string write_payload(const CompactType& type, const BinaryWriteOptions& options,
                          void (*write)(CompactWriter&, const void*), const void* value) {
  CompactWriter out(type, options);
  write(out, value);
  out.check_size();
  return out.writes_unknown_fields() ? with_unknown_fields(out) : std::string(out.view());
}

Result<void> try_read_payload(std::string_view payload, const CompactType& type,
                              const BinaryReadOptions& options, const CompactCodec& codec,
                              void* value) noexcept {
  return attempt([&] { read_payload(payload, type, options, codec, value); });
}

Result<std::string> try_write_payload(const CompactType& type, const BinaryWriteOptions& options,
                                      const CompactCodec& codec, const void* value) noexcept {
  return attempt([&] { return write_payload(type, options, codec.write, value); });
}

}  // namespace schemagen::detail
