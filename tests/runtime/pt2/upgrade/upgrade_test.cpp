#include "pt2/upgrade/upgrade.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "runtime/pt2/head_version.h"
#include "schemagen/base/base64.h"
#include "schemagen/base/error.h"
#include "schemagen/tree/dom.h"

using namespace std::string_literals;
using Catch::Matchers::StartsWith;
using pt2::UpgradeChange;
using schemagen::JsonDocument;

namespace {

std::string version_member(const std::string& version) {
  const std::size_t point = version.find('.');
  if (point == version.npos) return version;
  return R"({"major": )" + version.substr(0, point) + R"(, "minor": )" + version.substr(point + 1) + "}";
}

/// `graph` and `rest` are members, each empty or with a comma at the end.
std::string program(const std::string& version, const std::string& graph, const std::string& rest = "") {
  return R"({"graph_module": {"graph": {)" + graph +
         R"("inputs": [], "outputs": []}, "signature": {}, "module_call_graph": []}, )" + rest +
         R"("schema_version": )" + version_member(version) + "}";
}

std::string with_node(const std::string& version, const std::string& node) {
  return program(version, R"("nodes": [)" + node + "], ");
}

struct ReadFile {
  std::string name;
  std::string bytes;
};

std::string without_spaces(const std::string& json) {
  std::string text;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '"') in_string = !in_string;
    if (json[i] == '\\') text += json[i++];
    if (in_string || json[i] != ' ') text += json[i];
  }
  return text;
}

struct Upgraded : pt2::UpgradedDocument {
  std::vector<ReadFile> constants;

  std::string at(std::string_view pointer) const {
    const schemagen::DomValue document = schemagen::parse_dom(text).value();
    const schemagen::DomValue* value = &document;
    while (value != nullptr && !pointer.empty()) {
      pointer.remove_prefix(1);
      const std::string key(pointer.substr(0, pointer.find('/')));
      pointer.remove_prefix(key.size());
      const std::size_t index = value->list() == nullptr ? 0 : std::stoul(key);
      value = value->list() == nullptr        ? value->find(key)
              : index < value->list()->size() ? &(*value->list())[index]
                                              : nullptr;
    }
    return value == nullptr ? "" : without_spaces(schemagen::dom_text(*value));
  }
  /// "path: what", for paths that begin with `path`.
  std::vector<std::string> changes_at(const std::string& path) const {
    std::vector<std::string> lines;
    for (const UpgradeChange& change : changes) {
      const std::string line = change.path + ": " + change.what;
      if (line.substr(0, path.size()) == path) lines.push_back(line);
    }
    return lines;
  }
};

pt2::TensorMeta two_floats() {
  pt2::SymInt two;
  two = pt2::SymInt::of<pt2::SymInt::as_int>(2);
  pt2::TensorMeta meta;
  meta.dtype = pt2::ScalarType::FLOAT;
  meta.sizes.push_back(two);
  meta.device.type = "cpu";
  meta.strides.push_back(two);
  meta.storage_offset = pt2::SymInt::of<pt2::SymInt::as_int>(1);
  meta.layout = pt2::Layout::Strided;
  return meta;
}

Upgraded upgraded(const std::string& text, pt2::UpgradeSteps extra = {}) {
  pt2::UpgradeOptions options;
  options.extra_steps = extra;
  options.report_changes = true;
  Upgraded result;
  const auto read_constant = [&](const std::string& name, std::string file, const schemagen::Limits&) {
    if (file == "hostile") throw schemagen::DataError("posix.system");
    result.constants.push_back({name, std::move(file)});
    return two_floats();
  };
  static_cast<pt2::UpgradedDocument&>(result) =
      pt2::upgrade_document(JsonDocument(text, {}), options, read_constant);
  return result;
}

std::string error_of(const std::string& text, pt2::UpgradeSteps extra = {}) {
  try {
    upgraded(text, extra);
    return "no error";
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
}

using Lines = std::vector<std::string>;
constexpr const char* kNode = "/graph_module/graph/nodes/0";

std::string in_node(const std::string& rest) {
  return kNode + rest;
}

std::string program_1(const std::string& inputs, const std::string& outputs, const std::string& signature,
                      const std::string& in_spec = "[1, {}]") {
  return R"({"graph_module": {"graph": {"inputs": [)" + inputs + R"(], "outputs": [)" + outputs +
         R"(]}, "signature": {)" + signature + R"(}, "call_spec": {"in_spec": ")" + in_spec +
         R"(", "out_spec": "[1, {}]"}, "module_call_graph": []}, "schema_version": 1})";
}

