#include "pt2/verify/verify.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "program_files.h"
#include "pt2/program.h"
#include "pt2/scan/verify_weights.h"
#include "runtime/pt2/program_builder.h"

using pt2::Argument;
using pt2::ExportedProgram;
using pt2::InputSpec;
using pt2::OutputSpec;

namespace {

/// w (a parameter), b (a buffer) and x are inputs of `f`, whose result is a mutation of b, and of a `cond`.
ExportedProgram sound_program() {
  pt2::Graph branch = graph_of({"x"}, {call("torch.ops.aten.sin.default", {tensor("x")}, {"sin"})}, {"sin"});
  branch.nodes[0].inputs[0].name = "self";
  Argument operands;
  operands.emplace<Argument::as_tensors>().push_back({"x"});
  ExportedProgram program = program_of(
      graph_of({"w", "b", "x"},
               {call("torch.ops.aten.add.Tensor", {tensor("b"), tensor("w")}, {"add"}),
                call("torch.ops.higher_order.cond",
                     {tensor("x"), subgraph("yes", branch), subgraph("no", branch), operands}, {"get"})},
               {"add", "get"}));
  program.graph_module.graph.nodes[0].inputs[0].name = "self";
  program.graph_module.graph.nodes[0].inputs[1].name = "other";
  pt2::GraphSignature& signature = program.graph_module.signature;
  auto& weight = signature.input_specs[0].emplace<InputSpec::parameter>();
  weight.arg.name = "w";
  weight.parameter_name = "layer.weight";
  auto& buffer = signature.input_specs[1].emplace<InputSpec::buffer>();
  buffer.arg.name = "b";
  buffer.buffer_name = "bn.mean";
  buffer.persistent = true;
  auto& mutation = signature.output_specs[0].emplace<OutputSpec::buffer_mutation>();
  mutation.arg.name = "add";
  mutation.buffer_name = "bn.mean";
  pt2::ModuleCallSignature& call = program.graph_module.module_call_graph.emplace_back().signature.emplace();
  call.in_spec = call.out_spec =
      R"([1, {"type": "builtins.tuple", "context": "null", "children_spec": [{"type": null, "context": null, "children_spec": []}]}])";
  return program;
}

std::vector<std::string> findings(const ExportedProgram& program) {
  std::vector<std::string> texts;
  for (const pt2::Finding& finding : pt2::verify(program)) {
    texts.push_back(finding.path + " " + pt2::rule_of(finding.rule).id + ": " + finding.message);
  }
  return texts;
}

using Texts = std::vector<std::string>;
using Break = std::function<void(ExportedProgram&)>;

pt2::Graph& top(ExportedProgram& program) {
  return program.graph_module.graph;
}
pt2::TensorMeta& meta_of_x(ExportedProgram& program) {
  return top(program).tensor_values.at("x");
}
pt2::GraphArgument& yes(ExportedProgram& program) {
  return top(program).nodes[1].inputs[1].arg.get<Argument::as_graph>();
}
std::vector<InputSpec>& inputs(ExportedProgram& program) {
  return program.graph_module.signature.input_specs;
}
std::vector<OutputSpec>& outputs(ExportedProgram& program) {
  return program.graph_module.signature.output_specs;
}
pt2::SymInt fixed(std::int64_t number) {
  pt2::SymInt value;
  value.emplace<pt2::SymInt::as_int>(number);
  return value;
}
Argument dtype(pt2::ScalarType value) {
  Argument argument;
  argument.emplace<Argument::as_scalar_type>(value);
  return argument;
}

const std::map<std::string, Break> kBreaks = {
    {"ARGUMENT_KIND",
     [](auto& p) {
       top(p).nodes[0].inputs.push_back({"alpha", number(2), pt2::ArgumentKind::POSITIONAL});
     }},
    {"ARGUMENT_MISSING", [](auto& p) { top(p).nodes[0].inputs.pop_back(); }},
    {"ARGUMENT_REPEATED",
     [](auto& p) {
       for (auto& input : top(p).nodes[0].inputs) input.name = "self";
     }},
    {"ARGUMENT_TYPE", [](auto& p) { top(p).nodes[0].inputs[0].arg = dtype(pt2::ScalarType::INT); }},
    {"ARGUMENT_UNKNOWN", [](auto& p) { top(p).nodes[0].inputs[0].name = "sel"; }},
    {"ARGUMENT_UNNAMED", [](auto& p) { top(p).nodes[0].inputs[0].name = ""; }},
    {"ENUM_UNKNOWN",
     [](auto& p) {
       top(p).nodes[0].inputs.push_back({"d", dtype(pt2::ScalarType::UNKNOWN), {}});
     }},
    {"EXPRESSION_CODE", [](auto& p) { top(p).sym_int_values["x"] = symbolic("open(s0)"); }},
    {"EXPRESSION_SYNTAX", [](auto& p) { top(p).sym_int_values["x"] = symbolic("Add("); }},
    {"GUARD_CODE", [](auto& p) { p.guards_code.push_back("open(s0)"); }},
    {"GUARD_SYNTAX", [](auto& p) { p.guards_code.push_back("x ="); }},
    {"HINT_KIND",
     [](auto& p) {
       auto& value = top(p).sym_int_values["s"];
       value = symbolic("s0");
       value.template get<pt2::SymInt::as_expr>().hint.emplace().template emplace<pt2::SymExprHint::as_float>(
           1.0);
     }},
    {"HINT_RANGE",
     [](auto& p) {
       auto& value = top(p).sym_int_values["s"];
       value = symbolic("Symbol('s0', integer=True)");
       value.template get<pt2::SymInt::as_expr>().hint.emplace().template emplace<pt2::SymExprHint::as_int>(
           9);
       p.range_constraints["s0"] = {2, 8};
     }},
    {"INPUT_KIND",
     [](auto& p) {
       top(p)
           .inputs[2]
           .template emplace<Argument::as_sym_int>()
           .template emplace<pt2::SymIntArgument::as_int>(3);
     }},
    {"LOSS_REPEATED",
     [](auto& p) {
       for (auto& spec : outputs(p)) spec.template emplace<OutputSpec::loss_output>();
     }},
    {"MEMBER_MISSING", [](auto& p) { top(p).nodes[0].inputs[0].arg.reset(); }},
    {"METADATA_SYNTAX", [](auto& p) { top(p).nodes[1].metadata["nn_module_stack"] = "L__self__"; }},
    {"META_DEVICE", [](auto& p) { meta_of_x(p).device.type = "CPU"; }},
    {"META_DEVICE_INDEX", [](auto& p) { meta_of_x(p).device.index = -2; }},
    {"META_DTYPE", [](auto& p) { meta_of_x(p).dtype = static_cast<pt2::ScalarType>(20); }},
    {"META_GRADIENT",
     [](auto& p) {
       meta_of_x(p).dtype = pt2::ScalarType::LONG;
       meta_of_x(p).requires_grad = true;
     }},
    {"META_LAYOUT", [](auto& p) { meta_of_x(p).layout = pt2::Layout::Unknown; }},
    {"META_RANK", [](auto& p) { meta_of_x(p).sizes = {fixed(2)}; }},
    {"META_SIZE",
     [](auto& p) {
       meta_of_x(p).sizes = {fixed(-1)};
       meta_of_x(p).strides = {fixed(1)};
     }},
    {"META_STRIDE", [](auto& p) { meta_of_x(p).storage_offset = fixed(-4); }},
    {"MODULE_ROOT", [](auto& p) { p.graph_module.module_call_graph[0].fqn = "layer"; }},
    {"MODULE_VALUE",
     [](auto& p) { p.graph_module.module_call_graph[0].signature->inputs.push_back(tensor("gone")); }},
    {"NAME_CODE", [](auto& p) { yes(p).graph->inputs[0] = tensor("x=exit()"); }},
    {"NAME_EMPTY", [](auto& p) { yes(p).name = ""; }},
    {"NAME_REPEATED", [](auto& p) { top(p).nodes[1].outputs[0] = tensor("add"); }},
    {"NAME_UNDEFINED", [](auto& p) { yes(p).graph->nodes[0].inputs[0].arg = tensor("w"); }},
    {"NAME_USED_EARLY", [](auto& p) { top(p).nodes[0].inputs[0].arg = tensor("get"); }},
    {"NATIVERT_ORDER",
     [](auto& p) {
       std::swap(inputs(p)[0], inputs(p)[1]);
       std::swap(top(p).inputs[0], top(p).inputs[1]);
     }},
    {"NODE_NAME_REPEATED",
     [](auto& p) {
       for (auto& node : top(p).nodes) node.name = "same";
     }},
    {"NOT_FUNCTIONAL",
     [](auto& p) {
       p.verifiers = {"ATEN"};
       top(p).nodes[0].target = "torch.ops.aten.add_.Tensor";
     }},
    {"OPERAND_DEVICE",
     [](auto& p) {
       for (const char* name : {"b", "w"}) {
         top(p).tensor_values.at(name).sizes = {fixed(2)};
         top(p).tensor_values.at(name).strides = {fixed(1)};
       }
       top(p).tensor_values.at("w").device.type = "cuda";
     }},
    {"OPERAND_DTYPE",
     [](auto& p) {
       top(p).nodes[0].target = "torch.ops.aten.mm.default";
       top(p).nodes[0].inputs[1].name = "mat2";
       top(p).tensor_values.at("w").dtype = pt2::ScalarType::HALF;
     }},
    {"OPERAND_SHAPE",
     [](auto& p) {
       for (const char* name : {"b", "w"}) {
         top(p).tensor_values.at(name).sizes = {fixed(name[0] == 'b' ? 2 : 3)};
         top(p).tensor_values.at(name).strides = {fixed(1)};
       }
     }},
    {"OPERATOR_MISSING", [](auto& p) { top(p).nodes[0].target = "torch.ops.aten.ad.Tensor"; }},
    {"OPERATOR_MOVED",
     [](auto& p) { top(p).nodes[0].target = "torch.ops.aten._scaled_dot_product_flash_attention.default"; }},
    {"OPERATOR_UNKNOWN", [](auto& p) { top(p).nodes[0].target = "torch.ops.my.scale.default"; }},
    {"OUTPUT_KIND", [](auto& p) { top(p).outputs[1].template emplace<Argument::as_string>("text"); }},
    {"OUTPUT_ORDER",
     [](auto& p) {
       std::swap(outputs(p)[0], outputs(p)[1]);
       std::swap(top(p).outputs[0], top(p).outputs[1]);
     }},
    {"RANGE_EMPTY",
     [](auto& p) {
       p.range_constraints["s0"] = {4, 3};
     }},
    {"RANGE_NAME",
     [](auto& p) {
       p.range_constraints["under"] = {1, 3};
     }},
    {"RANGE_UNUSED",
     [](auto& p) {
       p.range_constraints["s0"] = {1, 3};
     }},
    {"RESULT_COUNT", [](auto& p) { top(p).nodes[0].outputs.push_back(tensor("more")); }},
    {"RESULT_KIND", [](auto& p) { top(p).nodes[0].outputs.push_back(number(3)); }},
    {"SIGNATURE_COUNT", [](auto& p) { inputs(p).pop_back(); }},
    {"SIGNATURE_MISMATCH", [](auto& p) { inputs(p)[0].template get<InputSpec::parameter>().arg.name = "b"; }},
    {"SINGLE_RETURN",
     [](auto& p) {
       yes(p).graph->is_single_tensor_return = true;
       yes(p).graph->outputs.clear();
     }},
    {"STALE_TYPE", [](auto& p) { top(p).tensor_values.at("add").dtype = pt2::ScalarType::HALF; }},
    {"SUBGRAPH_ARITY", [](auto& p) { yes(p).graph->outputs.push_back(tensor("x")); }},
    {"SYMBOL_UNBOUNDED", [](auto& p) { top(p).sym_int_values["s"] = symbolic("s0 + 1"); }},
    {"SYMBOL_UNDEFINED",
     [](auto& p) {
       meta_of_x(p).sizes = {symbolic("u0 + 1")};
       meta_of_x(p).strides = {fixed(1)};
     }},
    {"TARGET_CODE", [](auto& p) { top(p).nodes[0].target = "torch.os.abort"; }},
    {"TARGET_EMPTY", [](auto& p) { inputs(p)[0].template get<InputSpec::parameter>().parameter_name = ""; }},
    {"TARGET_REPEATED",
     [](auto& p) { inputs(p)[0].template get<InputSpec::parameter>().parameter_name = "bn.mean"; }},
    {"TARGET_RESERVED",
     [](auto& p) {
       inputs(p)[0].template get<InputSpec::parameter>().parameter_name = "layer.lambda.weight";
     }},
    {"TARGET_SYNTAX", [](auto& p) { top(p).nodes[0].target = "aten.add"; }},
    {"TARGET_UNKNOWN",
     [](auto& p) { outputs(p)[0].template get<OutputSpec::buffer_mutation>().buffer_name = "bn.var"; }},
    {"TREESPEC_CODE",
     [](auto& p) {
       p.graph_module.module_call_graph[0].signature->out_spec =
           R"([1, {"type": "x.Y", "context": "{\"__enum__\": true, \"fqn\": \"os:environ\", \"name\": \"A\"}", "children_spec": []}])";
     }},
    {"TREESPEC_KEY",
     [](auto& p) {
       p.graph_module.module_call_graph[0].signature->in_spec =
           R"([1, {"type": "builtins.dict", "context": "[[0, 1]]", "children_spec": [{"type": null, "context": null, "children_spec": []}]}])";
     }},
    {"TREESPEC_LEAVES",
     [](auto& p) {
       p.graph_module.module_call_graph.push_back(p.graph_module.module_call_graph[0]);
       p.graph_module.module_call_graph[1].fqn = "layer";
     }},
    {"TREESPEC_SYNTAX", [](auto& p) { p.graph_module.module_call_graph[0].signature->in_spec = "[1"; }},
    {"VALUE_MISPLACED",
     [](auto& p) {
       top(p).tensor_values.erase("add");
       top(p).sym_int_values["add"] = fixed(3);
     }},
    {"VALUE_MISSING", [](auto& p) { yes(p).graph->tensor_values.erase("sin"); }},
    {"VALUE_REPEATED", [](auto& p) { top(p).sym_int_values["x"] = fixed(3); }},
    {"VALUE_UNUSED", [](auto& p) { add_tensor(top(p), "old"); }},
    {"VERIFIER_UNKNOWN", [](auto& p) { p.verifiers.push_back("MINE"); }},
};

}  // namespace

