#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "pt2/canonical/canonical.h"
#include "pt2/diff/program_diff.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"
#include "runtime/pt2/program_builder.h"
#include "runtime/test_seed.h"

using pt2::Argument;
using pt2::CanonicalForm;
using pt2::canonicalize;
using pt2::ExportedProgram;
using pt2::Graph;
using pt2::Node;
using pt2::ValueName;

namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t end) {
  return random() % end;
}

template <class T>
const T& any_of(Random& random, const std::vector<T>& items) {
  return items[below(random, items.size())];
}

std::string form(const ExportedProgram& program, CanonicalForm form) {
  return schemagen::to_json(canonicalize(program, form));
}

const std::vector<std::string> kSymbols = {"s3", "s4", "u1", "u5", "u6", "u8", "zf2", "zf4"};

std::string symbol(Random& random) {
  return "Symbol('" + any_of(random, kSymbols) + "', integer=True)";
}

std::string expression(Random& random) {
  const auto product = [&] { return "Mul(" + symbol(random) + ", " + symbol(random) + ")"; };
  switch (below(random, 6)) {
    case 0:
      return "Add(" + symbol(random) + ", " + symbol(random) + ")";
    case 4:
      return "Add(" + product() + ", " + product() + ")";
    case 5:
      return "PythonMod(" + product() + ", " + symbol(random) + ")";
    case 1:
      return "Mul(Integer(2), " + symbol(random) + ")";
    default:
      return symbol(random);
  }
}

void add_unused_entries(Graph& graph, Random& random) {
  const std::size_t count = below(random, 4);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "unused" + std::to_string(i);
    switch (below(random, 3)) {
      case 0:
        add_tensor(graph, name);
        graph.tensor_values[name].sizes.push_back(symbolic(expression(random)));
        break;
      case 1:
        graph.sym_bool_values[name].emplace<pt2::SymBool::as_expr>().expr_str =
            "GreaterThan(" + symbol(random) + ", Integer(2))";
        break;
      default:
        graph.custom_obj_values[name] = {"unused" + std::to_string(below(random, count + 1)), "my.Class"};
    }
  }
}

/// Of few kinds, so that many are alike.
Node random_node(Random& random, const std::vector<std::string>& known, const std::string& result, int depth);

Graph random_graph(Random& random, const std::vector<std::string>& inputs, std::size_t size, int depth) {
  std::vector<std::string> known = inputs;
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < size; ++i) {
    const std::string result = "v" + std::to_string(i);
    nodes.push_back(random_node(random, known, result, depth));
    if (below(random, 2) == 0) nodes.back().name = "node_" + result;
    if (below(random, 8) == 0) nodes.back().metadata["custom"] = "{}";
    known.push_back(result);
  }
  Graph graph = graph_of(inputs, std::move(nodes), {any_of(random, known)});
  for (auto& entry : graph.tensor_values) {
    if (below(random, 4) == 0) entry.value.sizes.push_back(symbolic(expression(random)));
  }
  add_unused_entries(graph, random);
  return graph;
}

Node random_node(Random& random, const std::vector<std::string>& known, const std::string& result,
                 int depth) {
  const auto operand = [&] {
    if (below(random, 20) == 0) return tensor("nowhere" + std::to_string(below(random, 2)));
    const Argument value = tensor(any_of(random, known));
    switch (below(random, 8)) {
      case 0:
        return dict("k", value);
      case 1:
        return optional_tensor(any_of(random, known));
      default:
        return value;
    }
  };
  switch (below(random, depth < 2 ? 9 : 8)) {
    case 0:
      return call("torch.ops.aten.zeros.default", {number(2)}, {result});
    case 1:
      return call("torch.ops.aten.alias.default", {tensor(any_of(random, known))}, {result});
    case 2:
      return call("torch.ops.aten.add_.Tensor", {tensor(any_of(random, known)), number(1)}, {result});
    case 3:
      return call("torch.ops.aten.bernoulli.default", {tensor(any_of(random, known))}, {result});
    case 4:
    case 5:
      return call("torch.ops.aten.relu.default", {operand()}, {result});
    case 8: {
      const Graph inner = random_graph(random, {"a"}, 1 + below(random, 3), depth + 2);
      return call("torch.ops.higher_order.wrap", {subgraph("g" + result, inner), operand()}, {result});
    }
    default:
      return call("torch.ops.aten.add.Tensor",
                  {operand(), below(random, 2) == 0 ? operand() : number(static_cast<int>(below(random, 2)))},
                  {result});
  }
}

ExportedProgram random_program(Random& random) {
  ExportedProgram program = program_of(random_graph(random, {"x", "y"}, 1 + below(random, 14), 0));
  for (const std::string& name : kSymbols) {
    if (below(random, 2) == 0) program.range_constraints[name].min_val = static_cast<int>(below(random, 2));
  }
  if (below(random, 2) == 0) program.guards_code.push_back(any_of(random, kSymbols) + " > 1");
  pt2::ModuleCallEntry& call = program.graph_module.module_call_graph.emplace_back();
  call.signature.emplace().outputs = program.graph_module.graph.outputs;
  return program;
}

