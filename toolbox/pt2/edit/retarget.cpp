#include "pt2/edit/retarget.h"

#include <algorithm>

#include "pt2/graph/walk.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

constexpr std::string_view kAutocast = "torch.ops.higher_order.wrap_with_autocast";

bool is_of_device(const Device& device, const std::optional<Device>& from) {
  return !from || (device.type == from->type && (!from->index || device.index == from->index));
}

/// Returns the number of changes.
std::size_t change_device(Device& device, const DeviceChange& change) {
  if (!is_of_device(device, change.from) || device == change.to) return 0;
  device = change.to;
  return 1;
}

std::size_t change_devices(Argument& argument, const DeviceChange& change) {
  if (Device* const device = argument.get_if<Argument::as_device>()) return change_device(*device, change);
  std::size_t count = 0;
  if (auto* const dict = argument.get_if<Argument::as_string_to_argument>()) {
    for (auto& [key, value] : *dict) count += change_devices(value, change);
  }
  return count;
}

}  // namespace

Device parse_device(std::string_view text) {
  Device device = device_named(text);
  const bool is_type =
      !device.type.empty() && std::all_of(device.type.begin(), device.type.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
      });
  const bool has_index = device.type.size() < text.size();
  if (is_type && (!has_index || device.index.value_or(-1) >= 0)) return device;
  throw schemagen::UsageError("expected a device, such as cpu, cuda or cuda:1, got " +
                              schemagen::quoted(text));
}

DeviceChange device_change(std::string_view to, const std::optional<std::string>& from) {
  DeviceChange change{parse_device(to), std::nullopt};
  if (from) change.from = parse_device(*from);
  return change;
}

std::size_t retarget(ExportedProgram& program, const DeviceChange& change) {
  schemagen::Set replaced_types;
  for_each_graph(program.graph_module.graph, [&](const Graph& graph) {
    for (const auto& [name, meta] : graph.tensor_values) {
      if (is_of_device(meta.device, change.from)) replaced_types.insert(meta.device.type);
    }
  });
  std::size_t count = 0;
  for_each_graph(program.graph_module.graph, [&](Graph& graph) {
    for (auto& [name, meta] : graph.tensor_values) count += change_device(meta.device, change);
    for (Node& node : graph.nodes) {
      for (NamedArgument& input : node.inputs) count += change_devices(input.arg, change);
      if (node.target != kAutocast || node.inputs.empty()) continue;
      // A region for a type that no value has does nothing, and must not begin to.
      std::string* const type = node.inputs[0].arg.get_if<Argument::as_string>();
      if (type == nullptr || *type == change.to.type || !replaced_types.contains(*type)) continue;
      *type = change.to.type;
      ++count;
    }
  });
  return count;
}

std::size_t retarget(PayloadConfig& config, const DeviceChange& change) {
  std::size_t count = 0;
  for (auto& [name, payload] : config.config) {
    if (payload.tensor_meta) count += change_device(payload.tensor_meta->device, change);
  }
  return count;
}

}  // namespace pt2