TEST_CASE("nothing is found in a sound program") {
  CHECK(findings(sound_program()) == Texts{});
}

TEST_CASE("each rule finds a program that breaks it") {
  std::size_t count = 0;
  for (const pt2::Rule& rule : pt2::rules()) {
    INFO(rule.id);
    if (rule.found_by == pt2::FoundBy::scan || rule.found_by == pt2::FoundBy::check) continue;
    const std::string id = rule.id;
    // verify_weights_test.cpp and verify_records_test.cpp test rules about archives.
    if (id.find("WEIGHT_") == 0 || id == "ARCHIVE_RECORD" || id == "RECORD_CHECKSUM") continue;
    ++count;
    REQUIRE(kBreaks.count(rule.id) == 1);
    ExportedProgram program = sound_program();
    kBreaks.at(rule.id)(program);
    const std::vector<pt2::Finding> found = pt2::verify(program);
    CHECK(std::any_of(found.begin(), found.end(), [&](const auto& each) {
      return &pt2::rule_of(each.rule) == &rule && each.severity == rule.severity;
    }));
  }
  CHECK(kBreaks.size() == count);
}

TEST_CASE("rules are sorted by id") {
  CHECK(std::is_sorted(pt2::rules().begin(), pt2::rules().end(),
                       [](const auto& a, const auto& b) { return std::string(a.id) < b.id; }));
  CHECK(pt2::rule_of(pt2::RuleId::name_empty).id == std::string("NAME_EMPTY"));
}

