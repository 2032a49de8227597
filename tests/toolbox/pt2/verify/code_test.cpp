#include "pt2/verify/check.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <limits>

#include "program_files.h"
#include "pt2/program.h"
#include "runtime/pt2/program_builder.h"

using pt2::Argument;
using pt2::ExportedProgram;

namespace {

const std::string kData = std::string(PT2_SOURCE_DIR) + "/tests/data/";

std::string tuple_of(const std::string& child) {
  return R"([1, {"type": "builtins.tuple", "context": "null", "children_spec": [)"
         R"({"type": "builtins.tuple", "context": "null", "children_spec": []}, )" +
         child + "]}]";
}
std::string keywords(const std::string& key) {
  return tuple_of(R"({"type": "builtins.dict", "context": ")" + key +
                  R"(", "children_spec": [{"type": null, "context": null, "children_spec": []}]})");
}

ExportedProgram program() {
  pt2::Graph branch = graph_of({"a"}, {call("torch.ops.aten.sin.default", {tensor("a")}, {"b"})}, {"b"});
  ExportedProgram made = program_of(
      graph_of({"x"},
               {call("torch.ops.aten.sin.default", {tensor("x")}, {"sin"}),
                call("torch.ops.higher_order.wrap", {subgraph("body", branch), tensor("sin")}, {"get"})},
               {"get"}));
  pt2::ModuleCallSignature& root = made.graph_module.module_call_graph.emplace_back().signature.emplace();
  root.in_spec = root.out_spec = keywords(R"([\"k\"])");
  root.forward_arg_names = {"k"};
  return made;
}

Argument text(const std::string& value) {
  Argument argument;
  argument.emplace<Argument::as_string>(value);
  return argument;
}
Argument callee(const std::string& value) {
  Argument argument;
  argument.emplace<Argument::as_operator>(value);
  return argument;
}
pt2::Graph& top(ExportedProgram& of) {
  return of.graph_module.graph;
}
pt2::Graph& body(ExportedProgram& of) {
  return *top(of).nodes[1].inputs[0].arg.get<Argument::as_graph>().graph;
}
pt2::ModuleCallSignature& root(ExportedProgram& of) {
  return *of.graph_module.module_call_graph[0].signature;
}
void add_input(ExportedProgram& of, Argument argument) {
  top(of).nodes[1].inputs.push_back({"", std::move(argument), pt2::ArgumentKind::POSITIONAL});
}

struct Change {
  const char* place;
  std::function<void(ExportedProgram&)> make;
};

void check(const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    ExportedProgram changed = program();
    change.make(changed);
    std::string found;
    for (const pt2::Finding& finding : pt2::find_code(changed)) {
      found += (found.empty() ? "" : "\n") + finding.path + " " + pt2::rule_of(finding.rule).id;
      CHECK(finding.severity == pt2::Severity::error);
    }
    CHECK(found == change.place);
  }
}

}  // namespace

TEST_CASE("no code is found in programs of torch") {
  CHECK(pt2::find_code(program()).empty());
  std::size_t count = 0;
  for (const std::filesystem::path& path : program_files()) {
    INFO(path);
    std::string found;
    for (const pt2::Finding& finding : pt2::find_code(pt2::load_program(path.string()).program)) {
      found += finding.path + ": " + finding.message + "\n";
    }
    CHECK(found.empty());
    ++count;
  }
  CHECK(count > 50);
}

