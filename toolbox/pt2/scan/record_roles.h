// What torch does with each record of an archive on loading, by the names of records and the configs that
// refer to them. Source: torch/export/__init__.py, torch/export/pt2_archive/_package.py,
// torch/csrc/inductor/aoti_package/model_package_loader.cpp, torch/serialization.py of torch 2.13;
// torch/_inductor/package/package.py of torch 2.5 to 2.7.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/tensors/payloads.h"
#include "pt2/types.h"

namespace pt2 {

/// The layouts of zip archives that torch loads.
enum class ArchiveLayout {
  pt2_archive,   // `archive_format` and others in a top folder
  old_zip,       // torch 2.1 to 2.7: `serialized_exported_program.json` and others at the root
  flat_package,  // AOTInductor in torch 2.5 to 2.7: `data/aotinductor/...` and others at the root
  torch_file,    // torch.save: `data.pkl` and others in a top folder
  unknown,
};

enum class RecordRole {
  layout,            // describes the archive: format, versions, byte order, alignment
  program,           // the JSON of an exported program
  payload_config,    // JSON that maps tensors to records
  unlisted_payload,  // in a folder of tensors: a config decides, otherwise nothing opens it
  raw_tensor,        // bytes of a tensor, copied without interpretation
  pickle,            // torch.load without weights_only, pickle.load, or TorchScript's own unpickler
  sample_inputs,     // torch.load without weights_only; empty: no samples
  compiled,          // AOTInductor and TorchScript: compiled and run, or controls that
  extra,             // passed to the caller as text
  unknown,           // not opened by any known part of torch
};

/// Returns the layout of an archive with these members. An ambiguous one is unknown.
ArchiveLayout layout_of(const std::vector<std::string_view>& names);

/// Returns the name of a record without the top folder, if the layout has one.
std::string_view record_in(ArchiveLayout layout, std::string_view name);

/// Returns the role by the name alone. `record` is a result of record_in(). torch ignores ASCII case when it
/// looks up records, so this does, too. In an unknown layout, returns the role in any other layout.
RecordRole role_by_name(ArchiveLayout layout, std::string_view record);

/// A record that a payload config refers to, and its resulting role.
struct PointedRecord {
  std::string record;                        // anywhere: torch joins names like paths in Python
  RecordRole role = RecordRole::raw_tensor;  // or pickle
};

/// Returns all references of `config`, for weights or constants, in order.
std::vector<PointedRecord> records_of(const PayloadConfig& config, PayloadPart part);

/// Returns `name` with ASCII letters in lower case, as torch looks up records.
std::string folded(std::string_view name);

}  // namespace pt2
