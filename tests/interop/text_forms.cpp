// For comparison with torch: each input line is a JSON list of a form, a text, and for `value` an object of
// bindings; each output line is {"result": text} or {"error": text}.
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/graph/walk.h"
#include "pt2/nodes/modules.h"
#include "pt2/program.h"
#include "pt2/strings/evaluated_text.h"
#include "pt2/strings/expression_value.h"
#include "pt2/strings/node_metadata.h"
#include "pt2/text/treespec.h"
#include "pt2/text/type_names.h"
#include "schemagen/json/json_writer.h"
#include "schemagen/json/reader.h"

namespace {

struct Request {
  std::string form;
  std::string text;
  pt2::Bindings bindings;
};

Request read_request(const std::string& line) {
  const schemagen::JsonReadOptions options;
  const schemagen::JsonDocument document(line, options);
  schemagen::JsonReader in(document, options);
  Request request;
  schemagen::JsonItems items(in);
  if (items.next()) read_json(in, request.form);
  if (items.next()) read_json(in, request.text);
  if (items.next()) read_json(in, request.bindings);
  return request;
}

using Texts = std::vector<std::string>;

std::string json_of(const std::vector<Texts>& items) {
  schemagen::JsonWriter out;
  out.value(items);
  return out.text();
}

std::string module_stack(const std::string& text) {
  const std::vector<pt2::ModuleFrame> stack = pt2::parse_module_stack(text);
  std::vector<Texts> items;
  for (const pt2::ModuleFrame& frame : stack) items.push_back({frame.key, frame.path, frame.type});
  return json_of(items);
}

std::string source_functions(const std::string& text) {
  const std::vector<pt2::SourceFunction> functions = pt2::parse_source_functions(text);
  std::vector<Texts> items;
  for (const pt2::SourceFunction& function : functions) items.push_back({function.name, function.target});
  return json_of(items);
}

std::string stack_trace(const std::string& text) {
  std::vector<Texts> items;
  for (const pt2::StackFrame& frame : pt2::parse_stack_trace(text)) {
    items.push_back({frame.file, std::to_string(frame.line), frame.function, frame.code});
  }
  return json_of(items);
}

void add_sources(const std::vector<pt2::NodeSource>& sources, std::vector<Texts>& items) {
  for (const pt2::NodeSource& source : sources) {
    items.push_back(
        {source.name, source.target, std::to_string(source.graph_id), source.pass_name, source.action});
    add_sources(source.from_node, items);
  }
}

std::string from_node(const std::vector<pt2::NodeSource>& sources) {
  std::vector<Texts> items;
  add_sources(sources, items);
  return json_of(items);
}

std::string custom(const std::string& text) {
  std::vector<Texts> items;
  for (const auto& [key, value] : pt2::parse_custom(text)) items.push_back({key, value.text});
  return json_of(items);
}

std::string module_calls(const std::string& path) {
  const pt2::LoadedProgram file = pt2::load_program(path);
  const pt2::GraphModule& module = file.program.graph_module;
  std::vector<std::vector<Texts>> calls;
  for (const pt2::ModuleCall& call : pt2::module_calls(module)) {
    Texts made;
    for (const std::size_t node : call.nodes) {
      for (const pt2::Argument& output : module.graph.nodes[node].outputs) {
        for_each_slot(output, [&](const std::string* name, pt2::ValueName::Table) {
          if (name != nullptr) made.push_back(*name);
        });
      }
    }
    calls.push_back(
        {{call.path, call.type, std::to_string(call.call)}, made, call.weights, call.inputs, call.outputs});
  }
  schemagen::JsonWriter out;
  out.value(calls);
  return out.text();
}

std::string type_names(const std::string& name) {
  std::vector<Texts> found;
  const auto add = [&](const char* what, auto value) {
    if (value)
      found.push_back({what, std::to_string(static_cast<int>(*value)), std::string(torch_name(*value))});
  };
  add("dtype", pt2::dtype_named(name));
  add("layout", pt2::layout_named(name));
  add("memory_format", pt2::memory_format_named(name));
  return json_of(found);
}

std::string checked(void (*check)(std::string_view), const std::string& text) {
  check(text);
  return "harmless";
}

/// Metadata becomes JSON.
std::string answer(const Request& request) {
  const std::string& text = request.text;
  if (request.form == "evaluated_expression") return checked(pt2::check_evaluated_expression, text);
  if (request.form == "executed_guard") return checked(pt2::check_executed_guard, text);
  if (request.form == "srepr") return srepr(pt2::parse_expression(text));
  if (request.form == "readable") return expression_text(pt2::parse_expression(text));
  if (request.form == "value") return evaluate(pt2::parse_expression(text), request.bindings).text();
  if (request.form == "treespec") return treespec_json(pt2::parse_treespec(text));
  if (request.form == "leaves") return std::to_string(pt2::parse_treespec(text).leaf_count());
  if (request.form == "nn_module_stack") return module_stack(text);
  if (request.form == "source_fn_stack") return source_functions(text);
  if (request.form == "stack_trace") return stack_trace(text);
  if (request.form == "from_node")
    return from_node(pt2::parse_from_node(text).value_or(std::vector<pt2::NodeSource>()));
  if (request.form == "module_calls") return module_calls(text);
  if (request.form == "type_names") return type_names(text);
  if (request.form == "custom") return custom(text);
  throw schemagen::DataError("unknown form '" + request.form + "'");
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::string key = "result";
    std::string text;
    try {
      text = answer(read_request(line));
    } catch (const schemagen::DataError& error) {
      key = "error";
      text = error.what();
    }
    schemagen::JsonWriter out;
    out.begin('{').key(key).string(text).end('}');
    std::cout << out.view() << '\n';
  }
}