TEST_CASE("files that run code in torch are found by what runs") {
  const auto rules_of = [](const std::string& name) {
    std::vector<std::string> rules;
    for (const auto& finding :
         pt2::find_code(pt2::load_program(kData + "hostile/" + name + ".pt2").program)) {
      const std::string rule = pt2::rule_of(finding.rule).id;
      if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
    }
    return rules;
  };
  using Rules = std::vector<std::string>;
  CHECK(rules_of("J01_placeholder_name") == Rules{"NAME_CODE"});
  CHECK(rules_of("J10_expr_attr_globals") == Rules{"EXPRESSION_CODE"});
  CHECK(rules_of("J16_expr_open_kw") == Rules{"EXPRESSION_CODE"});
  CHECK(rules_of("J20_guard_call") == Rules{"GUARD_CODE"});
  CHECK(rules_of("J31_treespec_enum_dlopen") == Rules{"TREESPEC_CODE"});
  CHECK(rules_of("J44_cdll_as_operator") == Rules{"TARGET_CODE"});
  CHECK(rules_of("L01_value_self") == Rules{"NAME_CODE"});
  CHECK(rules_of("L02_format_value") == Rules{"TARGET_CODE"});
  CHECK(rules_of("L03_reshape_alias") == Rules{"TARGET_CODE"});
  CHECK(rules_of("L04_called_attribute") == Rules{"TARGET_CODE"});
}

TEST_CASE("names that are pasted into a function are identifiers, wherever they stand") {
  check({
      {"graph_module.graph.inputs[0] NAME_CODE", [](auto& p) { top(p).inputs[0] = tensor("x=f()"); }},
      {"graph_module.graph.outputs[0] NAME_CODE", [](auto& p) { top(p).outputs[0] = tensor("a b"); }},
      {"graph_module.graph.nodes[0].outputs[0] NAME_CODE",
       [](auto& p) { top(p).nodes[0].outputs[0] = tensor("lambda"); }},
      {"graph_module.graph.nodes[0].inputs[0].arg NAME_CODE",
       [](auto& p) { top(p).nodes[0].inputs[0].arg = dict("k", tensor("x()")); }},
      {"graph_module.graph.nodes[0].inputs[0].name NAME_CODE",
       [](auto& p) { top(p).nodes[0].inputs[0].name = "k=f(),j"; }},
      {"graph_module.graph.nodes[0].name NAME_CODE", [](auto& p) { top(p).nodes[0].name = "a\nb"; }},
      {"graph_module.graph.tensor_values[\"a.b\"] NAME_CODE", [](auto& p) { add_tensor(top(p), "a.b"); }},
      {"graph_module.graph.nodes[1].inputs[0].arg.as_graph.name NAME_CODE",
       [](auto& p) { top(p).nodes[1].inputs[0].arg.template get<Argument::as_graph>().name = "a\"b"; }},
      {"graph_module.graph.nodes[1].inputs[0].arg.as_graph.graph.inputs[0] NAME_CODE",
       [](auto& p) { body(p).inputs[0] = tensor("\xc3\xa9"); }},
      {"graph_module.graph.outputs[0].as_graph.graph.inputs[0] NAME_CODE",
       [](auto& p) {
         top(p).outputs[0] = subgraph("g", graph_of({"f()"}, {}, {}));
         top(p).outputs[0].template get<Argument::as_graph>().graph->tensor_values = {};
       }},
      {"graph_module.signature.input_specs[0].user_input.arg NAME_CODE",
       [](auto& p) {
         p.graph_module.signature.input_specs.resize(1);
         p.graph_module.signature.input_specs[0].template emplace<pt2::InputSpec::user_input>().arg =
             tensor("a-b");
       }},
      {"graph_module.signature.input_specs[0].constant_input.name NAME_CODE",
       [](auto& p) {
         p.graph_module.signature.input_specs.resize(1);
         p.graph_module.signature.input_specs[0].template emplace<pt2::InputSpec::constant_input>().name =
             "a:f()";
       }},
      {"graph_module.module_call_graph[0].signature.forward_arg_names[0] NAME_CODE",
       [](auto& p) { root(p).forward_arg_names = {"k=f()"}; }},
      {"graph_module.module_call_graph[0].signature.in_spec NAME_CODE",
       [](auto& p) { root(p).in_spec = keywords(R"([\"k=f(),j\"])"); }},
      {"graph_module.module_call_graph[0].signature.in_spec NAME_CODE",
       [](auto& p) { root(p).in_spec = keywords(R"([[\"k\"]])"); }},
      {"", [](auto& p) { top(p).nodes[0].inputs[0].name = "from"; }},
      {"",
       [](auto& p) {
         root(p).forward_arg_names = {
             "gr\xc3\xb6\xc3\x9f"
             "e"};
       }},
  });
}

