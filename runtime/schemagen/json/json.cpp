#include "schemagen/json/json.h"

#include <algorithm>

#include "schemagen/base/attempt.h"
#include "schemagen/base/huge_pages.h"
#include "schemagen/base/unwritable.h"
#include "schemagen/json/document.h"
#include "schemagen/json/padded_text.h"
#include "schemagen/json/reader.h"
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

/// Writes a value that was read, to find out whether it exceeds the limits with the defaults of its absent
/// fields; `memory` bounds the text.
void check_json_defaults(const JsonCodec& codec, const Limits& limits, std::size_t memory, const void* value,
                         const Place& place) {
  const std::vector<UnknownField> any(1);
  JsonWriteOptions options{limits, false, &any, {}};
  options.limits.input_bytes = memory;
  JsonSink out(options);
  try {
    out.check_size(codec.write(out, out.value_room(nullptr), value));
  } catch (const DataError& error) {
    // Only the size can fail without a path: what was read is within the limits.
    if (error.path().empty()) throw DataError(too_much_memory(limits), {}, place);
    throw DataError(error.reason() + kWithDefaults, error.path(), place);
  }
}

/// Lays out valid `json` as json.dumps(indent=spaces) does: one member or item per line, and empty objects
/// and lists on one line. Throws DataError if the result exceeds Limits::input_bytes.
std::string indented(std::string_view json, std::size_t spaces, const Limits& limits) {
  const std::size_t limit = limits.input_bytes;
  std::string text;
  text.reserve(json.size());
  std::size_t depth = 0;
  const auto require_room = [&](std::size_t more) {
    if (more <= limit && text.size() <= limit - more) return;
    throw DataError(too_many_bytes("a document", text.size() + more, limit));
  };
  const auto new_line = [&] {
    const std::size_t width = depth * std::min(spaces, limit);
    require_room(1 + width);
    text += '\n';
    text.append(width, ' ');
  };
  bool is_opened = false;
  for (std::size_t at = 0; (at = json.find_first_not_of(" \t\r\n", at)) != std::string_view::npos;) {
    const char c = json[at];
    const bool closes = c == '}' || c == ']';
    if (closes) --depth;
    if (closes != is_opened) new_line();
    is_opened = c == '{' || c == '[';
    if (is_opened) ++depth;
    const std::size_t end = c == ',' || c == ':' ? at + 1 : end_of_json_token(json, at);
    text.append(json, at, end - at);
    at = end;
    if (c == ',') new_line();
    if (c == ':') text += ' ';
  }
  require_room(0);
  return text;
}

}  // namespace

bool read_plain(std::string_view text, const JsonReadOptions& options, const JsonCodec& codec, void* value,
                bool over) {
  require_place_for_unknown(options);
  if (text.size() > options.limits.input_bytes || most_of_tape(text) > options.limits.memory_bytes) {
    return false;
  }
  const PaddedText padded(text, options.readable_after);
  const HeapRoom room(room_for_value(text));
  void* const made = codec.make(value);
  try {
    FastJsonReader in(padded.view(), options);
    if (over) in.read_over();
    codec.read_plain(in, made);
    if (defaults_may_exceed(options.limits, in.was_deep())) {
      check_json_defaults(codec, options.limits, in.memory_left(), made, {});
    }
    in.finish();
    return true;
  } catch (const NotPlain&) {
    return false;
  } catch (const DataError&) {  // of the check: JsonReader reports it
    return false;
  }
}

void read_document(std::string_view text, const JsonReadOptions& options, const JsonCodec& codec,
                   void* value) {
  read_value(JsonDocument(text, options), options, codec, value);
}

void read_value(const JsonDocument& document, const JsonReadOptions& options, const JsonCodec& codec,
                void* value) {
  require_place_for_unknown(options);
  if (!options.bare_nonfinite) document.refuse_bare_nonfinite();
  if (document.tape().levels > options.limits.depth) {  // the document was parsed with other limits
    document.fail(JsonDocument::root(), too_deep(options.limits));
  }
  const HeapRoom room(room_for_value(document.text()));
  JsonReader in(document, options);
  void* const made = codec.make(value);
  try {
    codec.read(in, made);
  } catch (const DataError& error) {
    if (in.version_note().empty()) throw;
    throw DataError(error.reason() + in.version_note(), error.path(), error.place(),
                    {error.fault().is_unknown_field, true});
  }
  if (defaults_may_exceed(options.limits, document.was_deep(options.limits.depth))) {
    check_json_defaults(codec, options.limits, in.memory_left(), made, document.place(JsonDocument::root()));
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
  if (!read_plain(text, options, codec, value)) read_document(text, options, codec, value);
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
