// upgrade_bench OLD.json [ROUNDS]: compares loading an old program with loading the upgraded one; prints
// medians and the ratio. First repeats the nodes until the program has 2.2 MB.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "medians.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "schemagen/tree/dom.h"

namespace {

constexpr std::size_t kBytes = 2'200'000;

std::string read_text(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string enlarged(const std::string& json) {
  const schemagen::JsonDocument document(json, {});
  schemagen::DomValue program = schemagen::to_dom(document);
  schemagen::DomValue::List& nodes = *program.find("graph_module")->find("graph")->find("nodes")->list();
  const schemagen::DomValue once = nodes;
  const std::size_t bytes_once = schemagen::dom_text(once).size();
  for (std::size_t bytes = json.size(); bytes < kBytes; bytes += bytes_once)
    nodes.insert(nodes.end(), once.list()->begin(), once.list()->end());
  return schemagen::dom_text(program);
}

pt2::ExportedProgram load(const std::string& json) {
  return pt2::load_program(pt2::ProgramFile(pt2::FileBytes(json))).program;
}

double milliseconds_of_load(const std::string& json) {
  const auto start = std::chrono::steady_clock::now();
  const pt2::ExportedProgram program = load(json);
  return milliseconds_since(start);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: upgrade_bench OLD.json [ROUNDS]\n", stderr);
    return 2;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 30;
  const std::string original = read_text(argv[1]);
  struct Program {
    const char* what;
    std::string json;
    std::vector<double> times;
  };
  std::vector<Program> programs = {
      {"old, upgraded", enlarged(original), {}},
      {"the same in the head version", {}, {}},
      {"head version, as large", enlarged(schemagen::to_json(load(original))), {}}};
  programs[1].json = schemagen::to_json(load(programs[0].json));
  for (int round = 0; round < rounds; ++round) {
    for (Program& program : programs) program.times.push_back(milliseconds_of_load(program.json));
  }
  const double upgrade = median(programs[0].times);
  for (const Program& program : programs) {
    const double time = median(program.times);
    std::printf("%-30s %4.1f MB  %6.2f ms  1/%.1f\n", program.what,
                static_cast<double>(program.json.size()) / 1e6, time, upgrade / time);
  }
  return 0;
}