/// Distinct; some look canonical.
class NewNames {
 public:
  explicit NewNames(Random& random) : random_(random) {}

  const std::string& of(const std::string& name) {
    std::string& found = names_[name];
    while (found.empty()) {
      found = any_of(random_, std::vector<std::string>{"_", "v", "n"}) + std::to_string(below(random_, 60));
      const auto is_same = [&](const auto& other) { return other.first != name && other.second == found; };
      if (std::any_of(names_.begin(), names_.end(), is_same)) found.clear();
    }
    return found;
  }
  void rename(Argument& argument) {
    pt2::for_each_slot(argument, [&](std::string* name, ValueName::Table) {
      if (name != nullptr) *name = of(*name);
    });
  }

 private:
  Random& random_;
  std::map<std::string, std::string> names_;
};

std::vector<std::string> names_in(const std::vector<Argument>& arguments) {
  std::vector<std::string> names;
  for (const Argument& argument : arguments) {
    pt2::for_each_slot(argument, [&](const std::string* name, ValueName::Table) {
      if (name != nullptr) names.push_back(*name);
    });
  }
  return names;
}

std::vector<Argument> arguments_of(const Node& node) {
  std::vector<Argument> arguments;
  for (const pt2::NamedArgument& input : node.inputs) arguments.push_back(input.arg);
  return arguments;
}

bool has(const Node& node, const char* word) {
  return node.target.find(word) != std::string::npos;
}

bool draws_or_writes(const Node& node) {
  bool found = has(node, ".bernoulli.") || has(node, ".add_.");
  pt2::for_each_subgraph(node, [&](const pt2::GraphArgument& subgraph) {
    for (const Node& inner : subgraph.graph->nodes) found = found || draws_or_writes(inner);
  });
  return found;
}

/// What may share memory with a modified tensor stays on its side of the modification.
void shuffle_nodes(Graph& graph, Random& random) {
  std::map<std::string, std::string> memory;
  const auto root = [&](std::string name) {
    while (memory.count(name) != 0 && memory[name] != name) name = memory[name];
    return name;
  };
  std::vector<std::vector<std::string>> uses;
  std::vector<std::vector<std::string>> gives;
  for (const Node& node : graph.nodes) {
    uses.push_back(names_in(arguments_of(node)));
    gives.push_back(names_in(node.outputs));
    if (!has(node, ".alias.") && !has(node, ".add_.") && !has(node, ".wrap")) continue;
    for (const std::string& name : uses.back()) memory[root(name)] = root(gives.back()[0]);
  }
  const auto share = [&](const auto& a, const auto& b, bool by_memory) {
    return std::any_of(a.begin(), a.end(), [&](const std::string& x) {
      return std::any_of(b.begin(), b.end(),
                         [&](const std::string& y) { return by_memory ? root(x) == root(y) : x == y; });
    });
  };
  const auto must_precede = [&](std::size_t i, std::size_t j) {
    if (share(gives[i], uses[j], false)) return true;
    const bool has_effect_i = draws_or_writes(graph.nodes[i]);
    const bool has_effect_j = draws_or_writes(graph.nodes[j]);
    if (has_effect_i && has_effect_j) return true;
    return (has_effect_i || has_effect_j) && share(uses[i], uses[j], true);
  };
  std::vector<std::size_t> left(graph.nodes.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  std::vector<Node> shuffled;
  while (!left.empty()) {
    const std::size_t next = below(random, left.size());
    const bool is_ready = std::none_of(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(next),
                                       [&](std::size_t other) { return must_precede(other, left[next]); });
    if (!is_ready) continue;
    shuffled.push_back(graph.nodes[left[next]]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
  }
  graph.nodes = std::move(shuffled);
}

template <class T>
void rename_keys(schemagen::Map<T>& map, Random& random, const std::map<std::string, std::string>& names) {
  std::vector<std::pair<std::string, T>> entries;
  for (auto& [key, value] : map) entries.emplace_back(names.at(key), value);
  std::shuffle(entries.begin(), entries.end(), random);
  map = {};
  for (auto& [key, value] : entries) map[key] = value;
}

void rename_graph(Graph& graph, NewNames& names, Random& random) {
  for (Argument& input : graph.inputs) names.rename(input);
  for (Argument& output : graph.outputs) names.rename(output);
  std::map<std::string, std::string> subgraphs;
  for (Node& node : graph.nodes) {
    for (pt2::NamedArgument& input : node.inputs) names.rename(input.arg);
    for (Argument& output : node.outputs) names.rename(output);
    if (node.name) node.name = "other_" + std::to_string(random());
    pt2::for_each_subgraph(node, [&](pt2::GraphArgument& subgraph) {
      subgraph.name = subgraphs.try_emplace(subgraph.name, "f" + std::to_string(random())).first->second;
      NewNames inner(random);
      rename_graph(*subgraph.graph, inner, random);
    });
  }
  for (auto& entry : graph.custom_obj_values) entry.value.name = names.of(entry.value.name);
  pt2::for_each_table(graph, [&](auto& table, ValueName::Table) {
    std::map<std::string, std::string> keys;
    for (auto& entry : table) keys[entry.key()] = names.of(entry.key());
    rename_keys(table, random, keys);
  });
}

void rename_symbols(ExportedProgram& program, Random& random) {
  std::map<std::string, std::string> names;
  for (const std::string letters : {"s", "u", "zf"}) {
    std::vector<std::string> of_letters;
    for (const std::string& name : kSymbols) {
      if (name.substr(0, name.find_first_of("0123456789")) == letters) of_letters.push_back(name);
    }
    std::vector<std::string> digits = {"0", "1", "2", "3", "7", "12"};
    std::shuffle(digits.begin(), digits.end(), random);
    for (std::size_t i = 0; i < of_letters.size(); ++i) names[of_letters[i]] = letters + digits[i];
  }
  const auto rename = [&](std::string& text) {
    std::string renamed;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t quote = std::min(text.find("('", at), text.size());
      renamed += text.substr(at, quote - at);
      if (quote == text.size()) break;
      const std::size_t end = text.find("',", quote);
      renamed += "('" + names.at(text.substr(quote + 2, end - quote - 2));
      at = end;
    }
    text = renamed;
  };
  pt2::for_each_graph(program.graph_module.graph, [&](Graph& graph) {
    for (auto& entry : graph.tensor_values) {
      for (pt2::SymInt& size : entry.value.sizes) rename(size.get<pt2::SymInt::as_expr>().expr_str);
    }
    for (auto& entry : graph.sym_bool_values) rename(entry.value.get<pt2::SymBool::as_expr>().expr_str);
  });
  rename_keys(program.range_constraints, random, names);
  for (std::string& guard : program.guards_code) guard = names.at(guard.substr(0, guard.find(' '))) + " > 1";
}

ExportedProgram disguised(ExportedProgram program, Random& random, bool reorder) {
  pt2::GraphModule& module = program.graph_module;
  if (reorder) pt2::for_each_graph(module.graph, [&](Graph& graph) { shuffle_nodes(graph, random); });
  NewNames names(random);
  rename_graph(module.graph, names, random);
  for (pt2::InputSpec& spec : module.signature.input_specs) {
    names.rename(spec.get<pt2::InputSpec::user_input>().arg);
  }
  for (pt2::OutputSpec& spec : module.signature.output_specs) {
    names.rename(spec.get<pt2::OutputSpec::user_output>().arg);
  }
  for (Argument& output : module.module_call_graph[0].signature->outputs) names.rename(output);
  rename_symbols(program, random);
  return program;
}

constexpr int kRounds = 100;

}  // namespace