TEST_CASE("findings say where, in subgraphs too, in the order of the document") {
  ExportedProgram program = sound_program();
  yes(program).graph->nodes[0].inputs[0].arg = tensor("w");
  for (int i = 0; i < 12; ++i) program.verifiers.push_back("ATEN");
  program.verifiers[11] = "b";
  program.verifiers[2] = "a";
  CHECK(findings(program) == Texts{"graph_module.graph.nodes[1].inputs[1].arg.as_graph.graph.nodes[0].inputs["
                                   "0].arg NAME_UNDEFINED: this graph does not define 'w'",
                                   "verifiers[2] VERIFIER_UNKNOWN: torch has no dialect 'a'",
                                   "verifiers[11] VERIFIER_UNKNOWN: torch has no dialect 'b'"});
}

TEST_CASE("a value that is defined twice is reported where it is the second time") {
  ExportedProgram program = sound_program();
  top(program).nodes[0].outputs.push_back(tensor("add"));
  const std::string path = "graph_module.graph.nodes[0].outputs";
  CHECK(findings(program) == Texts{path + " RESULT_COUNT: result count (2) differs from the operator's (1)",
                                   path + "[1] NAME_REPEATED: 'add' is already defined at " + path + "[0]"});
}

TEST_CASE("graphs take and give what torch reads, in subgraphs too") {
  const auto rules_found = [](const Break& change) {
    ExportedProgram program = sound_program();
    change(program);
    std::map<std::string, std::string> paths;
    for (const pt2::Finding& finding : pt2::verify(program))
      paths[pt2::rule_of(finding.rule).id] = finding.path;
    return paths;
  };
  const auto output = [&](const Argument& argument) {
    return rules_found([&](auto& p) { top(p).outputs[1] = argument; }).count("OUTPUT_KIND") == 0;
  };
  Argument argument;
  argument.emplace<Argument::as_none>(true);
  CHECK(output(argument));
  argument.emplace<Argument::as_float>(1.5);
  CHECK(output(argument));
  argument.emplace<Argument::as_bool>(true);
  CHECK(output(argument));
  CHECK(output(number(3)));
  argument.emplace<Argument::as_sym_bool>().emplace<pt2::SymBoolArgument::as_name>("x");
  CHECK(output(argument));
  argument.emplace<Argument::as_sym_bool>().emplace<pt2::SymBoolArgument::as_bool>(true);
  CHECK(!output(argument));
  argument.emplace<Argument::as_tensors>().push_back({"x"});
  CHECK(!output(argument));
  CHECK(!output(dtype(pt2::ScalarType::INT)));
  const auto found =
      rules_found([](auto& p) { yes(p).graph->outputs[0].template emplace<Argument::as_string>("text"); });
  CHECK(found.at("OUTPUT_KIND") == "graph_module.graph.nodes[1].inputs[1].arg.as_graph.graph.outputs[0]");
}

