// Changes every part of several programs in turn, and expects that the differences name the place.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <set>

#include "pt2/canonical/canonical.h"
#include "pt2/diff/program_diff.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "pt2/text/literal.h"
#include "pt2/visit.h"
#include "runtime/pt2/program_builder.h"
#include "runtime/random_value.h"
#include "schemagen/base/error.h"

namespace {

using pt2::Argument;
using pt2::ExportedProgram;
using Lines = std::multiset<std::string>;

/// Calls `changed(path, place)` after each change of a value, and takes the change back. `place` is what the
/// difference is expected to mention: the name of a node's result, or a key.
class Changes {
 public:
  using Changed = std::function<void(const std::string& path, const std::string& place)>;
  explicit Changes(Changed changed) : changed_(std::move(changed)) {}

  template <class T>
  void change(T& value, const std::string& path, const std::string& place) {
    if constexpr (schemagen::kIsReflectedEnum<T> || std::is_integral_v<T>) {
      try_value(value,
                std::is_same_v<T, bool> ? T(!static_cast<bool>(value)) : T(static_cast<int>(value) + 1), path,
                place);
    } else if constexpr (std::is_floating_point_v<T>) {
      for (const T other : {value + 1, -value, std::numeric_limits<T>::quiet_NaN()}) {
        try_value(value, other, path, place);
      }
    } else {
      if constexpr (schemagen::kIsReflectedUnion<T>) try_value(value, T(), path, place);
      schemagen::visit(value, [&](auto field, auto& member) {
        change(member, path + "." + std::string(field.name), place);
      });
    }
  }
  void change(pt2::Node& node, const std::string& path, const std::string& outer) {
    const std::string* const result = pt2::first_name(node.outputs);
    // The graphs in module calls are not compared node by node.
    const bool is_named = result != nullptr && path.find("module_call_graph") == path.npos;
    const std::string place = is_named ? *result : outer;
    schemagen::visit(
        node, [&](auto field, auto& member) { change(member, path + "." + std::string(field.name), place); });
  }
  void change(pt2::GraphArgument& argument, const std::string& path, const std::string& place) {
    change(argument.name, path + ".name", place);
    const bool is_named = path.find("module_call_graph") == path.npos;
    change(*argument.graph, path + ".graph", is_named ? argument.name : place);
  }
  void change(pt2::ModuleCallEntry& call, const std::string& path, const std::string&) {
    change(call.fqn, path + ".fqn", "module");
    change(call.signature, path + ".signature", "module " + pt2::string_literal(call.fqn));
  }
  void change(std::string& value, const std::string& path, const std::string& place) {
    try_value(value, value + "~", path, place);
    try_value(value, std::string(), path, place);
  }
  template <class T>
  void change(schemagen::Box<T>& value, const std::string& path, const std::string& place) {
    change(*value, path, place);
  }
  template <class T>
  void change(std::optional<T>& value, const std::string& path, const std::string& place) {
    try_value(value, value ? std::nullopt : std::optional<T>(T()), path, place);
    if (value) change(*value, path, place);
  }
  void change(std::vector<bool>& value, const std::string& path, const std::string& place) {
    try_value(value, {!value.empty()}, path, place);
  }
  template <class T>
  void change(std::vector<T>& value, const std::string& path, const std::string& place) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      change(value[i], path + "[" + std::to_string(i) + "]", place);
      std::vector<T> other = value;
      other.erase(other.begin() + static_cast<std::ptrdiff_t>(i));
      try_value(value, other, path + " without " + std::to_string(i), "");
      if (i == 0) continue;
      other = value;
      std::swap(other[i - 1], other[i]);
      try_value(value, other, path + " swapped at " + std::to_string(i), "");
    }
    std::vector<T> other = value;
    if (other.empty()) {
      other.emplace_back();
    } else {
      other.push_back(other.front());
    }
    try_value(value, other, path + " with another", "");
  }
  template <class T>
  void change(schemagen::Map<T>& value, const std::string& path, const std::string& place) {
    schemagen::Map<T> other = value;
    std::vector<std::string> keys;
    for (auto& entry : value) keys.push_back(entry.key());
    for (const std::string& key : keys) {
      // Symbols have other names in the normal form.
      const bool is_symbol = path.find("range_constraints") != path.npos;
      const std::string key_place = place.empty() && !is_symbol ? key : place;
      change(*value.find(key), path + "[" + key + "]", key_place);
      other = value;
      other.erase(key);
      try_value(value, other, path + " without " + key, "");
    }
    other = value;
    other["new"];
    try_value(value, other, path + " with another", "");
  }

 private:
  template <class T>
  void try_value(T& value, T other, const std::string& path, const std::string& place) {
    std::swap(value, other);
    // What uses the name differs.
    const bool is_name =
        path.size() > 5 && (path.substr(path.size() - 5) == ".name" || path.find("as_name") != path.npos);
    changed_(path, is_name ? "" : place);
    std::swap(value, other);
  }

  Changed changed_;
};

Lines lines_of(const std::vector<pt2::Difference>& differences) {
  Lines lines;
  for (const pt2::Difference& difference : differences) {
    std::string text =
        difference.part + " in " + difference.where + " - " + difference.before + " + " + difference.after;
    for (const std::string& name : difference.at_before) text += " at " + name;
    for (const std::string& name : difference.at_after) text += " at " + name;
    lines.insert(text);
    for (const std::string& detail : difference.details) lines.insert(text + " (" + detail + ")");
  }
  return lines;
}

