#include "pt2/report/reports.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/graph/signature.h"
#include "pt2/stats/stats.h"
#include "pt2/strings/argument_text.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

std::optional<std::string> if_any_text(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

schemagen::JsonWriter& write_user_value(schemagen::JsonWriter& json, const UserValue& value) {
  const ConstantValue& constant = value.constant;
  if (!value.name.empty()) return json.string(value.name);
  if (const auto* number = constant.get_if<ConstantValue::as_int>()) return json.integer(*number);
  if (const auto* real = constant.get_if<ConstantValue::as_float>()) return json.floating(*real);
  if (const auto* flag = constant.get_if<ConstantValue::as_bool>()) return json.boolean(*flag);
  if (const auto* text = constant.get_if<ConstantValue::as_string>()) return json.string(*text);
  return json.null();
}

void write_user_values(schemagen::JsonWriter& json, const std::vector<UserValue>& values) {
  json.begin('[');
  for (const UserValue& value : values) write_user_value(json, value);
  json.end(']');
}

schemagen::JsonWriter& write_backward(schemagen::JsonWriter& json,
                                      const std::optional<ExportBackwardSignature>& backward) {
  if (!backward) return json.null();
  json.begin('{').key("gradients_to_parameters").value(backward->gradients_to_parameters);
  json.key("gradients_to_user_inputs").value(backward->gradients_to_user_inputs);
  return json.key("loss_output").string(backward->loss_output).end('}');
}

schemagen::JsonWriter& write_polynomial(schemagen::JsonWriter& json, const Polynomial& value) {
  const auto number = value.number();
  return number ? json.integer(*number) : json.string(value.text());
}

void write_dtypes(schemagen::JsonWriter& json, const char* key, const std::vector<ScalarType>& dtypes) {
  json.key(key).begin('[');
  for (const ScalarType dtype : dtypes) json.string(torch_name(dtype));
  json.end(']');
}

schemagen::JsonWriter& write_missing(schemagen::JsonWriter& json, const OperatorUse& use,
                                     const AskedOperators& asked) {
  if (use.missing.empty()) return json.null();
  json.begin('{').key("why").string(use.missing).key("nodes").value(use.missing_nodes);
  if (asked.is_backend && use.decomposes_to) {
    json.key("decomposes_to").value(operator_texts(*use.decomposes_to));
    json.key("still_missing").value(asked.still_missing(use));
  } else {
    json.key("decomposes_to").null().key("still_missing").null();
  }
  return json.end('}');
}

void write_use(schemagen::JsonWriter& json, const OperatorUse& use, const AskedOperators& asked) {
  json.begin('{').key("name").string(operator_text(use.target)).key("nodes").count(use.nodes);
  json.key("dtypes").begin('[');
  for (const OperatorDtypes& each : use.dtypes) {
    json.begin('{');
    write_dtypes(json, "arguments", each.arguments);
    write_dtypes(json, "results", each.results);
    json.key("nodes").count(each.nodes).end('}');
  }
  write_missing(json.end(']').key("missing"), use, asked).end('}');
}

}  // namespace

const char* kind_name(Difference::Kind kind) {
  switch (kind) {
    case Difference::Kind::added:
      return "added";
    case Difference::Kind::removed:
      return "removed";
    case Difference::Kind::changed:
      break;
  }
  return "changed";
}

std::string differences_json(const std::vector<Difference>& differences) {
  schemagen::JsonWriter json(report_options());
  json.begin('{').key("same").boolean(differences.empty()).key("differences").begin('[');
  for (const Difference& difference : differences) {
    json.begin('{').key("kind").string(kind_name(difference.kind)).key("part").string(difference.part);
    json.key("where").string_or_null(if_any_text(difference.where));
    json.key("before").string_or_null(if_any_text(difference.before));
    json.key("after").string_or_null(if_any_text(difference.after));
    json.key("details").value(difference.details);
    json.key("largest_absolute").floating_or_null(difference.largest_absolute);
    json.key("largest_relative").floating_or_null(difference.largest_relative).end('}');
  }
  json.end(']').end('}');
  return std::string(json.view());
}