TEST_CASE("names that Python would read as others are found") {
  const std::string fullwidth_low_line = "\xef\xbc\xbf";
  const auto keyword = [](const std::string& name) {
    return [name](ExportedProgram& of) { root(of).in_spec = keywords(R"([\")" + name + R"(\"])"); };
  };
  const char* const names = "graph_module.module_call_graph[0].signature.forward_arg_names[0] NAME_CODE";
  check({
      {names, [&](auto& p) { root(p).forward_arg_names = {fullwidth_low_line + "x"}; }},
      {names, [](auto& p) { root(p).forward_arg_names = {"e\xcc\x81"}; }},
      {names, [](auto& p) { root(p).forward_arg_names = {"\xf0\x9d\x92\x99"}; }},
      {"graph_module.module_call_graph[0].signature.in_spec NAME_CODE", keyword("\xef\xbd\x94o")},
      {"", keyword("\xd1\x8f")},
      {"graph_module.graph.nodes[1].inputs[0].arg.as_graph.name NAME_CODE",
       [](auto& p) { top(p).nodes[1].inputs[0].arg.template get<Argument::as_graph>().name = "to_folder"; }},
      {"graph_module.graph.nodes[1].inputs[0].arg.as_graph.name NAME_CODE",
       [](auto& p) { top(p).nodes[1].inputs[0].arg.template get<Argument::as_graph>().name = "__init__"; }},
  });
}

TEST_CASE("what a higher-order operator calls is a graph or an operator") {
  const auto with = [](const char* target, std::vector<pt2::NamedArgument> inputs) {
    return [target, inputs](ExportedProgram& of) {
      top(of).nodes[1].target = target;
      top(of).nodes[1].inputs = inputs;
    };
  };
  const auto at = [](Argument argument) {
    return pt2::NamedArgument{"", std::move(argument), pt2::ArgumentKind::POSITIONAL};
  };
  const auto by = [](const char* keyword, Argument argument) {
    return pt2::NamedArgument{keyword, std::move(argument), pt2::ArgumentKind::KEYWORD};
  };
  const Argument graph = subgraph("g", graph_of({"a"}, {}, {"a"}));
  const Argument value = tensor("x");
  const std::string higher = "torch.ops.higher_order.";
  const char* const first = "graph_module.graph.nodes[1].inputs[0].arg TARGET_CODE";
  const char* const second = "graph_module.graph.nodes[1].inputs[1].arg TARGET_CODE";
  const char* const third = "graph_module.graph.nodes[1].inputs[2].arg TARGET_CODE";
  check({
      {"", with("torch.ops.higher_order.wrap", {at(graph), at(value)})},
      {first, with("torch.ops.higher_order.wrap", {at(value), at(value)})},
      {first, with("torch.ops.wrap", {at(value), at(value)})},
      {first, with("torch._higher_order_ops.wrap.wrap", {at(value), at(value)})},
      {first, with("torch.ops.higher_order.wrap", {by("func", value)})},
      {"", with("torch.ops.higher_order.auto_functionalized",
                {at(callee("torch.ops.my.reduce_.default")), by("op", text("sum"))})},
      {first, with("torch.ops.higher_order.auto_functionalized", {by("op", value)})},
      {second, with("torch.ops.higher_order.wrap", {by("x", value), at(value)})},
      {first, with("torch.ops.higher_order.foreach_map", {at(value), at(graph)})},
      {first, with("torch.ops.higher_order.invoke_quant_packed", {at(value), at(graph)})},
      {first, with("torch.ops.higher_order.custom_function_call", {at(graph), at(value)})},
      {second, with("torch.ops.higher_order.trace_wrapped", {at(value), by("fn", value)})},
      {"", with("torch.ops.higher_order.trace_wrapped", {at(value), by("fn", graph)})},
      {second,
       with("torch.ops.higher_order.wrap_activation_checkpoint", {at(graph), by("context_fn", value)})},
      {third, with("torch.ops.higher_order.cond", {at(value), at(graph), at(value)})},
      {third, with("torch.ops.higher_order.cond", {at(value), at(graph), at(text("g"))})},
      {"", with("torch.ops.higher_order.executorch_call_delegate", {at(text("lowered")), at(value)})},
      {"", with("torch.ops.higher_order.print", {at(text("{}")), at(value)})},
      // Calls what follows it, or what a list holds.
      {second, with("torch.ops.higher_order.wrap", {at(callee(higher + "wrap")), at(value), at(value)})},
      {"", with("torch.ops.higher_order.wrap", {at(callee(higher + "wrap")), at(graph), at(value)})},
      {"", with("torch.ops.higher_order.wrap", {at(callee("torch.ops.aten.sin.default")), at(value)})},
      {third,
       with("torch.ops.higher_order.with_effects", {at(value), at(callee(higher + "wrap")), at(value)})},
      {second, with("torch.ops.higher_order.cond",
                    {at(value), at(callee(higher + "wrap")), at(callee(higher + "wrap")), at(value)})},
  });
}

