// Times the canonical forms of one program against a load of it, in turn, and prints medians and ratios:
// canonical_bench PROGRAM.json [ROUNDS]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "medians.h"
#include "pt2/program.h"
#include "pt2/versions/canonical/canonical.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: canonical_bench PROGRAM.json [ROUNDS]\n", stderr);
    return 2;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 30;
  constexpr std::pair<const char*, pt2::CanonicalForm> kForms[] = {
      {"torch", pt2::CanonicalForm::torch},
      {"names", pt2::CanonicalForm::names},
      {"normal", pt2::CanonicalForm::normal},
  };
  std::vector<double> load_times;
  std::vector<double> form_times[3];
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t form = 0; form < 3; ++form) {
      const auto start = std::chrono::steady_clock::now();
      pt2::ExportedProgram program = pt2::load_program(argv[1]).program;
      load_times.push_back(milliseconds_since(start));
      const auto loaded = std::chrono::steady_clock::now();
      program = pt2::canonicalize(std::move(program), kForms[form].second);
      form_times[form].push_back(milliseconds_since(loaded));
    }
  }
  const double load = median(load_times);
  std::printf("load    %6.2f ms\n", load);
  for (std::size_t form = 0; form < 3; ++form) {
    const double time = median(form_times[form]);
    std::printf("%-7s %6.2f ms  %.2f of a load\n", kForms[form].first, time, time / load);
  }
  return 0;
}