void write_signature(schemagen::JsonWriter& json, const GraphSignature& specs) {
  const ExportGraphSignature signature(specs);
  const auto property = [&](const char* name, const auto& value) { json.key(name).value(value); };
  json.begin('{');
  property("parameters", signature.parameters());
  property("buffers", signature.buffers());
  property("non_persistent_buffers", signature.non_persistent_buffers());
  property("lifted_tensor_constants", signature.lifted_tensor_constants());
  property("lifted_custom_objs", signature.lifted_custom_objs());
  write_user_values(json.key("user_inputs"), signature.user_inputs());
  write_user_values(json.key("user_outputs"), signature.user_outputs());
  property("inputs_to_parameters", signature.inputs_to_parameters());
  property("inputs_to_buffers", signature.inputs_to_buffers());
  property("buffers_to_mutate", signature.buffers_to_mutate());
  property("parameters_to_mutate", signature.parameters_to_mutate());
  property("user_inputs_to_mutate", signature.user_inputs_to_mutate());
  property("inputs_to_lifted_tensor_constants", signature.inputs_to_lifted_tensor_constants());
  property("inputs_to_lifted_custom_objs", signature.inputs_to_lifted_custom_objs());
  write_backward(json.key("backward_signature"), signature.backward_signature());
  json.key("assertion_dep_token").null();  // as in torch
  property("input_tokens", signature.input_tokens());
  property("output_tokens", signature.output_tokens());
  json.end('}');
}

std::string signature_json(const GraphSignature& signature) {
  schemagen::JsonWriter json(report_options());
  write_signature(json, signature);
  return std::string(json.view());
}

std::optional<StatsKey> find_stats_key(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kStatsKeys); ++i) {
    if (name == kStatsKeys[i]) return static_cast<StatsKey>(i);
  }
  return std::nullopt;
}

std::string unknown_stats_key(std::string_view name) {
  return "unknown key " + schemagen::quoted(name) + ", expected operator, module or node";
}

std::string stats_json(const ProgramStats& stats) {
  schemagen::JsonWriter json(report_options());
  json.begin('{').key("parameters").integer(stats.parameters);
  json.key("parameter_bytes").integer(stats.parameter_bytes).key("buffer_bytes").integer(stats.buffer_bytes);
  write_polynomial(json.key("multiply_adds"), stats.multiply_adds);
  json.key("not_counted").begin('{');
  for (const auto& [name, nodes] : stats.not_counted) json.key(name).count(nodes);
  write_polynomial(json.end('}').key("value_bytes"), stats.value_bytes);
  json.key("peak_bytes").integer_or_null(stats.peak_bytes).key("by").begin('[');
  for (const StatsRow& row : stats.by) {
    json.begin('{').key("name").string(row.key).key("nodes").count(row.nodes);
    json.key("parameters").integer(row.parameters);
    write_polynomial(json.key("multiply_adds"), row.multiply_adds);
    write_polynomial(json.key("bytes"), row.bytes).end('}');
  }
  json.end(']').end('}');
  return std::string(json.view());
}

std::vector<std::string> operator_texts(const std::vector<std::string>& targets) {
  std::vector<std::string> names;
  for (const std::string& target : targets) names.push_back(operator_text(target));
  return names;
}

std::vector<std::string> AskedOperators::still_missing(const OperatorUse& use) const {
  if (!use.decomposes_to) {
    return use.missing.empty() ? std::vector<std::string>()
                               : std::vector<std::string>{operator_text(use.target)};
  }
  std::vector<std::string> missing;
  for (const std::string& target : *use.decomposes_to) {
    Node node;
    node.target = target;
    if (!support(node, {}).empty()) missing.push_back(operator_text(target));
  }
  return missing;
}

std::string operators_json(const std::vector<OperatorUse>& uses, const AskedOperators& asked) {
  const auto missing =
      std::count_if(uses.begin(), uses.end(), [](const OperatorUse& use) { return !use.missing.empty(); });
  schemagen::JsonWriter json(report_options());
  json.begin('{').key("asked").string_or_null(asked.name.empty() ? std::nullopt : std::optional(asked.name));
  json.key("missing").count(static_cast<std::size_t>(missing)).key("operators").begin('[');
  for (const OperatorUse& use : uses) write_use(json, use, asked);
  json.end(']').end('}');
  return std::string(json.view());
}

std::string comparison_json(const TypeComparison& comparison) {
  schemagen::JsonWriter json(report_options());
  json.begin('{').key("checked").count(comparison.nodes).key("differences").begin('[');
  for (const TypeDifference& each : comparison.differences) {
    json.begin('{').key("node").string(each.where).key("operator").string(operator_text(each.target));
    json.key("result").string(each.value).key("part").string(each.part);
    json.key("recorded").string(each.recorded).key("inferred").string(each.inferred).end('}');
  }
  json.end(']').key("not_checked").begin('[');
  for (const UninferredNode& each : comparison.uninferred) {
    json.begin('{').key("node").string(each.where).key("operator").string(operator_text(each.target));
    json.key("why").string(each.why).end('}');
  }
  json.end(']').end('}');
  return std::string(json.view());
}

}  // namespace pt2
