// two_threads_bench PROGRAM.json [ROUNDS]: what a second thread could gain. Loads a program on one thread,
// and its two halves on two, which are then joined. Prints minima.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "medians.h"
#include "pt2/json.h"
#include "pt2/program.h"

namespace {

struct Halves {
  std::string program;
  std::string graph;
};

Halves halves_of(const std::string& text) {
  auto program = schemagen::from_json<pt2::ExportedProgram>(text);
  pt2::Graph& graph = program.graph_module.graph;
  pt2::Graph rest;
  rest.tensor_values = std::move(graph.tensor_values);
  graph.tensor_values = {};
  std::size_t size = schemagen::to_json(rest).size();
  while (size < text.size() / 2 && !graph.nodes.empty()) {
    size += schemagen::to_json(graph.nodes.back()).size();
    rest.nodes.push_back(std::move(graph.nodes.back()));
    graph.nodes.pop_back();
  }
  std::reverse(rest.nodes.begin(), rest.nodes.end());
  return {schemagen::to_json(program), schemagen::to_json(rest)};
}

double thread_milliseconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e6;
}

pt2::ExportedProgram load(const Halves& halves, double& other_time) {
  pt2::Graph rest;
  std::thread other([&] {
    rest = schemagen::from_json<pt2::Graph>(halves.graph);
    other_time = thread_milliseconds();
  });
  auto program = schemagen::from_json<pt2::ExportedProgram>(halves.program);
  other.join();
  pt2::Graph& graph = program.graph_module.graph;
  graph.nodes.insert(graph.nodes.end(), std::move_iterator(rest.nodes.begin()),
                     std::move_iterator(rest.nodes.end()));
  graph.tensor_values = std::move(rest.tensor_values);
  return program;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: two_threads_bench PROGRAM.json [ROUNDS]\n", stderr);
    return 2;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 30;
  const std::string text = schemagen::to_json(pt2::load_program(argv[1]).program);
  const Halves halves = halves_of(text);
  double whole_time = 1e9;
  double halves_time = 1e9;
  double whole_used = 1e9;
  double busier_used = 1e9;
  bool are_same = true;
  for (int round = 0; round < rounds; ++round) {
    double used = thread_milliseconds();
    const auto start = std::chrono::steady_clock::now();
    const auto whole = schemagen::from_json<pt2::ExportedProgram>(text);
    whole_time = std::min(whole_time, milliseconds_since(start));
    whole_used = std::min(whole_used, thread_milliseconds() - used);
    double other_used = 0;
    used = thread_milliseconds();
    const auto second = std::chrono::steady_clock::now();
    const pt2::ExportedProgram joined = load(halves, other_used);
    halves_time = std::min(halves_time, milliseconds_since(second));
    busier_used = std::min(busier_used, std::max(other_used, thread_milliseconds() - used));
    are_same = are_same && joined == whole;
  }
  std::printf("%.1f MB  one thread %.2f ms  two threads %.2f ms  %.2f times as fast\n",
              static_cast<double>(text.size()) / 1e6, whole_time, halves_time, whole_time / halves_time);
  std::printf("CPU time  one thread %.2f ms  busier of two %.2f ms  %.2f times as fast\n", whole_used,
              busier_used, whole_used / busier_used);
  return are_same ? 0 : 1;
}
