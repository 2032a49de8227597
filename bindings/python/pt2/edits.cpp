#include "program_value.h"
#include "pt2/edit/file_operations.h"
#include "pt2/edit/rewrite.h"
#include "pt2/edit/weight_files.h"
#include "pt2/graph/signature.h"
#include "pt2/graph/walk.h"
#include "pt2/infer/infer_types.h"
#include "pt2/text/type_names.h"

namespace pt2::python {
namespace {

using NamePairs = std::vector<std::pair<std::string, std::string>>;

nb::object rename_values(nb::handle program, const NamePairs& changes) {
  std::vector<NameChange> all;
  for (const auto& [old_name, new_name] : changes) all.push_back({old_name, new_name});
  const Borrowed<ExportedProgram> given(program);
  const std::shared_ptr<const LoadedProgram> kept = loaded_program(*View::of(program));
  return program_object(without_gil([&] {
    LoadedProgram copy = kept == nullptr ? LoadedProgram() : *kept;
    copy.program = *given;
    rename(copy, all);
    return copy;
  }));
}

using Text = std::optional<std::string>;

nb::object retarget_program(nb::handle program, const Text& device, const Text& from,
                            std::optional<std::int32_t> dtype, const std::vector<std::string>& keep,
                            bool keep_unconvertible) {
  return changed_copy(program, [&](ExportedProgram& copy) {
    if (device) retarget(copy, device_change(*device, from));
    if (dtype) retarget(copy, DtypeChange{static_cast<ScalarType>(*dtype), keep, keep_unconvertible});
  });
}

nb::object extract_part(nb::handle program, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs) {
  const Borrowed<ExportedProgram> whole(program);
  return to_python(without_gil([&] { return extract(*whole, inputs, outputs, declared_operators()); }));
}

std::optional<std::vector<Connection>> connections_of(const std::optional<NamePairs>& pairs) {
  std::optional<std::vector<Connection>> connections;
  if (pairs) connections.emplace();
  for (const auto& [output, input] : pairs.value_or(NamePairs())) connections->push_back({output, input});
  return connections;
}

nb::object join_programs(nb::handle first, nb::handle second, const std::optional<NamePairs>& pairs) {
  const Borrowed<ExportedProgram> a(first);
  const Borrowed<ExportedProgram> b(second);
  return to_python(without_gil([&] {
    const auto connections = connections_of(pairs);
    return join(*a, *b, connections ? *connections : connections_in_order(*a, *b)).program;
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

nb::list match_graph(nb::handle graph, nb::handle wanted, const std::vector<std::string>& any,
                     const Types& types) {
  const Pattern pattern = pattern_of(wanted, any, types);
  const Borrowed<Graph> given(graph);
  return listed(without_gil([&] { return match(*given, pattern, declared_operators()); }),
                [](const PatternMatch& match) { return nb::make_tuple(match.nodes, values_of(match)); });
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

/// Runs `work(source, out)` without the interpreter's lock, and issues its notices as warnings.
template <class Work>
void with_files(nb::handle path, Text model, nb::handle out, const Work& work) {
  const ProgramFile file = open_file(path);
  const std::string to = path_of(out);
  Notices notices(path_of(path));
  without_gil([&] { work(FileSource{file, std::move(model), notices.notify()}, to); });
  notices.warn();
}

void upgrade_archive(nb::handle path, nb::handle out) {
  with_files(path, std::nullopt, out, [](const FileSource& source, const std::string& to) {
    const SaveTarget target(to);
    upgrade_file(source, &target, false);
  });
}

void downgrade_archive(nb::handle path, const std::string& to, nb::handle out) {
  with_files(path, std::nullopt, out, [&](const FileSource& source, const std::string& written) {
    require_none_refused(downgrade_file(source, parse_release_target(to), written));
  });
}

/// Changes either the device or the dtype.
void retarget_archive(nb::handle path, const Text& device, const Text& from,
                      std::optional<std::int32_t> dtype, const std::vector<std::string>& keep,
                      bool keep_unconvertible, nb::handle out) {
  with_files(path, std::nullopt, out, [&](const FileSource& source, const std::string& to) {
    if (device) retarget_file(source, device_change(*device, from), to);
    if (dtype) {
      retarget_file(source, DtypeChange{static_cast<ScalarType>(*dtype), keep, keep_unconvertible}, to);
    }
  });
}

nb::object extract_part_of_file(nb::handle path, const std::vector<std::string>& inputs,
                                const std::vector<std::string>& outputs, nb::handle out) {
  ExportedProgram part;
  with_files(path, std::nullopt, out, [&](const FileSource& source, const std::string& to) {
    part = extract_file(source, inputs, outputs, declared_operators(), to);
  });
  return to_python(std::move(part));
}

nb::object join_archives(nb::handle a, nb::handle b, const std::optional<NamePairs>& pairs, nb::handle out) {
  const ProgramFile second = open_file(b);
  Notices notices(path_of(b));
  JoinedProgram joined;
  with_files(a, std::nullopt, out, [&](const FileSource& first, const std::string& to) {
    joined = join_files(first, {second, std::nullopt, notices.notify()}, connections_of(pairs), to);
  });
  notices.warn();
  return to_python(std::move(joined.program));
}

std::vector<std::pair<std::string, std::uint64_t>> slim_to_file(nb::handle path, nb::handle out,
                                                                const std::vector<std::string>& drop,
                                                                bool reproducible, Text model) {
  SlimOptions options;
  options.reproducible = reproducible;
  for (const std::string& name : drop) options.parts.push_back(slim_part_named(name));
  std::vector<std::pair<std::string, std::uint64_t>> savings;
  with_files(path, std::move(model), out, [&](const FileSource& source, const std::string& to) {
    for (const SlimSaving& saving : slim_file(source, options, to))
      savings.emplace_back(name_of(saving.part), saving.bytes);
  });
  return savings;
}

void strip_to_file(nb::handle path, nb::handle out, nb::handle weights, Text model) {
  const std::string tensors = weights.is_none() ? "" : path_of(weights);
  with_files(path, std::move(model), out, [&](const FileSource& source, const std::string& to) {
    strip_file(source, SaveTarget(to, FileFormat::archive), tensors, source.notify);
  });
}

void attach_weights(nb::handle path, nb::handle weights, nb::handle out, Text model) {
  const std::string tensors = path_of(weights);
  with_files(path, std::move(model), out, [&](const FileSource& source, const std::string& to) {
    attach_file(source, tensors, SaveTarget(to, FileFormat::archive));
  });
}

void write_weights(nb::handle path, nb::handle out, const std::vector<std::string>& names, Text model) {
  with_files(path, std::move(model), out, [&](const FileSource& source, const std::string& to) {
    export_weights(source, names, to, source.notify);
  });
}

}  // namespace

void bind_edits(nb::module_& module) {
  def(module, "rename", rename_values);
  def(
      module, "require_device",
      +[](const std::string& device) { require_device_type(parse_device(device).type); });
  def(module, "retarget", retarget_program);
  def(module, "extract", extract_part);
  def(module, "join", join_programs);
  def(module, "infer", infer_in_place);
  def(module, "match", match_graph);
  def(module, "rewrite", rewrite_in_place);
  def(module, "upgrade_file", upgrade_archive);
  def(module, "downgrade_file", downgrade_archive);
  def(module, "retarget_file", retarget_archive);
  def(module, "extract_file", extract_part_of_file);
  def(module, "join_files", join_archives);
  def(module, "slim_file", slim_to_file);
  def(module, "strip_file", strip_to_file);
  def(module, "attach_file", attach_weights);
  def(module, "export_weights", write_weights);
}

}  // namespace pt2::python
