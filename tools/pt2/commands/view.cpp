#include <algorithm>
#include <cstddef>
#include <utility>

#include "output.h"
#include "pt2/page/view_page.h"
#include "pt2/scan/file_findings.h"
#include "pt2/show/diagram.h"
#include "pt2/weights.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

constexpr const char* kModelExplorer = "model-explorer";
constexpr std::size_t kMostOverlay = std::size_t{16} << 20;  // bytes

struct ViewArguments : FileArguments {
  std::string format = "html";
  std::string overlay;
  bool no_weights = false;
  bool app = false;
};

/// Only warns if they cannot be read: the graph is useful without them.
std::vector<Weight> weights_to_show(const ProgramFile& file, const ViewArguments& arguments) {
  if (arguments.no_weights || file.archive() == nullptr) return {};
  try {
    return load_weights(file, arguments.loading.model);
  } catch (const schemagen::DataError& error) {
    write_diagnostic(shown_path(arguments.in) + ": warning: cannot show weights: " + error.what() + "\n");
    return {};
  }
}

std::optional<PageOverlay> overlay_of(const ViewArguments& arguments) {
  if (arguments.overlay.empty()) return std::nullopt;
  return read_beside(arguments.overlay, [&](std::string_view bytes, const std::string& name) {
    if (bytes.size() > kMostOverlay) {
      throw schemagen::DataError(name + ": " + "expected at most " + std::to_string(kMostOverlay) +
                                 " bytes, got " + std::to_string(bytes.size()));
    }
    return std::optional(PageOverlay{title_of(arguments.overlay), std::string(bytes)});
  });
}

std::string page_of(const ProgramFile& file, const LoadedProgram& loaded, const ViewArguments& arguments) {
  require_pages();
  return view_page(
      {title_of(arguments.in), &loaded.program, diagram_of(loaded.program), weights_to_show(file, arguments)},
      overlay_of(arguments), findings_of(file, loaded));
}

/// Writes JSON for google-ai-edge/model-explorer, whose JSON adapter reads one graph collection. Groups
/// become namespaces; arguments and metadata become attributes. Source: graph_builder.py of model-explorer.
struct Collection {
  std::string write(const std::string& title) {
    json.begin('{').key("label").string(title).key("graphs").begin('[').begin('{').key("id").string(
        "program");
    json.list("nodes", view.nodes, [&](const DiagramNode& node) { write_node(node); });
    json.key("groupNodeAttributes").begin('{');
    for (std::size_t group = 1; group < view.groups.size(); ++group) {
      if (view.groups[group].type.empty()) continue;
      json.key(namespace_of(group));
      json.object("class", view.groups[group].type);
    }
    json.end('}').end('}').end(']').end('}');
    return json.text() + "\n";
  }

  /// Names are written for each node. They must not contain slashes, which separate groups, and Model
  /// Explorer draws characters that are not in ASCII as `?`.
  const std::string& namespace_of(std::size_t group) {
    std::string& found = namespaces[group];
    if (group == 0 || !found.empty()) return found;
    found = schemagen::shortened(short_name(view, group));
    constexpr std::pair<std::string_view, const char*> kReplaced[] = {
        {"/", "|"}, {"\xc3\x97", "x"}, {"\xe2\x80\x93", "-"}};
    for (const auto& [from, to] : kReplaced) {
      for (std::size_t at = 0; (at = found.find(from, at)) != found.npos;) found.replace(at, from.size(), to);
    }
    const std::string& outer = namespace_of(view.groups[group].parent);
    if (!outer.empty()) found = outer + "/" + found;
    return found;
  }

  void attribute(const std::string& key, const std::string& value) {
    json.object("key", key, "value", value);
  }

