// Files that people take for exported programs, told by their content.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pt2/archive/zip.h"

namespace pt2 {

/// What `bytes`, a file that is neither JSON nor a zip archive nor a .pt2b file, is, and how one gets an
/// exported program: "this is an ONNX model, not an exported program: ..."; nullopt: not known. Also files
/// that begin like JSON may be known: those of safetensors with a small header.
std::optional<std::string> other_format(std::string_view bytes);

/// Whether `bytes` begin as a file of safetensors does: a length of 8 bytes, and a JSON object of that
/// length. Source: https://github.com/huggingface/safetensors
bool looks_like_safetensors(std::string_view bytes);

/// What a zip archive is.
std::optional<std::string> other_format(const ZipReader& zip);

}  // namespace pt2
