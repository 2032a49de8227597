// Archives of today, moved to the layouts of older releases of torch: weights in pickles instead of raw
// bytes. All functions may be called from several threads at once.
#pragma once

#include <string>
#include <string_view>

#include "pt2/archive/archive.h"
#include "pt2/archive/byte_sink.h"
#include "pt2/types.h"
#include "schemagen/value/limits.h"

namespace pt2 {

/// Writes `archive`, a PT2 archive, as torch 2.8 does: with `json` in place of the program of `model`, and
/// the weights and constants of each model in files of torch.save. All else is copied byte for byte. Weights
/// pass through in parts. Errors: DataError of write_torch_file() and ZipReader::copy().
void write_pickled_archive(const Archive& archive, const std::string& model, std::string_view json,
                           const ByteSink& out, const schemagen::Limits& limits = {});

/// Writes `archive`, a PT2 archive, as the zip that torch up to 2.7 reads, of the program `json`, whose
/// schema is of that version. Such a zip holds one model. Sample inputs, extra files and what is not known
/// are copied. Errors: also DataError if the archive has several models.
void write_old_zip(const Archive& archive, std::string_view json, std::string_view version,
                   const ByteSink& out, const schemagen::Limits& limits = {});

}  // namespace pt2