std::string tensor(const std::string& name) {
  return R"({"as_tensor": {"name": ")" + name + R"("}, "as_none": null})";
}

std::string constant(const std::string& name, const std::string& file) {
  return "\"" + name + R"(": ")" + schemagen::to_base64(schemagen::Bytes(file.begin(), file.end())) + "\"";
}

std::string with_constants(const std::string& constants) {
  return R"({"graph_module": {"graph": {"inputs": [)" + tensor("p") + ", " + tensor("x") +
         R"(], "outputs": [], "tensor_values": {"p": {"meta": {}}, "x": {"meta": {}}}, "constants": {)" +
         constants +
         R"(}}, "signature": {"inputs_to_parameters": {"p": "w"}}, "module_call_graph": []}, "schema_version": 1})";
}

}  // namespace

TEST_CASE("every version ends as the head version") {
  for (const std::string version : {"2", "5.1", "5.2", "5.3", "7.1", "7.3", "8.2", "8.5", "8.19"}) {
    const Upgraded result = upgraded(program(version, ""));
    CHECK(result.at("/schema_version") ==
          R"({"major":8,"minor":)" + std::to_string(kHeadVersion.minor) + "}");
    CHECK(result.changes.back().path == "schema_version");
    CHECK(result.changes.back().what == "changed from " + version + " to " + kHeadText);
  }
}

TEST_CASE("a program of the head version stays as it is") {
  const std::string text = program(kHeadText, R"("nodes": [{"target": "x", "outputs": [1.5]}], )");
  const Upgraded result = upgraded(text);
  CHECK(result.changes.empty());
  CHECK(result.at(kNode) == R"({"target":"x","outputs":[1.5]})");
}

TEST_CASE("what is newer, or was never released, is not upgraded") {
  CHECK(error_of(program(kNextMinorText, "")) == "schema_version: cannot upgrade version " + kNextMinorText +
                                                     ": expected " + kHeadText +
                                                     " or earlier; use a newer release of this library");
  CHECK_THAT(error_of(program("4.2", "")), StartsWith("schema_version: cannot read schema version 4.2:"));
  CHECK_THAT(error_of(program("9.0", "")), StartsWith("schema_version: cannot read schema version 9.0:"));
}

TEST_CASE("a document that its schema does not allow is refused with the path") {
  CHECK(error_of(program("5.3", R"("nodes": {}, )")) ==
        "graph_module.graph.nodes: expected a list, found an object");
}

TEST_CASE("from 1: tensor values lose their wrapper") {
  const Upgraded result = upgraded(
      R"({"graph_module": {"graph": {"inputs": [], "outputs": [], "tensor_values": {"x": {"meta": {"dtype": 7}}}},
          "signature": {}, "module_call_graph": []}, "schema_version": 1})");
  CHECK(result.at("/graph_module/graph/tensor_values/x") == R"({"dtype":7})");
  CHECK(result.changes_at("graph_module.graph.tensor_values") ==
        Lines{"graph_module.graph.tensor_values.x: replaced by its 'meta'"});
}

TEST_CASE("from 1: symbols get unions for hints, and expressions for bools") {
  const Upgraded result = upgraded(
      program("1", R"("sym_int_values": {"s": {"as_expr": {"expr_str": "s0", "hint": 3}, "as_int": null},)"
                   R"("t": {"as_expr": {"expr_str": "t", "hint": null}, "as_int": null}},)"
                   R"("sym_bool_values": {"b": {"as_expr": "s0 > 3", "as_bool": null}}, )"));
  CHECK(result.at("/graph_module/graph/sym_int_values/s") ==
        R"({"as_expr":{"expr_str":"s0","hint":{"as_int":3}}})");
  CHECK(result.at("/graph_module/graph/sym_int_values/t") == R"({"as_expr":{"expr_str":"t","hint":null}})");
  CHECK(result.at("/graph_module/graph/sym_bool_values/b") == R"({"as_expr":{"expr_str":"s0 > 3"}})");
}