TEST_CASE("a key that is a list is an error in the specs of the model, and a warning in those within") {
  const auto severity_in = [](std::size_t entry) {
    ExportedProgram program = sound_program();
    auto& entries = program.graph_module.module_call_graph;
    entries.push_back(entries[0]);
    entries[1].fqn = "sub";
    kBreaks.at("TREESPEC_KEY")(program);
    if (entry == 1) std::swap(entries[0].signature, entries[1].signature);
    std::set<pt2::Severity> found;
    for (const pt2::Finding& finding : pt2::verify(program)) {
      if (finding.rule == pt2::RuleId::treespec_key) found.insert(finding.severity);
    }
    return found;
  };
  CHECK(severity_in(0) == std::set<pt2::Severity>{pt2::Severity::error});
  CHECK(severity_in(1) == std::set<pt2::Severity>{pt2::Severity::warning});
}

TEST_CASE("a node has a result, unless it calls an operator without any") {
  const auto severities = [](const std::string& target) {
    ExportedProgram program = sound_program();
    top(program).nodes.push_back(call(target, {}, {}));
    std::set<pt2::Severity> found;
    for (const pt2::Finding& finding : pt2::verify(program)) {
      if (finding.rule == pt2::RuleId::result_count) found.insert(finding.severity);
    }
    return found;
  };
  const std::set<pt2::Severity> error = {pt2::Severity::error};
  for (const char* const target :
       {"torch.ops.higher_order.wrap_with_set_grad_enabled", "torch.ops.higher_order.wrap_with_autocast",
        "torch.ops.higher_order.unheard_of", "torch.ops.aten.sin.default", "torch.ops.aten.split.Tensor",
        "torch._C._set_grad_enabled", "_operator.add"}) {
    INFO(target);
    CHECK(severities(target) == error);
  }
  for (const char* const target :
       {"torch.ops.aten._assert_tensor_metadata.default", "torch.ops.my.op.default", "#my:op"}) {
    INFO(target);
    CHECK(severities(target).empty());
  }
}

