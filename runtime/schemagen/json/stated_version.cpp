#include "schemagen/json/stated_version.h"

#include <cstdint>

namespace schemagen {
namespace {

std::optional<std::int64_t> version_number(const JsonTape& tape, std::size_t index) {
  if (index == 0 || tape.tag(index) != JsonTape::kInt64) return std::nullopt;
  const std::int64_t number = tape.number<std::int64_t>(index);
  return number;
}

}  // namespace

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
