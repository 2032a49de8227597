#pragma once

#include <string_view>

#include "schemagen/json/document.h"
#include "schemagen/json/reader.h"

namespace pt2 {

/// Calls `use` with a reader of `text`. Throws DataError if `text` is not JSON.
template <class Use>
auto read_json_text(std::string_view text, const Use& use) {
  const schemagen::JsonReadOptions options;
  const schemagen::JsonDocument document(text, options);
  schemagen::JsonReader in(document, options);
  return use(in);
}

}  // namespace pt2
