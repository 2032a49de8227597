// Old archives, moved to the layout of today: weights as raw bytes instead of pickles. All functions may be
// called from several threads at once.
#pragma once

#include <string>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/archive/byte_sink.h"
#include "pt2/tensors/tensor.h"
#include "pt2/types.h"
#include "schemagen/value/limits.h"

namespace pt2 {

/// Whether the tensors of a model lie pickled: in an old zip (torch up to 2.7), or in a PT2 archive of
/// torch 2.8.
bool has_pickled_weights(const Archive& archive);

/// Writes `archive` as a PT2 archive in which `program` takes the place of `model`, and no tensor is pickled.
/// `constants` are added, which `program` had in itself, see UpgradedDocument::constants. Sample inputs,
/// extra files and all that is not known are copied byte for byte; what torch 2.13 asks for is added. No more
/// than a part of the weights is in memory. Errors: DataError if a pickle holds what is no tensor, or is
/// damaged; those of ZipReader::copy().
void write_raw_archive(const Archive& archive, const std::string& model, const ExportedProgram& program,
                       const std::vector<NamedTensor>& constants, const ByteSink& out,
                       const schemagen::Limits& limits = {});

}  // namespace pt2