/// Returns the lines of `lines` that are not in `others`, as one text.
std::string without(Lines lines, const Lines& others) {
  for (const std::string& line : others) {
    const auto found = lines.find(line);
    if (found != lines.end()) lines.erase(found);
  }
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

ExportedProgram with_more(ExportedProgram program) {
  program.graph_module.metadata["unrelated"] = "text";
  pt2::Graph& graph = program.graph_module.graph;
  graph.nodes.push_back(call("torch.ops.aten.rand.default", {}, {"unrelated"}));
  add_tensor(graph, "unrelated");
  return program;
}

void check_every_change(const std::string& what, ExportedProgram program) {
  const pt2::NormalProgram before = pt2::normalize(program);
  const std::string text = schemagen::to_json(before.program);
  const Lines unrelated = lines_of(pt2::diff_programs(before, pt2::normalize(with_more(program))));
  std::size_t count = 0;
  Changes changes([&](const std::string& path, const std::string& place) {
    if (path.find("unrelated") != path.npos) return;
    std::optional<pt2::NormalProgram> after;
    std::optional<pt2::NormalProgram> after_more;
    std::string text_after;
    try {
      after = pt2::normalize(program);
      after_more = pt2::normalize(with_more(program));
      text_after = schemagen::to_json(after->program);
    } catch (const schemagen::DataError&) {
      return;  // no valid program
    }
    INFO(what << ": " << path);
    const std::string found = without(lines_of(pt2::diff_programs(before, *after)), {});
    const std::string found_back = without(lines_of(pt2::diff_programs(*after, before)), {});
    CHECK(found.empty() == (text == text_after));
    CHECK(found_back.empty() == found.empty());
    if (text == text_after) return;
    ++count;
    const std::string more = without(lines_of(pt2::diff_programs(before, *after_more)), unrelated);
    CHECK(!more.empty());
    CHECK(found.find(place) != found.npos);
    CHECK(more.find(place) != more.npos);
  });
  changes.change(program, "", "");
  CHECK(count > 50);
}

/// Returns a value of each kind of a union.
template <class Union>
std::vector<Union> one_of_each_kind() {
  std::map<int, Union> values;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Union value = RandomValue(seed).make<Union>();
    try {
      schemagen::to_json(value);
      values[value.kind()] = value;
    } catch (const schemagen::DataError&) {
      // A union in it is not set.
    }
  }
  std::vector<Union> all;
  for (const auto& [kind, value] : values) all.push_back(value);
  CHECK(all.size() == schemagen::reflected_type<Union>().field_count);
  return all;
}

ExportedProgram program_with_every_part() {
  std::vector<Argument> arguments = one_of_each_kind<Argument>();
  for (Argument& argument : arguments) {
    if (!argument.is<Argument::as_graph>()) continue;
    argument =
        subgraph("inner", graph_of({"p"}, {call("torch.ops.aten.sin.default", {tensor("p")}, {"q"})}, {"q"}));
  }
  pt2::Node all = call("torch.ops.mine.all.default", arguments, {"y"});
  all.name = "all";
  all.metadata["key"] = "text";
  ExportedProgram program = program_of(
      graph_of({"x", "w"}, {all, call("torch.ops.aten.relu.default", {tensor("y")}, {"z"})}, {"z", "w"}));
  pt2::Graph& graph = program.graph_module.graph;
  for (const char* const name : {"a", "nobody", "nobody_else", "elsewhere"}) add_tensor(graph, name);
  graph.tensor_values["nobody"].sizes.push_back(symbolic("s0"));
  graph.sym_int_values["n"] = symbolic("2*s0");
  graph.sym_float_values["f"].emplace<pt2::SymFloat::as_float>(0.0);
  graph.sym_bool_values["b"].emplace<pt2::SymBool::as_bool>(true);
  graph.custom_obj_values["object"] = {"object", "Class"};
  graph.custom_obj_values["other"] = {"object", "Class"};
  graph.custom_obj_values["y"] = {"y", "Class"};
  program.graph_module.signature.input_specs = one_of_each_kind<pt2::InputSpec>();
  program.graph_module.signature.output_specs = one_of_each_kind<pt2::OutputSpec>();
  pt2::ModuleCallSignature& called =
      program.graph_module.module_call_graph.emplace_back().signature.emplace();
  called.inputs = arguments;
  called.outputs = {tensor("z"), tensor("elsewhere")};
  called.forward_arg_names = {{"first", "second"}};
  program.graph_module.module_call_graph.push_back({"sub", std::nullopt});
  program.graph_module.metadata["key"] = "text";
  program.graph_module.treespec_namedtuple_fields["Point"].field_names = {"x", "y"};
  program.verifiers = {"ATEN", "TRAINING"};
  program.guards_code = {"1 < 2", "2 < 3"};
  program.opset_version["aten"] = 10;
  program.range_constraints["s0"] = {2, 64};
  return program;
}

}  // namespace

TEST_CASE("whatever changes in a program is named, alone or with something else") {
  for (const std::string name : {"cond", "custom_op", "dynamic", "effects", "mutate_buffer", "nonfinite",
                                 "pytree_kwargs", "sym_values"}) {
    check_every_change(
        name,
        pt2::load_program(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/" + name + ".json").program);
  }
}

TEST_CASE("changes of arguments and signatures of every kind, and of unused values, are named") {
  check_every_change("every part", program_with_every_part());
}
