#include "pt2/report/page_data.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/archive/tensors/tensor.h"
#include "pt2/report/report_options.h"
#include "pt2/report/reports.h"
#include "pt2/report/stats_rows.h"
#include "pt2/stats/stats.h"
#include "pt2/strings/argument_text.h"
#include "pt2/strings/program_words.h"
#include "pt2/text/literal.h"
#include "pt2/text/symbolic_text.h"
#include "pt2/versions/version.h"
#include "schemagen/base/error.h"
#include "schemagen/base/map.h"
#include "schemagen/json/json_writer.h"

namespace pt2 {
namespace {

constexpr std::size_t kBins = 32;
constexpr std::uint64_t kMostCounted = std::uint64_t{256} << 20;  // weights may share their bytes

class Strings {
 public:
  std::int64_t number(const std::string& text) {
    const auto [number, is_new] = numbers_.try_emplace(text);
    if (is_new) *number = static_cast<std::int64_t>(numbers_.size()) - 1;
    return *number;
  }
  void write(schemagen::JsonWriter& json) const {
    json.begin('[');
    for (const auto& [text, number] : numbers_) json.string(text);
    json.end(']');
  }

 private:
  schemagen::Map<std::int64_t> numbers_;
};

/// Lists take less text than objects.
class PageData {
 public:
  PageData(const PageProgram& page, PageStatistics statistics)
      : page_(page),
        statistics_(statistics),
        program_(*page.program),
        diagram_(*page.diagram),
        json_(report_options(), schemagen::JsonWriter::Punctuation::compact) {}

  std::string write() {
    json_.begin('{').key("title").string(page_.title);
    json_.key("facts").begin('[');
    fact("schema", version_text(program_.schema_version));
    fact("torch", torch_version_text(program_));
    for (const std::string& remark : diagram_.remarks) fact("note", remark);
    json_.end(']');
    write_signature();
    write_texts();
    write_groups();
    write_values();
    write_nodes();
    write_weights();
    strings_.write(json_.key("strings"));
    json_.end('}');
    return std::string(json_.view());
  }

 private:
  schemagen::JsonWriter& text(const std::string& text) { return json_.integer(strings_.number(text)); }
  void number(std::size_t number) { json_.count(number); }
  void numbers(const std::vector<std::size_t>& numbers) {
    json_.begin('[');
    for (const std::size_t each : numbers) number(each);
    json_.end(']');
  }

  void fact(const char* name, const std::string& value) {
    json_.begin('[').string(name).string(value).end(']');
  }

  template <class Spec>
  void write_specs(const char* key, const std::vector<Argument>& arguments, const std::vector<Spec>& specs) {
    const Graph& graph = program_.graph_module.graph;
    json_.key(key).begin('[');
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      std::string type;
      for_each_name(arguments[i], [&](const std::string& name, ValueName::Table table) {
        type += (type.empty() ? "" : ", ") + type_text(graph, {table, name});
      });
      json_.begin('[');
      text(argument_text(arguments[i]));
      text(type);
      text(i < specs.size() ? meaning_text(specs[i]) : "").end(']');
    }
    json_.end(']');
  }

  void write_signature() {
    const GraphModule& module = program_.graph_module;
    write_specs("inputs", module.graph.inputs, module.signature.input_specs);
    write_specs("outputs", module.graph.outputs, module.signature.output_specs);
  }

  void write_texts() {
    json_.key("ranges").begin('[');
    for (const auto& [symbol, range] : program_.range_constraints) json_.string(range_text(symbol, range));
    json_.end(']').key("guards").begin('[');
    for (const std::string& guard : program_.guards_code) json_.string(printable(guard));
    json_.end(']');
  }

  void write_groups() {
    json_.key("groups").begin('[');
    for (const DiagramGroup& group : diagram_.groups) {
      json_.begin('[').integer(static_cast<int>(group.kind));
      text(group.name);
      text(group.type);
      json_.count(group.parent).end(']');
    }
    json_.end(']');
  }

  void write_values() {
    json_.key("values").begin('[');
    for (const DiagramValue& value : diagram_.values) {
      json_.begin('[');
      text(value.name);
      text(value.type);
      json_.integer(value.producer == DiagramValue::kNone ? -1 : static_cast<std::int64_t>(value.producer));
      json_.end(']');
    }
    json_.end(']');
  }

  void write_nodes() {
    json_.key("nodes").begin('[');
    for (const DiagramNode& node : diagram_.nodes) {
      json_.begin('[').integer(static_cast<int>(node.kind));
      text(node.name);
      text(node.label);
      text(node.target);
      json_.count(node.group).begin('[');
      for (const DiagramArgument& argument : node.arguments) {
        text(argument.name);
        text(argument.text);
        json_.integer(argument.is_default ? 1 : 0);
        numbers(argument.values);
      }
      json_.end(']');
      numbers(node.values);
      numbers(node.subgraphs);
      json_.begin('[');
      for (const auto& [key, value] : node.metadata) {
        text(key);
        text(value);
      }
      json_.end(']').end(']');
    }
    json_.end(']');
  }

  void write_weights() {
    json_.key("weights").begin('[');
    for (const Weight& weight : page_.weights) {
      json_.begin('{').key("name");
      text(printable(weight.name));
      json_.key("kind").string(name_of(weight.kind));
      json_.key("record").string(printable(weight.record));
      if (weight.tensor) write_tensor(*weight.tensor);
      json_.end('}');
    }
    json_.end(']');
  }

