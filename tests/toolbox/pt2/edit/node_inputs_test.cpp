#include "pt2/edit/builder.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "program_files.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "schemagen/base/error.h"
#include "schemagen/json/json.h"

using Catch::Contains;
using pt2::Argument;
using pt2::NamedArgument;
using pt2::NamedOperand;
using pt2::Operand;
using pt2::ScalarType;
using pt2::Value;

namespace {

namespace fs = std::filesystem;

const Value x = {"x"};
const Value w = {"w"};
const Value n = {"n", pt2::ValueName::Table::sym_ints};

/// Each is `name=argument` in JSON, with `*` before keyword arguments.
std::vector<std::string> inputs(const char* target, const std::vector<Operand>& positional,
                                const std::vector<NamedOperand>& keywords = {}) {
  std::vector<std::string> texts;
  for (const NamedArgument& input : pt2::node_inputs(pt2::operator_called(target), positional, keywords)) {
    const char* const star = input.kind == pt2::ArgumentKind::KEYWORD ? "*" : "";
    texts.push_back(star + input.name + "=" + schemagen::to_json(input.arg));
  }
  return texts;
}

using Texts = std::vector<std::string>;

std::string error_of(const char* target, const std::vector<Operand>& positional,
                     const std::vector<NamedOperand>& keywords = {}) {
  try {
    inputs(target, positional, keywords);
  } catch (const schemagen::UsageError& error) {
    return error.what();
  }
  return "";
}

bool is_keyword_only(const pt2::Operator& op, const std::string& name) {
  for (const pt2::OperatorArgument& argument : op.arguments) {
    if (argument.name == name) return argument.is_keyword_only;
  }
  return false;
}

/// As text, NaN is equal to itself.
pt2::Node node_of(std::vector<NamedArgument> inputs) {
  pt2::Node node;
  node.inputs = std::move(inputs);
  return node;
}

}  // namespace

TEST_CASE("what torch wrote as the inputs of a node stays as it is") {
  std::size_t count = 0;
  for (const fs::path& path : program_files("programs/torch-2.13.0")) {
    const auto program = pt2::load_program(path.string()).program;
    pt2::for_each_graph(program.graph_module.graph, [&](const pt2::Graph& graph) {
      for (const pt2::Node& node : graph.nodes) {
        if (pt2::find_operator(node.target) == nullptr) continue;
        CAPTURE(path, node.name);
        const pt2::Operator& op = pt2::operator_called(node.target);
        std::vector<Operand> positional;
        std::vector<NamedOperand> keywords;
        for (const NamedArgument& input : node.inputs) {
          if (input.kind == pt2::ArgumentKind::KEYWORD) {
            keywords.push_back({input.name, input.arg});
          } else {
            positional.emplace_back(input.arg);
          }
        }
        if (!keywords.empty() && !is_keyword_only(op, keywords.front().name)) continue;  // Python's own call
        CHECK(schemagen::to_json(node_of(pt2::node_inputs(op, positional, keywords))) ==
              schemagen::to_json(node_of(node.inputs)));
        ++count;
      }
    });
  }
  CHECK(count > 150);
}

TEST_CASE("arguments are of the kind that the schema asks for") {
  CHECK(inputs("aten.layer_norm.default", {x, {4}, w, nullptr, 1}) ==
        Texts{R"(input={"as_tensor": {"name": "x"}})", R"(normalized_shape={"as_ints": [4]})",
              R"(weight={"as_tensor": {"name": "w"}})", R"(bias={"as_none": true})",
              R"(eps={"as_float": 1.0})"});
  CHECK(inputs("aten.view.default", {x, {n, -1}}).back() ==
        R"(size={"as_sym_ints": [{"as_name": "n"}, {"as_int": -1}]})");
  CHECK(inputs("aten.index.Tensor", {x, {nullptr, w}}).back() ==
        R"(indices={"as_optional_tensors": [{"as_none": true}, {"as_tensor": {"name": "w"}}]})");
  CHECK(inputs("aten.add.Tensor", {x, 1}).back() == R"(other={"as_int": 1})");
  CHECK(inputs("aten.permute.default", {x, {}}).back() == R"(dims={"as_ints": []})");
  CHECK(inputs("aten.cat.default", {{x, w}, 1}).front() ==
        R"(tensors={"as_tensors": [{"name": "x"}, {"name": "w"}]})");
  CHECK(inputs("aten.full.default", {{2}, 1}, {{"device", "cuda:1"}, {"dtype", ScalarType::HALF}}) ==
        Texts{R"(size={"as_ints": [2]})", R"(fill_value={"as_int": 1})", R"(*dtype={"as_scalar_type": 6})",
              R"(*device={"as_device": {"type": "cuda", "index": 1}})"});
}

