#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pt2/archive/zip.h"

namespace pt2 {

/// Returns what a file is that is neither JSON nor a zip archive nor a .pt2b file, and how to get an exported
/// program; nullopt if unknown. Recognizes safetensors with a small header, which begin like JSON.
std::optional<std::string> other_format(std::string_view bytes);

/// Returns whether `bytes` begin with a length of 8 bytes and a JSON object of that length. Source:
/// https://github.com/huggingface/safetensors
bool looks_like_safetensors(std::string_view bytes);

std::optional<std::string> other_format(const ZipReader& zip);

}  // namespace pt2
