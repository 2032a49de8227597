#include "pt2/verify/check.h"

#include <algorithm>

#include "pt2/nodes/evaluated_by_torch.h"
#include "pt2/nodes/resolved_name.h"
#include "pt2/schema_info.h"
#include "pt2/strings/evaluated_text.h"
#include "pt2/strings/node_metadata.h"
#include "pt2/strings/treespec_imports.h"
#include "pt2/text/python_name.h"
#include "pt2/text/treespec.h"
#include "pt2/visit.h"
#include "schemagen/base/value_path.h"
#include "schemagen/json/reader.h"

namespace pt2 {
namespace {

/// Returns what torch would do with the argument, and what is expected there.
std::pair<const char*, const char*> evaluation_of(ArgumentUse use) {
  switch (use) {
    case ArgumentUse::formatted:
      return {"format", "text without attributes"};
    case ArgumentUse::looked_up:
      return {"look up", "text or a number"};
    case ArgumentUse::compiled:
      return {"compile", "none"};
    case ArgumentUse::called_by_name:
      return {"call", "a name"};
    case ArgumentUse::reached:
      return {"call an attribute or a result of", "none"};
    default:
      return {"call", "a graph or an operator"};
  }
}

/// A field, an entry or an item of a list.
class Place {
 public:
  explicit Place(std::string_view field) : name_(field) {}
  Place(const Place& parent, std::string_view key) : parent_(&parent), name_(key) {}
  Place(const Place& parent, std::size_t index) : parent_(&parent), index_(index) {}

  std::string text() const {
    std::string path = parent_ == nullptr ? "" : parent_->text();
    index_ ? schemagen::append_index(path, *index_) : schemagen::append_key(path, name_);
    return path;
  }

 private:
  const Place* parent_ = nullptr;
  std::string_view name_;
  std::optional<std::size_t> index_;
};

template <class Part>
constexpr bool kIsNamedValue = std::is_same_v<Part, TensorArgument> || std::is_same_v<Part, TokenArgument> ||
                               std::is_same_v<Part, CustomObjArgument>;

struct CodeCheck {
  void check(const ExportedProgram& program) {
    const GraphModule& module = program.graph_module;
    const Place graph_module("graph_module");
    ReadNames root(module.graph);
    root.set(NameIsRead::for_quoted_part, has_quoted_part(module.signature));
    // A common parameter. torch cannot call such programs, and only the caller chooses its value.
    root.set(NameIsRead::for_device, false);
    reads_here = &root;
    check_part(Place(graph_module, "graph"), module.graph);
    check_string_inputs(Place(Place(graph_module, "graph"), "inputs"), module.graph.inputs);
    check_part(Place(graph_module, "signature"), module.signature);
    const Place modules(graph_module, "module_call_graph");
    for (std::size_t i = 0; i < module.module_call_graph.size(); ++i) {
      check_module(Place(modules, i), module.module_call_graph[i], i == 0);
    }
    const Place guards("guards_code");
    std::size_t faults = 0;
    for (std::size_t i = 0; i < program.guards_code.size() && faults < kMostOfARule; ++i) {
      const auto check_guard = [&] { check_executed_guard(program.guards_code[i]); };
      if (!report(RuleId::guard_code, Place(guards, i), check_guard)) ++faults;
    }
  }

  void add(RuleId rule, const Place& place, std::string message) {
    findings.add(rule, place.text(), std::move(message));
  }

  static bool has_quoted_part(const GraphSignature& signature) {
    return std::any_of(signature.input_specs.begin(), signature.input_specs.end(), [](const InputSpec& spec) {
      const std::string* const name = parts_of(spec).target;
      return name != nullptr && !is_plain_path(*name);
    });
  }

  bool is_read(const Place& place, std::string_view name, const ReadNames& reads) {
    if (!reads.contains(name)) return false;
    add(RuleId::name_code, place, "torch's source reads " + schemagen::quoted(name) + " as another object");
    return true;
  }

