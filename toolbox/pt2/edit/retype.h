// Converts programs and archives to another floating-point dtype.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pt2/archive/file.h"
#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

class ProgramFile;

struct DtypeChange {
  ScalarType to;  // float16, bfloat16, float32 or float64
  /// Names of weights and inputs that keep their dtypes, of nodes (or their outputs) that compute as before,
  /// and of modules that keep all their weights and nodes.
  std::vector<std::string> keep = {};
};

struct Retyped {
  std::size_t changed = 0;           // number of changed dtypes of values, and arguments that are dtypes
  std::size_t casts = 0;             // number of inserted nodes that cast
  std::vector<std::string> weights;  // weights whose bytes must be converted, by name in the model
  std::vector<bool> keeps_input;     // whether each tensor of the user inputs keeps its dtype
  bool drops_samples = false;  // set if an archive's sample inputs cannot be converted, so they are dropped
};

/// Changes float16, bfloat16, float32 and float64 to `change.to`: weights, inputs, values, and arguments that
/// are dtypes, as in `_to_copy(x, dtype=float32)`. Complex, integer and quantized dtypes do not
/// change. Values get the dtypes that infer_results() returns. Casts are inserted where these differ: for
/// kept nodes, and for floats that torch creates in its default dtype. Literals that fill or clamp a tensor
/// are limited to the dtype's range. With float32, torch.autocast() is turned off.
///
/// Throws UsageError, and leaves the program unchanged, if `keep` has an unknown name or if nodes that are
/// not kept cannot be retyped; the message names them. A node cannot be retyped if there is no inference rule
/// for it, if its operator is unknown or quantizes, if it would produce 16-bit complex numbers, if it reads
/// the bits of its input, or if it writes to what would become a copy.
Retyped retarget(ExportedProgram& program, const DtypeChange& change, const OperatorSet& operators = {});

/// Does the same for the model `model` (nullopt: the only one) in the archive `file`, and writes the archive
/// to `out` with its weights and sample inputs converted; see convert(). Copies the rest byte for byte, and
/// preserves unknown fields of the program. Weights that no node uses are converted, too. Streams storages.
/// Also throws UsageError if `file` is not an archive, or if weights that share a storage would get different
/// dtypes; DataError if weights are pickled (torch up to 2.8) or big-endian, or if a weight to convert is a
/// tensor subclass.
Retyped retarget_archive(const ProgramFile& file, const DtypeChange& change,
                         const std::optional<std::string>& model, const ByteSink& out);

}  // namespace pt2
