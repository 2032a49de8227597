// A .pt2 file: a zip archive in one of two layouts, with programs, weights and samples in it.
// Source: torch/export/pt2_archive/constants.py, torch/export/pt2_archive/_package.py,
// torch/export/__init__.py, caffe2/serialize/inline_container.cc (PyTorch).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/file.h"
#include "pt2/archive/zip.h"
#include "pt2/types.h"

namespace pt2 {

enum class Container {
  old_zip,  // torch 2.1 to 2.7: `serialized_exported_program.json` and others at the root
  /// Later: one top folder that holds `archive_format`, `models/<name>.json` and others. Packages of
  /// AOTInductor of torch 2.5 to 2.7, which hold no program, have them at the root.
  pt2_archive,
};

/// The byte order of raw weights, as the archive states it.
enum class ByteOrder { not_stated, little, big };

/// An exported program of an archive.
struct ArchivedModel {
  std::string name;    // "model" in an old zip, the name that PyTorch uses since
  std::string member;  // the zip member that holds its JSON
};

/// An open archive. It borrows the bytes that it was opened on.
struct Archive {
  ZipReader zip;
  Container container = Container::old_zip;
  std::string top_folder;  // "mlp" where records are named "mlp/models/..."; empty: they are at the root
  std::string version;  // `archive_version`, or an old zip's `version`: "0", "8.2"; empty: an old zip without
  ByteOrder byte_order = ByteOrder::not_stated;
  std::vector<ArchivedModel> models;  // in the archive's order; none if it holds compiled models only
};

/// Opens the archive in `bytes`, which must outlive it. Throws DataError of ZipReader, or if the zip does
/// not have the layout of an exported program, has several top folders, or has an unknown
/// `archive_format`, `archive_version` or `byteorder`. A missing version means version 0.
Archive open_archive(std::string_view bytes, const schemagen::Limits& limits = {},
                     Checksums checksums = Checksums::verify, MappedPages pages = {});
Archive open_archive(std::string&& bytes, const schemagen::Limits& limits = {},
                     Checksums checksums = Checksums::verify, MappedPages pages = {}) = delete;

/// Returns the model `name`, or the only one if no name is given. Throws UsageError, with the known names,
/// if there is no such model or the choice is ambiguous; DataError if the archive has no models.
const ArchivedModel& find_model(const Archive& archive,
                                const std::optional<std::string>& name = std::nullopt);
const ArchivedModel& find_model(Archive&& archive,
                                const std::optional<std::string>& name = std::nullopt) = delete;

/// Returns the JSON of the model that find_model() finds. Errors: also those of ZipReader::read().
MemberBytes program_json(const Archive& archive, const std::optional<std::string>& name = std::nullopt);

/// Returns the member of a record, named without the top folder ("data/weights/weight_0"); null if there
/// is none.
const ZipMember* find_record(const Archive& archive, std::string_view record);
const ZipMember* find_record(Archive&& archive, std::string_view record) = delete;

/// Returns the member with the sample inputs of `model`; null if there is none. The member is empty if the
/// program has no sample inputs.
const ZipMember* find_sample_inputs(const Archive& archive, const ArchivedModel& model);
const ZipMember* find_sample_inputs(Archive&& archive, const ArchivedModel& model) = delete;

}  // namespace pt2
