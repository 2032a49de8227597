#include "schemagen/json/json.h"

#include "schemagen/json/document.h"
#include "schemagen/json/put_back.h"
#include "schemagen/json/reader.h"
#include "schemagen/json/writer.h"
#include "schemagen/value/attempt.h"
#include "schemagen/value/error.h"
#include "schemagen/value/pages.h"
#include "schemagen/value/unwritable.h"

namespace schemagen::detail {

void read_document(std::string_view text, const JsonReadOptions& options, void (*read)(JsonReader&, void*),
                   void* value) {
  read_value(JsonDocument(text, options), options, read, value);
}

void read_value(const JsonDocument& document, const JsonReadOptions& options,
                void (*read)(JsonReader&, void*), void* value) {
  if (options.unknown_fields == UnknownFields::keep && options.kept == nullptr) throw UsageError(kNoKept);
  if (!options.bare_nonfinite) document.refuse_bare_nonfinite();
  const HeapRoom room(document.text().size() / 4 * 7);
  JsonReader in(document, options);
  try {
    read(in, value);
  } catch (const DataError& error) {
    if (in.version_note().empty()) throw;
    throw DataError(error.reason() + in.version_note(), error.path(), error.place());
  }
  in.report();
}

std::string write_document(const JsonWriteOptions& options, void (*write)(JsonWriter&, const void*),
                           const void* value) {
  JsonWriter out(options);
  write(out, value);
  out.check_size();
  return out.puts_back() ? with_kept(out) : std::string(out.view());
}

Result<void> try_read_document(std::string_view text, const JsonReadOptions& options, const JsonCodec& codec,
                               void* value) noexcept {
  return attempt([&] { read_document(text, options, codec.read, value); });
}

Result<std::string> try_write_document(const JsonWriteOptions& options, const JsonCodec& codec,
                                       const void* value) noexcept {
  return attempt([&] { return write_document(options, codec.write, value); });
}

}  // namespace schemagen::detail
