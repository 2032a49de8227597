#include "pt2/report/reports.h"

#include <iterator>

#include "pt2/graph/signature.h"
#include "pt2/text/join.h"
#include "pt2/text/literal.h"
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

void write_use(ReportWriter& json, const OperatorUse& use, const AskedOperators& asked) {
  const auto names = [&](const std::vector<ScalarType>& dtypes) {
    return [&] { json.list(dtypes, [&](ScalarType dtype) { json.string(torch_name(dtype)); }); };
  };
  const auto dtypes = [&] {
    json.list(use.dtypes, [&](const OperatorDtypes& each) {
      json.object("arguments", names(each.arguments), "results", names(each.results), "nodes", each.nodes);
    });
  };
  const auto missing = [&] {
    if (use.missing.empty()) return static_cast<void>(json.null());
    const bool decomposes = asked.is_backend && use.decomposes_to;
    const auto known = [&](const auto& find) { return decomposes ? std::optional(find()) : std::nullopt; };
    json.object("why", use.missing, "nodes", use.missing_nodes, "decomposes_to",
                known([&] { return operator_texts(*use.decomposes_to); }), "still_missing",
                known([&] { return asked.still_missing(use); }));
  };
  json.object("name", operator_text(use.target), "nodes", use.nodes, "dtypes", dtypes, "missing", missing);
}

}  // namespace

const char* kind_name(Difference::Kind kind) {
  constexpr const char* kNames[] = {"added", "removed", "changed"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string differences_json(const std::vector<Difference>& differences) {
  ReportWriter json;
  const auto all = [&] {
    json.list(differences, [&](const Difference& each) {
      json.object("kind", kind_name(each.kind), "part", each.part, "where", if_any_text(each.where), "before",
                  if_any_text(each.before), "after", if_any_text(each.after), "details", each.details,
                  "largest_absolute", each.largest_absolute, "largest_relative", each.largest_relative);
    });
  };
  json.object("same", differences.empty(), "differences", all);
  return json.text();
}

void write_signature(ReportWriter& json, const GraphSignature& specs) {
  const ExportGraphSignature signature(specs);
  const auto user_values = [&](const std::vector<UserValue>& values) {
    return [&] { json.list(values, [&](const UserValue& value) { write_user_value(json, value); }); };
  };
  const auto backward = [&] {
    const auto& parts = signature.backward_signature();
    if (!parts) return static_cast<void>(json.null());
    json.object("gradients_to_parameters", parts->gradients_to_parameters, "gradients_to_user_inputs",
                parts->gradients_to_user_inputs, "loss_output", parts->loss_output);
  };
  json.object("parameters", signature.parameters(), "buffers", signature.buffers(), "non_persistent_buffers",
              signature.non_persistent_buffers(), "lifted_tensor_constants",
              signature.lifted_tensor_constants(), "lifted_custom_objs", signature.lifted_custom_objs(),
              "user_inputs", user_values(signature.user_inputs()), "user_outputs",
              user_values(signature.user_outputs()), "inputs_to_parameters", signature.inputs_to_parameters(),
              "inputs_to_buffers", signature.inputs_to_buffers(), "buffers_to_mutate",
              signature.buffers_to_mutate(), "parameters_to_mutate", signature.parameters_to_mutate(),
              "user_inputs_to_mutate", signature.user_inputs_to_mutate(), "inputs_to_lifted_tensor_constants",
              signature.inputs_to_lifted_tensor_constants(), "inputs_to_lifted_custom_objs",
              signature.inputs_to_lifted_custom_objs(), "backward_signature", backward, "assertion_dep_token",
              std::optional<bool>(),  // as in torch
              "input_tokens", signature.input_tokens(), "output_tokens", signature.output_tokens());
}

std::string signature_json(const GraphSignature& signature) {
  ReportWriter json;
  write_signature(json, signature);
  return json.text();
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
  ReportWriter json;
  const auto cost = [&](const Polynomial& value) {
    return [&] {
      const auto number = value.number();
      number ? json.integer(*number) : json.string(value.text());
    };
  };
  const auto rows = [&] {
    json.list(stats.by, [&](const StatsRow& row) {
      json.object("name", row.key, "nodes", row.nodes, "parameters", row.parameters, "multiply_adds",
                  cost(row.multiply_adds), "bytes", cost(row.bytes));
    });
  };
  json.object("parameters", stats.parameters, "parameter_bytes", stats.parameter_bytes, "buffer_bytes",
              stats.buffer_bytes, "multiply_adds", cost(stats.multiply_adds), "not_counted",
              stats.not_counted, "value_bytes", cost(stats.value_bytes), "peak_bytes", stats.peak_bytes, "by",
              rows);
  return json.text();
}

std::string shown(const Polynomial& value) {
  const auto number = value.number();
  return number && *number >= 0 ? grouped(static_cast<std::uint64_t>(*number)) : printable(value.text());
}

std::vector<Row> stats_rows(const ProgramStats& stats) {
  const auto bytes = [](std::int64_t count) { return grouped(static_cast<std::uint64_t>(count), "byte"); };
  std::vector<Row> rows = {{"parameters", grouped(static_cast<std::uint64_t>(stats.parameters)) + " (" +
                                              bytes(stats.parameter_bytes) + ")"},
                           {"buffers", bytes(stats.buffer_bytes)},
                           {"multiply-adds", shown(stats.multiply_adds)},
                           {"results", shown(stats.value_bytes) + " bytes" +
                                           (stats.peak_bytes ? ", peak " + bytes(*stats.peak_bytes) : "")}};
  const auto text = [](const auto& each) {
    return printable(each.first) + " (" + std::to_string(each.second) + ")";
  };
  if (!stats.not_counted.empty()) rows.push_back({"not counted", join_texts(stats.not_counted, ", ", text)});
  return rows;
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
  ReportWriter json;
  json.object("asked", if_any_text(asked.name), "missing", static_cast<std::size_t>(missing), "operators",
              [&] { json.list(uses, [&](const OperatorUse& use) { write_use(json, use, asked); }); });
  return json.text();
}

std::string comparison_json(const TypeComparison& comparison) {
  ReportWriter json;
  json.begin('{').key("checked").count(comparison.nodes);
  json.list("differences", comparison.differences, [&](const TypeDifference& each) {
    json.object("node", each.where, "operator", operator_text(each.target), "result", each.value, "part",
                each.part, "recorded", each.recorded, "inferred", each.inferred);
  });
  json.list("not_checked", comparison.uninferred, [&](const UninferredNode& each) {
    json.object("node", each.where, "operator", operator_text(each.target), "why", each.why);
  });
  json.end('}');
  return json.text();
}

}  // namespace pt2
