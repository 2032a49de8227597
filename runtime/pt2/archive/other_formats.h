#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pt2/archive/zip.h"

namespace pt2 {

/// Returns the format of a file that is neither JSON nor a zip archive nor a .pt2b file, and how to get an
/// exported program instead. Returns nullopt if the format is unknown. Also recognizes safetensors files with
/// a small header, which begin like JSON.
std::optional<std::string> other_format(std::string_view bytes);

/// Returns whether `bytes` begins with an 8-byte length and a JSON object of that length. Source:
/// https://github.com/huggingface/safetensors
bool looks_like_safetensors(std::string_view bytes);

std::optional<std::string> other_format(const ZipReader& zip);

}  // namespace pt2
