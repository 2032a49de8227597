#include "pt2/show/print.h"

#include <algorithm>
#include <map>

#include "pt2/graph/signature.h"
#include "pt2/nodes/modules.h"
#include "pt2/nodes/node_key.h"
#include "pt2/strings/node_metadata.h"
#include "pt2/strings/node_text.h"
#include "pt2/strings/program_words.h"
#include "pt2/text/join.h"
#include "pt2/text/literal.h"
#include "pt2/versions/version.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"
#include "schemagen/base/near_name.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

constexpr std::size_t kColumns = 100;  // wraps only headers of subgraphs
constexpr std::size_t kIndent = 2;

/// Nodes that are printed one by one, or that a line about the calls of modules replaces.
struct Stretch {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t first_call = 0;
  std::size_t last_call = 0;
  std::string text = {};
};

struct Stretches {
  std::vector<Stretch> build() {
    for (std::size_t i = 1; i < calls.size(); ++i) {
      for (const std::size_t node : calls[i].nodes) chains[node].push_back(i);  // inner calls come later
    }
    if (options.fold) find_repeats();
    std::vector<Stretch> stretches;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
      if (!is_shown(node)) continue;
      const std::size_t call = stand_in(node);
      const auto continues = [&](const Stretch& last) {
        const std::size_t original = originals[last.last_call];
        return last.end == node && (last.last_call == call || (original != 0 && originals[call] == original));
      };
      if (stretches.empty() || !continues(stretches.back())) stretches.push_back({node, node, call, call});
      ++stretches.back().end;
      stretches.back().last_call = call;
    }
    for (Stretch& stretch : stretches) stretch.text = text(stretch);
    return stretches;
  }

  void find_repeats() {
    std::map<std::string, std::size_t> numbers;
    std::vector<std::size_t> keys;
    for (const Node& node : graph.nodes)
      keys.push_back(numbers.emplace(node_key(node), numbers.size()).first->second);
    std::map<std::pair<std::size_t, std::string>, std::size_t> first;
    for (std::size_t i = 1; i < calls.size(); ++i) {
      std::string key = calls[i].type;
      for (const std::size_t node : calls[i].nodes) {
        key += "\n" + std::to_string(keys[node]) + " " + std::to_string(chains[node].size());
      }
      const auto [found, is_new] = first.emplace(std::pair(calls[i].parent, std::move(key)), i);
      if (!is_new) originals[i] = found->second;
    }
  }

  bool is_shown(std::size_t node) const {
    if (!options.module) return true;
    const auto is_it = [&](std::size_t call) { return calls[call].path == *options.module; };
    return options.module->empty() || std::any_of(chains[node].begin(), chains[node].end(), is_it);
  }

  std::size_t stand_in(std::size_t node) const {
    const std::vector<std::size_t>& chain = chains[node];
    for (std::size_t depth = 0; depth < chain.size(); ++depth) {
      if ((options.depth && depth >= *options.depth) || originals[chain[depth]] != 0) return chain[depth];
    }
    return 0;
  }

  std::string name(std::size_t call) const {
    const std::size_t number = calls[call].call;
    return printable(calls[call].path) + (number == 0 ? "" : " (call " + std::to_string(number + 1) + ")");
  }

  std::string text(const Stretch& stretch) const {
    const std::size_t call = stretch.first_call;
    const std::size_t count = stretch.end - stretch.begin;
    const std::size_t original = originals[call];
    const bool is_copy = original != 0 && count > 1;
    if (call == 0 || (original != 0 && !is_copy && !options.depth)) return "";
    const std::string& type = calls[call].type;
    const std::string what =
        is_copy ? "the same as " + name(original) : printable(type.substr(type.rfind('.') + 1));
    const bool is_one = !is_copy || call == stretch.last_call;
    return name(call) + (is_one ? ": " : " ... " + name(stretch.last_call) + ": each ") + what + ", " +
           schemagen::counted(count, "node");
  }

  const GraphModule& module;
  const PrintOptions& options;
  const Graph& graph = module.graph;
  const std::vector<ModuleCall> calls = module_calls(module);
  std::vector<std::vector<std::size_t>> chains = std::vector<std::vector<std::size_t>>(graph.nodes.size());
  std::vector<std::size_t> originals = std::vector<std::size_t>(calls.size());
};

/// Returns the nodes of the main graph in order, without those that the options exclude.
std::vector<Stretch> stretches_of(const GraphModule& module, const PrintOptions& options) {
  if (!options.module && !options.depth && !options.fold) return {{0, module.graph.nodes.size()}};
  return Stretches{module, options}.build();
}

using PrintedRow = std::array<std::string, 3>;

struct Printer {
  std::string print(const ExportedProgram& program) {
    const Graph& graph = program.graph_module.graph;
    const GraphSignature& signature = program.graph_module.signature;
    out = "schema " + version_text(program.schema_version) + ", torch " + torch_version_text(program) + "\n";
    const bool is_whole = !options.module;
    if (is_whole) print_symbols(program.range_constraints);
    if (is_whole) print_table("inputs", rows(graph, graph.inputs, signature.input_specs));
    if (!graph.nodes.empty()) out += "\nnodes\n";
    for (const Stretch& stretch : stretches_of(program.graph_module, options)) print_stretch(graph, stretch);
    if (is_whole) print_table("outputs", rows(graph, graph.outputs, signature.output_specs));
    return std::move(out);
  }

  void line(std::size_t indent, std::string_view text) {
    out.append(indent, ' ');
    out += text;
    out += '\n';
  }

  void print_symbols(const schemagen::Map<RangeConstraint>& ranges) {
    if (ranges.empty()) return;
    out += "\nsymbols\n";
    for (const auto& [symbol, range] : ranges) line(kIndent, range_text(symbol, range));
  }