TEST_CASE("no part of a weight's name is a keyword, nor the first an attribute of a GraphModule") {
  const auto is_reserved = [](const std::string& name) {
    ExportedProgram program = sound_program();
    inputs(program)[0].get<InputSpec::parameter>().parameter_name = name;
    const std::vector<pt2::Finding> found = pt2::verify(program);
    return std::any_of(found.begin(), found.end(),
                       [](const auto& each) { return each.rule == pt2::RuleId::target_reserved; });
  };
  for (const char* const name : {"lambda", "class.weight", "a.b.None", "graph.weight", "code", "meta"}) {
    INFO(name);
    CHECK(is_reserved(name));
  }
  for (const char* const name :
       {"match.weight", "a.graph.weight", "Class", "lambda_", "0.weight", "print", "_"}) {
    INFO(name);
    CHECK(!is_reserved(name));
  }
}

TEST_CASE("subgraphs take the operands and give the results of each higher-order operator") {
  const pt2::Graph two_to_one = graph_of({"a", "b"}, {}, {"a"});
  const auto list = [](std::size_t size) {
    Argument argument;
    argument.emplace<Argument::as_tensors>().resize(size, pt2::TensorArgument{"x"});
    return argument;
  };
  const Argument graph = subgraph("body", two_to_one);
  const Argument condition = subgraph("condition", two_to_one);
  const std::map<std::string, std::vector<Argument>> calls = {
      {"associative_scan", {graph, list(1), list(0)}},
      {"hints_wrapper", {graph, list(2), dict("k", number(1)), dict("k", number(1))}},
      {"invoke_subgraph", {graph, tensor("x"), tensor("x"), tensor("x")}},
      {"local_map_hop", {graph, tensor("x"), tensor("x")}},
      {"map_impl", {graph, list(1), list(1)}},
      {"run_const_graph", {graph, list(2)}},
      {"scan", {graph, list(1), list(1), list(0)}},
      {"strict_mode", {graph, list(2)}},
      {"tag_activation_checkpoint", {graph, tensor("x"), number(2)}},
      {"while_loop", {condition, graph, list(1), list(1)}},
      {"while_loop_stack_output", {condition, graph, list(1), list(1)}},
      {"wrap", {graph, tensor("x"), tensor("x")}},
      {"wrap_activation_checkpoint", {graph, tensor("x"), tensor("x")}},
      {"wrap_with_autocast", {number(0), number(0), number(0), number(0), graph, tensor("x"), tensor("x")}},
      {"wrap_with_set_grad_enabled", {number(0), graph, tensor("x"), tensor("x")}},
  };
  for (const auto& [name, arguments] : calls) {
    INFO(name);
    const std::string target = "torch.ops.higher_order." + name;
    const auto rules_found = [&](const std::vector<Argument>& inputs) {
      std::set<std::string> rules;
      ExportedProgram program = program_of(graph_of({"x"}, {call(target, inputs, {"y"})}, {"y"}));
      program.graph_module.module_call_graph = sound_program().graph_module.module_call_graph;
      if (target == "torch.ops.higher_order.while_loop_stack_output") {  // adds a dim for the iterations
        pt2::TensorMeta& stacked = program.graph_module.graph.tensor_values["y"];
        stacked.sizes.assign(1, pt2::SymInt::of<pt2::SymInt::as_int>(3));
        stacked.strides.assign(1, pt2::SymInt::of<pt2::SymInt::as_int>(1));
      }
      for (const pt2::Finding& finding : pt2::verify(program)) rules.insert(pt2::rule_of(finding.rule).id);
      return rules;
    };
    CHECK(rules_found(arguments) == std::set<std::string>{});
    const std::size_t place = static_cast<std::size_t>(
        std::find_if(arguments.begin(), arguments.end(),
                     [](const auto& a) { return a.template is<Argument::as_graph>(); }) -
        arguments.begin());
    std::vector<Argument> broken = arguments;
    broken[place] = subgraph("body", graph_of({"a"}, {}, {"a"}));
    CHECK(rules_found(broken) == std::set<std::string>{"SUBGRAPH_ARITY"});
    broken[place] = subgraph("body", graph_of({"a", "b"}, {}, {"a", "b"}));
    CHECK(rules_found(broken) == std::set<std::string>{"SUBGRAPH_ARITY"});
    broken[place] = tensor("x");
    CHECK(rules_found(broken) == std::set<std::string>{"SUBGRAPH_ARITY", "TARGET_CODE"});
  }
}

