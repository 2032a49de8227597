// Times the index and the check of one program against a load of it, in turn, and prints medians and ratios:
// program_bench PROGRAM.json [ROUNDS]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "medians.h"
#include "pt2/graph/index.h"
#include "pt2/program.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: program_bench PROGRAM.json [ROUNDS]\n", stderr);
    return 2;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 30;
  std::vector<double> load_times;
  std::vector<double> index_times;
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const pt2::ExportedProgram program = pt2::load_program(argv[1]).program;
    load_times.push_back(milliseconds_since(start));
    const auto loaded = std::chrono::steady_clock::now();
    const pt2::ProgramIndex index(program);
    index_times.push_back(milliseconds_since(loaded));
  }
  const double load = median(load_times);
  const double index = median(index_times);
  std::printf("load    %6.2f ms\nindex   %6.2f ms  %.3f of a load\n", load, index, index / load);
  return 0;
}
