// Limits of JSON reports.
#pragma once

#include <cstddef>

#include "schemagen/json/json_writer.h"

namespace pt2 {

/// Returns the options of a report: at most 256 MiB, since a report of a small program can be large. Long
/// names are repeated wherever they are mentioned.
inline schemagen::JsonWriteOptions report_options() {
  schemagen::JsonWriteOptions options;
  options.limits.input_bytes = std::size_t{256} << 20;
  return options;
}

}  // namespace pt2
