#include "pt2/diff/program_diff.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <queue>
#include <utility>

#include "pt2/diff/graph_diff.h"
#include "pt2/json.h"
#include "pt2/strings/program_words.h"
#include "pt2/text/literal.h"
#include "pt2/versions/version.h"
#include "pt2/visit.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/same_value.h"
#include "schemagen/base/value_path.h"
#include "schemagen/json/writer.h"

namespace pt2 {
namespace {

class ProgramDiff {
 public:
  ProgramDiff(const NormalProgram& a, const NormalProgram& b)
      : a_(a.program), b_(b.program), names_a_(a.names), names_b_(b.names) {}

  std::vector<Difference> run() {
    diff_schema();
    diff_maps("opset", a_.opset_version, b_.opset_version, [](const std::string& name, std::int64_t version) {
      return printable(name) + " " + std::to_string(version);
    });
    diff_maps("constraints", a_.range_constraints, b_.range_constraints, range_text);
    diff_lists("guards", a_.guards_code, b_.guards_code);
    diff_graphs();
    diff_maps("metadata", a_.graph_module.metadata, b_.graph_module.metadata,
              [](const std::string& key, const std::string& value) {
                return printable(key) + ": " + printable(value);
              });
    diff_maps("modules", a_.graph_module.treespec_namedtuple_fields,
              b_.graph_module.treespec_namedtuple_fields,
              [](const std::string& name, const NamedTupleDef& tuple) {
                std::string fields;
                for (const std::string& field : tuple.field_names)
                  fields += (fields.empty() ? "" : ", ") + printable(field);
                return "named tuple " + printable(name) + "(" + fields + ")";
              });
    return std::move(differences_);
  }

 private:
  void add(Difference::Kind kind, const char* part, std::string before, std::string after,
           std::vector<std::string> details = {}) {
    differences_.push_back({kind, part, "", std::move(before), std::move(after), std::move(details), {}, {}});
  }

  void diff_schema() {
    if (a_.schema_version != b_.schema_version) {
      add(Difference::Kind::changed, "schema", "schema " + version_text(a_.schema_version),
          "schema " + version_text(b_.schema_version));
    }
    diff_lists("schema", a_.verifiers, b_.verifiers, "verifier ");
  }

  template <class T, class Text>
  void diff_maps(const char* part, const schemagen::Map<T>& a, const schemagen::Map<T>& b, const Text& text) {
    for (const auto& [key, value] : a) {
      const T* const other = b.find(key);
      if (other == nullptr) {
        add(Difference::Kind::removed, part, text(key, value), "");
      } else if (!schemagen::is_same_value(value, *other)) {
        add(Difference::Kind::changed, part, text(key, value), text(key, *other));
      }
    }
    for (const auto& [key, value] : b) {
      if (!a.contains(key)) add(Difference::Kind::added, part, "", text(key, value));
    }
  }

  void diff_lists(const char* part, std::vector<std::string> a, std::vector<std::string> b,
                  const std::string& prefix = "") {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    std::vector<std::string> only;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only));
    for (const std::string& item : only) add(Difference::Kind::removed, part, prefix + printable(item), "");
    only.clear();
    std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(only));
    for (const std::string& item : only) add(Difference::Kind::added, part, "", prefix + printable(item));
  }

  void diff_graphs() {
    const GraphModule& a = a_.graph_module;
    const GraphModule& b = b_.graph_module;
    GraphDiff graphs({a.graph, names_a_}, {b.graph, names_b_}, "", differences_);
    graphs.diff_inputs(a.signature, b.signature);
    graphs.diff_nodes();
    graphs.diff_outputs(a.signature, b.signature);
    diff_modules(a.module_call_graph, b.module_call_graph, graphs);
  }

  void diff_modules(const std::vector<ModuleCallEntry>& a, const std::vector<ModuleCallEntry>& b,
                    const GraphDiff& graphs) {
    schemagen::Map<std::queue<std::size_t>> calls_b;
    for (std::size_t i = 0; i < b.size(); ++i) calls_b[b[i].fqn].push(i);
    std::vector<bool> is_matched(b.size(), false);
    for (const ModuleCallEntry& call : a) {
      std::queue<std::size_t>* const others = calls_b.find(call.fqn);
      if (others == nullptr || others->empty()) {
        add(Difference::Kind::removed, "modules", call_text(call, graphs.a()), "");
        continue;
      }
      const ModuleCallEntry& other = b[others->front()];
      is_matched[others->front()] = true;
      others->pop();
      std::vector<std::string> details = call_details(call, other, graphs);
      if (details.empty()) continue;
      add(Difference::Kind::changed, "modules", call_text(call, graphs.a()), call_text(other, graphs.b()),
          std::move(details));
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (!is_matched[i]) add(Difference::Kind::added, "modules", "", call_text(b[i], graphs.b()));
    }
  }

  static std::string arguments_text(const std::vector<Argument>& arguments, const NamedGraph& graph) {
    std::string text;
    for (const Argument& argument : arguments) text += (text.empty() ? "" : ", ") + graph.text(argument);
    return "(" + text + ")";
  }

  /// `module "layer"(x, 1) -> (y)`; some files omit arguments.
  static std::string call_text(const ModuleCallEntry& call, const NamedGraph& graph) {
    std::string text = "module " + string_literal(call.fqn);
    if (!call.signature || (call.signature->inputs.empty() && call.signature->outputs.empty())) return text;
    return text + arguments_text(call.signature->inputs, graph) + " -> " +
           arguments_text(call.signature->outputs, graph);
  }

  static std::vector<std::string> call_details(const ModuleCallEntry& a, const ModuleCallEntry& b,
                                               const GraphDiff& graphs) {
    if (a.signature.has_value() != b.signature.has_value()) return {"signature"};
    if (!a.signature) return {};
    std::vector<std::string> details;
    const auto are_same = [&](const std::vector<Argument>& x, const std::vector<Argument>& y) {
      return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                        [&](const Argument& s, const Argument& t) { return graphs.are_same(s, t); });
    };
    const auto add_change = [&](const char* what, const std::string& before, const std::string& after) {
      if (before != after)
        details.push_back(what + (": " + printable(before)) + ", then " + printable(after));
    };
    if (!are_same(a.signature->inputs, b.signature->inputs)) details.push_back("inputs");
    if (!are_same(a.signature->outputs, b.signature->outputs)) details.push_back("outputs");
    add_change("in_spec", a.signature->in_spec, b.signature->in_spec);
    add_change("out_spec", a.signature->out_spec, b.signature->out_spec);
    if (a.signature->forward_arg_names != b.signature->forward_arg_names) {
      add_change("forward_arg_names", names_text(a.signature->forward_arg_names),
                 names_text(b.signature->forward_arg_names));
    }
    return details;
  }

  static std::string names_text(const std::optional<std::vector<std::string>>& names) {
    if (!names) return "None";
    std::string text;
    for (const std::string& name : *names) text += (text.empty() ? "" : ", ") + string_literal(name);
    return "[" + text + "]";
  }

  const ExportedProgram& a_;
  const ExportedProgram& b_;
  const OriginalNames& names_a_;
  const OriginalNames& names_b_;
  std::vector<Difference> differences_;
};

