// index_dump PROGRAM: {"subgraph names": {"value": [[results of a user], ...]}} for torch_users_test.py. Each
// user occurs once; null is the graph itself.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "pt2/graph/index.h"
#include "pt2/program.h"
#include "schemagen/json/json_writer.h"

namespace {

using pt2::GraphIndex;

std::string path_of(const pt2::ProgramIndex& index, const pt2::ProgramIndex::Scope& scope) {
  if (scope.argument == nullptr) return "";
  return path_of(index, index.scopes()[scope.parent]) + "/" + scope.argument->name;
}

void write_users(schemagen::JsonWriter& json, const GraphIndex& index, std::uint32_t value) {
  const GraphIndex::User* last = nullptr;
  json.begin('[');
  for (const GraphIndex::User& user : index.users(value)) {
    if (last != nullptr && last->node == user.node) continue;
    last = &user;
    if (user.node == GraphIndex::kNone) {
      json.null();
      continue;
    }
    json.begin('[');
    for (auto output = index.outputs_begin(user.node); output < index.outputs_end(user.node); ++output) {
      json.string(index.name(output));
    }
    json.end(']');
  }
  json.end(']');
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const pt2::ExportedProgram program = pt2::load_program(std::string(argv[1])).program;
    const pt2::ProgramIndex index(program);
    schemagen::JsonWriter json;
    json.begin('{');
    for (const pt2::ProgramIndex::Scope& scope : index.scopes()) {
      json.key(path_of(index, scope)).begin('{');
      for (std::uint32_t value = 0; value < scope.index.size(); ++value) {
        json.key(scope.index.name(value));
        write_users(json, scope.index, value);
      }
      json.end('}');
    }
    json.end('}');
    std::puts(json.text().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
  return 0;
}
