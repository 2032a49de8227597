// Determines what torch does with each record of an archive when it loads the archive, according to names and
// configs. Source: torch/export/__init__.py, torch/export/pt2_archive/_package.py,
// torch/csrc/inductor/aoti_package/model_package_loader.cpp, torch/serialization.py of torch 2.13;
// torch/_inductor/package/package.py of torch 2.5 to 2.7.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/tensors/payloads.h"
#include "pt2/types.h"

namespace pt2 {

enum class ArchiveLayout {
  pt2_archive,   // `archive_format` in a top-level folder
  old_zip,       // torch 2.1 to 2.7: `serialized_exported_program.json` at the root
  flat_package,  // AOTInductor in torch 2.5 to 2.7: `data/aotinductor/...` at the root
  torch_file,    // torch.save: `data.pkl` in a top-level folder
  unknown,
};

enum class RecordRole {
  layout,  // describes the archive: format, versions, byte order, alignment
  program,
  payload_config,
  unlisted_payload,  // in a folder of tensors; opened only if a config says so
  raw_tensor,        // copied without being interpreted
  pickle,            // torch.load without weights_only, pickle.load, or TorchScript's own unpickler
  sample_inputs,     // torch.load without weights_only; empty: no samples
  compiled,          // AOTInductor and TorchScript: compiled and run, or controls this
  extra,             // passed to the caller as text
  unknown,           // not opened by any known part of torch
};

ArchiveLayout layout_of(const std::vector<std::string_view>& names);

std::string_view record_in(ArchiveLayout layout, std::string_view name);

/// Returns the role of a record, which record_in() returned. Ignores ASCII case, as torch does. In an unknown
/// layout, returns the role that the record has in any other layout.
RecordRole role_by_name(ArchiveLayout layout, std::string_view record);

struct PointedRecord {
  std::string record;  // can be anywhere, because torch joins names as Python joins paths
  RecordRole role = RecordRole::raw_tensor;
};

std::vector<PointedRecord> records_of(const PayloadConfig& config, PayloadPart part);

std::string folded(std::string_view name);

}  // namespace pt2
