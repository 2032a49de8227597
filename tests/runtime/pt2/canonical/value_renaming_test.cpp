#include "pt2/canonical/stages.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/canonical/canonical_texts.h"

TEST_CASE("the names form numbers inputs, results, undefined names, then names that occur only in tables") {
  Graph wild = graph_of({"x"}, {call(kAdd, {tensor("x"), tensor("free")}, {"a"})}, {"a"});
  add_tensor(wild, "only_b");
  add_tensor(wild, "only_a");
  wild.tensor_values["only_b"].dtype = pt2::ScalarType::LONG;
  const ExportedProgram names = canonicalize(program_of(wild), CanonicalForm::names);
  CHECK(node_texts(graph(names)) == Texts{"_1 = " + kAdd + "(_0,_2)"});
  CHECK(keys(graph(names).tensor_values) == Texts{"_0", "_1", "_3", "_4"});
  // 5 is LONG, 7 is FLOAT.
  CHECK(graph(names).tensor_values.at("_3").dtype == pt2::ScalarType::LONG);
}

TEST_CASE("the names form treats two definitions of a name as one name") {
  const ExportedProgram program = program_of(
      graph_of({"x"}, {call(kRelu, {tensor("x")}, {"a"}), call(kRelu, {tensor("a")}, {"a"})}, {"a"}));
  CHECK(node_texts(graph(canonicalize(program, CanonicalForm::names))) ==
        Texts{"_1 = " + kRelu + "(_0)", "_1 = " + kRelu + "(_1)"});
  CHECK(message(program, CanonicalForm::normal) ==
        "graph_module.graph.nodes: the value 'a' is defined twice or used before its definition");
}

TEST_CASE("empty names are ignored") {
  const ExportedProgram program =
      program_of(graph_of({"x"}, {call("torch.ops.aten.max.dim", {tensor("x")}, {"", "a"})}, {"a"}));
  const ExportedProgram names = canonicalize(program, CanonicalForm::names);
  CHECK(node_texts(graph(names))[0].substr(0, 4) == " _1 ");
  CHECK(keys(graph(names).tensor_values) == Texts{"", "_0", "_1"});
}

TEST_CASE("a name that occurs only in tables may be in several") {
  Graph wild = graph_of({"x"}, {}, {"x"});
  const std::string name = "a name that is too long to be held in place";
  add_tensor(wild, name);
  wild.sym_int_values[name].emplace<pt2::SymInt::as_int>(1);
  wild.sym_bool_values[name].emplace<pt2::SymBool::as_bool>(true);
  const ExportedProgram normal = canonicalize(program_of(wild), CanonicalForm::normal);
  CHECK(graph(normal).tensor_values.contains("_1"));
  CHECK(graph(normal).sym_int_values.contains("_1"));
  CHECK(graph(normal).sym_bool_values.contains("_1"));
  CHECK(graph(canonicalize(program_of(wild), CanonicalForm::torch)).sym_bool_values.contains(name));
}