TEST_CASE("names of weights and modules may be any text but what ends a string") {
  const auto weight = [](const std::string& name) {
    return [name](ExportedProgram& of) {
      of.graph_module.signature.input_specs.resize(1);
      auto& spec = of.graph_module.signature.input_specs[0].emplace<pt2::InputSpec::parameter>();
      spec.arg.name = "x";
      spec.parameter_name = name;
    };
  };
  const auto frame = [](const std::string& path) {
    return [path](ExportedProgram& of) { top(of).nodes[0].metadata["nn_module_stack"] = "k," + path + ",t"; };
  };
  const char* const parameter = "graph_module.signature.input_specs[0].parameter.parameter_name NAME_CODE";
  const char* const stack = "graph_module.graph.nodes[0].metadata.nn_module_stack NAME_CODE";
  check({
      {"", weight("d.user-id.weight")},
      {"", weight("d.a b/c.gr\xc3\xb6\xc3\x9f"
                  "e")},
      {parameter, weight("d\")+f(\"")},
      {parameter, weight("d\\")},
      {parameter, weight("d\nf()")},
      {parameter, weight("a.__class__.b")},
      {"", weight("it's.tab\t.back\\slash.\x01")},
      {"", weight("\xd1\x81\xd0\xbb\xd0\xbe\xd0\xb9.\xe5\xb1\x82.0.h\xe2\x82\x82o.\xf0\x9f\x99\x82")},
      {"", weight("encoder.graph.weight")},
      {parameter, weight("graph.weight")},
      {parameter, weight("_modules")},
      {parameter, weight("a.forward")},
      {parameter, weight("a.to_folder")},
      // Python reads U+FF3F as `_`, and U+FF54 as `t`.
      {parameter, weight("_\xef\xbc\xbfinit\xef\xbc\xbf_._\xef\xbc\xbf"
                         "builtins\xef\xbc\xbf_.get")},
      {parameter, weight("\xef\xbd\x94o_folder")},
      {"", weight("\xef\xbd\x94o folder")},
      // `a` in Unicode 16, and not assigned before.
      {parameter, weight("\xf0\x9c\xb3\x96")},
      {parameter, weight("\\x5f\\x5finit\\x5f\\x5f")},
      {parameter, weight("\\137_init__")},
      {parameter, weight("\\u005f_init__")},
      {parameter, weight("\\N{LOW LINE}_init__")},
      {"", weight("\\x5finit")},
      {"", weight("a\\new\\table")},
      {parameter, weight(std::string("a\0b", 3))},
      {parameter, weight("a\rb")},
      {"", frame("d.user-id")},
      {"", frame("L['self'].b[0]")},
      {"", frame("getattr(L['fn'], '0')")},
      {"", frame("G['GLOBAL_ACT']")},
      {"", frame("layers.0.forward.__closure__.3.cell_contents.__self__.body")},
      {"", frame("graph.code")},
      {stack, frame("d\")+f(\"")},
      {stack, frame("d\\")},
      {stack, frame("a.__init__.__builtins__.get")},
      {stack, frame("a.forward.__globals__")},
      {stack, frame("to_folder")},
      {stack, frame("\xef\xbd\x94o_folder")},
      {"graph_module.module_call_graph[0].fqn NAME_CODE",
       [](auto& p) { p.graph_module.module_call_graph[0].fqn = "a\""; }},
  });
}

