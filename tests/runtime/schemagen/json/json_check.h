#pragma once

#include <schemagen/json/document.h>
#include <schemagen/json/json.h>

#include <string>
#include <string_view>
#include <vector>

#include "message_check.h"

/// Returns an empty string unless the readers disagree on the value or error, or writing (with preserved
/// fields if `options` say so) and reading again changes the value. Passes on exceptions other than
/// DataError.
template <class T>
std::string json_fault(std::string_view text, schemagen::JsonReadOptions options = {}) {
  std::vector<schemagen::UnknownField> kept;
  options.preserved = &kept;
  schemagen::JsonWriteOptions writing;
  writing.preserved = &kept;
  enum Way { kText, kTape, kWays };
  std::string written[kWays];
  std::string error[kWays];
  for (const Way way : {kText, kTape}) {
    const auto read = [&](std::string_view json) {
      if (way == kText) return schemagen::from_json<T>(json, options);
      return schemagen::from_json<T>(schemagen::JsonDocument(json, options), options);
    };
    try {
      const T value = read(text);
      written[way] = schemagen::to_json(value, writing);
      const T again = read(written[way]);
      if (schemagen::to_json(again, writing) != written[way])
        return "another text the second time: " + written[way];
    } catch (const schemagen::DataError& fault) {
      error[way] = fault.what();
      if (const std::string unfit = message_fault(error[way]); !unfit.empty()) return unfit;
      if (!written[way].empty()) return "written, but not read back: " + error[way] + ": " + written[way];
    }
  }
  if (error[kText] != error[kTape]) return "errors differ: '" + error[kText] + "' and '" + error[kTape] + "'";
  if (written[kText] != written[kTape]) return "values differ: " + written[kText] + " and " + written[kTape];
  return {};
}

/// Returns how the result of reading over `used` differs from a new value.
template <class T>
std::string json_fault_over(std::string_view text, T& used, schemagen::JsonReadOptions options = {}) {
  std::vector<schemagen::UnknownField> kept;
  options.preserved = &kept;
  schemagen::JsonWriteOptions writing;
  writing.preserved = &kept;
  std::string fresh;
  std::string over;
  try {
    fresh = schemagen::to_json(schemagen::from_json<T>(text, options), writing);
  } catch (const schemagen::DataError& fault) {
    fresh = fault.what();
  }
  try {
    schemagen::from_json(text, used, options);
    over = schemagen::to_json(used, writing);
  } catch (const schemagen::DataError& fault) {
    over = fault.what();
    if (!(used == T())) return "the value is not as new after the error: " + over;
  }
  return fresh == over ? "" : "read over another: " + over + ", into a new one: " + fresh;
}
