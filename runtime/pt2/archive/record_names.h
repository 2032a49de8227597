// Names of records in PT2 archives, without the top-level folder, and of members in old zips. Source:
// torch/csrc/export/pt2_archive_constants.h, torch/export/__init__.py (PyTorch 2.4 to 2.15).
#pragma once

#include <string>
#include <string_view>

namespace pt2::record {

inline constexpr std::string_view kFormat = "archive_format";
inline constexpr std::string_view kVersion = "archive_version";
inline constexpr std::string_view kByteOrder = "byteorder";
inline constexpr std::string_view kZipVersion = ".data/version";
inline constexpr std::string_view kSerializationId = ".data/serialization_id";

inline constexpr std::string_view kModels = "models/";
inline constexpr std::string_view kWeights = "data/weights/";
inline constexpr std::string_view kConstants = "data/constants/";
inline constexpr std::string_view kSampleInputs = "data/sample_inputs/";
inline constexpr std::string_view kAotInductor = "data/aotinductor/";
inline constexpr std::string_view kExecuTorch = "data/executorch/";
inline constexpr std::string_view kExtra = "extra/";

inline constexpr std::string_view kConfig = "_config.json";  // the end of all these:
inline constexpr std::string_view kWeightsConfig = "_weights_config.json";
inline constexpr std::string_view kConstantsConfig = "_constants_config.json";
inline constexpr std::string_view kOldWeightsConfig = "_model_param_config.json";  // before torch 2.9
inline constexpr std::string_view kOldConstantsConfig = "_model_constants_config.json";

inline constexpr std::string_view kJson = ".json";
inline constexpr std::string_view kPickle = ".pt";

inline constexpr std::string_view kOldProgram = "serialized_exported_program.json";
inline constexpr std::string_view kOldStateDict = "serialized_state_dict";
inline constexpr std::string_view kOldConstants = "serialized_constants";
inline constexpr std::string_view kOldInputs = "serialized_example_inputs";
inline constexpr std::string_view kOldVersion = "version";
inline constexpr std::string_view kOldExtra = "extra_files/";

/// Returns the name without the folder before its first slash, if there is one.
inline std::string_view below_top_folder(std::string_view name) {
  return name.substr(name.find('/') + 1);  // npos + 1 is 0
}

inline std::string joined(std::string_view folder, std::string_view model, std::string_view suffix) {
  return std::string(folder).append(model).append(suffix);
}

}  // namespace pt2::record
