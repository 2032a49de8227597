// builder_bench [ROUNDS] times building a program of 10,000 nodes, with inference of their types.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "medians.h"
#include "pt2/edit/builder.h"

namespace {

constexpr int kNodes = 10000;

pt2::BuiltProgram build(pt2::ProgramBuilder& model, const pt2::Size& size) {
  pt2::Value x = model.input("x", {pt2::ScalarType::FLOAT, {size, 64}});
  const pt2::Value weight = model.input("weight", {pt2::ScalarType::FLOAT, {64, 64}});
  const pt2::Value bias = model.input("bias", {pt2::ScalarType::FLOAT, {64}});
  for (int i = 0; i < kNodes / 4; ++i) {
    const pt2::Value product = model.call("aten.linear.default", {x, weight, bias});
    const pt2::Value sum = model.call("aten.add.Tensor", {product, x}, {{"alpha", 2}});
    x = model.call("aten.transpose.int", {model.call("aten.relu.default", {sum}), 0, 0});
  }
  model.output(x);
  return model.finish();
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 30;
  std::vector<double> fixed_times;
  std::vector<double> symbolic_times;
  std::size_t nodes = 0;
  for (int round = 0; round < rounds; ++round) {
    const double start = processor_milliseconds();
    pt2::ProgramBuilder fixed;
    nodes = build(fixed, 32).program.graph_module.graph.nodes.size();
    const double built = processor_milliseconds();
    pt2::ProgramBuilder symbolic;
    nodes += build(symbolic, symbolic.symbol("s0", 2, 64)).program.graph_module.graph.nodes.size();
    fixed_times.push_back(built - start);
    symbolic_times.push_back(processor_milliseconds() - built);
  }
  std::printf("known sizes    %6.2f ms for %zu nodes\n", median(fixed_times), nodes / 2);
  std::printf("symbolic sizes %6.2f ms\n", median(symbolic_times));
  return nodes == 2 * kNodes ? 0 : 1;
}
