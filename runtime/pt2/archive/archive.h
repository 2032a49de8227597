// What a .pt2 file is: a zip archive in one of two layouts, with the programs, weights and samples in it;
// copies of archives in which some members are replaced, and PT2 archives written from the first byte to
// the last as torch 2.13 writes them. A writer is for one thread at a time. Source:
// torch/export/pt2_archive/constants.py, torch/export/pt2_archive/_package.py, torch/export/__init__.py,
// caffe2/serialize/inline_container.cc (PyTorch).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
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

/// Of the raw weights, as the archive states it.
enum class ByteOrder { not_stated, little, big };

/// One exported program of an archive.
struct ArchivedModel {
  std::string name;    // "model" for that of an old zip, as PyTorch has named it since
  std::string member;  // the zip member that holds its JSON
};

/// An open archive. It borrows the bytes it was opened on.
struct Archive {
  ZipReader zip;
  Container container = Container::old_zip;
  std::string top_folder;  // "mlp" where records are named "mlp/models/..."; empty: they are at the root
  std::string version;  // `archive_version`, or an old zip's `version`: "0", "8.2"; empty: an old zip without
  ByteOrder byte_order = ByteOrder::not_stated;
  std::vector<ArchivedModel> models;  // in the archive's order; none if it holds compiled models only
};

/// The archive in `bytes`, which must outlive it.
/// Errors: DataError of ZipReader, or if the zip does not have the layout of an exported program, has several
/// top folders, or an unknown `archive_format`, `archive_version` or `byteorder`. A missing version is
/// version 0.
Archive open_archive(std::string_view bytes, const schemagen::Limits& limits = {},
                     Checksums checksums = Checksums::verify, MappedPages pages = {});
Archive open_archive(std::string&& bytes, const schemagen::Limits& limits = {},
                     Checksums checksums = Checksums::verify, MappedPages pages = {}) = delete;

/// The model called `name`, or without a name the only one.
/// Errors, with the names there are: UsageError if there is no such model, or the choice is not clear;
/// DataError if there is none at all.
const ArchivedModel& find_model(const Archive& archive,
                                const std::optional<std::string>& name = std::nullopt);
const ArchivedModel& find_model(Archive&& archive,
                                const std::optional<std::string>& name = std::nullopt) = delete;

/// The JSON of the model that find_model finds. Errors: also those of ZipReader::read.
MemberBytes program_json(const Archive& archive, const std::optional<std::string>& name = std::nullopt);

/// The member of a record, named without the top folder: "data/weights/weight_0". Null if there is none.
const ZipMember* find_record(const Archive& archive, std::string_view record);
const ZipMember* find_record(Archive&& archive, std::string_view record) = delete;

/// The member with the sample inputs of `model`, which is empty where the program has none. Null if there is
/// no such member.
const ZipMember* find_sample_inputs(const Archive& archive, const ArchivedModel& model);
const ZipMember* find_sample_inputs(Archive&& archive, const ArchivedModel& model) = delete;

// What an archive holds beside programs and their weights.

/// In the order of the archive. Records are named without the top folder.
struct ArchiveContents {
  std::vector<std::string> aotinductor;    // names of models that were compiled
  std::vector<std::string> executorch;     // names of files
  std::vector<std::string> sample_inputs;  // names of the models that have some
  std::vector<std::string> extra;          // records that the user added
  std::vector<std::string> other;          // records that are not known, such as those of other runtimes
};

ArchiveContents contents_of(const Archive& archive);

/// Whether it is not known what a member of an old zip is.
bool is_unknown_old_member(const ZipMember& member);

/// The name of the member without the top folder; empty for what lies outside of it.
std::string_view record_name(const Archive& archive, const ZipMember& member);

/// Whether the record tells of the zip archive that it is in, and is written anew with each: its byte order,
/// version and checksums.
bool is_of_zip(std::string_view record);

/// Whether it does, or tells that the zip archive is a PT2 archive, and of which version.
bool is_of_archive(std::string_view record);

// Copies.

/// A member with its new content.
struct NewMember {
  std::string name;  // with the archive's top folder
  std::string content;
};

/// Adds the content of `member` of `zip` to `out`, under `name`, in parts. Errors: DataError of
/// ZipReader::copy(); those of the sink of `out`.
void copy_member(const ZipReader& zip, const ZipMember& member, std::string_view name, ZipWriter& out);

/// Writes `archive` again, with the contents of `changed` in place of those members' own; members that it
/// does not have come last. All others keep their names, their order and their content, byte for byte;
/// members that were compressed are so no more. Errors: DataError of ZipReader::read(); those of `out`.
void rewrite_archive(const Archive& archive, const std::vector<NewMember>& changed, const ByteSink& out);

/// Writes the member to the writer, and returns true; or returns false, and it is copied.
using ReplaceMember = std::function<bool(const ZipMember&, ZipWriter&)>;

/// Writes `archive` again, with what `replace` writes in place of members. Errors: as copy_member(); those of
/// `replace`.
void rewrite_archive(const Archive& archive, const ReplaceMember& replace, const ByteSink& out);

/// What an old zip needs beside a program of schema 8.x for torch 2.13 to load it: the program's version, and
/// members that the first releases did not write. Those are empty, which is read as "none". Nothing for PT2
/// archives, and for old zips that have it all.
std::vector<NewMember> version_members(const Archive& archive, const SchemaVersion& program_version);

// Archives from nothing.

/// Adds records, named without the top folder, which may be empty, to one archive: stored, their bytes at
/// multiples of 64. No time, path or number of a machine is in it: the same records give the same bytes.
/// Errors of all that add: UsageError if there is such a record already; those of the sink.
class ArchiveWriter {
 public:
  explicit ArchiveWriter(ByteSink out, std::string top_folder = "archive");

  void add(std::string_view record, std::string_view content);
  /// In parts, see ZipWriter::add().
  void add(std::string_view record, std::uint64_t size, const ByteSource& content,
           std::optional<std::uint32_t> crc32 = std::nullopt);
  /// The content of a member of another archive, in parts. Errors: DataError of ZipReader::copy().
  void copy(const ZipReader& zip, const ZipMember& member, std::string_view record);

  /// How many records have names that begin with `prefix`.
  std::size_t count(std::string_view prefix) const;

  /// Adds what says of the archive that it is one, unless it was added: `archive_format`, `archive_version`,
  /// and the version, byte order (little) and checksums of the zip archive; then its directory. Nothing can
  /// be added after that.
  void finish();

 private:
  std::string new_name(std::string_view record);
  void note_checksum();
  void add_missing(std::string_view record, std::string_view content);

  ZipWriter zip_;
  std::string top_folder_;
  std::set<std::string, std::less<>> records_;
  std::uint64_t names_hash_ = 0;
  std::uint64_t checksums_hash_ = 0;
};

/// Adds empty sample inputs of those models of `archive` of which `out` has none: torch asks for such
/// records, and reads empty ones as none.
void add_missing_inputs(const Archive& archive, ArchiveWriter& out);

}  // namespace pt2
