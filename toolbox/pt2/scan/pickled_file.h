// What torch.load reads without weights_only: files of torch.save, pickles one after the other, tar
// archives. Source: torch/serialization.py of torch 2.13.
#pragma once

#include <string_view>

#include "pt2/scan/scan_state.h"
#include "pt2/scan/zip_layout.h"

namespace pt2 {

/// What torch does with the values that it has unpickled.
enum class PickledFor {
  values,
  /// Writes the keys of dicts, as repr() gives them, into the source code of guards, between double quotes
  /// (_convert_guards_code_to_fn() in torch/export/_unlift.py). Bytes, and what is made by calls, may have
  /// any repr(), so that a key is a plain literal.
  sample_inputs,
};

/// Finds what loading `bytes`, those of `record`, could run.
void scan_pickled_file(std::string_view bytes, std::string_view record, ScanState& state,
                       PickledFor use = PickledFor::values);

/// The same for the members of a file of torch.save whose layout is known.
void scan_torch_file(const ZipLayout& archive, std::string_view record, ScanState& state,
                     PickledFor use = PickledFor::values);

/// Errors: DataError if scan_pickled_file() finds more than notes in these sample inputs.
void require_plain_sample_inputs(std::string_view bytes, const schemagen::Limits& limits);

/// Whether Python would load at least one pickle at the start of `bytes`, or import something on the way.
bool begins_with_pickle(std::string_view bytes, const schemagen::Limits& limits);

}  // namespace pt2