  /// With folded modules, only the user's inputs and outputs are listed; the others are counted.
  template <class Spec>
  std::vector<PrintedRow> rows(const Graph& graph, const std::vector<Argument>& values,
                               const std::vector<Spec>& specs) const {
    std::vector<PrintedRow> rows;
    std::map<typename Spec::Kind, std::size_t> counts;
    for (std::size_t i = 0; i < std::max(values.size(), specs.size()); ++i) {
      if ((options.fold || options.depth) && i < specs.size() && !is_users(specs[i].kind())) {
        ++counts[specs[i].kind()];
        continue;
      }
      PrintedRow row;
      if (i < values.size()) {
        row[0] = argument_text(values[i]);
        if (refers_to_values(values[i])) row[1] = argument_text(values[i], types_in(graph));
      }
      if (i < specs.size()) {
        row[2] = meaning_text(specs[i]);
        // The graph has a fixed input's value instead of its name.
        const auto parts = parts_of(specs[i]);
        if (parts.constant != nullptr) row[0] = printable(*parts.name);
      } else {
        row[2] = "not in the signature";
      }
      rows.push_back(std::move(row));
    }
    const std::string others = join_texts(counts, ", ", [](const auto& other) {
      const KindWords words = words_of(other.first);
      return std::to_string(other.second) + " " + (other.second == 1 ? words.singular : words.plural);
    });
    if (!others.empty()) rows.push_back({(rows.empty() ? "" : "and ") + others, "", ""});
    return rows;
  }

  void print_table(std::string_view title, const std::vector<PrintedRow>& rows) {
    if (rows.empty()) return;
    std::array<std::size_t, 2> widths = {0, 0};
    for (const PrintedRow& row : rows) {
      if (row[2].empty()) continue;
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::size_t width = text_width(row[i]);
        if (width <= kColumns) widths[i] = std::max(widths[i], width);  // longer cells would pad all others
      }
    }
    const auto padding = [&](const PrintedRow& row, std::size_t i) {
      return std::string(widths[i] - std::min(widths[i], text_width(row[i])), ' ');
    };
    out += "\n" + std::string(title) + "\n";
    for (const PrintedRow& row : rows) {
      if (row[2].empty()) {
        line(kIndent, row[0]);
        continue;
      }
      const std::string type = coloured_type(row[1], options.colours) + padding(row, 1);
      line(kIndent, row[0] + padding(row, 0) + "  " + type + (type.empty() ? "" : "  ") + row[2]);
    }
  }

  void print_stretch(const Graph& graph, const Stretch& stretch) {
    if (!stretch.text.empty()) return line(kIndent, coloured_type(stretch.text, options.colours));
    for (std::size_t i = stretch.begin; i < stretch.end; ++i) print_node(graph, graph.nodes[i], kIndent);
  }

  void print_node(const Graph& graph, const Node& node, std::size_t indent) {
    line(indent, node_text(types_in(graph), node, options.colours));
    if (options.source) print_source(node, indent + kIndent);
    for_each_subgraph(node,
                      [&](const GraphArgument& subgraph) { print_subgraph(subgraph, indent + kIndent); });
  }

  void print_source(const Node& node, std::size_t indent) {
    const std::string* const text = node.metadata.find("stack_trace");
    if (text == nullptr) return;
    try {
      const std::vector<StackFrame> frames = parse_stack_trace(*text);
      if (frames.empty()) return;
      const StackFrame& frame = frames.back();
      const std::string place = "# " + printable(frame.file) + ":" + std::to_string(frame.line);
      const std::string code = printable(frame.code.substr(0, frame.code.find('\n')));
      line(indent, coloured_type(code.empty() ? place : place + ": " + code, options.colours));
    } catch (const schemagen::DataError&) {
      line(indent, "# malformed stack trace");
    }
  }

  void print_subgraph(const GraphArgument& argument, std::size_t indent) {
    const Graph& graph = *argument.graph;
    print_header(argument.name, graph, indent);
    for (const Node& node : graph.nodes) print_node(graph, node, indent + kIndent);
    const auto text = [](const Argument& output) { return argument_text(output); };
    const std::string space = graph.outputs.empty() ? "" : " ";
    line(indent + kIndent, "return" + space + join_texts(graph.outputs, ", ", text));
  }

  /// One per line if they do not fit.
  void print_header(const std::string& name, const Graph& graph, std::size_t indent) {
    std::vector<std::string> inputs;
    std::size_t columns = indent + text_width(name) + 3;
    for (const Argument& input : graph.inputs) {
      inputs.push_back(definition_text(types_in(graph), input, options.colours, name_text));
      columns += text_width(inputs.back()) + 2;
    }
    const bool fits = columns <= kColumns || inputs.empty();
    const std::string line_break = fits ? "" : "\n" + std::string(indent + 2 * kIndent, ' ');
    line(indent,
         printable(name) + "(" + line_break + join_texts(inputs, fits ? ", " : "," + line_break) + "):");
  }

  const PrintOptions& options;
  std::string out = {};
};

}  // namespace

void require_module(const ExportedProgram& program, const std::string& path) {
  const std::vector<ModuleCall> calls = module_calls(program.graph_module);
  std::vector<std::string_view> paths;
  for (const ModuleCall& call : calls) paths.push_back(call.path);
  if (std::find(paths.begin(), paths.end(), path) != paths.end()) return;
  throw schemagen::UsageError(
      schemagen::with_suggestion("unknown module " + schemagen::quoted(path), path, paths));
}

std::string program_text(const ExportedProgram& program, const PrintOptions& options) {
  if (options.module) require_module(program, *options.module);
  return Printer{options}.print(program);
}

}  // namespace pt2
