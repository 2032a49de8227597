// Programs and tables of weights on other devices.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "pt2/types.h"

namespace pt2 {

/// `cpu`, `cuda:1`, as torch.device() takes it. Errors: UsageError, if it is no such text.
Device parse_device(std::string_view text);

/// Which devices are changed, and to what.
struct DeviceChange {
  Device to;
  /// Null: all of them. Without an index, those of its type, whatever their index.
  std::optional<Device> from;
};

/// Changes the devices of all values, of the graph and its subgraphs, and of arguments that are devices, or
/// that name the type of a device as torch.autocast's do. Returns how many. What metadata and guards say
/// stays. Whether the operators exist on that device is not looked at.
std::size_t retarget(ExportedProgram& program, const DeviceChange& change);

/// The same for the tensors in a table of weights.
std::size_t retarget(PayloadConfig& config, const DeviceChange& change);

}  // namespace pt2