TEST_CASE("a number on the CPU goes with a tensor on another device") {
  ExportedProgram program = sound_program();
  kBreaks.at("OPERAND_DEVICE")(program);
  top(program).tensor_values.at("add") = top(program).tensor_values.at("w");
  CHECK(findings(program) == Texts{"graph_module.graph.nodes[0].inputs[1].arg OPERAND_DEVICE: expected a "
                                   "tensor on 'cpu' like the previous ones, found one on 'cuda'"});
  top(program).tensor_values.at("b").sizes.clear();
  top(program).tensor_values.at("b").strides.clear();
  CHECK(findings(program) == Texts{});
}

TEST_CASE("operands under autocast may be of several dtypes") {
  pt2::Graph body =
      graph_of({"a", "b"}, {call("torch.ops.aten.mm.default", {tensor("a"), tensor("b")}, {"c"})}, {"c"});
  body.nodes[0].inputs[0].name = "self";
  body.nodes[0].inputs[1].name = "mat2";
  body.tensor_values.at("a").dtype = pt2::ScalarType::BFLOAT16;
  const auto found_below = [&](const std::string& name, std::vector<Argument> inputs) {
    for (const Argument& input : {subgraph("body", body), tensor("x"), tensor("x")}) inputs.push_back(input);
    ExportedProgram program =
        program_of(graph_of({"x"}, {call("torch.ops.higher_order." + name, inputs, {"y"})}, {"y"}));
    program.graph_module.module_call_graph = sound_program().graph_module.module_call_graph;
    return findings(program);
  };
  CHECK(found_below("wrap_with_autocast", {number(0), number(0), number(0), number(0)}) == Texts{});
  CHECK(found_below("wrap_with_set_grad_enabled", {number(0)}) ==
        Texts{"graph_module.graph.nodes[0].inputs[1].arg.as_graph.graph.nodes[0].inputs[1].arg "
              "OPERAND_DTYPE: expected "
              "a tensor of BFLOAT16 like the previous ones, found one of FLOAT"});
}

TEST_CASE("dtypes that an operator cannot return are not taken from operands") {
  // A lost torch.autocast leaves such dtypes.
  pt2::Graph graph = graph_of({"x", "b"},
                              {call("torch.ops.aten.relu.default", {tensor("x")}, {"first"}),
                               call("torch.ops.aten.sin.default", {tensor("first")}, {"second"}),
                               call("torch.ops.aten.mm.default", {tensor("second"), tensor("b")}, {"c"})},
                              {"c"});
  graph.nodes[0].inputs[0].name = graph.nodes[1].inputs[0].name = graph.nodes[2].inputs[0].name = "self";
  graph.nodes[2].inputs[1].name = "mat2";
  const auto found_with = [&](const std::vector<std::string>& names) {
    ExportedProgram program = program_of(pt2::Graph(graph));
    for (const std::string& name : names) {
      top(program).tensor_values.at(name).dtype = pt2::ScalarType::BFLOAT16;
    }
    Texts found = findings(program);
    const auto is_other = [](const std::string& text) { return text.find("OPERAND_DTYPE") == text.npos; };
    found.erase(std::remove_if(found.begin(), found.end(), is_other), found.end());
    return found;
  };
  CHECK(found_with({"first", "second"}) == Texts{});
  CHECK(found_with({"second"}) == Texts{});
  CHECK(found_with({"x", "first", "second"}) ==
        Texts{"graph_module.graph.nodes[2].inputs[1].arg OPERAND_DTYPE: expected a tensor of BFLOAT16 like "
              "the previous ones, found one of FLOAT"});
}

