// Tells what a file is from its first bytes and, in a zip archive, from the members' names.
#pragma once

#include "pt2/archive/zip.h"

namespace pt2 {

enum class ZipKind {
  programs,          // a PT2 archive (torch 2.8 and later) with exported programs
  old_zip,           // an exported program, torch 2.1 to 2.7
  compiled_package,  // models that AOTInductor compiled, without exported programs
  flat_package,      // the same from torch 2.5 to 2.7, without a top-level folder
  unfinished,        // torch.export.save() failed and left out records
  other_archive,     // a PT2 archive of other things, e.g. ExecuTorch programs
  torch_save,
  torch_script,
  early_export,  // before torch 2.1
  etrecord,      // what ExecuTorch recorded about an export
  npz,
  other,
};

std::vector<std::string_view> names_of(const std::vector<ZipMember>& members);

/// Returns the folders with an `archive_format`. A PT2 archive has one, of any name.
std::vector<std::string_view> top_folders(const std::vector<std::string_view>& members);

/// Returns the kind of a zip archive with these members.
ZipKind kind_of(const std::vector<std::string_view>& members);

/// Returns why a zip archive with these members has no complete program, and how to get one. The archive must
/// be of a kind without a complete program.
std::string why_no_program(const std::vector<std::string_view>& members);

/// Returns the format of a file that is neither JSON nor a zip archive nor a .pt2b file, and how to get an
/// exported program instead. Returns nullopt if the format is unknown. Also recognizes safetensors files with
/// a small header, which begin like JSON.
std::optional<std::string> other_format(std::string_view bytes);

/// Returns whether `bytes` begins with an 8-byte length and a JSON object of that length. Source:
/// https://github.com/huggingface/safetensors
bool looks_like_safetensors(std::string_view bytes);

}  // namespace pt2