  void require(bool is_good, const Place& place, const char* expected, std::string_view name) {
    if (is_good) return;
    add(RuleId::name_code, place, std::string("expected ") + expected + ", found " + schemagen::quoted(name));
  }

  /// torch writes no empty names.
  void check_name(const Place& place, std::string_view name) {
    require(name.empty() || is_read(place, name, *reads_here) || is_value_name(name), place, "an identifier",
            name);
  }

  /// The user's code chose it.
  void check_parameter_name(const Place& place, std::string_view name, const ReadNames& reads) {
    require(is_read(place, name, reads) || (is_unicode_identifier(name) && !is_keyword(name)), place,
            "the name of a parameter", name);
  }

  void check_module_path(const Place& place, std::string_view name) {
    require(is_module_path(name), place, "the path of a module", name);
  }

  template <class CheckIt>
  bool report(RuleId rule, const Place& place, const CheckIt& check) {
    try {
      check();
      return true;
    } catch (const schemagen::DataError& error) {
      add(rule, place, error.what());
      return false;
    }
  }

  /// Once each: most names repeat.
  void check_expression(const Place& place, const std::string& text) {
    if (expressions.contains(text)) return;
    report(RuleId::expression_code, place, [&] {
      check_evaluated_expression(text);
      expressions.insert(text);
    });
  }

  void check_target(const Place& place, const std::string& target) {
    if (is_resolved_by_torch(target) && !is_operator_name(target)) {
      add(RuleId::target_code, place, "torch would look up " + schemagen::quoted(target));
    }
  }

  // ---- check_part() takes a part apart, down to what an overload checks ----

  template <class Part>
  void check_part(const Place& place, const Part& part) {
    if constexpr (kIsNamedValue<Part>) {
      check_name(Place(place, "name"), part.name);
    } else if constexpr (schemagen::kIsReflectedStruct<Part> || schemagen::kIsReflectedUnion<Part>) {
      schemagen::visit(part,
                       [&](auto field, const auto& member) { check_part(Place(place, field.name), member); });
    }
  }

  template <class Item>
  void check_part(const Place& place, const std::vector<Item>& items) {
    for (std::size_t i = 0; i < items.size(); ++i) check_part(Place(place, i), items[i]);
  }

  /// A value table.
  template <class Value>
  void check_part(const Place& place, const schemagen::Map<Value>& table) {
    for (const auto& [name, value] : table) {
      const Place held = Place(place, name);
      check_name(held, name);
      check_part(held, value);
    }
  }

  void check_part(const Place& place, const SymExpr& expression) {
    check_expression(Place(place, "expr_str"), expression.expr_str);
  }

  void check_part(const Place& place, const Argument& argument) {
    for_each_name(argument, [&](const std::string& name) { check_name(place, name); });
    check_nested(place, argument);
  }

  void check_nested(const Place& place, const Argument& argument) {
    if (const auto* target = argument.get_if<Argument::as_operator>()) {
      check_target(Place(place, "as_operator"), *target);
    } else if (const auto* subgraph = argument.get_if<Argument::as_graph>()) {
      const Place held(place, "as_graph");
      const Place place_of_name(held, "name");
      const std::string& name = subgraph->name;
      require(name.empty() || is_read(place_of_name, name, *reads_here) || is_graph_name(name), place_of_name,
              "the name of a graph", name);
      const ReadNames* const outer = reads_here;
      const ReadNames inner(*subgraph->graph);
      reads_here = &inner;
      check_part(Place(held, "graph"), *subgraph->graph);
      reads_here = outer;
    } else if (const auto* dict = argument.get_if<Argument::as_string_to_argument>()) {
      const Place held(place, "as_string_to_argument");
      for (const auto& [key, item] : *dict) check_nested(Place(held, key), item);
    }
  }

