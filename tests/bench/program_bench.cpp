// Times the index and the check of one program against a load of it, in turn, and prints medians and ratios
// of the processor's time, which other processes add less to: program_bench PROGRAM.json [ROUNDS]
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "medians.h"
#include "pt2/graph/index.h"
#include "pt2/program.h"
#include "pt2/verify/verify.h"

namespace {

double processor_milliseconds() {
  return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
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
  std::size_t findings = 0;
  for (int round = 0; round < rounds; ++round) {
    const double start = processor_milliseconds();
    const pt2::ExportedProgram program = pt2::load_program(argv[1]).program;
    const double loaded = processor_milliseconds();
    load_times.push_back(loaded - start);
    const pt2::ProgramIndex index(program);
    const double indexed = processor_milliseconds();
    index_times.push_back(indexed - loaded);
    findings = pt2::verify(program, index).size();
    check_times.push_back(processor_milliseconds() - indexed);
  }
  const double load = median(load_times);
  std::printf("load    %6.2f ms\n", load);
  std::printf("index   %6.2f ms  %.3f of a load\n", median(index_times), median(index_times) / load);
  std::printf("verify  %6.2f ms  %.3f of a load, %zu findings\n", median(check_times),
              median(check_times) / load, findings);
  return 0;
}