TEST_CASE("a dtype without a name is reported by its number") {
  pt2::Graph graph =
      graph_of({"x", "b"}, {call("torch.ops.aten.mm.default", {tensor("x"), tensor("b")}, {"c"})}, {"c"});
  graph.nodes[0].inputs[0].name = "self";
  graph.nodes[0].inputs[1].name = "mat2";
  graph.tensor_values.at("b").dtype = static_cast<pt2::ScalarType>(99);
  ExportedProgram program = program_of(std::move(graph));
  program.graph_module.module_call_graph = sound_program().graph_module.module_call_graph;
  const Texts found = findings(program);
  CHECK(std::count(found.begin(), found.end(),
                   "graph_module.graph.nodes[0].inputs[1].arg OPERAND_DTYPE: expected a tensor of FLOAT like "
                   "the previous ones, found one of dtype(99)") == 1);
}

TEST_CASE("higher-order operators are given what they take, under its name if by keyword") {
  const auto rules_of = [](const std::string& target,
                           const std::function<void(std::vector<pt2::NamedArgument>&)>& edit) {
    ExportedProgram program = sound_program();
    pt2::Node& node = top(program).nodes[1];
    node.target = "torch.ops.higher_order." + target;
    for (pt2::NamedArgument& input : node.inputs) input.kind = pt2::ArgumentKind::POSITIONAL;
    edit(node.inputs);
    std::vector<std::string> rules;
    for (const pt2::Finding& finding : pt2::verify(program))
      rules.emplace_back(pt2::rule_of(finding.rule).id);
    return rules;
  };
  const auto by_keyword = [](const char* name) {
    return [name](std::vector<pt2::NamedArgument>& inputs) {
      inputs.back().name = name;
      inputs.back().kind = pt2::ArgumentKind::KEYWORD;
    };
  };
  CHECK(rules_of("cond", [](auto&) {}) == Texts{});
  CHECK(rules_of("cond", by_keyword("operands")) == Texts{});
  CHECK(rules_of("cond", by_keyword("operandz")) == Texts{"ARGUMENT_MISSING", "ARGUMENT_UNKNOWN"});
  CHECK(rules_of("cond", [](auto& inputs) { inputs[0].name = "pred_"; }) ==
        Texts{"ARGUMENT_MISSING", "ARGUMENT_UNKNOWN"});
}

TEST_CASE("a literal NaN is the same in the graph and in the signature") {
  ExportedProgram program = sound_program();
  Argument nan;
  nan.emplace<Argument::as_float>(std::nan(""));
  top(program).outputs[1] = nan;
  outputs(program)[1].emplace<OutputSpec::user_output>().arg = nan;
  CHECK(findings(program) == Texts{});
  top(program).outputs[1].emplace<Argument::as_float>(1.0);
  CHECK(findings(program).size() == 1);
}

TEST_CASE("the range of an expression holds its hint") {
  ExportedProgram program = sound_program();
  pt2::SymInt& value = top(program).sym_int_values["add"];
  top(program).tensor_values.erase("add");
  value = symbolic("Mul(Integer(2), Symbol('s0', positive=True, integer=True))");
  program.range_constraints["2*s0"] = {6, 10};
  program.range_constraints["s0"] = {3, 5};
  const auto hint_is_found = [&](std::int64_t hint) {
    value.get<pt2::SymInt::as_expr>().hint.emplace().emplace<pt2::SymExprHint::as_int>(hint);
    const std::vector<pt2::Finding> found = pt2::verify(program);
    return std::any_of(found.begin(), found.end(),
                       [](const auto& each) { return each.rule == pt2::RuleId::hint_range; });
  };
  CHECK_FALSE(hint_is_found(8));
  CHECK(hint_is_found(4));
}

TEST_CASE("an unbacked symbol is known where it is a size, times a factor, or a bool") {
  for (const char* size : {"u0", "2*u0", "s0*u0", "Eq(u0, 1)"}) {
    INFO(size);
    ExportedProgram program = sound_program();
    meta_of_x(program).sizes = {symbolic("u0 + 1"), symbolic(size)};
    meta_of_x(program).strides = {fixed(1), fixed(1)};
    program.range_constraints["u0"] = {0, 8};
    program.range_constraints["s0"] = {0, 8};
    const Texts found = findings(program);
    CHECK(std::none_of(found.begin(), found.end(),
                       [](const auto& text) { return text.find("SYMBOL_UNDEFINED") != text.npos; }));
  }
}

TEST_CASE("an unknown number of an enum is named") {
  Argument layout, format;
  layout.emplace<Argument::as_layout>(pt2::Layout::Unknown);
  format.emplace<Argument::as_memory_format>(static_cast<pt2::MemoryFormat>(-1));
  const std::pair<Argument, std::string> unknown[] = {
      {dtype(static_cast<pt2::ScalarType>(99)), "as_scalar_type ENUM_UNKNOWN: unknown dtype 99"},
      {layout, "as_layout ENUM_UNKNOWN: unknown layout 0"},
      {format, "as_memory_format ENUM_UNKNOWN: unknown memory format -1"}};
  for (const auto& [argument, text] : unknown) {
    ExportedProgram program = sound_program();
    top(program).nodes[0].inputs.push_back({"d", argument, {}});
    const Texts found = findings(program);
    CHECK(std::any_of(found.begin(), found.end(),
                      [&wanted = text](const auto& each) { return each.find(wanted) != each.npos; }));
  }
}

