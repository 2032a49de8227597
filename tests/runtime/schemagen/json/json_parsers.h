#pragma once

#include <schemagen/json/document.h>
#include <schemagen/json/json.h>
#include <schemagen/json/reader.h>
#include <schemagen/json/writer.h>

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

/// Reads without the fast reader.
template <class T>
T read_by_tape(std::string_view text, const schemagen::JsonReadOptions& options = {}) {
  return schemagen::from_json<T>(schemagen::JsonDocument(text, options), options);
}

/// The value, written again, or the error with its place; and skipped fields.
struct JsonOutcome {
  std::string value;
  std::string error;
  std::vector<std::string> skipped;

  friend bool operator==(const JsonOutcome& a, const JsonOutcome& b) {
    return a.value == b.value && a.error == b.error && a.skipped == b.skipped;
  }
  friend std::ostream& operator<<(std::ostream& out, const JsonOutcome& outcome) {
    return out << (outcome.error.empty() ? "value " + outcome.value : "error " + outcome.error);
  }
};

/// Passes on exceptions other than DataError.
template <class Read>
JsonOutcome outcome_of_reading(const Read& read, schemagen::JsonReadOptions options) {
  JsonOutcome outcome;
  std::vector<schemagen::SkippedField> skipped;
  options.skipped = &skipped;
  try {
    schemagen::JsonWriteOptions as_deep;
    as_deep.limits.depth = options.limits.depth;
    outcome.value = schemagen::to_json(read(options), as_deep);
  } catch (const schemagen::DataError& error) {
    outcome.error = error.what();
    if (error.place().offset) outcome.error += " at byte " + std::to_string(*error.place().offset);
  }
  for (const schemagen::SkippedField& field : skipped)
    outcome.skipped.push_back(field.path + " " + place_text(field.place));
  return outcome;
}

template <class T>
JsonOutcome outcome_of_one(std::string_view text, const schemagen::JsonReadOptions& options) {
  return outcome_of_reading([text](const auto& reading) { return schemagen::from_json<T>(text, reading); },
                            options);
}

template <class T>
JsonOutcome outcome_by_tape(std::string_view text, const schemagen::JsonReadOptions& options = {}) {
  return outcome_of_reading([&](const auto& reading) { return read_by_tape<T>(text, reading); }, options);
}

template <class T>
JsonOutcome outcome_of(std::string_view text, const schemagen::JsonReadOptions& options = {}) {
  JsonOutcome outcome = outcome_of_one<T>(text, options);
  INFO("JSON: " << text.substr(0, 300));
  CHECK(outcome == outcome_by_tape<T>(text, options));
  return outcome;
}

/// Both readers must agree on it: `path: reason (line 1, column 2)`.
template <class T>
std::string error_of(std::string_view text, const schemagen::JsonReadOptions& options = {}) {
  const JsonOutcome outcome = outcome_of<T>(text, options);
  if (outcome.error.empty()) return "no error, but " + outcome.value;
  return outcome.error.substr(0, outcome.error.rfind(" at byte "));
}

template <class T>
std::string rewritten(std::string_view text, const schemagen::JsonReadOptions& options = {}) {
  const JsonOutcome outcome = outcome_of<T>(text, options);
  return outcome.error.empty() ? outcome.value : "error: " + outcome.error;
}
