#include "schemagen/thrift/binary.h"

#include "schemagen/base/attempt.h"
#include "schemagen/base/error.h"
#include "schemagen/base/result.h"
#include "schemagen/base/unwritable.h"
#include "schemagen/thrift/reader.h"
#include "schemagen/thrift/unknown_fields.h"
#include "schemagen/thrift/writer.h"

namespace schemagen::detail {

void read_payload(std::string_view payload, const CompactType& type, const BinaryReadOptions& options,
                  void (*read)(CompactReader&, void*), void* value) {
  if (options.unknown_fields == UnknownFields::keep && options.preserved == nullptr)
    throw UsageError(kNoPlaceForUnknown);
  CompactReader in(payload, type, options);
  read(in, value);
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
  return attempt([&] { read_payload(payload, type, options, codec.read, value); });
}

Result<std::string> try_write_payload(const CompactType& type, const BinaryWriteOptions& options,
                                      const CompactCodec& codec, const void* value) noexcept {
  return attempt([&] { return write_payload(type, options, codec.write, value); });
}

}  // namespace schemagen::detail
