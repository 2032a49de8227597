// Lists what an archive contains besides programs and weights, by record name.
#pragma once

#include <map>

#include "pt2/archive/archive.h"
#include "schemagen/base/limits.h"

namespace pt2 {

/// The contents of an archive. All lists are in the archive's order. Record names do not include the
/// top-level folder.
struct ArchiveContents {
  std::vector<std::string> aotinductor;    // names of compiled models
  std::vector<std::string> executorch;     // names of files
  std::vector<std::string> sample_inputs;  // names of models that have sample inputs
  std::vector<std::string> extra;          // names of records that the user added
  /// Names of records of unknown kinds, e.g. records that other runtimes added.
  std::vector<std::string> other;
};

ArchiveContents contents_of(const Archive& archive);

/// The description of a compiled model, from its files (AOTInductor).
struct CompiledModel {
  std::string name;
  /// E.g. `device`: `cpu`, `platform`, `machine`, `cpu_isa` and `compute_capability`. These are the keys of
  /// the model's `*_metadata.json`, in lower case and without `AOTI_` and `_KEY`.
  std::map<std::string, std::string> metadata;
  /// The names in the generated source. Empty if the package does not contain the source.
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

/// Returns the compiled models in the order of `aotinductor`. Throws DataError, with the record's name, if a
/// file cannot be read.
std::vector<CompiledModel> compiled_models(const Archive& archive, const schemagen::Limits& limits = {});

/// Returns a line such as `cpu_isa AVX2, device cpu, inputs x, outputs output0`. Empty values are left out,
/// and long texts are cut.
std::string description_of(const CompiledModel& model);

/// Returns a text such as `a package of the compiled models 'a', 'b' (AOTInductor)`. Returns an empty string
/// if the archive contains an exported program, or no compiled model.
std::string compiled_package_text(const Archive& archive);

/// Returns the member's name without the top-level folder, or an empty string if the member is not in that
/// folder.
std::string_view record_name(const Archive& archive, const ZipMember& member);

/// Returns whether the record describes the zip archive that contains it: its byte order, version or
/// checksums. A copy of the archive needs new records of this kind.
bool is_of_zip(std::string_view record);

/// Returns the name of the member's record in a copy of `archive` as a PT2 archive. Returns an empty string
/// if the copy needs a new record or none: for is_of_zip(), for folders, and for the program, weights and
/// sample inputs of an old zip.
std::string name_in_copy(const Archive& archive, const ZipMember& member);

/// Returns whether is_of_zip() is true for the record, or whether the record marks the zip as a PT2 archive
/// or contains the archive's version.
bool is_of_archive(std::string_view record);

}  // namespace pt2
