#include "schemagen/json/json.h"

#include "schemagen/base/attempt.h"
#include "schemagen/base/error.h"
#include "schemagen/base/huge_pages.h"
#include "schemagen/base/result.h"
#include "schemagen/base/unwritable.h"
#include "schemagen/json/document.h"
#include "schemagen/json/indent.h"
#include "schemagen/json/padded_text.h"
#include "schemagen/json/reader.h"
#include "schemagen/json/unknown_fields.h"
#include "schemagen/json/writer.h"

namespace schemagen::detail {

namespace {

std::size_t room_for_value(std::string_view text) {
  return text.size() / 4 * 7;
}

void require_place_for_unknown(const JsonReadOptions& options) {
  if (options.unknown_fields == UnknownFields::keep && options.preserved == nullptr)
    throw UsageError(kNoPlaceForUnknown);
}

}  // namespace

bool read_plain(std::string_view text, const JsonReadOptions& options, void (*read)(FastJsonReader&, void*),
                void* value) {
  require_place_for_unknown(options);
  if (text.size() > options.limits.input_bytes || most_of_tape(text) > options.limits.memory_bytes) {
    return false;
  }
  const PaddedText padded(text, options.readable_after);
  const HeapRoom room(room_for_value(text));
  try {
    FastJsonReader in(padded.view(), options);
    read(in, value);
    in.finish();
    return true;
  } catch (const NotPlain&) {
    return false;
  }
}

void read_over(FastJsonReader& in) {
  in.read_over();
}

void read_document(std::string_view text, const JsonReadOptions& options, void (*read)(JsonReader&, void*),
                   void* value) {
  read_value(JsonDocument(text, options), options, read, value);
}

void read_value(const JsonDocument& document, const JsonReadOptions& options,
                void (*read)(JsonReader&, void*), void* value) {
  require_place_for_unknown(options);
  if (!options.bare_nonfinite) document.refuse_bare_nonfinite();
  const HeapRoom room(room_for_value(document.text()));
  JsonReader in(document, options);
  try {
    read(in, value);
  } catch (const DataError& error) {
    if (in.version_note().empty()) throw;
    throw DataError(error.reason() + in.version_note(), error.path(), error.place(),
                    {error.fault().is_unknown_field, true});
  }
  in.report();
}

std::string write_document(const JsonWriteOptions& options, char* (*write)(JsonSink&, char*, const void*),
                           const void* value) {
  JsonSink out(options);
  const char* const end = write(out, out.value_room(nullptr), value);
  out.check_size(end);
  std::string text = out.writes_unknown_fields() ? with_unknown_fields(out, end) : std::string(out.view(end));
  if (options.indent) text = indented(text, *options.indent, options.limits);
  return text;
}

void read_by(const JsonCodec& codec, std::string_view text, const JsonReadOptions& options, void* value) {
  if (read_plain(text, options, codec.read_plain, codec.make(value))) return;
  read_document(text, options, codec.read, codec.make(value));
}

Result<void> try_read_document(std::string_view text, const JsonReadOptions& options, const JsonCodec& codec,
                               void* value) noexcept {
  return attempt([&] { read_by(codec, text, options, value); });
}

Result<std::string> try_write_document(const JsonWriteOptions& options, const JsonCodec& codec,
                                       const void* value) noexcept {
  return attempt([&] { return write_document(options, codec.write, value); });
}

}  // namespace schemagen::detail
