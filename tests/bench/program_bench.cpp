// Times the index and the check of one program, and a rewrite of it, against a load of it, in turn, and
// prints medians and ratios of the processor's time, which other processes add less to: program_bench
// PROGRAM.json [ROUNDS]
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "medians.h"
#include "pt2/analysis/verify/verify.h"
#include "pt2/edit/rewrite.h"
#include "pt2/program.h"
#include "pt2/versions/graph/index.h"

namespace {

/// `add(x, y)`, or `add(y, x)`.
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

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: program_bench PROGRAM.json [ROUNDS]\n", stderr);
    return 2;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 30;
  std::vector<double> load_times;
  std::vector<double> index_times;
  std::vector<double> check_times;
  std::vector<double> rewrite_times;
  std::size_t findings = 0;
  std::size_t rewritten = 0;
  const pt2::Pattern pattern = {sum("x", "y")};
  const pt2::Graph replacement = sum("y", "x");
  for (int round = 0; round < rounds; ++round) {
    const double start = processor_milliseconds();
    pt2::ExportedProgram program = pt2::load_program(argv[1]).program;
    const double loaded = processor_milliseconds();
    load_times.push_back(loaded - start);
    const pt2::ProgramIndex index(program);
    const double indexed = processor_milliseconds();
    index_times.push_back(indexed - loaded);
    findings = pt2::verify(program, index).size();
    const double checked = processor_milliseconds();
    check_times.push_back(checked - indexed);
    rewritten = pt2::rewrite(program, pattern, replacement);
    rewrite_times.push_back(processor_milliseconds() - checked);
  }
  const double load = median(load_times);
  std::printf("load    %6.2f ms\n", load);
  std::printf("index   %6.2f ms  %.3f of a load\n", median(index_times), median(index_times) / load);
  std::printf("verify  %6.2f ms  %.3f of a load, %zu findings\n", median(check_times),
              median(check_times) / load, findings);
  std::printf("rewrite %6.2f ms  %.3f of a load, %zu matches\n", median(rewrite_times),
              median(rewrite_times) / load, rewritten);
  return 0;
}