  void write_tensor(const Tensor& tensor) {
    const TensorLayout& layout = tensor.layout;
    json_.key("type").string(tensor_type_text(meta_of(tensor)));
    json_.key("bytes").count(static_cast<std::size_t>(extent_of(layout).bytes));
    if (statistics_ == PageStatistics::none) return;
    try {
      if (const auto& known = statistics(tensor)) write_statistics(*known);
    } catch (const schemagen::DataError& error) {
      json_.key("error").string(error.what());
    }
  }

  /// Weights may share a tensor.
  const std::optional<TensorStatistics>& statistics(const Tensor& tensor) {
    Made& made = made_[tensor.storage.get()];
    if (!made.is_made || !(made.layout == tensor.layout)) {
      budget_.take(tensor);
      made = {true, tensor.layout, statistics_of(tensor, kBins)};
    }
    return made.statistics;
  }

  void write_statistics(const TensorStatistics& statistics) {
    json_.key("finite").count(statistics.finite).key("zeros").count(statistics.zeros);
    json_.key("nans").count(statistics.nans).key("infinities").count(statistics.infinities);
    json_.key("minimum").floating(statistics.minimum).key("maximum").floating(statistics.maximum);
    json_.key("mean").floating(statistics.mean).key("deviation").floating(statistics.deviation);
    json_.key("histogram").begin('[');
    for (const std::uint64_t count : statistics.histogram) json_.count(count);
    json_.end(']');
  }

  const PageProgram& page_;
  const PageStatistics statistics_;
  const ExportedProgram& program_;
  const Diagram& diagram_;
  schemagen::JsonWriter json_;
  Strings strings_;
  struct Made {
    bool is_made = false;
    TensorLayout layout;
    std::optional<TensorStatistics> statistics;
  };
  std::map<const Storage*, Made> made_;
  ElementBudget budget_{kMostCounted};
};

/// A number, or terms: a coefficient, then symbols, each with its power.
void write_terms(schemagen::JsonWriter& json, const Polynomial& value) {
  if (const auto number = value.number()) {
    json.integer(*number);
    return;
  }
  json.begin('[');
  for (const auto& [powers, coefficient] : value.terms()) {
    json.begin('[').integer(coefficient);
    for (const auto& [symbol, power] : powers) json.string(printable(symbol)).integer(power);
    json.end(']');
  }
  json.end(']');
}

Bindings example_of(const Graph& graph) {
  Bindings bindings;
  std::set<std::string_view> seen;
  for (const auto& [name, meta] : graph.tensor_values) {
    for (const SymInt& size : meta.sizes) {
      const SymExpr* const expression = size.get_if<SymInt::as_expr>();
      if (expression == nullptr || !expression->hint || !seen.insert(expression->expr_str).second) continue;
      const std::int64_t* const hint = expression->hint->get_if<SymExprHint::as_int>();
      const std::string symbol(SymbolicText(expression->expr_str).only_symbol());
      if (hint != nullptr && !symbol.empty()) bindings.insert(symbol, *hint);
    }
  }
  return bindings;
}

void write_fact(schemagen::JsonWriter& json, const std::string& name, const std::string& value) {
  json.begin('[').string(name).string(value).end(']');
}

}  // namespace

std::string page_data(const PageProgram& program, PageStatistics statistics) {
  return PageData(program, statistics).write();
}

std::string page_differences(const std::vector<Difference>& differences) {
  schemagen::JsonWriter json(report_options(), schemagen::JsonWriter::Punctuation::compact);
  const auto place = [&](const char* key, const std::vector<std::string>& path) {
    json.key(key).string_or_null(path.empty() ? std::nullopt : std::optional(diagram_name(path)));
  };
  json.begin('[');
  for (const Difference& difference : differences) {
    json.begin('{').key("kind").string(kind_name(difference.kind)).key("part").string(difference.part);
    json.key("where").string(difference.where).key("before").string(difference.before);
    json.key("after").string(difference.after).key("details").begin('[');
    for (const std::string& detail : difference.details) json.string(detail);
    json.end(']');
    place("at_before", difference.at_before);
    place("at_after", difference.at_after);
    json.end('}');
  }
  return std::string(json.end(']').view());
}

std::string page_costs(const ExportedProgram& program) {
  schemagen::JsonWriter json(report_options(), schemagen::JsonWriter::Punctuation::compact);
  json.begin('{').key("facts").begin('[');
  ProgramStats stats;
  try {
    StatsOptions options;
    options.by = StatsKey::modules;
    stats = stats_of(program, options);
    for (const Row& row : stats_rows(stats)) write_fact(json, row[0], row[1]);
  } catch (const schemagen::DataError& error) {
    write_fact(json, "note", "unknown costs: " + std::string(error.what()));
  }
  json.end(']').key("modules").begin('[');
  for (const StatsRow& row : stats.by) {
    json.begin('[').string(printable(row.key)).count(row.nodes);
    write_terms(json, row.multiply_adds);
    write_terms(json, row.bytes);
    json.end(']');
  }
  json.end(']').key("sizes").begin('[');
  for (const auto& [symbol, size] : example_of(program.graph_module.graph)) {
    json.begin('[').string(printable(symbol)).integer(size).end(']');
  }
  return std::string(json.end(']').end('}').view());
}

}  // namespace pt2
