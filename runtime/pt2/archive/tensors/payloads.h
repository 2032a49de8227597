// Finds and reads records of raw bytes, and the configs that describe them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/types.h"
#include "schemagen/base/limits.h"

namespace pt2 {

enum class PayloadPart { weights, constants };
inline constexpr PayloadPart kPayloadParts[] = {PayloadPart::weights, PayloadPart::constants};

std::string_view payload_folder(PayloadPart part);

/// Returns the record name of a config in torch 2.9 and later, e.g. `data/weights/a_weights_config.json`.
std::string payload_config_record(PayloadPart part, std::string_view model);

/// Returns the record of a config, under its current or old name, or nullopt if it is missing.
std::optional<std::string> find_payload_config(const Archive& archive, PayloadPart part,
                                               std::string_view model);

/// Returns the record of the torch.save file with all tensors of the part, which torch up to 2.8 wrote.
/// Returns nullopt if the record is missing or empty.
std::optional<std::string> find_pickled_payload(const Archive& archive, PayloadPart part,
                                                std::string_view model);

/// Returns whether the archive has a config or a torch.save file for the part, even an empty one.
bool has_payloads(const Archive& archive, PayloadPart part, std::string_view model);

/// Returns a message if the archive has the program of `model` but no record of its weights or constants,
/// although `signature` names some. Otherwise, returns an empty string.
std::string why_unfinished(const Archive& archive, std::string_view model, const GraphSignature& signature);

PayloadConfig read_payload_config(const Archive& archive, const std::string& record,
                                  const schemagen::Limits& limits);

/// A config, and the folder of the records that it names.
struct PayloadTable {
  std::string record;
  std::string folder;
  PayloadConfig config;
};

/// Returns the configs of a model.
std::vector<PayloadTable> payload_tables(const Archive& archive, std::string_view model,
                                         const schemagen::Limits& limits);

bool is_object_payload(const PayloadMeta& payload);

/// Returns the records of the model's weights and constants, and the configs that name them.
std::set<std::string> payload_records(const Archive& archive, std::string_view model,
                                      const schemagen::Limits& limits);

/// Returns the records of the model: its program, its sample inputs and payload_records().
std::set<std::string> records_of(const Archive& archive, const ArchivedModel& model,
                                 const schemagen::Limits& limits);

/// Returns `archive` without the records that belong only to other models than `model`, exported or compiled.
/// Throws whatever find_model() and read_payload_config() throw.
Archive only_model(const Archive& archive, const std::string& model, const schemagen::Limits& limits);

}  // namespace pt2
