#include "schemagen/json/document.h"

#include <algorithm>

#include "schemagen/base/value_path.h"

namespace schemagen {
namespace {

std::optional<std::int64_t> version_number(const JsonTape& tape, std::size_t index) {
  if (index == 0 || tape.tag(index) != JsonTape::kInt64) return std::nullopt;
  return tape.number<std::int64_t>(index);
}

}  // namespace

const char* name_of(JsonTape::Tag tag) {
  constexpr std::pair<JsonTape::Tag, const char*> kNames[] = {
      {JsonTape::kObject, "an object"},  {JsonTape::kArray, "a list"},
      {JsonTape::kString, "a string"},   {JsonTape::kInt64, "an integer"},
      {JsonTape::kUint64, "an integer"}, {JsonTape::kBigInteger, "an integer"},
      {JsonTape::kDouble, "a float"},    {JsonTape::kBare, "a float"},
      {JsonTape::kTrue, "a bool"},       {JsonTape::kFalse, "a bool"},
      {JsonTape::kNull, "null"},
  };
  for (const auto& [known, name] : kNames) {
    if (known == tag) return name;
  }
  return "nothing";
}

Place place_in_text(std::string_view text, std::size_t offset, const Place& from) {
  const std::size_t start = *from.offset;
  const std::string_view between = text.substr(start, std::min(offset, text.size()) - start);
  Place place;
  place.offset = start + between.size();
  place.line = from.line + static_cast<std::size_t>(std::count(between.begin(), between.end(), '\n'));
  const std::size_t last_end = between.rfind('\n');
  place.column =
      last_end == std::string_view::npos ? from.column + between.size() : between.size() - last_end;
  return place;
}

std::size_t JsonDocument::memory_left() const noexcept {
  const std::size_t taken = sizeof(std::uint64_t) * tape_.size() + tape_.strings_size + text_.size();
  return limits_.memory_bytes - std::min(taken, limits_.memory_bytes);
}

void JsonDocument::refuse_bare_nonfinite() const {
  if (tape_.first_bare != 0)
    fail(tape_.first_bare, "bare NaN and Infinity are not JSON; hint: write them as strings");
}

std::string JsonDocument::path(std::size_t index) const {
  return JsonPathCursor(tape_).seek(index);
}

Place JsonDocument::place(std::size_t index) const {
  JsonTextCursor cursor(text_);
  return place_in_text(text_, cursor.seek(index));
}

void JsonDocument::fail(std::size_t index, std::string reason, DataFault fault) const {
  throw DataError(std::move(reason), path(index), place(index), fault);
}

void JsonPathCursor::enter(std::size_t container) {
  const bool is_object = tape_.tag(container) == JsonTape::kObject;
  levels_.push_back(
      {tape_.size_of(container), 0, container + 1, 0, tape_.after(container) - 1, is_object, path_.size()});
}

const std::string& JsonPathCursor::seek(std::size_t index) {
  if (index == JsonDocument::root() || !tape_.is_container(JsonDocument::root())) return path_;
  if (levels_.empty()) enter(JsonDocument::root());
  while (levels_.size() > 1 && index > levels_.back().end) levels_.pop_back();
  while (true) {
    Level& level = levels_.back();
    path_.resize(level.path_size);
    // A key belongs to its value.
    const auto value = [&] { return level.is_object ? level.child + 1 : level.child; };
    while (level.child < level.end && index >= tape_.next(value())) {
      level.previous = level.child;
      level.child = tape_.next(value());
      ++level.number;
    }
    if (level.child == level.end) return path_;
    if (level.is_object) {
      append_key(path_, tape_.string(level.child));
    } else {
      append_index(path_, level.number);
    }
    if (index <= value()) return path_;
    enter(value());
  }
}

std::vector<UnknownFieldStep> JsonPathCursor::steps() const {
  std::vector<UnknownFieldStep> steps;
  for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
    const Level& level = levels_[i];
    if (level.is_object) {
      steps.push_back({std::string(tape_.string(level.child)), 0, 0});
    } else {
      steps.push_back({{}, level.number, level.count});
    }
  }
  return steps;
}

std::size_t end_of_json_token(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  const std::string_view brackets = "{}[]";
  if (brackets.find(text[at]) != std::string_view::npos) return at + 1;
  if (text[at] == '"') {
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  return std::min(text.find_first_of(" \t\r\n,:{}[]\"", at), text.size());
}

void JsonTextCursor::skip_separators() {
  while (at_ < text_.size() && std::string_view(" \t\r\n,:").find(text_[at_]) != std::string_view::npos)
    ++at_;
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

std::size_t find_member(const JsonTape& tape, std::size_t object, std::string_view key) {
  const std::size_t end = tape.after(object) - 1;
  for (std::size_t i = object + 1; i < end; i = tape.next(i + 1)) {
    if (tape.string(i) == key) return i + 1;
  }
  return 0;
}

std::optional<Version> stated_version(const JsonTape& tape, std::size_t index) {
  if (const auto only = version_number(tape, index)) return Version{*only, 0};
  if (index == 0 || tape.tag(index) != JsonTape::kObject) return std::nullopt;
  const auto first = version_number(tape, find_member(tape, index, "major"));
  const auto second = version_number(tape, find_member(tape, index, "minor"));
  return first && second ? std::optional(Version{*first, *second}) : std::nullopt;
}

}  // namespace schemagen
