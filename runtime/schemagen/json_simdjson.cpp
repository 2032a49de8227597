// The only file that knows simdjson.
#include "schemagen/json_tape.h"

#ifdef SCHEMAGEN_WITH_SIMDJSON

#include <simdjson.h>

#include <algorithm>

#include "schemagen/utf8.h"

namespace schemagen {

std::optional<JsonTape> parse_with_simdjson(std::string_view text, const Limits& limits,
                                            std::size_t readable_after) {
  // The parser dies with this function: its index of the text is as large as the tape.
  simdjson::dom::parser parser;
  // Its limit is the first depth that is refused, but it does not count empty lists and objects: what comes
  // so near to ours, or is deeper than it likes, is left to RapidJSON.
  const std::size_t depth = std::min(limits.depth, simdjson::DEFAULT_MAX_DEPTH);
  if (depth == 0 || parser.allocate(std::max<std::size_t>(text.size(), 64), depth) != simdjson::SUCCESS) {
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
  // simdjson 3.0 takes lone surrogates, which leave bytes that are no UTF-8 in the string, or another
  // character.
  if (may_hold_lone_surrogates(text) && find_lone_surrogate(text)) return std::nullopt;
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
