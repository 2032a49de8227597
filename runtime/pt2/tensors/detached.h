// Archives without the bytes of their tensors, and their bytes put back. All functions may be called from
// several threads at once.
#pragma once

#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/archive/byte_sink.h"
#include "pt2/tensors/safetensors.h"
#include "pt2/tensors/weights.h"
#include "schemagen/value/limits.h"

namespace pt2 {

/// Writes a copy of `archive` in which the records of the tensors of `weights`, which are its own, have no
/// bytes: torch loads zeros then, where tensors begin at the start of their storages. All else is copied byte
/// for byte. Errors: DataError if a tensor is pickled: such records have to become raw first, see
/// write_raw_archive().
void write_stripped(const Archive& archive, const std::vector<Weight>& weights, const ByteSink& out);

/// Writes a copy of `archive` in which the tensors of `weights`, which are its own, have the elements of
/// `tensors`, by name. Their layouts stay; so does what shares a storage. What a storage has beside its
/// tensors becomes zeros. A storage that one tensor fills in row-major order passes through in parts, others
/// are made in memory. Errors: DataError, with the names, if a tensor is on one side only, or of another
/// dtype or shape, or pickled; if tensors share elements that differ; of a limit.
void write_attached(const Archive& archive, const std::vector<Weight>& weights,
                    const std::vector<NamedTensor>& tensors, const ByteSink& out,
                    const schemagen::Limits& limits = {});

}  // namespace pt2