TEST_CASE("canonical forms of random programs are idempotent") {
  Random random(test_seed());
  for (int round = 0; round < kRounds; ++round) {
    const ExportedProgram program = random_program(random);
    const ExportedProgram names = canonicalize(program, CanonicalForm::names);
    CHECK(form(names, CanonicalForm::names) == schemagen::to_json(names));
    const ExportedProgram normal = canonicalize(program, CanonicalForm::normal);
    CHECK(form(normal, CanonicalForm::normal) == schemagen::to_json(normal));
    CHECK(form(names, CanonicalForm::normal) == schemagen::to_json(normal));
  }
}

TEST_CASE("the names form does not depend on the original names of values, symbols and subgraphs") {
  Random random(test_seed());
  for (int round = 0; round < kRounds; ++round) {
    const ExportedProgram program = random_program(random);
    CHECK(form(disguised(program, random, false), CanonicalForm::names) ==
          form(program, CanonicalForm::names));
  }
}

TEST_CASE(
    "the normal form of random programs depends neither on names nor on the order of independent nodes") {
  Random random(test_seed());
  for (int round = 0; round < kRounds; ++round) {
    const ExportedProgram program = random_program(random);
    const ExportedProgram other = disguised(program, random, true);
    CHECK(form(other, CanonicalForm::normal) == form(program, CanonicalForm::normal));
    CHECK(pt2::diff_programs(pt2::normalize(program), pt2::normalize(other)).empty());
  }
}

TEST_CASE("changing a literal changes the normal form and is a difference") {
  Random random(test_seed());
  int changed = 0;
  for (int round = 0; round < kRounds; ++round) {
    const ExportedProgram program = random_program(random);
    ExportedProgram other = disguised(program, random, true);
    std::vector<std::int64_t*> literals;
    pt2::for_each_graph(other.graph_module.graph, [&](Graph& graph) {
      for (Node& node : graph.nodes) {
        for (pt2::NamedArgument& input : node.inputs) {
          if (auto* const literal = input.arg.get_if<Argument::as_int>()) literals.push_back(literal);
        }
      }
    });
    if (literals.empty()) continue;
    ++*any_of(random, literals);
    ++changed;
    CHECK(form(other, CanonicalForm::normal) != form(program, CanonicalForm::normal));
    CHECK_FALSE(pt2::diff_programs(pt2::normalize(program), pt2::normalize(other)).empty());
  }
  CHECK(changed > kRounds / 4);
}