/// Describes the innermost values that differ, by their paths in the normal forms.
class Places {
 public:
  template <class T>
  void add(const T& a, const T& b, const std::string& path) {
    if (schemagen::is_same_value(a, b) || texts_.size() > kMost) return;
    compare(a, b, path);
  }

  std::vector<std::string> texts() && {
    if (texts_.size() > kMost) texts_.back() = "and more";
    return std::move(texts_);
  }

 private:
  static constexpr std::size_t kMost = 20;

  template <class T>
  void compare(const T& a, const T& b, const std::string& path) {
    if constexpr (schemagen::kIsReflectedUnion<T>) {
      if (a.kind() != b.kind()) return add_text(a, b, path);
    }
    if constexpr (schemagen::kIsReflectedStruct<T> || schemagen::kIsReflectedUnion<T>) {
      schemagen::visit(a, [&](auto field, const auto& member) {
        add(member, field.of(b), (path.empty() ? path : path + ".") + std::string(field.name));
      });
    } else {
      add_text(a, b, path);
    }
  }
  template <class T>
  void compare(const schemagen::Box<T>& a, const schemagen::Box<T>& b, const std::string& path) {
    add(*a, *b, path);
  }
  template <class T>
  void compare(const std::optional<T>& a, const std::optional<T>& b, const std::string& path) {
    if (!a || !b) return add_text(a, b, path);
    add(*a, *b, path);
  }
  template <class T>
  void compare(const std::vector<T>& a, const std::vector<T>& b, const std::string& path) {
    if (a.size() != b.size()) return add_text(a, b, path);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const T& left = a[i];
      const T& right = b[i];
      std::string item = path;
      schemagen::append_index(item, i);
      add(left, right, item);
    }
  }
  template <class T>
  void compare(const schemagen::Map<T>& a, const schemagen::Map<T>& b, const std::string& path) {
    const auto place = [&](const std::string& key) {
      std::string entry = path;
      schemagen::append_key(entry, key);
      return entry;
    };
    for (const auto& [key, value] : a) {
      const T* const other = b.find(key);
      if (other == nullptr) {
        texts_.push_back(place(key) + " was removed");
      } else {
        add(value, *other, place(key));
      }
    }
    for (const auto& [key, value] : b) {
      if (!a.contains(key)) texts_.push_back(place(key) + " was added");
    }
  }

  template <class T>
  void add_text(const T& a, const T& b, const std::string& path) {
    constexpr std::size_t kMostText = 200;
    const auto text = [](const T& value) {
      return schemagen::printable_start(schemagen::to_json(value), {}, kMostText);
    };
    texts_.push_back(path + ": " + text(a) + ", then " + text(b));
  }

  std::vector<std::string> texts_;
};

}  // namespace

std::vector<Difference> diff_programs(const NormalProgram& a, const NormalProgram& b) {
  if (schemagen::is_same_value(a.program, b.program)) return {};
  std::vector<Difference> differences = ProgramDiff(a, b).run();
  if (differences.empty()) {
    // In no part: unused values, or node names that only one file has.
    Places places;
    places.add(a.program, b.program, "");
    differences.push_back(
        {Difference::Kind::changed, "values", "", "", "", std::move(places).texts(), {}, {}});
  }
  return differences;
}

}  // namespace pt2