TEST_CASE("from 1: constants that are pickled in the graph become inputs of it, and are read") {
  const Upgraded result = upgraded(with_constants(constant("c", "a file")));
  CHECK(result.at("/graph_module/graph/constants").empty());
  CHECK(result.at("/graph_module/graph/inputs") ==
        R"([{"as_tensor":{"name":"p"}},{"as_tensor":{"name":"c"}},{"as_tensor":{"name":"x"}}])");
  CHECK(result.at("/graph_module/signature/input_specs/1") ==
        R"({"tensor_constant":{"arg":{"name":"c"},"tensor_constant_name":"c"}})");
  CHECK(result.at("/graph_module/signature/input_specs/2") ==
        R"({"user_input":{"arg":{"as_tensor":{"name":"x"}}}})");
  CHECK(result.at("/graph_module/graph/tensor_values/c") ==
        R"({"dtype":7,"sizes":[{"as_int":2}],"requires_grad":false,"device":{"type":"cpu","index":null},)"
        R"("strides":[{"as_int":2}],"storage_offset":{"as_int":1},"layout":7})");
  CHECK(result.changes_at("graph_module.graph: ") ==
        Lines{"graph_module.graph: turned the constant 'c' into an input, and moved its pickled tensor to "
              "the archive"});
  REQUIRE(result.constants.size() == 1);
  CHECK(result.constants[0].name == "c");
  CHECK(result.constants[0].bytes == "a file");
}

TEST_CASE("from 1: a graph without constants has none to keep") {
  const Upgraded result = upgraded(with_constants(""));
  CHECK(result.at("/graph_module/graph/constants").empty());
  CHECK(result.changes_at("graph_module.graph: ") ==
        Lines{"graph_module.graph: removed 'constants', which is empty"});
  CHECK(result.constants.empty());
}

TEST_CASE("from 1: constants that cannot be read, or do not fit the program, are refused by name") {
  const std::string start = "graph_module: the constant 'c'";
  CHECK(error_of(with_constants(R"("c": "?")")) == start + ": expected a torch.save file encoded as base64");
  CHECK(error_of(with_constants(constant("c", "hostile"))) ==
        start + ", pickled in the program: posix.system");
  CHECK(error_of(with_constants(constant("x", "a file"))) ==
        "graph_module: the constant 'x' has the same name as another value");
  const std::string graph = R"({"constants": {"c": "AAAA"}, "nodes": []})";
  CHECK(error_of(with_node(
            "1", R"({"inputs": [{"arg": {"as_graph": {"name": "g", "graph": )" + graph + "}}}]}")) ==
        "graph_module.graph.nodes[0].inputs[0].arg.as_graph: a subgraph has the constants 'c', but later "
        "versions allow them only in the top-level graph; export the model again with torch 2.6 or later");
}

TEST_CASE("from 1: constants are refused by name where nobody reads them") {
  const std::string text = with_constants(constant("c", "a file"));
  CHECK_THROWS_WITH(
      pt2::upgrade_document(JsonDocument(text, {})),
      "graph_module: the constant 'c', pickled in the program: reading it requires a read_constant callback");
}

TEST_CASE("from 1: objects that are pickled in the graph are refused") {
  CHECK(
      error_of(with_node("1", R"({"inputs": [{"arg": {"as_custom_obj": {"blob": "AAAA"}}}]})")) ==
      "graph_module.graph.nodes[0].inputs[0].arg.as_custom_obj: later schema versions do not support objects "
      "that are pickled inside the program; export the model again with torch 2.6 or later");
}

TEST_CASE("from 1: the metadata of nodes get the texts of later releases") {
  const auto stack_of = [](const std::string& old) {
    return upgraded(with_node("1", R"({"metadata": {"nn_module_stack": ")" + old +
                                       R"(", "source_fn": "l,Linear"}})"))
        .at(in_node("/metadata").c_str());
  };
  CHECK(stack_of("a:(L['s'].a,torch.nn.Linear)") ==
        R"({"nn_module_stack":"a,L['s'].a,torch.nn.Linear","source_fn_stack":"l,Linear"})");
  CHECK(stack_of("a:(x,A);b:(y(1),B)") ==
        R"({"nn_module_stack":"a,x,A;b,y(1),B","source_fn_stack":"l,Linear"})");
  for (const std::string other : {"", "a,x,A", "a:(x", "x;a:(b,c)d"}) {
    CHECK(stack_of(other) == R"({"nn_module_stack":")" + other + R"(","source_fn_stack":"l,Linear"})");
  }
}

