// Moves programs and tables of weights to other devices.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "pt2/types.h"

namespace pt2 {

/// Returns the device named by `text` in the syntax of torch.device(): `cpu`, `cuda:1`. Throws UsageError for
/// other text.
Device parse_device(std::string_view text);

struct DeviceChange {
  Device to;
  /// The device to replace; without an index, all devices of its type; nullopt for all devices.
  std::optional<Device> from;
};

/// Changes the devices of all values in the graph and its subgraphs, and of arguments that are devices or
/// name a device type, such as torch.autocast's. Returns the number of changes. Metadata and guards do not
/// change. Does not check whether the operators exist on the new device.
std::size_t retarget(ExportedProgram& program, const DeviceChange& change);

/// Does the same for the tensors in a table of weights.
std::size_t retarget(PayloadConfig& config, const DeviceChange& change);

}  // namespace pt2
