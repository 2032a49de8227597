#include "pt2/nodes/arguments.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/pt2/program_builder.h"
#include "schemagen/base/error.h"

using pt2::Argument;
using pt2::arguments_of;
using pt2::NodeArguments;

namespace {

pt2::Node conv() {
  pt2::Node node;
  node.target = "torch.ops.aten.conv2d.default";
  node.name = "conv2d_1";
  node.inputs.push_back({"input", tensor("x"), pt2::ArgumentKind::POSITIONAL});
  node.inputs.push_back({"weight", tensor("w"), pt2::ArgumentKind::POSITIONAL});
  Argument padding;
  padding.emplace<Argument::as_ints>(std::vector<std::int64_t>{1, 2});
  node.inputs.push_back({"padding", std::move(padding), pt2::ArgumentKind::KEYWORD});
  return node;
}

template <class Use>
std::string error_of(const Use& use) {
  try {
    use();
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("omitted arguments have their default values") {
  const pt2::Node node = conv();
  const NodeArguments arguments = arguments_of(node);
  CHECK(arguments.tensor("weight") == "w");
  CHECK(arguments.optional_tensor("weight") == "w");
  CHECK_FALSE(arguments.optional_tensor("bias"));
  CHECK(arguments.get_ints("padding") == std::vector<std::int64_t>{1, 2});
  CHECK(arguments.get_ints("stride") == std::vector<std::int64_t>{1, 1});
  CHECK(arguments.get_int("groups") == 1);
  CHECK(arguments.get_float("groups") == 1.0);
  REQUIRE(arguments.all().size() == 7);
  CHECK(arguments.at("padding").given == &node.inputs[2].arg);
  CHECK(arguments.at("groups").given == nullptr);
}

TEST_CASE("one int stands for all items of a fixed-size list") {
  pt2::Node node = conv();
  node.inputs[2].arg = number(3);
  CHECK(arguments_of(node).get_ints("padding") == std::vector<std::int64_t>{3, 3});
}

TEST_CASE("an empty list matches any kind of list") {
  pt2::Node node = conv();
  node.inputs[2].arg.emplace<Argument::as_bools>();
  CHECK(arguments_of(node).get_ints("padding").empty());
  CHECK(arguments_of(node).tensors("padding").empty());
}

TEST_CASE("default values that are numbers in schemas are converted to the format's enums") {
  pt2::OperatorSet operators;
  operators.add(
      "my::op(*, ScalarType? t=long, Layout l=strided, MemoryFormat m=contiguous_format, Device "
      "d=\"cuda:1\", "
      "float? f=1) -> ()");
  const pt2::Node node = call("torch.ops.my.op.default", {}, {});
  const NodeArguments arguments = arguments_of(node, operators);
  CHECK(arguments.get_scalar_type("t") == pt2::ScalarType::LONG);
  CHECK(arguments.get_layout("l") == pt2::Layout::Strided);
  CHECK(arguments.get_memory_format("m") == pt2::MemoryFormat::ContiguousFormat);
  CHECK(arguments.get_device("d") == pt2::Device{"cuda", 1});
  CHECK(arguments.get_float("f") == 1.0);
}

TEST_CASE("unless_none() returns nullopt for None") {
  pt2::OperatorSet operators;
  operators.add(
      "my::op(*, int? i=None, int[]? l=None, float? f=None, bool? b=None, str? s=None, ScalarType? t=None, "
      "Device? d=None, float[]? v=None) -> ()");
  pt2::Node node = call("torch.ops.my.op.default", {}, {});
  const NodeArguments absent = arguments_of(node, operators);
  CHECK(!absent.unless_none(&NodeArguments::get_int, "i"));
  CHECK(!absent.unless_none(&NodeArguments::get_ints, "l"));
  CHECK(!absent.unless_none(&NodeArguments::get_float, "f"));
  CHECK(!absent.unless_none(&NodeArguments::get_bool, "b"));
  CHECK(!absent.unless_none(&NodeArguments::get_string, "s"));
  CHECK(!absent.unless_none(&NodeArguments::get_scalar_type, "t"));
  CHECK(!absent.unless_none(&NodeArguments::get_device, "d"));
  CHECK(!absent.unless_none(&NodeArguments::get_floats, "v"));
  const auto give = [&](const char* name, Argument value) {
    node.inputs.push_back({name, std::move(value), pt2::ArgumentKind::KEYWORD});
  };
  give("l", Argument::of<Argument::as_ints>(std::vector<std::int64_t>{1, 2}));
  give("b", Argument::of<Argument::as_bool>(true));
  give("s", Argument::of<Argument::as_string>("none"));
  give("v", Argument::of<Argument::as_floats>(std::vector<double>{0.5, 2.0}));
  const NodeArguments given = arguments_of(node, operators);
  CHECK(given.unless_none(&NodeArguments::get_ints, "l") == std::vector<std::int64_t>{1, 2});
  CHECK(given.unless_none(&NodeArguments::get_bool, "b") == true);
  CHECK(given.unless_none(&NodeArguments::get_string, "s") == "none");
  CHECK(given.get_floats("v") == std::vector<double>{0.5, 2.0});
}

TEST_CASE("unnamed arguments of higher-order operators get names by position") {
  const pt2::Node node =
      call("torch.ops.higher_order.cond", {tensor("p"), number(1), number(2), tensor("x")}, {"y"});
  const NodeArguments arguments = arguments_of(node);
  CHECK(arguments.tensor("pred") == "p");
  CHECK(arguments.tensor("operands") == "x");
}

TEST_CASE("errors name the node, the argument and its kind") {
  pt2::Node node = conv();
  const std::string at = "node 'conv2d_1' (torch.ops.aten.conv2d.default): ";
  CHECK(error_of([&] { arguments_of(node).get_int("padding"); }) ==
        at + "argument 'padding' is ints, expected int");
  CHECK(error_of([&] { arguments_of(node).get_ints("weight"); }) ==
        at + "argument 'weight' is tensor 'w', expected list of ints");
  CHECK(error_of([&] { arguments_of(node).tensor("bias"); }) ==
        at + "argument 'bias' is none, expected tensor");
  CHECK(error_of([&] { arguments_of(node).get_int("dim"); }) ==
        at + "argument 'dim' is not in the operator's schema");
  node.inputs[2].arg.emplace<Argument::as_sym_ints>().emplace_back().emplace<pt2::SymIntArgument::as_name>(
      "s0");
  CHECK(error_of([&] { arguments_of(node).get_ints("padding"); }) ==
        at + "argument 'padding' is sym ints 's0', expected list of ints");
  CHECK(arguments_of(node).sym_ints("padding").size() == 1);
}

TEST_CASE("nodes that do not match their operator are errors") {
  pt2::Node node = conv();
  const std::string at = "node 'conv2d_1' (torch.ops.aten.conv2d.default): ";
  node.inputs[2].name = "pading";
  CHECK(error_of([&] { arguments_of(node); }) == at + "argument 'pading' is not in the operator's schema");
  node.inputs[2].name = "input";
  CHECK(error_of([&] { arguments_of(node); }) == at + "argument 'input' is given twice");
  node.inputs.resize(1);
  CHECK(error_of([&] { arguments_of(node); }) == at + "argument 'weight' is missing");
  const pt2::Node unknown = call("torch.ops.my.op.default", {}, {"y"});
  CHECK(error_of([&] { arguments_of(unknown); }) ==
        "node 'y' (torch.ops.my.op.default): unknown operator; pass its schema to OperatorSet::add()");
  const pt2::Node many = call("torch.ops.aten.relu.default", {tensor("x"), tensor("y")}, {"z"});
  CHECK(error_of([&] { arguments_of(many); }) ==
        "node 'z' (torch.ops.aten.relu.default): argument '1' is unexpected: the operator takes only 1 "
        "argument");
}

TEST_CASE("calls from any release are understood") {
  std::size_t changed = 0;
  for (std::size_t i = 0; i < pt2::operator_count(); ++i) {
    const std::string& target = pt2::operator_at(i).target;
    for (const pt2::Operator* const op : pt2::operator_signatures(target)) {
      INFO(target);
      pt2::Node node;
      node.target = target;
      for (const pt2::OperatorArgument& argument : op->arguments) {
        const bool by_position = op->kind == pt2::OperatorKind::higher_order && !argument.is_keyword_only;
        node.inputs.push_back({by_position ? "" : argument.name, tensor("x"), {}});
      }
      CHECK_NOTHROW(arguments_of(node));
      changed += op != pt2::find_operator(target) ? 1 : 0;
    }
  }
  CHECK(changed > 50);
  pt2::Node scan;
  scan.target = "torch.ops.higher_order.scan";
  for (int i = 0; i < 7; ++i) scan.inputs.push_back({"", tensor("x"), {}});  // more than any release takes
  CHECK_THAT(error_of([&] { arguments_of(scan); }), Catch::Contains("takes only 4 arguments"));
}