TEST_CASE("from 1: higher-order operators get the namespace that they have now") {
  const auto target_of = [](const std::string& target) {
    return upgraded(with_node("1", R"({"target": ")" + target + R"("})")).at(in_node("/target").c_str());
  };
  CHECK(target_of("torch.ops.cond") == R"("torch.ops.higher_order.cond")");
  CHECK(target_of("torch.ops.aten.add.Tensor") == R"("torch.ops.aten.add.Tensor")");
  CHECK(target_of("_operator.add") == R"("_operator.add")");
}

TEST_CASE("from 1: the signature tells for each input and output what it is") {
  const Upgraded result = upgraded(
      program_1(tensor("p") + ", " + tensor("b") + ", " + tensor("x") + R"(, {"as_int": 3})",
                tensor("b2") + ", " + tensor("y") + ", " + tensor("b2") + ", " + tensor("l") + ", " +
                    tensor("gp") + ", " + tensor("gx"),
                R"("inputs_to_parameters": {"p": "w"}, "inputs_to_buffers": {"b": "n"}, "user_inputs": ["x"],
         "user_outputs": ["y", "b2"], "buffers_to_mutate": {"b2": "n"},
         "backward_signature": {"gradients_to_parameters": {"gp": "w"}, "gradients_to_user_inputs": {"gx": "x"},
                                "loss_output": "l"})"));
  CHECK(result.at("/graph_module/signature/input_specs") ==
        R"([{"parameter":{"arg":{"name":"p"},"parameter_name":"w"}},)"
        R"({"buffer":{"arg":{"name":"b"},"buffer_name":"n","persistent":true}},)"
        R"({"user_input":{"arg":{"as_tensor":{"name":"x"}}}},{"user_input":{"arg":{"as_int":3}}}])");
  // The caller gets the second b2.
  CHECK(result.at("/graph_module/signature/output_specs") ==
        R"([{"buffer_mutation":{"arg":{"name":"b2"},"buffer_name":"n"}},)"
        R"({"user_output":{"arg":{"as_tensor":{"name":"y"}}}},)"
        R"({"user_output":{"arg":{"as_tensor":{"name":"b2"}}}},)"
        R"({"loss_output":{"arg":{"name":"l"}}},)"
        R"({"gradient_to_parameter":{"arg":{"name":"gp"},"parameter_name":"w"}},)"
        R"({"gradient_to_user_input":{"arg":{"name":"gx"},"user_input_name":"x"}}])");
}

TEST_CASE("from 1: the call spec becomes the entry of the whole model, with keywords or without") {
  const auto spec_of = [](const std::string& tree) {
    return upgraded(program_1("", "", "", "[1, " + tree + "]"))
        .at("/graph_module/module_call_graph/0/signature/in_spec");
  };
  const std::string leaf = R"({\"type\": null, \"context\": null, \"children_spec\": []})";
  const auto node = [](const std::string& type, const std::string& context, const std::string& children) {
    return R"({\"type\": \"builtins.)" + type + R"(\", \"context\": \")" + context +
           R"(\", \"children_spec\": [)" + children + "]}";
  };
  const std::string no_keywords = node("dict", "[]", "");
  const std::string arguments = node("tuple", "null", leaf);
  const std::string keywords = node("dict", R"([\\\"k\\\"])", leaf);
  CHECK(spec_of(arguments) == "\"[1, " + node("tuple", "null", arguments + ", " + no_keywords) + "]\"");
  const std::string with_keywords = node("tuple", "null", arguments + ", " + keywords);
  CHECK(spec_of(with_keywords) == "\"[1, " + with_keywords + "]\"");
  const std::string with_empty_dict = node("tuple", "null", arguments + ", " + no_keywords);
  CHECK(spec_of(with_empty_dict) ==
        "\"[1, " + node("tuple", "null", with_empty_dict + ", " + no_keywords) + "]\"");
  CHECK(error_of(program_1("", "", "", "[1]")).substr(0, 41) == "graph_module: expected a treespec of the ");
}

TEST_CASE("from 1: what a program no longer has is dropped and reported") {
  const Upgraded result = upgraded(
      program("1", "", R"("equality_constraints": [[["x", 0], ["y", 0]]], "example_inputs": ["AAAA"], )"));
  CHECK(result.at("/equality_constraints").empty());
  CHECK(result.at("/example_inputs").empty());
  CHECK(result.changes_at("equality_constraints").size() == 1);
  CHECK(result.changes_at("example_inputs").size() == 1);
  CHECK(result.at("/verifiers") == R"(["ATEN"])");
}

TEST_CASE("from 2: unions keep the member that is set, in lists, maps and subgraphs") {
  const std::string argument = R"({"as_int": null, "as_tensor": {"name": "x"}, "as_none": null})";
  const Upgraded result = upgraded(with_node(
      "2", R"({"inputs": [{"arg": {"as_none": null, "as_graph": {"graph": {"inputs": [)" + argument +
               R"(], "nodes": [], "sym_int_values": {"s": {"as_expr": null, "as_int": 4}}}}}}],
                "outputs": [)" +
               argument + "]}"));
  CHECK(result.at(in_node("/outputs/0").c_str()) == R"({"as_tensor":{"name":"x"}})");
  CHECK(result.at(in_node("/inputs/0/arg/as_graph/graph/inputs/0").c_str()) ==
        R"({"as_tensor":{"name":"x"}})");
  CHECK(result.at(in_node("/inputs/0/arg/as_graph/graph/sym_int_values/s").c_str()) == R"({"as_int":4})");
  CHECK(result.changes_at("graph_module.graph.nodes[0].inputs[0].arg.as_graph.graph.sym_int_values") ==
        Lines{"graph_module.graph.nodes[0].inputs[0].arg.as_graph.graph.sym_int_values.s: removed unset "
              "members"});
  CHECK(result.changes.front().from == pt2::SchemaVersion{2, 0});
}

TEST_CASE("from 2: a union has to have one member that is set") {
  CHECK(error_of(with_node("2", R"({"outputs": [{"as_int": null, "as_bool": null}]})")) ==
        "graph_module.graph.nodes[0].outputs[0]: expected exactly one non-null member in a union, got 0");
  CHECK(error_of(with_node("2", R"({"outputs": [{"as_int": 1, "as_bool": true}]})")) ==
        "graph_module.graph.nodes[0].outputs[0]: expected exactly one non-null member in a union, got 2");
}

TEST_CASE("from 2: offsets of storages become symbolic integers") {
  const Upgraded result =
      upgraded(program("2", R"("tensor_values": {"x": {"sizes": [], "storage_offset": 7}}, )"));
  CHECK(result.at("/graph_module/graph/tensor_values/x/storage_offset") == R"({"as_int":7})");
}

TEST_CASE("from 2: objects get the name of an unknown class") {
  const Upgraded result = upgraded(with_node("2", R"({"outputs": [{"as_custom_obj": {"name": "o"}}]})"));
  CHECK(result.at(in_node("/outputs/0").c_str()) == R"({"as_custom_obj":{"name":"o","class_fqn":""}})");
}

TEST_CASE("from 2: map gets its operands in two lists") {
  const auto inputs_of = [](const std::string& count, const std::string& last) {
    const std::string node = R"({"target": "torch.ops.higher_order.map_impl", "outputs": [], "inputs": [)"
                             R"({"name": "", "arg": {"as_string": "f"}}, {"name": "", "arg": )" +
                             count +
                             R"(}, {"name": "", "arg": {"as_tensor": {"name": "a"}}}, {"name": "", "arg": )" +
                             last + "}]}";
    return upgraded(with_node("2", node)).at(in_node("/inputs").c_str());
  };
  const std::string function = R"([{"name":"","arg":{"as_string":"f"}},)";
  const std::string tensor_b = R"({"as_tensor": {"name": "b"}})";
  CHECK(inputs_of(R"({"as_int": 1})", tensor_b) == function +
                                                       R"({"name":"","arg":{"as_tensors":[{"name":"a"}]}},)"
                                                       R"({"name":"","arg":{"as_tensors":[{"name":"b"}]}}])");
  CHECK(inputs_of(R"({"as_int": 2})", tensor_b) ==
        function + R"({"name":"","arg":{"as_tensors":[{"name":"a"},{"name":"b"}]}},)"
                   R"({"name":"","arg":{"as_tensors":[]}}])");
  const std::string after = R"({"name":"","arg":{"as_tensor":{"name":"a"}}},)";
  CHECK(inputs_of(R"({"as_int": 3})", tensor_b) == function + R"({"name":"","arg":{"as_int":3}},)" + after +
                                                       R"({"name":"","arg":{"as_tensor":{"name":"b"}}}])");
  CHECK(inputs_of(R"({"as_int": 1})", R"({"as_int": 7})") ==
        function + R"({"name":"","arg":{"as_int":1}},)" + after + R"({"name":"","arg":{"as_int":7}}])");
}

TEST_CASE("from 5.1: the tensors of optional lists become arguments") {
  const std::string node =
      R"({"inputs": [{"arg": {"as_optional_tensors": [{"as_tensor": "x"}, {"as_none": []}]}}]})";
  CHECK(upgraded(with_node("5.1", node)).at(in_node("/inputs/0/arg").c_str()) ==
        R"({"as_optional_tensors":[{"as_tensor":{"name":"x"}},{"as_none":true}]})");
}

TEST_CASE("from 5.3: the dialect becomes a verifier") {
  const Upgraded result = upgraded(program("5.3", "", R"("dialect": "TRAINING", )"));
  CHECK(result.at("/verifiers") == R"(["TRAINING"])");
  CHECK(result.at("/dialect").empty());
  CHECK(result.changes_at("dialect") == Lines{"dialect: moved to 'verifiers' as its only item"});
}

TEST_CASE("from 7.3: nothing is spelled true") {
  const Upgraded result = upgraded(
      R"({"graph_module": {"graph": {"inputs": [{"as_none": []}], "outputs": [], "nodes": []},
          "signature": {"input_specs": [{"constant_input": {"name": "x", "value": {"as_none": []}}}]},
          "module_call_graph": [{"fqn": "", "signature": {"inputs": [{"as_none": []}]}}]},
          "schema_version": {"major": 7, "minor": 3}})");
  CHECK(result.at("/graph_module/graph/inputs") == R"([{"as_none":true}])");
  CHECK(result.at("/graph_module/signature/input_specs/0/constant_input/value") == R"({"as_none":true})");
  CHECK(result.at("/graph_module/module_call_graph/0/signature/inputs") == R"([{"as_none":true}])");
}

