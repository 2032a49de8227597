// Files of tensors by name, as the package safetensors has them. Source:
// https://github.com/huggingface/safetensors, its README and tensor.rs of 0.8. All functions may be called
// from several threads at once.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/archive/byte_sink.h"
#include "pt2/archive/file.h"
#include "pt2/tensors/tensor.h"
#include "schemagen/value/limits.h"

namespace pt2 {

/// Writes `tensors` as a file of safetensors, those with the widest elements first. Each is made contiguous,
/// what several share is written for each of them. Takes no memory for their bytes. Errors: DataError, with
/// the name, if one has a dtype that the format lacks (complex32, complex128), and those of
/// write_row_major(); UsageError if two have one name, or one is called `__metadata__`.
void write_safetensors(const std::vector<NamedTensor>& tensors, const ByteSink& out,
                       const schemagen::Limits& limits = {});

/// The tensors of the file in `bytes`, which must outlive them, in the order of its header.
/// Errors: DataError if the header is malformed, a dtype is not known, or the tensors do not fill the rest of
/// the file, each in its own place.
std::vector<NamedTensor> read_safetensors(std::string_view bytes, const MappedPages& pages = {},
                                          const schemagen::Limits& limits = {});

}  // namespace pt2
