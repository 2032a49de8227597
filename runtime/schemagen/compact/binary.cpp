#include "schemagen/compact/binary.h"

#include "schemagen/compact/reader.h"
#include "schemagen/compact/writer.h"

namespace schemagen::detail {

void read_payload(std::string_view payload, const CompactType& type, const BinaryReadOptions& options,
                  void (*read)(CompactReader&, void*), void* value) {
  CompactReader in(payload, type, options);
  read(in, value);
  in.finish();
}

std::string write_payload(const CompactType& type, const BinaryWriteOptions& options,
                          void (*write)(CompactWriter&, const void*), const void* value) {
  CompactWriter out(type, options);
  write(out, value);
  out.check_size();
  return std::string(out.view());
}

}  // namespace schemagen::detail