TEST_CASE("from 7.3: changed from infinity to null") {
  const auto range_of = [](const std::string& least, const std::string& most) {
    return upgraded(program("7.3", "",
                            R"("range_constraints": {"s": {"min_val": )" + least + R"(, "max_val": )" + most +
                                "}}, "))
        .at("/range_constraints/s");
  };
  const std::string none = R"({"min_val":null,"max_val":null})";
  CHECK(range_of("-Infinity", "Infinity") == none);
  CHECK(range_of("-9223372036854775807", "9223372036854775806") == none);
  CHECK(range_of("-9223372036854775808", "9223372036854775807") == none);
  CHECK(range_of("-9.3e18", "18446744073709551616") == none);
  CHECK(range_of("-9223372036854775805", "9223372036854775805") ==
        R"({"min_val":-9223372036854775805,"max_val":9223372036854775805})");
  CHECK(range_of("2", "64") == R"({"min_val":2,"max_val":64})");
}

TEST_CASE("from 7.3: higher-order operators that were named by their module get their own name") {
  const Upgraded result = upgraded(with_node(
      "5.3",
      R"({"target": "torch._higher_order_ops.effects.with_effects", "outputs": [{"as_tensor": {}}, {"as_none": []}]})"));
  CHECK(result.at(in_node("").c_str()) ==
        R"({"target":"torch.ops.higher_order.with_effects","outputs":[{"as_tensor":{}},{"as_none":true}],)"
        R"("is_hop_single_tensor_return":false})");
}

