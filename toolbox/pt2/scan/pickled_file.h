// Scans files that torch.load reads without weights_only: torch.save files, sequences of pickles, and tar
// archives. Source: torch/serialization.py of torch 2.13.
#pragma once

#include "pt2/scan/scan_state.h"

namespace pt2 {

enum class PickledFor {
  values,
  /// torch writes the repr() of dict keys, between double quotes, into the source of guards
  /// (_convert_guards_code_to_fn() in torch/export/_unlift.py). Bytes and results of calls can have any
  /// repr(), so keys must be plain literals.
  sample_inputs,
};

void scan_pickled_file(std::string_view bytes, std::string_view record, ScanState& state,
                       PickledFor use = PickledFor::values);

void scan_torch_file(const ZipLayout& archive, std::string_view record, ScanState& state,
                     PickledFor use = PickledFor::values);

/// Throws DataError if there are findings other than notes.
void require_plain_sample_inputs(std::string_view bytes, const schemagen::Limits& limits);

/// Returns whether Python would load a pickle at the start of the bytes, or would import something on the
/// way.
bool begins_with_pickle(std::string_view bytes, const schemagen::Limits& limits);

}  // namespace pt2
