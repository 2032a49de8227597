// A .pt2 file: a zip archive in one of two layouts that contains programs, weights and sample inputs. Source:
// torch/export/pt2_archive/constants.py, torch/export/pt2_archive/_package.py, torch/export/__init__.py,
// caffe2/serialize/inline_container.cc (PyTorch).
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
  old_zip,  // torch 2.1 to 2.7: `serialized_exported_program.json` and other records at the root
  /// torch 2.8 and later: one top folder with `archive_format`, `models/<name>.json` and other records.
  /// AOTInductor packages of torch 2.5 to 2.7, which have no program, have them at the root.
  pt2_archive,
};

/// The byte order of raw weights, as stated by the archive.
enum class ByteOrder { not_stated, little, big };

/// An exported program in an archive.
struct ArchivedModel {
  std::string name;    // "model" for an old zip, the default name in later archives
  std::string member;  // the zip member with its JSON
};

/// An open archive. It borrows the bytes that it was opened from.
struct Archive {
  ZipReader zip;
  Container container = Container::old_zip;
  std::string top_folder;  // "mlp" if records are named "mlp/models/..."; empty if they are at the root
  std::string version;     // `archive_version`, or an old zip's `version`: "0", "8.2"; may be empty
  ByteOrder byte_order = ByteOrder::not_stated;
  std::vector<ArchivedModel> models;  // in the archive's order; none if it has only compiled models
};

/// Opens the archive in `bytes`, which must outlive it. Throws the DataErrors of ZipReader. Throws DataError
/// if the zip does not have the layout of an exported program, has several top folders, or has an unknown
/// `archive_format`, `archive_version` or `byteorder`. A missing version means version 0.
Archive open_archive(std::string_view bytes, const schemagen::Limits& limits = {},
                     Checksums checksums = Checksums::verify, MappedPages pages = {});
Archive open_archive(std::string&& bytes, const schemagen::Limits& limits = {},
                     Checksums checksums = Checksums::verify, MappedPages pages = {}) = delete;

/// Returns the model `name`, or the only one if no name is given. Throws UsageError, which lists the known
/// names, if there is no such model or the choice is ambiguous. Throws DataError if the archive has no
/// models.
const ArchivedModel& find_model(const Archive& archive,
                                const std::optional<std::string>& name = std::nullopt);
const ArchivedModel& find_model(Archive&& archive,
                                const std::optional<std::string>& name = std::nullopt) = delete;

/// Returns the JSON of a model. Throws the errors of find_model() and ZipReader::read().
MemberBytes program_json(const Archive& archive, const std::optional<std::string>& name = std::nullopt);

/// Returns the member for a record, named without the top folder ("data/weights/weight_0"), or null.
const ZipMember* find_record(const Archive& archive, std::string_view record);
const ZipMember* find_record(Archive&& archive, std::string_view record) = delete;

/// Returns the member with the sample inputs of `model`, or null. The member is empty if the program has no
/// sample inputs.
const ZipMember* find_sample_inputs(const Archive& archive, const ArchivedModel& model);
const ZipMember* find_sample_inputs(Archive&& archive, const ArchivedModel& model) = delete;

}  // namespace pt2