TEST_CASE(
    "from 7.3: all of torch 2.2 to 2.4's names of higher-order operators are known, as arguments, too") {
  const auto renamed = [](const std::string& target) {
    const Upgraded result = upgraded(
        with_node("5.1", R"({"target": ")" + target + R"(", "outputs": [], "inputs": [{"name": "", "arg": )" +
                             R"({"as_operator": ")" + target + R"("}}]})"));
    CHECK(result.at(in_node("/inputs/0/arg/as_operator").c_str()) == result.at(in_node("/target").c_str()));
    return result.at(in_node("/target").c_str());
  };
  CHECK(renamed("torch._higher_order_ops.wrap.wrap_with_set_grad_enabled") ==
        R"("torch.ops.higher_order.wrap_with_set_grad_enabled")");
  CHECK(renamed("torch._higher_order_ops.auto_functionalize.auto_functionalized") ==
        R"("torch.ops.higher_order.auto_functionalized")");
  CHECK(renamed("torch._functorch.autograd_function.autograd_function_apply") ==
        R"("torch.ops.higher_order.autograd_function_apply")");
  CHECK(renamed("torch._higher_order_ops.wrap.InductorCodeSideTable") ==
        R"("torch._higher_order_ops.wrap.InductorCodeSideTable")");
}

