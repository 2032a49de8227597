#include "pt2/report/page_data.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "pt2/archive/tensors/tensor.h"
#include "pt2/infer/infer.h"
#include "pt2/report/report_writer.h"
#include "pt2/report/reports.h"
#include "pt2/stats/stats.h"
#include "pt2/strings/argument_text.h"
#include "pt2/strings/program_words.h"
#include "pt2/text/literal.h"
#include "pt2/versions/version.h"
#include "schemagen/base/error.h"
#include "schemagen/base/map.h"

namespace pt2 {
namespace {

constexpr std::size_t kBins = 32;
constexpr std::uint64_t kMostCounted = std::uint64_t{256} << 20;  // weights may share their bytes

/// Lists take less text than objects.
class PageData {
 public:
  PageData(const PageProgram& page, PageStatistics statistics)
      : page_(page),
        statistics_(statistics),
        program_(*page.program),
        diagram_(*page.diagram),
        json_(ReportWriter::Punctuation::compact) {}

 private:
  /// A text is written as its number in the list of strings.
  auto text(const std::string& given) {
    return [this, &given] {
      const auto [number, is_new] = strings_.try_emplace(given);
      if (is_new) *number = static_cast<std::int64_t>(strings_.size()) - 1;
      json_.integer(*number);
    };
  }
  auto numbers(const std::vector<std::size_t>& given) {
    return [this, &given] { json_.list(given, [&](std::size_t each) { json_.count(each); }); };
  }

  template <class Spec>
  void write_specs(const char* key, const std::vector<Argument>& arguments, const std::vector<Spec>& specs) {
    const Graph& graph = program_.graph_module.graph;
    std::size_t i = 0;
    json_.list(key, arguments, [&](const Argument& argument) {
      std::string type;
      for_each_name(argument, [&](const std::string& name, ValueName::Table table) {
        type += (type.empty() ? "" : ", ") + type_text(graph, {table, name});
      });
      json_.row(text(argument_text(argument)), text(type),
                text(i < specs.size() ? meaning_text(specs[i]) : ""));
      ++i;
    });
  }

  void write_node(const DiagramNode& node) {
    const auto arguments = [&] {
      json_.list(node.arguments, [&](const DiagramArgument& argument) {
        json_.values(text(argument.name), text(argument.text), argument.is_default ? 1 : 0,
                     numbers(argument.values));
      });
    };
    const auto metadata = [&] {
      json_.list(node.metadata,
                 [&](const auto& key, const auto& value) { json_.values(text(key), text(value)); });
    };
    json_.row(static_cast<int>(node.kind), text(node.name), text(node.label), text(node.target), node.group,
              arguments, numbers(node.values), numbers(node.subgraphs), metadata);
  }

  void write_weight(const Weight& weight) {
    json_.begin('{');
    json_.members("name", text(printable(weight.name)), "kind", name_of(weight.kind), "record",
                  printable(weight.record));
    if (weight.tensor) write_tensor(*weight.tensor);
    json_.end('}');
  }

  void write_tensor(const Tensor& tensor) {
    const TensorLayout& layout = tensor.layout;
    json_.members("type", tensor_type_text(meta_of(tensor)), "bytes", extent_of(layout).bytes);
    if (statistics_ == PageStatistics::none) return;
    try {
      if (const auto& known = statistics(tensor)) write_statistics(*known);
    } catch (const schemagen::DataError& error) {
      json_.members("error", error.what());
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
    json_.members("finite", statistics.finite, "zeros", statistics.zeros, "nans", statistics.nans,
                  "infinities", statistics.infinities, "minimum", statistics.minimum, "maximum",
                  statistics.maximum, "mean", statistics.mean, "deviation", statistics.deviation);
    json_.list("histogram", statistics.histogram, [&](std::uint64_t count) { json_.count(count); });
  }

 public:
  std::string write() {
    const GraphModule& module = program_.graph_module;
    json_.begin('{').key("title").string(page_.title).key("facts").begin('[');
    json_.row("schema", version_text(program_.schema_version));
    json_.row("torch", torch_version_text(program_));
    for (const std::string& remark : diagram_.remarks) json_.row("note", remark);
    json_.end(']');
    write_specs("inputs", module.graph.inputs, module.signature.input_specs);
    write_specs("outputs", module.graph.outputs, module.signature.output_specs);
    json_.list("ranges", program_.range_constraints,
               [&](const auto& symbol, const auto& range) { json_.string(range_text(symbol, range)); });
    json_.list("guards", program_.guards_code,
               [&](const std::string& guard) { json_.string(printable(guard)); });
    json_.list("groups", diagram_.groups, [&](const DiagramGroup& group) {
      json_.row(static_cast<int>(group.kind), text(group.name), text(group.type), group.parent);
    });
    json_.list("values", diagram_.values, [&](const DiagramValue& value) {
      const bool has_producer = value.producer != DiagramValue::kNone;
      json_.row(text(value.name), text(value.type),
                has_producer ? static_cast<std::int64_t>(value.producer) : -1);
    });
    json_.list("nodes", diagram_.nodes, [&](const DiagramNode& node) { write_node(node); });
    json_.list("weights", page_.weights, [&](const Weight& weight) { write_weight(weight); });
    json_.list("strings", strings_, [&](const auto& each, std::int64_t) { json_.string(each); });
    json_.end('}');
    return json_.text();
  }

 private:
  const PageProgram& page_;
  const PageStatistics statistics_;
  const ExportedProgram& program_;
  const Diagram& diagram_;
  ReportWriter json_;
  schemagen::Map<std::int64_t> strings_;
  struct Made {
    bool is_made = false;
    TensorLayout layout;
    std::optional<TensorStatistics> statistics;
  };
  std::map<const Storage*, Made> made_;
  ElementBudget budget_{kMostCounted};
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
  return PageData(program, statistics).write();
}

std::string page_differences(const std::vector<Difference>& differences) {
  ReportWriter json(ReportWriter::Punctuation::compact);
  const auto place = [](const std::vector<std::string>& path) {
    return path.empty() ? std::nullopt : std::optional(diagram_name(path));
  };
  json.list(differences, [&](const Difference& each) {
    json.object(
        "kind", kind_name(each.kind), "part", each.part, "where", each.where, "before", each.before, "after",
        each.after, "details",
        [&] { json.list(each.details, [&](const std::string& detail) { json.string(detail); }); },
        "at_before", place(each.at_before), "at_after", place(each.at_after));
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