TEST_CASE("a node may have the name of a result, unless that is another node's name") {
  ExportedProgram program = sound_program();
  top(program).nodes[1].name = "add";
  CHECK(findings(program) == Texts{});
  top(program).nodes[0].name = "add";
  CHECK(findings(program) == Texts{"graph_module.graph.nodes[1].name NODE_NAME_REPEATED: another node in "
                                   "this graph is also named 'add'"});
}

TEST_CASE("torch's own programs have only notes") {
  std::size_t programs = 0;
  for (const std::filesystem::path& path : program_files("programs", ".pt2")) {
    INFO(path);
    const pt2::ProgramFile file = pt2::open_program_file(path.string());
    const pt2::LoadedProgram loaded = pt2::load_program(file);
    CHECK(pt2::verify_weights(loaded.program, *file.archive(), loaded.source.model).empty());
    for (const pt2::Finding& finding : pt2::verify(loaded.program)) {
      INFO(finding.path << " " << pt2::rule_of(finding.rule).id << " " << finding.message);
      // torch writes string outputs but cannot read them.
      if (finding.rule == pt2::RuleId::output_kind) {
        CHECK(path.stem() == "lifted_constants");
        continue;
      }
      // The operator's results have changed.
      const bool is_known =
          finding.rule == pt2::RuleId::result_count && path.parent_path().filename() == "torch-2.2.2";
      CHECK((finding.severity == pt2::Severity::note || is_known));
    }
    ++programs;
  }
  CHECK(programs > 100);
}

TEST_CASE(
    "a recurrent layer whose state has another batch size is found, and one that torch 2.5 exported is not") {
  const auto layer = [](std::int64_t batch, std::int64_t state_batch, std::size_t state_rank) {
    const auto set = [](pt2::Graph& graph, const std::string& name, const std::vector<std::int64_t>& sizes) {
      pt2::TensorMeta& meta = graph.tensor_values[name];
      meta.dtype = pt2::ScalarType::FLOAT;
      std::int64_t stride = 1;
      for (auto size = sizes.rbegin(); size != sizes.rend(); stride *= *size++) {
        meta.sizes.insert(meta.sizes.begin(), fixed(*size));
        meta.strides.insert(meta.strides.begin(), fixed(stride));
      }
    };
    const auto list = [](std::initializer_list<const char*> names) {
      Argument argument;
      auto& items = argument.emplace<Argument::as_tensors>();
      for (const char* const name : names) items.push_back({name});
      return argument;
    };
    const auto flag = [](bool value) { return Argument::of<Argument::as_bool>(value); };
    pt2::Graph graph =
        graph_of({"x", "h", "c", "wi", "wh"},
                 {call("torch.ops.aten.lstm.input",
                       {tensor("x"), list({"h", "c"}), list({"wi", "wh", "wi", "wh", "wo", "wh", "wo", "wh"}),
                        flag(false), number(2), Argument::of<Argument::as_float>(0.0), flag(false),
                        flag(true), flag(false)},
                       {"y", "hn", "cn"})},
                 {"y", "hn", "cn"});
    const char* const names[] = {"input",   "hx",    "params",        "has_biases", "num_layers",
                                 "dropout", "train", "bidirectional", "batch_first"};
    for (std::size_t i = 0; i < std::size(names); ++i) graph.nodes[0].inputs[i].name = names[i];
    set(graph, "x", {5, batch, 3});
    for (const char* const name : {"h", "c"}) set(graph, name, {4, state_batch, 4});
    set(graph, "wi", {16, 3});
    set(graph, "wh", {16, 4});
    set(graph, "wo", {16, 8});
    set(graph, "y", {5, batch, 8});
    for (const char* const name : {"hn", "cn"}) {
      state_rank == 3 ? set(graph, name, {4, state_batch, 4}) : set(graph, name, {4, 1, state_batch, 4});
    }
    Texts found;
    for (const std::string& text : findings(program_of(std::move(graph)))) {
      for (const char* const rule : {"OPERAND_SHAPE", "STALE_TYPE"}) {
        if (text.find(rule) != text.npos) found.push_back(text);
      }
    }
    return found;
  };
  CHECK(layer(2, 2, 3).empty());
  CHECK(layer(2, 2, 4).empty());  // as a strict export of torch 2.5 has it
  CHECK(layer(64, 2, 3) == Texts{"graph_module.graph.nodes[0] OPERAND_SHAPE: aten.lstm.input: hx: expected "
                                 "shape [4, 64, 4], got [4, 2, 4]"});
}
