// What has to hold of any text whatsoever that is read as JSON; for tests with random texts and for fuzzing.
#pragma once

#include <schemagen/json/json.h>

#include <string>
#include <string_view>
#include <vector>

#include "message_check.h"

/// Reads `text` as a T by both backends; empty, or what is wrong: one takes it and the other does not, they
/// give different values or errors, or the value is not read back from what is written of it, with what is
/// kept, if `options` say so. Anything but a value and a DataError passes through.
template <class T>
std::string json_fault(std::string_view text, schemagen::JsonReadOptions options = {}) {
  std::vector<schemagen::KeptField> kept;
  options.kept = &kept;
  schemagen::JsonWriteOptions writing;
  writing.kept = &kept;
  std::string written[2];
  std::string error[2];
  constexpr schemagen::JsonBackend kBoth[] = {schemagen::JsonBackend::simdjson,
                                              schemagen::JsonBackend::rapidjson};
  for (int i = 0; i < 2; ++i) {
    options.backend = kBoth[i];
    try {
      const T value = schemagen::from_json<T>(text, options);
      written[i] = schemagen::to_json(value, writing);
      const T again = schemagen::from_json<T>(written[i], options);
      if (schemagen::to_json(again, writing) != written[i])
        return "another text the second time: " + written[i];
    } catch (const schemagen::DataError& fault) {
      error[i] = fault.what();
      if (const std::string unfit = message_fault(error[i]); !unfit.empty()) return unfit;
      if (!written[i].empty()) return "written, but not read back: " + error[i] + ": " + written[i];
    }
  }
  // RapidJSON refuses some numbers that are not too large, see parse_with_rapidjson().
  if (error[0] != error[1] && error[1].find("too large for a 64-bit float") != std::string::npos) return {};
  if (error[0] != error[1]) return "errors differ: '" + error[0] + "' and '" + error[1] + "'";
  if (written[0] != written[1]) return "values differ: " + written[0] + " and " + written[1];
  return {};
}
