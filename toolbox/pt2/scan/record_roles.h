// What torch does with each record of an archive when it loads it, told by the records' names and by the
// configs that point to them. Source: torch/export/__init__.py, torch/export/pt2_archive/_package.py,
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
  pt2_archive,   // `archive_format` and others in one top folder
  old_zip,       // of torch 2.1 to 2.7: `serialized_exported_program.json` and others at the root
  flat_package,  // of AOTInductor in torch 2.5 to 2.7: `data/aotinductor/...` and others at the root
  torch_file,    // of torch.save: `data.pkl` and others in one top folder
  unknown,
};

enum class RecordRole {
  layout,            // tells of the archive: its format, versions, byte order, alignment
  program,           // the JSON of an exported program
  payload_config,    // JSON that says which tensor is in which record
  unlisted_payload,  // lies with the tensors: it is what a config says, else nothing opens it
  raw_tensor,        // the bytes of a tensor, which are copied and not looked at
  pickle,            // torch.load without weights_only, pickle.load, or TorchScript's own unpickler
  sample_inputs,     // torch.load without weights_only; empty: there are none
  compiled,          // AOTInductor and TorchScript: it is compiled and run, or decides how
  extra,             // handed to the caller as text
  unknown,           // nothing of torch that is known opens it
};

/// The layout of an archive whose members have these names. One that could be several is unknown.
ArchiveLayout layout_of(const std::vector<std::string_view>& names);

/// The name of a record as torch knows it: without the top folder, whatever that is, where the layout has
/// one.
std::string_view record_in(ArchiveLayout layout, std::string_view name);

/// What the name alone tells. `record` is as of record_in(). torch finds records without regard to ASCII
/// case, so that case does not count here either. In an unknown layout, what it is in any other.
RecordRole role_by_name(ArchiveLayout layout, std::string_view record);

/// A record that a payload config points to, and what that makes of it.
struct PointedRecord {
  std::string record;                        // wherever it is: torch joins names as Python joins paths
  RecordRole role = RecordRole::raw_tensor;  // or pickle
};

/// All that `config`, of the weights or the constants, points to, in its order.
std::vector<PointedRecord> records_of(const PayloadConfig& config, PayloadPart part);

/// `name` with ASCII letters in lower case: what torch looks records up by.
std::string folded(std::string_view name);

}  // namespace pt2