TEST_CASE("expressions of all tables are checked") {
  check({
      {"graph_module.graph.tensor_values.x.sizes[0].as_expr.expr_str EXPRESSION_CODE",
       [](auto& p) { top(p).tensor_values.at("x").sizes = {symbolic("f(1)")}; }},
      {"graph_module.graph.tensor_values.x.strides[0].as_expr.expr_str EXPRESSION_CODE",
       [](auto& p) { top(p).tensor_values.at("x").strides = {symbolic("f(1)")}; }},
      {"graph_module.graph.tensor_values.x.storage_offset.as_expr.expr_str EXPRESSION_CODE",
       [](auto& p) { top(p).tensor_values.at("x").storage_offset = symbolic("f(1)"); }},
      {"graph_module.graph.nodes[1].inputs[0].arg.as_graph.graph.sym_int_values.n.as_expr.expr_str "
       "EXPRESSION_CODE",
       [](auto& p) { body(p).sym_int_values["n"] = symbolic("f(1)"); }},
      {"", [](auto& p) { top(p).sym_int_values["n"] = symbolic("2*s0 + 1"); }},
  });
}

TEST_CASE("guards are checked, and the strings that torch makes guards of") {
  check({
      {"guards_code[1] GUARD_CODE",
       [](auto& p) {
         p.guards_code = {"L['x'].size()[0] != 1", "f()"};
       }},
      {"graph_module.graph.inputs[1].as_string GUARD_CODE",
       [](auto& p) { top(p).inputs.push_back(text("' or f() or '")); }},
      {"", [](auto& p) { top(p).inputs.push_back(text("bilinear, 2x")); }},
      {"", [](auto& p) { add_input(p, text("' or f() or '")); }},
  });
}

TEST_CASE("treespecs are checked in each module") {
  const std::string leaf = R"({"type": null, "context": null, "children_spec": []})";
  const std::string factory =
      R"({"type": "collections.defaultdict", "context": {"default_factory_module": "os", )"
      R"("default_factory_name": "system", "dict_context": []}, "children_spec": []})";
  // Keywords of forward must be identifiers.
  const auto list_of_dict = [&](const std::string& key) {
    return R"({"type": "builtins.list", "context": "null", "children_spec": [{"type": "builtins.dict", )"
           R"("context": "[\")" +
           key + R"(\"]", "children_spec": [)" + leaf + "]}]}";
  };
  check({
      {"graph_module.module_call_graph[0].signature.in_spec TREESPEC_CODE",
       [&](auto& p) { root(p).in_spec = tuple_of(list_of_dict("' + open('x') + '")); }},
      {"", [&](auto& p) { root(p).in_spec = tuple_of(list_of_dict("two words")); }},
      {"", [&](auto& p) { root(p).out_spec = tuple_of(list_of_dict("it's")); }},
      {"", [&](auto& p) { root(p).out_spec = keywords(R"([\"it's\"])"); }},
      {"",
       [&](auto& p) {
         auto& modules = p.graph_module.module_call_graph;
         modules.push_back(modules[0]);
         modules[1].signature->in_spec = tuple_of(list_of_dict("it's"));
       }},
      {"graph_module.module_call_graph[1].signature.in_spec NAME_CODE",
       [&](auto& p) {
         auto& modules = p.graph_module.module_call_graph;
         modules.push_back(modules[0]);
         modules[1].signature->in_spec = keywords(R"([\"k=f(),j\"])");
       }},
      {"graph_module.module_call_graph[0].signature.out_spec TREESPEC_CODE",
       [&](auto& p) { root(p).out_spec = tuple_of(factory); }},
      {"graph_module.module_call_graph[0].signature.in_spec TREESPEC_CODE",
       [&](auto& p) { root(p).in_spec = tuple_of(factory); }},
      {"graph_module.module_call_graph[0].signature.in_spec TREESPEC_CODE",
       [&](auto& p) { root(p).in_spec = "[2, " + leaf + "]"; }},
      {"", [&](auto& p) { root(p).in_spec = "[1, " + leaf + "]"; }},
  });
}

