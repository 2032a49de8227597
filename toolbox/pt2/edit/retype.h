// Programs and archives in another floating-point dtype.
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

/// To which dtype a program goes, and what does not go with it.
struct DtypeChange {
  ScalarType to;  // float16, bfloat16, float32 or float64
  /// Names of weights and inputs that keep their dtypes, and of nodes (or what they give) that compute as
  /// before; of modules, whose weights and nodes all do.
  std::vector<std::string> keep = {};
};

/// What such a change did.
struct Retyped {
  std::size_t changed = 0;           // dtypes of values, and arguments that are dtypes
  std::size_t casts = 0;             // nodes that were put in
  std::vector<std::string> weights;  // whose bytes have to be converted, by what the model calls them
  std::vector<bool> keeps_input;     // of the user's tensors, in their order
  bool drops_samples = false;        // of an archive: they cannot be written without the code that reads them
};

/// Makes what is float16, bfloat16, float32 or float64 `change.to`: weights, inputs, values, and arguments
/// that are dtypes, `_to_copy(x, dtype=float32)` among them. Complex, whole and quantized numbers stay;
/// values are what infer_results() says. Where something else comes out, as what is kept or a float that
/// torch makes by default, nodes that are not kept are given copies of the dtype, and kept ones of what they
/// had. Literals that fill or bound are brought into the range of the dtype. torch.autocast() is switched off
/// for float32.
///
/// Errors: UsageError, and the program is as it was, if `keep` has a name that nothing has; with the nodes,
/// if some cannot be retyped and are not kept: there is no rule for what they give, the operator is not known
/// or quantizes, they would make complex numbers of 16 bits, look at bits, or write to what would be a copy.
Retyped retarget(ExportedProgram& program, const DtypeChange& change, const OperatorSet& operators = {});

/// The same of the model `model` (nullopt: the only one) of `file`, an archive, which is written to `out`
/// with its weights and sample inputs converted, see convert(); all else is copied byte for byte, and what a
/// newer schema added to the program is kept. Weights that no node uses are converted, too. Storages pass
/// through in parts. Errors: also UsageError if `file` is no archive, or weights that share a storage would
/// differ in their dtypes; DataError if its weights are pickled (torch up to 2.8), big-endian, or one to be
/// converted is of a class of its own.
Retyped retarget_archive(const ProgramFile& file, const DtypeChange& change,
                         const std::optional<std::string>& model, const ByteSink& out);

}  // namespace pt2
