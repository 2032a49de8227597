#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program_value.h"
#include "pt2/edit/extract.h"
#include "pt2/edit/join.h"
#include "pt2/edit/rename.h"
#include "pt2/edit/retarget.h"
#include "pt2/edit/retype.h"
#include "pt2/edit/rewrite.h"
#include "pt2/graph/signature.h"
#include "pt2/graph/walk.h"
#include "pt2/infer/infer_types.h"
#include "pt2/text/type_names.h"

namespace pt2::python {
namespace {

using NamePairs = std::vector<std::pair<std::string, std::string>>;

nb::object rename_values(nb::handle program, const NamePairs& changes, const Kept* kept) {
  std::vector<NameChange> all;
  for (const auto& [old_name, new_name] : changes) all.push_back({old_name, new_name});
  const Borrowed<ExportedProgram> given(program);
  LoadedProgram loaded = without_gil([&] {
    LoadedProgram copy = kept == nullptr ? LoadedProgram() : kept->beside;
    copy.program = *given;
    rename(copy, all);
    return copy;
  });
  nb::object renamed = to_python(std::exchange(loaded.program, {}));
  return nb::make_tuple(renamed, kept == nullptr ? nb::none() : nb::cast(Kept{std::move(loaded)}));
}

nb::object retarget_device(nb::handle program, const std::string& device,
                           const std::optional<std::string>& from) {
  return changed_copy(
      program, [change = device_change(device, from)](ExportedProgram& copy) { retarget(copy, change); });
}

nb::object retarget_dtype(nb::handle program, nb::handle dtype, const std::vector<std::string>& keep,
                          bool keep_unconvertible) {
  const DtypeChange change{static_cast<ScalarType>(nb::cast<std::int32_t>(dtype)), keep, keep_unconvertible};
  return changed_copy(program, [&](ExportedProgram& copy) { retarget(copy, change); });
}

nb::object extract_part(nb::handle program, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs) {
  const Borrowed<ExportedProgram> whole(program);
  return to_python(without_gil([&] { return extract(*whole, inputs, outputs, declared_operators()); }));
}

nb::object join_programs(nb::handle first, nb::handle second, const std::optional<NamePairs>& connections) {
  const Borrowed<ExportedProgram> a(first);
  const Borrowed<ExportedProgram> b(second);
  return to_python(without_gil([&] {
    std::vector<Connection> all;
    if (!connections) return join(*a, *b, connections_in_order(*a, *b)).program;
    for (const auto& [output, input] : *connections) all.push_back({output, input});
    return join(*a, *b, all).program;
  }));
}

using Types = std::vector<std::pair<std::string, std::vector<std::string>>>;

Pattern pattern_of(nb::handle graph, const std::vector<std::string>& any, const Types& types) {
  Pattern pattern{*Borrowed<Graph>(graph)};  // a copy: it may be a part of the program
  pattern.any.insert(any.begin(), any.end());
  pattern.types.insert(types.begin(), types.end());
  return pattern;
}

std::vector<std::pair<std::string, nb::object>> values_of(const PatternMatch& match) {
  std::vector<std::pair<std::string, nb::object>> values;
  for (const auto& [name, value] : match.values) values.emplace_back(name, to_python(value));
  return values;
}

nb::list matches(nb::handle graph, const Pattern& pattern) {
  const Borrowed<Graph> given(graph);
  nb::list found;
  for (const PatternMatch& match :
       without_gil([&] { return pt2::match(*given, pattern, declared_operators()); })) {
    found.append(nb::make_tuple(match.nodes, values_of(match)));
  }
  return found;
}

std::string name_of_graph(const Graph& within, const Graph& graph) {
  std::string found;
  for_each_graph(within, [&](const Graph& outer) {
    for (const Node& node : outer.nodes) {
      for_each_subgraph(node, [&](const GraphArgument& inner) {
        if (&*inner.graph == &graph) found = inner.name;
      });
    }
  });
  return found;
}

/// `replacement` is a graph, or a function of a match's nodes, values and graph's name that returns a graph
/// or None.
std::size_t rewrite_in_place(nb::handle program, nb::handle graph, const std::vector<std::string>& any,
                             const Types& types, nb::handle replacement) {
  std::size_t count = 0;
  const Pattern pattern = pattern_of(graph, any, types);
  const bool is_callback = nb::callable::check_(replacement);
  const Graph put_in = is_callback ? Graph() : *Borrowed<Graph>(replacement);
  change_in_place(program, [&](ExportedProgram& copy, const ExportedProgram& before) {
    const MakeReplacement make = [&](const Graph& within, const PatternMatch& match) -> std::optional<Graph> {
      const schemagen::python::WithGil held;
      nb::list nodes;
      for (const std::uint32_t node : match.nodes) nodes.append(to_python(within.nodes[node]));
      const nb::object made =
          replacement(nodes, values_of(match), name_of_graph(copy.graph_module.graph, within));
      return made.is_none() ? std::nullopt : std::optional<Graph>(*Borrowed<Graph>(made));
    };
    count = is_callback ? rewrite(copy, pattern, make, declared_operators())
                        : rewrite(copy, pattern, put_in, declared_operators());
    if (count != 0) infer_types(copy, before, declared_operators());
    return count != 0;
  });
  return count;
}

std::vector<std::string> infer_in_place(nb::handle program) {
  std::vector<std::string> names;
  change_in_place(program, [&](ExportedProgram& copy, const ExportedProgram&) {
    names = infer_types(copy, declared_operators());
    return !names.empty();
  });
  return names;
}

}  // namespace

void bind_edits(nb::module_& module) {
  module.def("rename", rename_values, nb::arg().none(), nb::arg(), nb::arg().none());
  module.def("require_device",
             [](const std::string& device) { require_device_type(parse_device(device).type); });
  module.def("retarget_device", retarget_device, nb::arg().none(), nb::arg(), nb::arg().none());
  module.def("retarget_dtype", retarget_dtype, nb::arg().none(), nb::arg(), nb::arg(), nb::arg());
  module.def("extract", extract_part, nb::arg().none(), nb::arg(), nb::arg());
  module.def("join", join_programs, nb::arg().none(), nb::arg().none(), nb::arg().none());
  module.def("infer", infer_in_place, nb::arg().none());
  module.def("match", [](nb::handle graph, nb::handle pattern, const std::vector<std::string>& any,
                         const Types& types) { return matches(graph, pattern_of(pattern, any, types)); });
  module.def("rewrite", rewrite_in_place, nb::arg().none(), nb::arg().none(), nb::arg(), nb::arg(),
             nb::arg().none());
}

}  // namespace pt2::python
