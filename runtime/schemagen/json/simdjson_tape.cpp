// The only file that knows simdjson.
#include "schemagen/json/tape.h"

#ifdef SCHEMAGEN_WITH_SIMDJSON

#include <simdjson.h>

#include <algorithm>

#include "schemagen/json/padded_text.h"
#include "schemagen/value/pages.h"

namespace schemagen {

std::optional<JsonTape> parse_with_simdjson(std::string_view text, const Limits& limits,
                                            std::size_t readable_after) {
  // The parser keeps the offset of each token, of which there may be one in every byte.
  if (text.size() > limits.memory_bytes / (1 + sizeof(std::uint32_t))) return std::nullopt;
  static_assert(PaddedText::kBehind >= simdjson::SIMDJSON_PADDING);
  const PaddedText padded(text, readable_after);
  const char* const readable = padded.view().data();
  // Only its first stage: it finds the tokens and checks UTF-8, quotes and control characters, block by
  // block. Its second one would copy all strings, and take lone surrogates.
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
  const std::size_t capacity = std::max<std::size_t>(text.size(), 64);
  constexpr std::size_t kNoDepth = 1;
  if (simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, kNoDepth, parser) !=
      simdjson::SUCCESS) {
    return std::nullopt;
  }
  prefer_large_pages(parser->structural_indexes.get(), capacity * sizeof(std::uint32_t));
  if (parser->stage1(reinterpret_cast<const std::uint8_t*>(readable), text.size(),
                     simdjson::stage1_mode::regular) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  return tape_of_index(text, readable, parser->structural_indexes.get(), parser->n_structural_indexes,
                       limits);
}

}  // namespace schemagen

#else

namespace schemagen {

std::optional<JsonTape> parse_with_simdjson(std::string_view, const Limits&, std::size_t) {
  return std::nullopt;
}

}  // namespace schemagen

#endif