TEST_CASE("dtypes, layouts and memory formats can be given by name") {
  for (const char* const dtype : {"float16", "half", "torch.float16"}) {
    CHECK(inputs("aten.full.default", {{2}, 1}, {{"dtype", dtype}, {"layout", "strided"}}) ==
          inputs("aten.full.default", {{2}, 1},
                 {{"dtype", ScalarType::HALF}, {"layout", pt2::Layout::Strided}}));
  }
  CHECK(inputs("aten.clone.default", {x}, {{"memory_format", "channels_last"}}) ==
        inputs("aten.clone.default", {x}, {{"memory_format", pt2::MemoryFormat::ChannelsLast}}));
}

TEST_CASE("an operator can be called as in its schema, and without the overload called default") {
  for (const char* const name :
       {"aten.relu", "aten::relu", "aten::relu.default", "torch.ops.aten.relu.default"}) {
    CHECK(pt2::operator_called(name).target == "torch.ops.aten.relu.default");
  }
  CHECK(pt2::operator_called("aten::add.Tensor").target == "torch.ops.aten.add.Tensor");
  CHECK(pt2::operator_called("_operator.add").target == "_operator.add");
}

TEST_CASE("default values are left out where torch leaves them out") {
  // The last positional argument, and each keyword-only one.
  CHECK(inputs("aten.conv2d.default", {x, w, nullptr, 1, 0}).size() == 2);
  CHECK(inputs("aten.conv2d.default", {x, w}, {{"padding", 1}}) ==
        Texts{R"(input={"as_tensor": {"name": "x"}})", R"(weight={"as_tensor": {"name": "w"}})",
              R"(bias={"as_none": true})", R"(stride={"as_ints": [1, 1]})",
              R"(padding={"as_ints": [1, 1]})"});
  CHECK(inputs("aten.addmm.default", {x, w, w}, {{"beta", 1}, {"alpha", 2}}).back() ==
        R"(*alpha={"as_int": 2})");
  CHECK(inputs("aten.addmm.default", {x, w, w}, {{"beta", 1}}).size() == 3);
}

TEST_CASE("a mistake is an error with the operator's schema") {
  CHECK(
      error_of("aten.relu.default", {}) ==
      "cannot call 'aten.relu.default': argument 'self' is missing; its schema is aten::relu(Tensor self) -> "
      "Tensor");
  CHECK_THAT(error_of("aten.relu.default", {x, w}), Contains("expected at most 1 argument, got 2"));
  CHECK_THAT(error_of("aten.relu.default", {1}), Contains("argument 'self' is int, expected Tensor"));
  CHECK_THAT(error_of("aten.relu.default", {x}, {{"self", x}}), Contains("argument 'self' is given twice"));
  CHECK_THAT(error_of("aten.relu.default", {x}, {{"inplace", true}}),
             Contains("it has no argument 'inplace'"));
  CHECK_THAT(error_of("aten.addmm.default", {x, w, w, 1}), Contains("'beta' is keyword-only"));
  CHECK_THAT(error_of("aten.view.default", {x, {1, "2"}}),
             Contains("argument 'size' is string, expected SymInt[]"));
  CHECK_THAT(error_of("aten.sum.dim_IntList", {x, {1, w}}),
             Contains("argument 'dim' is tensor, expected int[1]?"));
  CHECK_THAT(error_of("aten.relu.default", {{x}}), Contains("argument 'self' is a list, expected Tensor"));
  CHECK_THAT(error_of("aten.rely", {x}), Contains("unknown operator 'aten.rely'"));
  CHECK_THAT(error_of("aten.add", {x, x}), Contains("unknown operator 'aten.add'"));
  CHECK_THAT(error_of("aten.full.default", {{2}, 1}, {{"dtype", "floaty"}}),
             Contains("'dtype' is string, expected ScalarType?"));
  CHECK_THAT(error_of("higher_order.map_impl", {{x, 1}}),
             Contains("an argument is a list with items of different kinds"));
}
