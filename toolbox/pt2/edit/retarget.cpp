#include "pt2/edit/retarget.h"

#include <algorithm>
#include <charconv>

#include "pt2/graph/walk.h"
#include "schemagen/base/error.h"
#include "schemagen/base/map.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

constexpr std::string_view kAutocast = "torch.ops.higher_order.wrap_with_autocast";

class Retargeting {
 public:
  explicit Retargeting(const DeviceChange& change) : change_(change) {}

  std::size_t count() const { return count_; }

  void note_types(const Graph& graph) {
    for (const auto& [name, meta] : graph.tensor_values) {
      if (matches(meta.device)) replaced_types_.insert(meta.device.type);
    }
  }

  void change(Device& device) {
    if (!matches(device)) return;
    if (device == change_.to) return;
    device = change_.to;
    ++count_;
  }

  void change(Argument& argument) {
    if (Device* const device = argument.get_if<Argument::as_device>()) change(*device);
    if (auto* const dict = argument.get_if<Argument::as_string_to_argument>()) {
      for (auto& [key, value] : *dict) change(value);
    }
  }

  void change(Graph& graph) {
    for (auto& [name, meta] : graph.tensor_values) change(meta.device);
    for (Node& node : graph.nodes) {
      for (NamedArgument& input : node.inputs) change(input.arg);
      if (node.target == kAutocast && !node.inputs.empty()) change_type(node.inputs[0].arg);
    }
  }

 private:
  bool matches(const Device& device) const {
    const std::optional<Device>& from = change_.from;
    return !from || (device.type == from->type && (!from->index || device.index == from->index));
  }

  /// A region for a type that no value has does nothing, and must not begin to.
  void change_type(Argument& argument) {
    std::string* const type = argument.get_if<Argument::as_string>();
    if (type == nullptr || *type == change_.to.type || !replaced_types_.contains(*type)) return;
    *type = change_.to.type;
    ++count_;
  }

  const DeviceChange& change_;
  schemagen::Set replaced_types_;
  std::size_t count_ = 0;
};

}  // namespace

Device parse_device(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view type = text.substr(0, colon);
  const bool is_type = !type.empty() && std::all_of(type.begin(), type.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
  Device device;
  device.type = type;
  bool is_index = true;
  if (colon < text.size()) {
    const char* const end = text.data() + text.size();
    std::int64_t index = 0;
    const auto [rest, error] = std::from_chars(text.data() + colon + 1, end, index);
    is_index = error == std::errc() && rest == end && index >= 0;
    device.index = index;
  }
  if (is_type && is_index) return device;
  throw schemagen::UsageError("expected a device, such as cpu, cuda or cuda:1, got " +
                              schemagen::quoted(text));
}

DeviceChange device_change(std::string_view to, const std::optional<std::string>& from) {
  DeviceChange change{parse_device(to), std::nullopt};
  if (from) change.from = parse_device(*from);
  return change;
}

std::size_t retarget(ExportedProgram& program, const DeviceChange& change) {
  Retargeting retargeting(change);
  for_each_graph(program.graph_module.graph, [&](const Graph& graph) { retargeting.note_types(graph); });
  for_each_graph(program.graph_module.graph, [&](Graph& graph) { retargeting.change(graph); });
  return retargeting.count();
}

std::size_t retarget(PayloadConfig& config, const DeviceChange& change) {
  Retargeting retargeting(change);
  for (auto& [name, payload] : config.config) {
    if (payload.tensor_meta) retargeting.change(payload.tensor_meta->device);
  }
  return retargeting.count();
}

}  // namespace pt2
