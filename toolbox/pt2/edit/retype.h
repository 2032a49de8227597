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
  ScalarType to;  // must be float16, bfloat16, float32 or float64
  /// Names of the weights and inputs that keep their dtypes, of the nodes (or their outputs) that compute in
  /// the same dtypes as before, and of the modules whose weights and nodes are all kept.
  std::vector<std::string> keep = {};
  /// Whether nodes that cannot be retyped are kept as well, instead of being an error.
  bool keep_unconvertible = false;
};

struct Retyped {
  std::size_t changed = 0;           // number of values and dtype arguments that changed
  std::size_t casts = 0;             // number of inserted casts
  std::vector<std::string> weights;  // the weights whose bytes must be converted, by their names in the model
  std::vector<std::string> left;     // the nodes that DtypeChange::keep_unconvertible kept
  std::vector<bool> keeps_input;     // for each tensor in the user inputs, whether it keeps its dtype
  bool drops_samples = false;  // set if an archive's sample inputs cannot be converted, so they are dropped
};

/// Changes the dtypes float16, bfloat16, float32 and float64 to `change.to` in weights, inputs, values, and
/// arguments that are dtypes, as in `_to_copy(x, dtype=float32)`. Complex, integer and quantized dtypes do
/// not change. Values get the dtypes that infer_results() returns, and keep their sizes. If
/// infer_results() fails for a reason that does not depend on the dtype, e.g. because it cannot prove a fact
/// about sizes that torch has checked, results with the dtype of an input keep having it. Casts are inserted
/// wherever a value's dtype is not the one that its user needs: around kept nodes, and after operators that
/// create floats in torch's default dtype. Literals that fill or clamp a tensor are limited to the range of
/// the new dtype. If `change.to` is float32, torch.autocast() is turned off.
///
/// Throws UsageError, and leaves the program unchanged, if `keep` has an unknown name or if nodes that are
/// not kept cannot be retyped; the message contains the names (`keep_unconvertible` avoids this error, except
/// for writes to inputs). A node cannot be retyped if there is no
/// inference rule for it, if its operator is unknown or quantizes, if torch does not implement the operator
/// for the new dtype, if it would produce 16-bit complex numbers, if it reinterprets the bits of its input,
/// or if it writes to an input that a cast would replace with a copy.
Retyped retarget(ExportedProgram& program, const DtypeChange& change, const OperatorSet& operators = {});

/// Does the same for the model `model` in the archive `file`, or for the only model if `model` is nullopt.
/// Writes the archive to `out` and converts the model's weights, including unused ones, and its sample
/// inputs; see convert(). Copies the rest byte for byte and preserves the program's unknown fields. Streams
/// storages.
///
/// Throws UsageError in the same cases as retarget(), and also if `file` is not an archive, or if weights
/// that share a storage would get different dtypes. Throws DataError if weights are pickled (torch up to 2.8)
/// or big-endian, or if take_apart() refuses a weight.
Retyped retarget_archive(const ProgramFile& file, const DtypeChange& change,
                         const std::optional<std::string>& model, const ByteSink& out);

}  // namespace pt2
