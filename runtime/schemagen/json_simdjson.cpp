// The only file that knows simdjson.
#include "schemagen/json_tape.h"

#ifdef SCHEMAGEN_WITH_SIMDJSON

#include <simdjson.h>

#include <algorithm>

#include "schemagen/utf8.h"

namespace schemagen {
namespace {

bool strings_are_utf8(const JsonTape& tape) {
  const std::size_t end = tape.words[0] & JsonTape::kPayload;
  for (std::size_t i = 1; i < end;) {
    if (tape.tag(i) == JsonTape::kString && find_bad_utf8(tape.string(i))) return false;
    const bool opens = tape.tag(i) == JsonTape::kObject || tape.tag(i) == JsonTape::kArray;
    i = opens ? i + 1 : tape.next(i);
  }
  return true;
}

}  // namespace

std::optional<JsonTape> parse_with_simdjson(std::string_view text, const Limits& limits,
                                            std::size_t readable_after) {
  // The parser dies with this function: its index of the text is as large as the tape.
  simdjson::dom::parser parser;
  // simdjson counts the place of a value as a level of its own.
  if (parser.allocate(std::max<std::size_t>(text.size(), 64), limits.depth + 1) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  auto document = std::make_shared<simdjson::dom::document>();
  const bool copy = readable_after < simdjson::SIMDJSON_PADDING;
  if (parser.parse_into_document(*document, text.data(), text.size(), copy).error() != simdjson::SUCCESS) {
    return std::nullopt;
  }
  JsonTape tape;
  tape.words = document->tape.get();
  tape.strings = document->string_buf.get();
  tape.owner = std::move(document);
  // simdjson 3.0 takes the escape of a lone low surrogate, which leaves bytes that are no UTF-8 in the
  // string.
  if (may_hold_lone_surrogates(text) && !strings_are_utf8(tape)) return std::nullopt;
  return tape;
}

}  // namespace schemagen

#else

namespace schemagen {

std::optional<JsonTape> parse_with_simdjson(std::string_view, const Limits&, std::size_t) {
  return std::nullopt;
}

}  // namespace schemagen

#endif