TEST_CASE("what torch looks up is checked wherever it stands") {
  const auto metadata = [](const char* key, const char* value) {
    return [key, value](ExportedProgram& of) { top(of).nodes[0].metadata[key] = value; };
  };
  const char* const sources = "graph_module.graph.nodes[0].metadata.source_fn_stack TARGET_CODE";
  check({
      {"graph_module.graph.nodes[0].target TARGET_CODE",
       [](auto& p) { top(p).nodes[0].target = "torch.os.abort"; }},
      {"graph_module.graph.nodes[1].inputs[0].arg.as_graph.graph.nodes[0].target TARGET_CODE",
       [](auto& p) { body(p).nodes[0].target = "_operator.call"; }},
      {"graph_module.graph.nodes[1].inputs[2].arg.as_operator TARGET_CODE",
       [](auto& p) { add_input(p, callee("torch.ctypes.cdll.x")); }},
      {"graph_module.graph.nodes[1].inputs[2].arg.as_string_to_argument.k.as_operator TARGET_CODE",
       [](auto& p) { add_input(p, dict("k", callee("torch.ctypes.cdll.x"))); }},
      {"graph_module.graph.outputs[0].as_operator TARGET_CODE",
       [](auto& p) { top(p).outputs[0] = callee("torch.ctypes.cdll.x"); }},
      {"graph_module.module_call_graph[0].signature.inputs[0].as_operator TARGET_CODE",
       [](auto& p) { root(p).inputs = {callee("torch.ctypes.cdll.x")}; }},
      {"", [](auto& p) { add_input(p, callee("torch.ops.my.scale.default")); }},
      {"", metadata("source_fn_stack", "a,torch.nn.modules.linear.Linear;b,add_")},
      {sources, metadata("source_fn_stack", "a,torch.nn.modules.linear.Linear;b,torch.ctypes.cdll.x")},
      {sources, metadata("source_fn_stack", "a,torch.ctypes.cdll.x;b")},
      {"graph_module.graph.nodes[0].metadata.source_fn TARGET_CODE",
       metadata("source_fn", "a,torch.ctypes.cdll.x")},
      {"", metadata("stack_trace", "import os; os.abort()")},
      {"", metadata("torch_fn", "a;torch.ctypes.cdll.x")},
  });
}

