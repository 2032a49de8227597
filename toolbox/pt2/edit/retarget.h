// Changes the devices of programs and of tables of weights.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/types.h"

namespace pt2 {

/// Returns the device that `text` names in the syntax of torch.device(), e.g. `cpu` or `cuda:1`. Throws
/// UsageError for other strings.
Device parse_device(std::string_view text);

struct DeviceChange {
  Device to;
  /// The device to replace. Without an index, this means all devices of its type; nullopt means all devices.
  std::optional<Device> from;
};

/// Parses both devices; see parse_device().
DeviceChange device_change(std::string_view to, const std::optional<std::string>& from);

/// Changes the devices of all values in the graph and its subgraphs. Also changes arguments that are devices
/// or name the type of a replaced device, such as the argument of torch.autocast(). Returns the number of
/// changes. Does not change metadata or guards. Does not check whether the operators exist on the new device.
std::size_t retarget(ExportedProgram& program, const DeviceChange& change);

/// Does the same for the tensors in a table of weights.
std::size_t retarget(PayloadConfig& config, const DeviceChange& change);

}  // namespace pt2
