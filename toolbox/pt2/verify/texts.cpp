#include "pt2/verify/check.h"

#include "pt2/strings/node_metadata.h"
#include "pt2/text/treespec.h"
#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

/// A key that torch parses on loading, and our parser for it.
struct MetadataKey {
  const char* key;
  void (*parse)(std::string_view text);
};
constexpr std::array<MetadataKey, 4> kMetadataKeys = {{
    {"nn_module_stack", [](std::string_view text) { parse_module_stack(text); }},
    {"source_fn_stack", [](std::string_view text) { parse_source_functions(text); }},
    {"from_node", [](std::string_view text) { parse_from_node(text); }},
    {"custom", [](std::string_view text) { parse_custom(text); }},
}};

struct TextCheck {
  template <class Path>
  void check_metadata(const schemagen::Map<std::string>& metadata, const Path& path) {
    for (std::size_t i = 0; i < kMetadataKeys.size(); ++i) {
      const MetadataKey& known = kMetadataKeys[i];
      const std::string* const text = metadata.find(known.key);
      if (text == nullptr || text->empty()) continue;
      // Comparing is faster than hashing, and neighbors mostly have the same text.
      if (last[i] != nullptr && *last[i] == *text) continue;
      last[i] = text;
      const std::size_t count = texts[i].size();
      if (texts[i].number(*text) < count) continue;
      try {
        known.parse(*text);
      } catch (const schemagen::DataError& error) {
        check.add(RuleId::metadata_syntax, path() + ".metadata." + known.key, error.what());
      }
    }
  }

  void check_treespec(const std::string& text, std::size_t values, bool is_root, const std::string& path) {
    try {
      const TreeSpec spec = parse_treespec(text);
      check_keys(spec, is_root ? Severity::error : Severity::warning, path);
      const std::size_t leaves = spec.leaf_count();
      if (leaves == values) return;
      check.add(RuleId::treespec_leaves, path,
                "expected a leaf for each value, found " + std::to_string(leaves) + " for " +
                    schemagen::counted(values, "value"));
    } catch (const schemagen::DataError& error) {
      check.add(RuleId::treespec_syntax, path, error.what());
    }
  }

  /// torch writes a tuple as a list. When a module is called (the model, or one after unflatten()), the list
  /// becomes a dict key.
  void check_keys(const TreeSpec& spec, Severity severity, const std::string& path) {
    for (const schemagen::Json& key : keys(spec)) {
      if (key.text[0] != '[' && key.text[0] != '{') continue;
      check.add(RuleId::treespec_key, severity, path,
                "a dict cannot have the key " + schemagen::shortened(key.text));
    }
    for (const TreeSpec& child : spec.children) check_keys(child, severity, path);
  }

  Check& check;
  std::array<NameNumbers, kMetadataKeys.size()> texts = {};        // read before, by key
  std::array<const std::string*, kMetadataKeys.size()> last = {};  // by key
};

}  // namespace

void check_texts(Check& check) {
  TextCheck texts{check};
  for (const Check::Scope& scope : check.index.scopes()) {
    const std::vector<Node>& nodes = scope.index.graph().nodes;
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
      texts.check_metadata(nodes[node].metadata, [&] { return check.path_of(scope, node); });
    }
  }
  const GraphModule& module = check.program.graph_module;
  texts.check_metadata(module.metadata, [] { return std::string("graph_module"); });
  for (std::size_t i = 0; i < module.module_call_graph.size(); ++i) {
    const auto& signature = module.module_call_graph[i].signature;
    if (!signature) continue;
    const std::string path = at_index("graph_module.module_call_graph", i) + ".signature";
    // The program's signature has the model's own values.
    const bool is_root = module.module_call_graph[i].fqn.empty();
    const ExportGraphSignature& top = check.index.signature();
    texts.check_treespec(signature->in_spec, is_root ? top.user_inputs().size() : signature->inputs.size(),
                         is_root, path + ".in_spec");
    texts.check_treespec(signature->out_spec, is_root ? top.user_outputs().size() : signature->outputs.size(),
                         is_root, path + ".out_spec");
  }
}

}  // namespace pt2