TEST_CASE("from 7.3: a bool that was written as an integer is a bool") {
  const auto argument = [](const std::string& value) {
    return upgraded(with_node("5.3", R"({"target": "t", "outputs": [], "inputs": [{"name": "", "arg": )" +
                                         value + "}]}"))
        .at(in_node("/inputs/0/arg").c_str());
  };
  CHECK(argument(R"({"as_int": true})") == R"({"as_bool":true})");
  CHECK(argument(R"({"as_int": 1})") == R"({"as_int":1})");
  CHECK(argument(R"({"as_ints": [true, false]})") == R"({"as_bools":[true,false]})");
  CHECK(argument(R"({"as_ints": [true, 2, false]})") == R"({"as_ints":[1,2,0]})");
  CHECK(argument(R"({"as_ints": []})") == R"({"as_ints":[]})");
  CHECK(argument(R"({"as_sym_int": {"as_int": false}})") == R"({"as_sym_int":{"as_int":0}})");
  CHECK(argument(R"({"as_sym_ints": [{"as_name": "s"}, {"as_int": true}]})") ==
        R"({"as_sym_ints":[{"as_name":"s"},{"as_int":1}]})");
  const Upgraded constant = upgraded(
      R"({"graph_module": {"graph": {"inputs": [], "outputs": []}, "signature": {"input_specs": [{"constant_input": )"
      R"({"name": "flag", "value": {"as_int": false}}}]}, "module_call_graph": []}, "schema_version": )" +
      version_member("7.3") + "}");
  CHECK(constant.at("/graph_module/signature/input_specs/0/constant_input/value") == R"({"as_bool":false})");
}

