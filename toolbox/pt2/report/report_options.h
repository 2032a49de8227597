#pragma once

#include <cstddef>

#include "schemagen/json/json_writer.h"

namespace pt2 {

/// Limits reports to 256 MiB, because a report repeats long names of a small program.
inline schemagen::JsonWriteOptions report_options() {
  schemagen::JsonWriteOptions options;
  options.limits.input_bytes = std::size_t{256} << 20;
  return options;
}

}  // namespace pt2