  void check_part(const Place& place, const NamedArgument& input) {
    // Operators have an argument `lambda`, a keyword; it is passed by position.
    require(input.name.empty() || is_identifier(input.name), Place(place, "name"), "an identifier",
            input.name);
    check_part(Place(place, "arg"), input.arg);
  }

  void check_part(const Place& place, const Node& node) {
    check_target(Place(place, "target"), node.target);
    if (node.name) check_name(Place(place, "name"), *node.name);
    check_part(Place(place, "inputs"), node.inputs);
    check_part(Place(place, "outputs"), node.outputs);
    check_evaluated_arguments(Place(place, "inputs"), node);
    check_metadata(Place(place, "metadata"), node.metadata);
  }

  void check_evaluated_arguments(const Place& place, const Node& node) {
    const EvaluatedArgument found = find_evaluated_argument(node);
    if (found.argument == nullptr) return;
    const auto is_it = [&](const NamedArgument& input) { return &input.arg == found.argument; };
    const auto at = std::find_if(node.inputs.begin(), node.inputs.end(), is_it);
    const auto* const text = found.argument->get_if<Argument::as_string>();
    const std::string what =
        text == nullptr ? std::string(name_of(found.argument->kind())) : schemagen::quoted(*text);
    const auto [verb, expected] = evaluation_of(found.use);
    add(RuleId::target_code, Place(Place(place, static_cast<std::size_t>(at - node.inputs.begin())), "arg"),
        "torch would " + std::string(verb) + " this argument: expected " + expected + ", found " + what);
  }

  void check_metadata(const Place& place, const schemagen::Map<std::string>& metadata) {
    for (const char* const key : {"source_fn_stack", "source_fn"}) {
      const std::string* const text = metadata.find(key);
      if (text != nullptr && !text->empty()) check_sources(Place(place, key), *text);
    }
    const std::string* const stack = metadata.find("nn_module_stack");
    if (stack != nullptr && !stack->empty()) check_module_stack(Place(place, "nn_module_stack"), *stack);
  }

  /// torch looks up sources one by one: at a malformed one, earlier ones have already run.
  void check_sources(const Place& place, const std::string& text) {
    if (sources.contains(text)) return;
    report(RuleId::target_code, place, [&] {
      for (const SourceFunction& source : parse_source_functions(text)) {
        if (!is_resolved_by_torch(source.target) || is_source_name(source.target)) continue;
        throw schemagen::DataError("torch would look up " + schemagen::quoted(source.target));
      }
      sources.insert(text);
    });
  }

  /// torch.export.unflatten() creates modules at these paths.
  void check_module_stack(const Place& place, const std::string& text) {
    if (module_stacks.contains(text)) return;
    try {
      std::string outer;
      for (const ModuleFrame& frame : parse_module_stack(text)) {
        const std::string path = module_path(frame);
        // torch.fx names the call of the module `__self__` of the module around it `self`.
        if (path == (outer.empty() ? "" : outer + ".") + "__self__") {
          is_read(place, "self", *reads_here);
        }
        check_module_path(place, path);
        outer = path;
      }
    } catch (const schemagen::DataError&) {  // torch raises an error, too
    }
    module_stacks.insert(text);
  }

  /// torch pastes these in quotes into guards.
  void check_string_inputs(const Place& place, const std::vector<Argument>& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto* const text = inputs[i].get_if<Argument::as_string>();
      if (text == nullptr || is_quotable(*text)) continue;
      add(RuleId::guard_code, Place(Place(place, i), "as_string"),
          "torch would paste " + schemagen::quoted(*text) + " into a guard");
    }
  }

  void check_part(const Place& place, const InputSpec& spec) { check_spec(place, spec); }
  void check_part(const Place& place, const OutputSpec& spec) { check_spec(place, spec); }

