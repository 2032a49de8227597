#include "schemagen/json_document.h"

#include <algorithm>
#include <utility>

#include "schemagen/text_position.h"
#include "schemagen/value_path.h"

namespace schemagen {
namespace {

JsonTape parse(std::string_view text, const JsonReadOptions& options) {
  if (text.size() > options.limits.input_bytes) {
    throw DataError("the document has " + std::to_string(text.size()) + " bytes, over the limit of " +
                    std::to_string(options.limits.input_bytes));
  }
  if (options.backend != JsonBackend::rapidjson) {
    if (auto tape = parse_with_simdjson(text, options.limits, options.readable_after))
      return *std::move(tape);
  }
  return parse_with_rapidjson(text, options.limits);
}

}  // namespace

JsonDocument::JsonDocument(std::string_view text, const JsonReadOptions& options)
    : text_(text), tape_(parse(text, options)) {}

void JsonDocument::refuse_bare_nonfinite() const {
  if (tape_.first_bare != 0)
    fail(tape_.first_bare, "bare NaN and Infinity are not JSON: strings are written for them");
}

std::string JsonDocument::path(std::size_t index) const {
  std::string result;
  std::size_t at = root();
  while (at != index) {
    const bool is_object = tape_.tag(at) == JsonTape::kObject;
    if (!is_object && tape_.tag(at) != JsonTape::kArray) break;
    // Down into the child whose words `index` is among; keys belong to their values.
    std::size_t child = at + 1;
    std::size_t number = 0;
    const std::size_t end = tape_.after(at) - 1;
    while (child < end) {
      const std::size_t value = is_object ? child + 1 : child;
      if (index < tape_.next(value)) break;
      child = tape_.next(value);
      ++number;
    }
    if (child >= end) break;  // the closing bracket: the path of the container
    if (is_object) {
      append_key(result, tape_.string(child));
      if (index == child) break;
      at = child + 1;
    } else {
      append_index(result, number);
      at = child;
    }
  }
  return result;
}

Place JsonDocument::place(std::size_t index) const {
  JsonTextCursor cursor(text_);
  return place_in_text(text_, cursor.seek(index));
}

void JsonDocument::fail(std::size_t index, std::string reason) const {
  throw DataError(std::move(reason), path(index), place(index));
}

void JsonTextCursor::skip_separators() {
  while (at_ < text_.size() && std::string_view(" \t\r\n,:").find(text_[at_]) != std::string_view::npos)
    ++at_;
}

std::size_t JsonTextCursor::end_of_token() const {
  if (at_ >= text_.size()) return text_.size();
  const std::string_view brackets = "{}[]";
  if (brackets.find(text_[at_]) != std::string_view::npos) return at_ + 1;
  if (text_[at_] == '"') {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text_.size());
  }
  return std::min(text_.find_first_of(" \t\r\n,:{}[]\"", at_), text_.size());
}

std::size_t JsonTextCursor::seek(std::size_t index) {
  skip_separators();
  while (index_ < index && at_ < text_.size()) {
    const std::string_view one_word = "{}[]\"tfn";  // numbers and bare tokens take two
    index_ += one_word.find(text_[at_]) != std::string_view::npos ? 1 : 2;
    at_ = end_of_token();
    skip_separators();
  }
  return at_;
}

}  // namespace schemagen
