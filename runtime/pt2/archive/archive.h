// Opens .pt2 files: zip archives in one of two layouts, which contain programs, weights and sample inputs.
// Source: torch/export/pt2_archive/constants.py, torch/export/pt2_archive/_package.py,
// torch/export/__init__.py, caffe2/serialize/inline_container.cc (PyTorch).
#pragma once

#include "pt2/archive/zip.h"
#include "pt2/types.h"

namespace pt2 {

enum class Container {
  old_zip,  // torch 2.1 to 2.7: `serialized_exported_program.json` and other records at the root
  /// torch 2.8 and later: one top-level folder that contains `archive_format`, `models/<name>.json` and other
  /// records. Also AOTInductor packages of torch 2.5 to 2.7, which contain no program and have their records
  /// at the root.
  pt2_archive,
};

/// The byte order of raw weights, as stated by the archive.
enum class ByteOrder { not_stated, little, big };

/// Throws DataError, about the byte order of `what`, unless `text` is `little` or `big`.
ByteOrder byte_order_named(std::string_view text, const char* what);

/// An exported program in an archive.
struct ArchivedModel {
  std::string name;    // always "model" for an old zip; that is also the default name in later archives
  std::string member;  // the name of the zip member that contains the program's JSON
};

/// An open archive. It does not own the bytes that it was opened from.
struct Archive {
  ZipReader zip;
  Container container = Container::old_zip;
  std::string top_folder;  // e.g. "mlp" if records are named "mlp/models/..."; empty if they are at the root
  std::string version;     // `archive_version`, e.g. "0", or an old zip's `version`; can be empty
  ByteOrder byte_order = ByteOrder::not_stated;
  std::vector<ArchivedModel> models;  // in the archive's order; empty if the archive has only compiled models
};

/// Opens the archive in `bytes`, which must outlive the result. A missing version means version 0. Throws
/// DataError if ZipReader rejects the zip, if the zip does not have the layout of an exported program or has
/// several top-level folders, or if its `archive_format`, `archive_version` or `byteorder` is unknown.
Archive open_archive(const SparseBytes& bytes, const schemagen::Limits& limits = {},
                     Checksums checksums = Checksums::verify, MappedPages pages = {});
Archive open_archive(std::string&& bytes, const schemagen::Limits& limits = {},
                     Checksums checksums = Checksums::verify, MappedPages pages = {}) = delete;

/// Returns the model called `name`, or the only model if no name is given. Throws UsageError, with a list of
/// the names, if there is no such model. Throws DataError if the archive has no models, or if it has several
/// and no name is given; the message lists the names.
const ArchivedModel& find_model(const Archive& archive,
                                const std::optional<std::string>& name = std::nullopt);
const ArchivedModel& find_model(Archive&& archive,
                                const std::optional<std::string>& name = std::nullopt) = delete;

/// Returns the JSON of the model that find_model() returns. Throws whatever find_model() and
/// ZipReader::read() throw.
MemberBytes program_json(const Archive& archive, const std::optional<std::string>& name = std::nullopt);

/// Returns the zip member for a record, or null if there is none. `record` is the record's name without the
/// top-level folder, e.g. "data/weights/weight_0".
const ZipMember* find_record(const Archive& archive, std::string_view record);
const ZipMember* find_record(Archive&& archive, std::string_view record) = delete;

/// Returns the member that contains the sample inputs of `model`, or null if there is none. The member can
/// also be empty, which means that there are no sample inputs.
const ZipMember* find_sample_inputs(const Archive& archive, const ArchivedModel& model);
const ZipMember* find_sample_inputs(Archive&& archive, const ArchivedModel& model) = delete;

}  // namespace pt2