  template <class Spec>
  void check_spec(const Place& place, const Spec& spec) {
    schemagen::visit(spec, [&](auto kind, const auto& held) {
      const Place place_of_kind(place, kind.name);
      schemagen::visit(held, [&](auto field, const auto& part) {
        const Place at(place_of_kind, field.name);
        if constexpr (std::is_same_v<decltype(part), const std::string&>) {
          const bool is_value = field.name == "name" || field.name == "user_input_name";
          is_value ? check_name(at, part) : require(is_weight_name(part), at, "the name of a weight", part);
        } else {
          check_part(at, part);
        }
      });
    });
  }

  /// torch generates code from input trees: the model's function (_PyTreeCodeGen, torch/fx/graph.py) and
  /// guards (_unlift.py), and functions with keywords for other modules (_ModuleFrame, unflatten.py). It only
  /// stores an out_spec, as `self._out_spec`.
  void check_module(const Place& place, const ModuleCallEntry& entry, bool is_root) {
    check_module_path(Place(place, "fqn"), entry.fqn);
    if (!entry.signature) return;
    const ReadNames of_every_module;
    const ReadNames& reads = is_root ? *reads_here : of_every_module;
    const Place signature(place, "signature");
    check_part(Place(signature, "inputs"), entry.signature->inputs);
    check_part(Place(signature, "outputs"), entry.signature->outputs);
    const Place in_spec(signature, "in_spec");
    check_treespec(in_spec, entry.signature->in_spec, [&](const TreeSpec& spec) {
      if (is_root) check_keys(in_spec, spec);
      check_keywords(in_spec, spec, reads);
    });
    check_treespec(Place(signature, "out_spec"), entry.signature->out_spec, [](const TreeSpec&) {});
    if (!entry.signature->forward_arg_names) return;
    const Place names(signature, "forward_arg_names");
    for (std::size_t i = 0; i < entry.signature->forward_arg_names->size(); ++i) {
      check_parameter_name(Place(names, i), (*entry.signature->forward_arg_names)[i], reads);
    }
  }

  template <class CheckTree>
  void check_treespec(const Place& place, const std::string& text, const CheckTree& check_tree) {
    report(RuleId::treespec_code, place, [&] {
      const TreeSpec spec = parse_treespec(text);
      check_imports(spec);
      check_tree(spec);
    });
  }

  void check_keywords(const Place& place, const TreeSpec& spec, const ReadNames& reads) {
    const bool has_keywords = spec.type == "builtins.tuple" && spec.children.size() == 2 &&
                              spec.children[1].type == "builtins.dict";
    if (!has_keywords) return;
    for (const schemagen::Json& key : keys(spec.children[1])) {
      check_parameter_name(place, text_of(key).value_or(key.text), reads);
    }
  }

  /// A guard's message contains the keys on the path to an input, in quotes.
  void check_keys(const Place& place, const TreeSpec& spec) {
    for (const schemagen::Json& key : keys(spec)) {
      const std::optional<std::string> text = text_of(key);
      if (!text || is_quotable(*text)) continue;
      add(RuleId::treespec_code, place,
          "torch would paste the key " + schemagen::quoted(*text) + " into a guard");
    }
    for (const TreeSpec& child : spec.children) check_keys(place, child);
  }

  static std::optional<std::string> text_of(const schemagen::Json& json) {
    const schemagen::JsonReadOptions options;
    const schemagen::JsonDocument document(json.text, options);
    schemagen::JsonReader in(document, options);
    if (in.tag() != schemagen::JsonTape::kString) return std::nullopt;
    return std::string(in.string());
  }

  Findings& findings;
  const ReadNames* reads_here = nullptr;  // of the graph that is being checked; the root's for all else
  schemagen::Set expressions = {};
  schemagen::Set sources = {};
  schemagen::Set module_stacks = {};
};

}  // namespace

void check_code(Findings& findings, const ExportedProgram& program) {
  CodeCheck{findings}.check(program);
}

std::vector<Finding> find_code(const ExportedProgram& program) {
  Findings findings;
  check_code(findings, program);
  return findings.take();
}

}  // namespace pt2
