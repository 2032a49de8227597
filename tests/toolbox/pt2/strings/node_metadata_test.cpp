#include "pt2/strings/node_metadata.h"

#include <catch2/catch.hpp>

#include "schemagen/base/error.h"

TEST_CASE("a module stack is read from the outermost module to the innermost") {
  const auto stack = pt2::parse_module_stack("L__self__,,M.<locals>.Net;L__self__b.0@1,b.0,torch.nn.Linear");
  REQUIRE(stack.size() == 2);
  CHECK(stack[0].path.empty());
  CHECK(stack[1].key == "L__self__b.0@1");
  CHECK(stack[1].path == "b.0");
  CHECK(stack[1].type == "torch.nn.Linear");
}

TEST_CASE("commas in brackets are part of a module's name") {
  const auto stack = pt2::parse_module_stack("k[a,(b,c)],f(x, 1)[2:3],List[int,c:[22]]");
  REQUIRE(stack.size() == 1);
  CHECK(stack[0].key == "k[a,(b,c)]");
  CHECK(stack[0].path == "f(x, 1)[2:3]");
  CHECK(stack[0].type == "List[int,c:[22]]");
}

TEST_CASE("a module stack with too few or too many parts is an error with the byte") {
  CHECK_THROWS_WITH(pt2::parse_module_stack(""), "expected a module's key,path,type, got '' (byte 0)");
  CHECK_THROWS_WITH(pt2::parse_module_stack("a,b,c;d,e"),
                    "expected a module's key,path,type, got 'd,e' (byte 6)");
  CHECK_THROWS_WITH(pt2::parse_module_stack("a,b,c,d"),
                    "expected a module's key,path,type, got 'a,b,c,d' (byte 0)");
}

TEST_CASE("source functions are read with their names and targets") {
  const auto functions = pt2::parse_source_functions("cond,cond;relu_1,torch.nn.functional.relu");
  REQUIRE(functions.size() == 2);
  CHECK(functions[1].name == "relu_1");
  CHECK(functions[1].target == "torch.nn.functional.relu");
  CHECK_THROWS_WITH(pt2::parse_source_functions("a,b;c"),
                    "expected a function's name,target, got 'c' (byte 4)");
}

TEST_CASE("from_node is read with all its fields") {
  const std::string text =
      R"([{"name": "a", "target": "aten.gt.Scalar", "graph_id": 139753584757008, "pass_name": "P", )"
      R"("action": "create+replace", "from_node": [{"name": "\u00e9", "target": "x", "graph_id": -1, )"
      R"("pass_name": "", "action": "", "from_node": []}]}])";
  const auto sources = pt2::parse_from_node(text);
  REQUIRE(sources);
  CHECK(sources->at(0).from_node.at(0).name == "\xc3\xa9");
  CHECK(sources->at(0).graph_id == 139753584757008);
  CHECK(sources->at(0).action == "create+replace");
  CHECK(sources->at(0).from_node.at(0).graph_id == -1);
  CHECK_FALSE(pt2::parse_from_node("null"));
  CHECK_THROWS_WITH(pt2::parse_from_node(R"([{"name": 1}])"),
                    "[0].name: expected a string, found an integer (line 1, column 11)");
  const std::string spaced =
      R"([ {"graph_id": 7, "name": "a", "target": "b", "pass_name": "", "action": "", "from_node": []}])";
  CHECK(pt2::parse_from_node(spaced)->at(0).graph_id == 7);
  const std::string numbered =
      R"([{"name": "a", "target": "b", "graph_id": 7, "pass_name": "", "action": "", "from_node": []}])";
  CHECK(pt2::parse_from_node(numbered)->at(0).graph_id == 7);
  for (const char* number : {"07", "7.5", "1e3", "99999999999999999999", "-", "", "\"7\""}) {
    std::string wrong = numbered;
    CHECK_THROWS_AS(pt2::parse_from_node(wrong.replace(wrong.find('7'), 1, number)), schemagen::DataError);
  }
  for (std::size_t size = 0; size < numbered.size(); ++size) {
    CHECK_THROWS_AS(pt2::parse_from_node(numbered.substr(0, size)), schemagen::DataError);
  }
  std::string deep = "[]";
  for (int i = 0; i < 300; ++i) {
    deep = R"([{"name": "", "target": "", "graph_id": 0, "pass_name": "", "action": "", "from_node": )" +
           deep + "}]";
  }
  CHECK_THROWS_AS(pt2::parse_from_node(deep), schemagen::DataError);
}

TEST_CASE("custom is an object whose values are unchanged") {
  const std::string text = R"({"note": [1.50, {"a": null}], "b": "x"})";
  const auto custom = pt2::parse_custom(text);
  CHECK(custom.at("note").text == R"([1.50, {"a": null}])");
  CHECK(custom.size() == 2);
  CHECK_THROWS_WITH(pt2::parse_custom("[]"), "expected an object, found a list (line 1, column 1)");
}
