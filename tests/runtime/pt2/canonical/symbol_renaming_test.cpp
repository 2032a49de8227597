#include "pt2/canonical/stages.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/canonical/canonical_texts.h"

TEST_CASE("the names form distinguishes symbols of an unused entry by shared operands") {
  Graph graph = graph_of({"x"}, {}, {"x"});
  const auto symbol = [](const std::string& name) { return "Symbol('" + name + "', integer=True)"; };
  const auto add = [&](const std::string& name, const std::string& expression) {
    graph.sym_bool_values[name].emplace<pt2::SymBool::as_expr>().expr_str = expression;
  };
  const auto equal = [&](const char* a, const char* b) {
    return "Equality(" + symbol(a) + ", " + symbol(b) + ")";
  };
  add("a", "And(" + equal("zf4", "u8") + ", " + equal("u7", "zf1") + ")");
  add("b", "GreaterThan(" + symbol("u7") + ", Integer(0))");
  const ExportedProgram names = canonicalize(program_of(graph), CanonicalForm::names);
  CHECK(json(canonicalize(names, CanonicalForm::names)) == json(names));
}

TEST_CASE("the names form handles long texts with many symbols") {
  Graph graph = graph_of({"x"}, {}, {"x"});
  std::string sum = "u0";
  for (int i = 1; i < 20'000; ++i) sum += " + u" + std::to_string(i);
  graph.tensor_values["x"].sizes.push_back(symbolic(sum));
  ExportedProgram program = program_of(graph);
  program.guards_code.push_back(sum);
  const ExportedProgram names = canonicalize(program, CanonicalForm::names);
  CHECK(names.guards_code == std::vector{sum});
}