TEST_CASE("a printed format is plain text that stands in its place") {
  const std::string higher = "torch.ops.higher_order.";
  const auto call_with = [&](const char* target, std::vector<Argument> arguments) {
    return [target = higher + target, arguments](ExportedProgram& of) {
      pt2::Node& node = top(of).nodes[1];
      node = call(target, {}, {"get"});
      for (const Argument& argument : arguments) {
        node.inputs.push_back({"", argument, pt2::ArgumentKind::POSITIONAL});
      }
    };
  };
  const Argument value = tensor("x");
  const Argument print = callee(higher + "print");
  const Argument wrap = callee(higher + "wrap");
  const auto found = [](const char* position) {
    return "graph_module.graph.nodes[1].inputs[" + std::string(position) + "].arg TARGET_CODE";
  };
  const std::string first = found("0");
  const std::string second = found("1");
  const std::string third = found("2");
  const char* const bad[] = {"{0.__class__}", "{0[a]}", "{:{0.__class__}}", "{{{0.__class__}}}", "{0"};
  for (const char* const format : bad) {
    check({
        {first.c_str(), call_with("print", {text(format), value})},
        {third.c_str(), call_with("with_effects", {value, print, text(format)})},
        {third.c_str(), call_with("wrap", {wrap, print, text(format)})},
        {first.c_str(),
         [format, &higher](auto& p) {
           top(p).nodes[1] = call(higher + "print", {}, {"get"});
           top(p).nodes[1].inputs = {{"format_str", text(format), pt2::ArgumentKind::KEYWORD}};
         }},
    });
  }
  const Argument good = text("x is {}, {0}, {name!r:>10.3f} {{and {more}}}");
  check({
      {first.c_str(),
       call_with("executorch_call_delegate", {subgraph("g", graph_of({"a"}, {}, {"a"})), value})},
      {first.c_str(), call_with("dynamo_bypassing_wrapper", {print, value})},
      {second.c_str(), call_with("call_torchbind", {value, value})},
      {"", call_with("call_torchbind", {value, text("__len__")})},
      {"", call_with("print", {good, value})},
      {"", call_with("with_effects", {value, print, good, value})},
      {"", call_with("wrap", {wrap, print, good, value})},
      {first.c_str(), call_with("print", {value})},
      {first.c_str(), call_with("print", {callee("{0.__class__}"), value})},
      {first.c_str(), call_with("print", {dict("k", good)})},
      {second.c_str(), call_with("wrap", {print, value})},
      {first.c_str(), call_with("map_impl", {print, good})},
  });
}

TEST_CASE("no value, subgraph, weight or parameter is called self") {
  const auto weight = [](const std::string& name) {
    return [name](ExportedProgram& of) {
      of.graph_module.signature.input_specs.resize(1);
      auto& spec = of.graph_module.signature.input_specs[0].emplace<pt2::InputSpec::buffer>();
      spec.arg.name = "x";
      spec.buffer_name = name;
    };
  };
  const auto frame = [](const std::string& path) {
    return [path](ExportedProgram& of) { top(of).nodes[0].metadata["nn_module_stack"] = "k," + path + ",t"; };
  };
  const char* const buffer = "graph_module.signature.input_specs[0].buffer.buffer_name NAME_CODE";
  const char* const stack = "graph_module.graph.nodes[0].metadata.nn_module_stack NAME_CODE";
  const std::string inner = "graph_module.graph.nodes[1].inputs[0].arg.as_graph";
  check({
      {"graph_module.graph.inputs[0] NAME_CODE", [](auto& p) { top(p).inputs[0] = tensor("self"); }},
      {"graph_module.graph.nodes[0].name NAME_CODE", [](auto& p) { top(p).nodes[0].name = "self"; }},
      {"graph_module.graph.nodes[0].outputs[0] NAME_CODE",
       [](auto& p) { top(p).nodes[0].outputs[0] = tensor("self"); }},
      {(inner + ".graph.nodes[0].outputs[0] NAME_CODE").c_str(),
       [](auto& p) { body(p).nodes[0].outputs[0] = tensor("self"); }},
      {(inner + ".name NAME_CODE").c_str(),
       [](auto& p) { top(p).nodes[1].inputs[0].arg.template get<Argument::as_graph>().name = "self"; }},
      {"graph_module.module_call_graph[0].signature.forward_arg_names[0] NAME_CODE",
       [](auto& p) { root(p).forward_arg_names = {"self"}; }},
      {"graph_module.module_call_graph[0].signature.in_spec NAME_CODE",
       [](auto& p) { root(p).in_spec = keywords(R"([\"self\"])"); }},
      {"", [](auto& p) { top(p).nodes[0].inputs[0].name = "self"; }},
      {"", [](auto& p) { top(p).nodes[0].name = "self_1"; }},
      {buffer, weight("self")},
      {buffer, weight("Self")},
      {buffer, weight("SELF")},
      {buffer, weight("SElf")},
      {"", weight("sELF")},  // s_elf
      {"", weight("seLf")},
      {"", weight("Self.weight")},
      {"", weight("a.Self")},
      {"", weight("myself")},
      {stack, frame("Self")},
      {stack, frame("a.self.b")},
      {stack, frame("a,t;j,a.__self__")},
      {"", frame("a,t;j,a.b.__self__")},
      {"graph_module.module_call_graph[0].fqn NAME_CODE",
       [](auto& p) { p.graph_module.module_call_graph[0].fqn = "SELF"; }},
  });
}

