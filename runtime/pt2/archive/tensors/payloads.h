// Where PT2 archives keep the tensors of a model: records of raw bytes, and configs that say what is in
// which.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pt2/archive/archive.h"
#include "pt2/types.h"
#include "schemagen/base/limits.h"

namespace pt2 {

enum class PayloadPart { weights, constants };
inline constexpr PayloadPart kPayloadParts[] = {PayloadPart::weights, PayloadPart::constants};

/// `data/weights/`, `data/constants/`
std::string_view payload_folder(PayloadPart part);

/// The record of the config of `model` as torch 2.9 and later write it: `data/weights/a_weights_config.json`.
std::string payload_config_record(PayloadPart part, std::string_view model);

/// The record that `archive` has, by one of the two names that it has had; nullopt: there is none.
std::optional<std::string> find_payload_config(const Archive& archive, PayloadPart part,
                                               std::string_view model);

/// The file of torch.save that has all tensors of the part, as torch up to 2.8 wrote it, as PT2 archive or
/// old zip; nullopt: there is none, or it is empty.
std::optional<std::string> find_pickled_payload(const Archive& archive, PayloadPart part,
                                                std::string_view model);

/// The config in that record, which is there. Errors: DataError if it is malformed.
PayloadConfig read_payload_config(const Archive& archive, const std::string& record,
                                  const schemagen::Limits& limits);

/// Whether a payload is an object and no tensor: the prefix of its record's name tells.
bool is_object_payload(const PayloadMeta& payload);

}  // namespace pt2
