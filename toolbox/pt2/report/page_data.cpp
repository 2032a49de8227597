#include "pt2/report/page_data.h"

#include "pt2/infer/infer.h"
#include "pt2/report/reports.h"
#include "pt2/strings/program_words.h"
#include "pt2/text/literal.h"
#include "pt2/versions/version.h"

namespace pt2 {
namespace {

constexpr std::size_t kBins = 32;
constexpr std::uint64_t kMostCounted = std::uint64_t{256} << 20;  // weights may share their bytes

/// Lists take less text than objects.
struct PageData {
  /// A text is written as its number in the list of strings.
  auto text(const std::string& given) {
    return [this, &given] {
      const auto [number, is_new] = strings.try_emplace(given);
      if (is_new) *number = static_cast<std::int64_t>(strings.size()) - 1;
      json.integer(*number);
    };
  }

  template <class Spec>
  void write_specs(const char* key, const std::vector<Argument>& arguments, const std::vector<Spec>& specs) {
    const Graph& graph = program.graph_module.graph;
    std::size_t i = 0;
    json.list(key, arguments, [&](const Argument& argument) {
      std::string type;
      for_each_name(argument, [&](const std::string& name, ValueName::Table table) {
        type += (type.empty() ? "" : ", ") + type_text(graph, {table, name});
      });
      json.row(text(argument_text(argument)), text(type),
               text(i < specs.size() ? meaning_text(specs[i]) : ""));
      ++i;
    });
  }

  void write_node(const DiagramNode& node) {
    const auto arguments = [&] {
      json.list(node.arguments, [&](const DiagramArgument& argument) {
        json.values(text(argument.name), text(argument.text), argument.is_default ? 1 : 0, argument.values);
      });
    };
    const auto metadata = [&] {
      json.list(node.metadata,
                [&](const auto& key, const auto& value) { json.values(text(key), text(value)); });
    };
    json.row(static_cast<int>(node.kind), text(node.name), text(node.label), text(node.target), node.group,
             arguments, node.values, node.subgraphs, metadata);
  }

  void write_weight(const Weight& weight) {
    json.object("name", text(printable(weight.name)), "kind", name_of(weight.kind), "record",
                printable(weight.record), [&] {
                  if (weight.tensor) write_tensor(*weight.tensor);
                });
  }

  void write_tensor(const Tensor& tensor) {
    const TensorLayout& layout = tensor.layout;
    json.members("type", tensor_type_text(meta_of(tensor)), "bytes", extent_of(layout).bytes);
    if (wanted == PageStatistics::none) return;
    try {
      if (const auto& known = statistics(tensor)) write_statistics(*known);
    } catch (const schemagen::DataError& error) {
      json.members("error", error.what());
    }
  }

  /// Weights may share a tensor.
  const std::optional<TensorStatistics>& statistics(const Tensor& tensor) {
    Made& made = made_of[tensor.storage.get()];
    if (!made.layout || !(*made.layout == tensor.layout)) {
      budget.take(tensor);
      made = {tensor.layout, statistics_of(tensor, kBins)};
    }
    return made.statistics;
  }

  void write_statistics(const TensorStatistics& statistics) {
    json.members("finite", statistics.finite, "zeros", statistics.zeros, "nans", statistics.nans,
                 "infinities", statistics.infinities, "minimum", statistics.minimum, "maximum",
                 statistics.maximum, "mean", statistics.mean, "deviation", statistics.deviation, "histogram",
                 statistics.histogram);
  }

  std::string write() {
    const GraphModule& module = program.graph_module;
    json.begin('{').key("title").string(page.title).key("facts").begin('[');
    json.row("schema", version_text(program.schema_version));
    json.row("torch", torch_version_text(program));
    for (const std::string& remark : diagram.remarks) json.row("note", remark);
    json.end(']');
    write_specs("inputs", module.graph.inputs, module.signature.input_specs);
    write_specs("outputs", module.graph.outputs, module.signature.output_specs);
    json.list("ranges", program.range_constraints,
              [&](const auto& symbol, const auto& range) { json.string(range_text(symbol, range)); });
    json.list("guards", program.guards_code,
              [&](const std::string& guard) { json.string(printable(guard)); });
    json.list("groups", diagram.groups, [&](const DiagramGroup& group) {
      json.row(static_cast<int>(group.kind), text(group.name), text(group.type), group.parent);
    });
    json.list("values", diagram.values, [&](const DiagramValue& value) {
      const bool has_producer = value.producer != DiagramValue::kNone;
      json.row(text(value.name), text(value.type),
               has_producer ? static_cast<std::int64_t>(value.producer) : -1);
    });
    json.list("nodes", diagram.nodes, [&](const DiagramNode& node) { write_node(node); });
    json.list("weights", page.weights, [&](const Weight& weight) { write_weight(weight); });
    json.list("strings", strings, [&](const auto& each, std::int64_t) { json.string(each); });
    json.end('}');
    return json.text();
  }

  struct Made {
    std::optional<TensorLayout> layout;
    std::optional<TensorStatistics> statistics;
  };

  const PageProgram& page;
  const PageStatistics wanted;
  const ExportedProgram& program = *page.program;
  const Diagram& diagram = page.diagram;
  ReportWriter json = ReportWriter(ReportWriter::Punctuation::compact);
  schemagen::Map<std::int64_t> strings = {};
  std::map<const Storage*, Made> made_of = {};
  ElementBudget budget = ElementBudget(kMostCounted);
};

/// A number, or terms: a coefficient, then symbols, each with its power.
void write_terms(ReportWriter& json, const Polynomial& value) {
  if (const auto number = value.number()) return json.put(*number);
  json.list(value.terms(), [&](const auto& powers, std::int64_t coefficient) {
    json.row(coefficient, [&] {
      for (const auto& [symbol, power] : powers) json.string(printable(symbol)).integer(power);
    });
  });
}

}  // namespace

std::string page_data(const PageProgram& program, PageStatistics statistics) {
  return PageData{program, statistics}.write();
}

std::string page_differences(const std::vector<Difference>& differences) {
  ReportWriter json(ReportWriter::Punctuation::compact);
  const auto place = [](const std::vector<std::string>& path) {
    return path.empty() ? std::nullopt : std::optional(diagram_name(path));
  };
  json.list(differences, [&](const Difference& each) {
    json.object("kind", kind_name(each.kind), "part", each.part, "where", each.where, "before", each.before,
                "after", each.after, "details", each.details, "at_before", place(each.at_before), "at_after",
                place(each.at_after));
  });
  return json.text();
}

std::string page_costs(const ExportedProgram& program) {
  ReportWriter json(ReportWriter::Punctuation::compact);
  json.begin('{').key("facts").begin('[');
  ProgramStats stats;
  try {
    StatsOptions options;
    options.by = StatsKey::modules;
    stats = stats_of(program, options);
    for (const Row& row : stats_rows(stats)) json.row(row[0], row[1]);
  } catch (const schemagen::DataError& error) {
    json.row("note", "unknown costs: " + std::string(error.what()));
  }
  json.end(']');
  const auto terms = [&](const Polynomial& value) { return [&] { write_terms(json, value); }; };
  json.list("modules", stats.by, [&](const StatsRow& row) {
    json.row(printable(row.key), row.nodes, terms(row.multiply_adds), terms(row.bytes));
  });
  json.list("sizes", valid_hints(program.graph_module.graph),
            [&](const auto& symbol, std::int64_t size) { json.row(printable(symbol), size); });
  json.end('}');
  return json.text();
}

}  // namespace pt2