TEST_CASE("no input takes the place of a name that torch's source reads") {
  const std::string inner = "graph_module.graph.nodes[1].inputs[0].arg.as_graph.graph.inputs[0] NAME_CODE";
  const auto in_body = [](const char* name, Argument literal) {
    return [name, literal](ExportedProgram& of) {
      body(of).inputs[0] = tensor(name);
      body(of).nodes[0].inputs.push_back({"more", literal, pt2::ArgumentKind::KEYWORD});
    };
  };
  Argument device;
  device.emplace<Argument::as_device>().type = "cpu";
  Argument infinite;
  infinite.emplace<Argument::as_float>(std::numeric_limits<double>::infinity());
  Argument finite;
  finite.emplace<Argument::as_float>(1.0);
  Argument object;
  object.emplace<Argument::as_custom_obj>().name = "object";
  const char* const parameter = "graph_module.module_call_graph[0].signature.forward_arg_names[0] NAME_CODE";
  check({
      {inner.c_str(), in_body("torch", finite)},
      {inner.c_str(), in_body("device", device)},
      {inner.c_str(), in_body("inf", infinite)},
      {inner.c_str(), in_body("OrderedDict", object)},
      {"", in_body("device", infinite)},
      {"", in_body("inf", finite)},
      {"", in_body("input", device)},
      {parameter, [](auto& p) { root(p).forward_arg_names = {"torch"}; }},
      {parameter, [](auto& p) { root(p).forward_arg_names = {"fx_pytree"}; }},
      {"", [](auto& p) { root(p).forward_arg_names = {"device"}; }},
      {"", [](auto& p) { root(p).forward_arg_names = {"getattr"}; }},
      {parameter,
       [](auto& p) {
         root(p).forward_arg_names = {"getattr"};
         p.graph_module.signature.input_specs.resize(1);
         auto& spec = p.graph_module.signature.input_specs[0].template emplace<pt2::InputSpec::buffer>();
         spec.arg.name = "x";
         spec.buffer_name = "layers.0.offset";
       }},
      {parameter,
       [](auto& p) {
         root(p).forward_arg_names = {"math_floor"};
         top(p).nodes[0].target = "math.floor";
       }},
      {"graph_module.module_call_graph[1].signature.forward_arg_names[0] NAME_CODE",
       [](auto& p) {
         auto& modules = p.graph_module.module_call_graph;
         modules.push_back(modules[0]);
         modules[1].signature->forward_arg_names = {"torch"};
       }},
  });
}

TEST_CASE("operators that open files or leave a tensor's memory are found") {
  for (const char* const name :
       {"aten.save", "aten.save.default", "aten.from_file.out", "aten._reshape_alias.default",
        "aten._reshape_alias_copy.out", "inductor._reinterpret_tensor", "inductor._alloc_from_pool.default",
        "inductor.resize_storage_bytes_", "debugprims.load_tensor.default"}) {
    const std::string target = std::string("torch.ops.") + name;
    check({
        {"graph_module.graph.nodes[0].target TARGET_CODE", [&](auto& p) { top(p).nodes[0].target = target; }},
        {"graph_module.graph.nodes[1].inputs[2].arg.as_operator TARGET_CODE",
         [&](auto& p) { add_input(p, callee(target)); }},
    });
  }
}

TEST_CASE("at most a thousand findings of a rule are reported") {
  ExportedProgram many = program();
  many.guards_code.assign(2000, "f()");
  CHECK(pt2::find_code(many).size() == 1000);
}
