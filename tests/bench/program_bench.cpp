// program_bench PROGRAM.json [ROUNDS [OPERATION]]: medians and ratios of CPU time, relative to a load.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "medians.h"
#include "pt2/canonical/canonical.h"
#include "pt2/diff/program_diff.h"
#include "pt2/edit/rewrite.h"
#include "pt2/graph/index.h"
#include "pt2/infer/infer.h"
#include "pt2/program.h"
#include "pt2/verify/verify.h"

namespace {

struct Run {
  double time;
  std::size_t count;
};

template <class Work>
Run timed(const Work& work) {
  const double start = processor_milliseconds();
  const std::size_t count = work();
  return {processor_milliseconds() - start, count};
}

Run index_program(pt2::ExportedProgram program) {
  std::optional<pt2::ProgramIndex> index;
  return timed([&] {
    index.emplace(program);
    return index->scopes().size();
  });
}

Run verify_program(pt2::ExportedProgram program) {
  return timed([&] { return pt2::verify(program).size(); });
}

Run infer_program(pt2::ExportedProgram program) {
  const pt2::Graph& graph = program.graph_module.graph;
  return timed([&] {
    const pt2::Bindings hints = pt2::hints_of(graph);
    pt2::SizeTexts texts;
    std::size_t known = 0;
    for (const pt2::Node& node : graph.nodes) {
      const pt2::Operator* const op = pt2::find_operator(node.target);
      if (op != nullptr && pt2::infer_results(node, *op, graph, hints, {}, &texts)) ++known;
    }
    return known;
  });
}

pt2::Graph sum(const char* first, const char* second) {
  pt2::Graph graph;
  for (const char* const name : {"x", "y"}) graph.inputs.emplace_back(pt2::TensorArgument{name});
  pt2::Node& node = graph.nodes.emplace_back();
  node.target = "torch.ops.aten.add.Tensor";
  node.inputs = {{"self", pt2::TensorArgument{first}, pt2::ArgumentKind::POSITIONAL},
                 {"other", pt2::TensorArgument{second}, pt2::ArgumentKind::POSITIONAL}};
  node.outputs.emplace_back(pt2::TensorArgument{"sum"});
  graph.outputs = node.outputs;
  return graph;
}

Run rewrite_program(pt2::ExportedProgram program) {
  const pt2::Pattern pattern = {sum("x", "y")};
  const pt2::Graph replacement = sum("y", "x");
  return timed([&] { return pt2::rewrite(program, pattern, replacement); });
}

template <pt2::CanonicalForm form>
Run canonicalize_program(pt2::ExportedProgram program) {
  return timed([&] {
    program = pt2::canonicalize(std::move(program), form);
    return program.graph_module.graph.nodes.size();
  });
}

/// In the other program, one node in `one_in` calls a different operator; 0: none.
template <std::size_t one_in>
Run diff_program(pt2::ExportedProgram program) {
  pt2::ExportedProgram other = program;
  std::vector<pt2::Node>& nodes = other.graph_module.graph.nodes;
  for (std::size_t i = 0; one_in > 0 && i < nodes.size(); i += one_in) {
    nodes[i].target = "torch.ops.aten.sub.Tensor";
  }
  const pt2::NormalProgram before = pt2::normalize(std::move(program));
  const pt2::NormalProgram after = pt2::normalize(std::move(other));
  return timed([&] { return pt2::diff_programs(before, after).size(); });
}

struct Operation {
  const char* name;
  Run (*run)(pt2::ExportedProgram program);
};

constexpr Operation kOperations[] = {
    {"index", index_program},
    {"verify", verify_program},
    {"infer", infer_program},
    {"rewrite", rewrite_program},
    {"torch form", canonicalize_program<pt2::CanonicalForm::torch>},
    {"names form", canonicalize_program<pt2::CanonicalForm::names>},
    {"normal form", canonicalize_program<pt2::CanonicalForm::normal>},
    {"diff, same", diff_program<0>},
    {"diff, 1 in 1000", diff_program<1000>},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: program_bench PROGRAM.json [ROUNDS [OPERATION]]\n", stderr);
    return 2;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 30;
  const auto is_wanted = [&](const Operation& operation) {
    return argc < 4 || std::string_view(argv[3]) == operation.name;
  };
  std::vector<double> load_times;
  std::vector<double> times[std::size(kOperations)];
  std::size_t counts[std::size(kOperations)] = {};
  std::size_t nodes = 0;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < std::size(kOperations); ++i) {
      if (!is_wanted(kOperations[i])) continue;
      const double start = processor_milliseconds();
      pt2::ExportedProgram program = pt2::load_program(argv[1]).program;
      load_times.push_back(processor_milliseconds() - start);
      nodes = program.graph_module.graph.nodes.size();
      const Run run = kOperations[i].run(std::move(program));
      times[i].push_back(run.time);
      counts[i] = run.count;
    }
  }
  const double load = median(load_times);
  std::printf("%-16s %8.2f ms  %zu nodes\n", "load", load, nodes);
  for (std::size_t i = 0; i < std::size(kOperations); ++i) {
    if (!is_wanted(kOperations[i])) continue;
    const double time = median(times[i]);
    std::printf("%-16s %8.2f ms  %.3f of a load  %zu\n", kOperations[i].name, time, time / load, counts[i]);
  }
  return 0;
}
