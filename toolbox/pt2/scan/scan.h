// What in a file could run code when torch loads it: what is not fully understood, by its role, is an
// error; and archives without any of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/file.h"
#include "pt2/verify/verify.h"
#include "schemagen/base/limits.h"

namespace pt2 {

class ProgramFile;

/// By id: `zip_trick` is ZIP_TRICK.
enum class ScanRule {
  native_code,
  nested_archive,
  not_understood,
  pickle_global,
  pickle_legacy,
  pickle_malformed,
  record_name,
  source_code,
  zip_trick,
};

const Rule& scan_rule(ScanRule id);

/// The rules of scan_file(), by id: its own, and those of find_code().
const std::vector<const Rule*>& scan_rules();

/// One place of a file. Names and texts are as in the file: not printable as they stand.
struct ScanFinding {
  const Rule* rule = nullptr;  // one of scan_rules()
  /// The record, without the top folder of a PT2 archive: `data/weights/model.pt`; in files of torch.save in
  /// archives `data/weights/model.pt!archive/data.pkl`; empty: the file itself.
  std::string record;
  std::string what;  // the global (`posix.system`), text or member that it is about
  std::string message;
  std::optional<std::size_t> position;  // byte of the record
};

/// What is found in `bytes`, a whole file: a PT2 archive, an old zip of torch 2.1 to 2.7, a file of
/// torch.save, the JSON or binary of a program. Each record is read as what torch takes it for, and what
/// cannot be read as that, or is for nobody who is known, is an error. At most 1000 findings of a rule.
/// Limits: of compressed records, 128 MiB in all are looked at; memory of 512 MiB, for larger files of 8
/// times their size, and never more than `limits.memory_bytes`. What exceeds them is an error. Errors:
/// DataError if the file is nothing that torch loads.
std::vector<ScanFinding> scan_file(std::string_view bytes, const schemagen::Limits& limits = {});

// Archives without anything that could run code when torch loads them.

struct HardenOptions {
  /// Leave out AOTInductor's packages, which are native code and sources.
  bool drop_native = false;
  /// Keep extra files, which torch hands to the caller as they are.
  bool keep_extra = false;
  /// The only model to be written; nullopt: all of the archive.
  std::optional<std::string> model;
};

/// A record that the new archive does not have, or has without content; or a program that it has, some calls
/// of which could not be made those of today's torch.
struct LeftOut {
  std::string record;  // as it is in the archive, without the top folder
  std::string why;
  bool has_old_calls = false;  // a program
};

/// Writes to `out` an archive of the models of `source`, and says what was left out. All is made anew of
/// values that were read: programs, in the schema of today and with its calls of operators; tensors as raw
/// bytes, with their configs; sample inputs of plain values and tensors, else none; what torch asks for
/// beside them. Only extra files, if they are to be kept, are copied. No more than a part of the weights is
/// in memory. Errors: UsageError if `source` is no archive; DataError if it holds no exported program, a part
/// of a model that cannot be read or is no tensor, or a compiled model, unless that is to be dropped; those
/// of `out`.
std::vector<LeftOut> harden_archive(const ProgramFile& source, const ByteSink& out,
                                    const HardenOptions& options = {});

/// Errors: DataError, with the record, if scan_file() finds more than notes in `archive`: what
/// harden_archive() writes is as its names and texts are, and is to be used only if nothing is wrong with
/// them.
void require_harmless(std::string_view archive, const schemagen::Limits& limits = {});

}  // namespace pt2