  void write_node(const DiagramNode& node) {
    std::vector<const DiagramArgument*> inputs;  // of each edge
    json.begin('{');
    json.members("id", node.name, "label", node.target.empty() ? node.label : node.target, "namespace",
                 namespace_of(node.group), "attrs", [&] {
                   json.row([&] {
                     for (const DiagramArgument& argument : node.arguments)
                       attribute(argument.name, argument.text + (argument.is_default ? " (default)" : ""));
                     for (const auto& [key, text] : node.metadata) attribute(key, text);
                   });
                 });
    json.list("incomingEdges", node.arguments, [&](const DiagramArgument& argument) {
      for (const std::size_t value : argument.values) {
        if (view.values[value].producer == DiagramValue::kNone) continue;
        write_edge(value, inputs.size());
        inputs.push_back(&argument);
      }
    });
    std::size_t id = 0;
    json.list("inputsMetadata", inputs, [&](const DiagramArgument* input) {
      write_metadata(id++, [&] { attribute("__tensor_tag", input->name); });
    });
    id = 0;
    json.list("outputsMetadata", node.values, [&](std::size_t value) {
      write_metadata(id++, [&] {
        attribute("__tensor_tag", view.values[value].name);
        attribute("tensor_shape", view.values[value].type);
      });
    });
    json.end('}');
  }

  template <class Write>
  void write_metadata(std::size_t id, const Write& write_attributes) {
    json.object("id", std::to_string(id), "attrs", [&] { json.row(write_attributes); });
  }

  void write_edge(std::size_t value, std::size_t input) {
    const DiagramNode& source = view.nodes[view.values[value].producer];
    const auto output = std::find(source.values.begin(), source.values.end(), value) - source.values.begin();
    json.object("sourceNodeId", source.name, "sourceNodeOutputId", std::to_string(output),
                "targetNodeInputId", std::to_string(input));
  }

  const Diagram& view;
  std::vector<std::string> namespaces = std::vector<std::string>(view.groups.size());
  ReportWriter json = ReportWriter();
};

void run(const ViewArguments& arguments) {
  if (arguments.out.empty()) throw schemagen::UsageError("-o OUT is required; use '-' for standard output");
  if (arguments.app != arguments.in.empty())
    throw schemagen::UsageError(arguments.app ? "--app and FILE cannot be combined" : "FILE is required");
  if (arguments.app) return write_bytes(viewer_page(), arguments.out);
  if (!arguments.overlay.empty() && arguments.format != "html")
    throw schemagen::UsageError("--overlay requires --format html");
  require_other_file(arguments.in, arguments.out);
  const ProgramFile file = open_input(arguments.in);
  const LoadedProgram loaded = load_to_read(arguments.in, file, arguments.loading);
  write_bytes(arguments.format == kModelExplorer
                  ? Collection{diagram_of(loaded.program)}.write(title_of(arguments.in))
                  : page_of(file, loaded, arguments),
              arguments.out);
}

}  // namespace

void add_view_command(Command command) {
  auto& arguments = add_arguments<ViewArguments>(command, &ViewArguments::in);
  command.add_option("FILE", arguments.in, "Program to read; - for standard input").type_name("");
  add_output_option(command, arguments.out, "Output file, such as OUT.html; - for standard output");
  command
      .add_option("--format FORMAT", arguments.format,
                  "html (default), or model-explorer: JSON for Model Explorer")
      .one_of({"html", kModelExplorer});
  command.add_option("--overlay FILE", arguments.overlay,
                     "JSON or CSV file with a number or text for each node, to color the nodes");
  command.add_flag("--no-weights", arguments.no_weights, "Omit weight statistics");
  command.add_flag("--app", arguments.app,
                   "Write a page that contains no program and opens files dropped on it");
  add_model_option(command, arguments.loading.model);
  command.footer(
      "The page needs no network access. It can fold modules or, in programs without modules, subgraphs\n"
      "and repeated parts. Click a node, weight or module for details; OUT.html#node=NAME links to a\n"
      "node. Press ? in the page for its keyboard shortcuts.\n\n"
      "Examples:\n"
      "  pt2 view model.pt2 -o model.html\n"
      "  pt2 view model.pt2 -o model.html --no-weights\n"
      "  pt2 view model.pt2 -o model.html --overlay times.csv\n"
      "  pt2 view model.pt2 --format model-explorer -o model.json\n"
      "  pt2 view --app -o viewer.html");
}

}  // namespace pt2::tool