TEST_CASE("from 8.2: namedtuples go by the name of their class, and keep their fields beside") {
  const auto spec = [](const std::string& fields) {
    return R"(\"collections.namedtuple\", \"context\": {\"class_name\": \"P\", \"fields\": [)" + fields +
           R"(]}, \"children_spec\": []}]")";
  };
  const std::string x = spec(R"(\"x\")");
  const std::string y = spec(R"(\"y\")");
  const std::string start = R"("[1, {\"type\": )";
  const std::string document =
      R"({"graph_module": {"graph": {"inputs": [], "outputs": [], "nodes": []}, "signature": {}, )"
      R"("module_call_graph": [{"fqn": "", "signature": {"inputs": [], "outputs": [], "in_spec": )" +
      start + x + R"(, "out_spec": )" + start + y +
      R"(}}, {"fqn": "a", "signature": {"inputs": [], "outputs": [], )" + R"("in_spec": )" + start + x +
      R"(, "out_spec": "no treespec"}}]}, "schema_version": {"major": 5, "minor": 1}})";
  const Upgraded result = upgraded(document);
  const auto named = [](const std::string& name) {
    return R"("[1, {\"type\": \"collections.namedtuple\", \"context\": \")" + name +
           R"(\", \"children_spec\": []}]")";
  };
  CHECK(result.at("/graph_module/module_call_graph/0/signature/in_spec") == named("P"));
  CHECK(result.at("/graph_module/module_call_graph/0/signature/out_spec") == named("P_2"));
  CHECK(result.at("/graph_module/module_call_graph/1/signature/in_spec") == named("P"));
  CHECK(result.at("/graph_module/module_call_graph/1/signature/out_spec") == "\"no treespec\"");
  CHECK(result.at("/graph_module/treespec_namedtuple_fields") ==
        R"({"P":{"field_names":["x"]},"P_2":{"field_names":["y"]}})");
  CHECK(result.changes_at("graph_module").size() == 3);
}

TEST_CASE("from 8.2: higher-order operators say whether they return a tensor or a tuple") {
  const auto node_of = [](const std::string& outputs) {
    const std::string target = R"({"target": "torch.ops.higher_order.cond", "outputs": )";
    const Upgraded result = upgraded(with_node("8.2", target + outputs + "}"));
    return result.at(in_node("/outputs").c_str()) + " " +
           result.at(in_node("/is_hop_single_tensor_return").c_str());
  };
  CHECK(node_of(R"([{"as_tensor": {"name": "a"}}])") == R"([{"as_tensor":{"name":"a"}}] true)");
  CHECK(node_of(R"([{"as_sym_int": {"as_name": "a"}}])") == R"([{"as_sym_int":{"as_name":"a"}}] true)");
  CHECK(node_of(R"([{"as_tensors": [{"name": "a"}]}])") == R"([{"as_tensor":{"name":"a"}}] false)");
  CHECK(node_of(R"([{"as_tensors": [{"name": "a"}, {"name": "b"}]}])") ==
        R"([{"as_tensor":{"name":"a"}},{"as_tensor":{"name":"b"}}] false)");
  CHECK(node_of(R"([{"as_tensor": {"name": "a"}}, {"as_tensors": [{"name": "b"}]}])") ==
        R"([{"as_tensor":{"name":"a"}},{"as_tensors":[{"name":"b"}]}] false)");
  CHECK(node_of("[]") == "[] false");
}

TEST_CASE("from 8.2: other operators return what their schema says") {
  const std::string node =
      R"({"target":"torch.ops.aten.split.Tensor","outputs":[{"as_tensors":[{"name":"a"}]}]})";
  CHECK(upgraded(with_node("8.2", node)).at(kNode) == node);
}

TEST_CASE("from 8.2: existing entries of a document are preserved") {
  const std::string node =
      R"({"target":"torch.ops.higher_order.cond","outputs":[{"as_tensor":{"name":"a"}}],"is_hop_single_tensor_return":false})";
  CHECK(upgraded(with_node("8.5", node)).at(kNode) == node);
  CHECK(upgraded(with_node("8.6", R"({"target":"torch.ops.higher_order.cond","outputs":[]})")).at(kNode) ==
        R"({"target":"torch.ops.higher_order.cond","outputs":[]})");
}

namespace {

void rename_operator(schemagen::DomValue& node, const pt2::UpgradeContext& context) {
  schemagen::DomValue* const target = node.find("target");
  if (target == nullptr || target->text() != "torch.ops.my.old.default") return;
  *target = "torch.ops.my.new.default";
  context.report("becomes my.new", "target");
}

void refuse_node(schemagen::DomValue&, const pt2::UpgradeContext& context) {
  context.fail("no nodes, please");
}

}  // namespace

TEST_CASE("a caller's steps are applied beside the library's, without being registered") {
  const pt2::UpgradeStep steps[] = {{{8, 20}, "Node", rename_operator}};
  const std::string text = with_node("2", R"({"target": "torch.ops.my.old.default", "outputs": []})");
  const Upgraded result = upgraded(text, {steps, 1});
  CHECK(result.at(in_node("/target").c_str()) == R"("torch.ops.my.new.default")");
  CHECK(result.changes_at("graph_module.graph.nodes") ==
        Lines{"graph_module.graph.nodes[0].target: becomes my.new"});
  CHECK(upgraded(text).at(in_node("/target").c_str()) == R"("torch.ops.my.old.default")");
}

TEST_CASE("a caller's step can reject a value") {
  const pt2::UpgradeStep steps[] = {{{5, 3}, "Node", refuse_node}};
  CHECK(error_of(with_node("5.1", "{}"), {steps, 1}) == "graph_module.graph.nodes[0]: no nodes, please");
  CHECK(error_of(with_node("7.3", "{}"), {steps, 1}) == "no error");
}

TEST_CASE("a step for an unknown type or version is an error") {
  const pt2::UpgradeStep no_type[] = {{{5, 3}, "Knot", rename_operator}};
  CHECK(error_of(program("5.1", ""), {no_type, 1}) == "upgrade step: schema 5.3 has no type 'Knot'");
  const pt2::UpgradeStep no_version[] = {{{6, 0}, "Node", rename_operator}};
  CHECK(error_of(program("5.1", ""), {no_version, 1}) ==
        "upgrade step: no release of torch wrote version 6.0");
}
