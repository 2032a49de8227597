#include "pt2/edit/plain_trees.h"

#include <algorithm>
#include <iterator>

#include "pt2/edit/torch_conventions.h"
#include "pt2/strings/treespec_imports.h"
#include "pt2/text/affix.h"
#include "pt2/text/tokens.h"
#include "pt2/text/treespec.h"
#include "schemagen/base/error.h"
#include "schemagen/tree/dom.h"

namespace pt2 {
namespace {

constexpr std::string_view kNamedTuple = "collections.namedtuple";
constexpr std::string_view kPlainPrefix = "builtins.";

using ItemNames = std::optional<std::vector<schemagen::Json>>;

/// torch knows the class, and its context imports nothing.
bool is_plain_container(const TreeSpec& spec) {
  constexpr std::string_view kPlain[] = {"builtins.tuple",          "builtins.list",
                                         "builtins.dict",           "collections.OrderedDict",
                                         "collections.defaultdict", "collections.deque"};
  if (!spec.type) return true;
  if (std::find(std::begin(kPlain), std::end(kPlain), *spec.type) == std::end(kPlain)) return false;
  try {
    check_imports({spec.type, spec.context, {}});
  } catch (const schemagen::DataError&) {
    return false;
  }
  return true;
}

bool stays(const TreeSpec& spec) {
  return is_plain_container(spec) && !has_list_key(spec);
}

std::string container_class(const TreeSpec& spec) {
  if (spec.type != kNamedTuple) return *spec.type;
  return std::string(schemagen::parse_dom(spec.context.text).value_or(schemagen::DomValue()).text());
}

std::vector<std::string> plain_accessors(const TreeSpec& spec) {
  const std::vector<schemagen::Json> names = keys(spec);
  std::vector<std::string> accessors;
  for (std::size_t i = 0; i < spec.children.size(); ++i) {
    accessors.push_back("[" + (names.empty() ? std::to_string(i) : python_text(names[i])) + "]");
  }
  return accessors;
}

class TreePlainer {
 public:
  explicit TreePlainer(const GraphModule& module) : fields_(module.treespec_namedtuple_fields) {}

  TreeSpec inputs(const std::string& text, const std::string& module) {
    TreeSpec tree = parse_treespec(text);
    if (tree.type == "builtins.tuple" && tree.children.size() == 2) {
      convert(tree.children[0], {module, true, "args", {}, {}, {}});
      convert(tree.children[1], {module, true, "kwargs", {}, {}, {}});
    } else {
      convert(tree, {module, true, "inputs", {}, {}, {}});
    }
    return tree;
  }
  TreeSpec outputs(const std::string& text, const std::string& module) {
    TreeSpec tree = parse_treespec(text);
    convert(tree, {module, false, "result", {}, {}, {}});
    return tree;
  }

  ItemNames names_of(const TreeSpec& spec) const {
    if (spec.type == kNamedTuple) return fields_of(spec);
    std::vector<schemagen::Json> names = keys(spec);
    return names.empty() ? field_names(spec) : ItemNames(std::move(names));
  }

  std::vector<PlainContainer> take() { return std::move(containers_); }

 private:
  ItemNames fields_of(const TreeSpec& spec) const {
    const NamedTupleDef* const known = fields_.find(container_class(spec));
    if (known == nullptr || known->field_names.size() != spec.children.size()) return std::nullopt;
    std::vector<schemagen::Json> names;
    for (const std::string& name : known->field_names) names.push_back({schemagen::dom_text(name)});
    return names;
  }

  void convert(TreeSpec& spec, PlainContainer place) {
    if (!stays(spec)) {
      PlainContainer made = place;
      made.class_name = container_class(spec);
      make_plain(spec, made);
      containers_.push_back(std::move(made));
    }
    const std::string parent = place.place;
    const std::vector<std::string> accessors = plain_accessors(spec);
    for (std::size_t i = 0; i < spec.children.size(); ++i) {
      place.place = parent + accessors[i];
      convert(spec.children[i], place);
    }
  }

  void make_plain(TreeSpec& spec, PlainContainer& made) const {
    const ItemNames names = names_of(spec);
    TreeSpec plain = tuple_spec({});
    if (spec.type == "torch.fx.immutable_collections.immutable_list") plain.type = "builtins.list";
    if (spec.type != kNamedTuple && names && !has_list_key(spec)) {
      TreeSpec dict = dict_spec(*names, {});
      if (is_plain_container(dict)) plain = std::move(dict);
    }
    made.type = plain.type->substr(kPlainPrefix.size());
    if (names && (made.type == "dict" || spec.type == kNamedTuple || has_list_key(spec))) made.names = *names;
    spec.type = std::move(plain.type);
    spec.context = std::move(plain.context);
  }

  const schemagen::Map<NamedTupleDef>& fields_;
  std::vector<PlainContainer> containers_;
};

std::string_view accessor_at(std::string_view text, std::size_t at) {
  const Token open = next_token(text, at);
  if (open.offset != at || (open.text != "[" && open.text != ".")) return {};
  const Token item = next_token(text, end_of(open));
  if (open.text == ".") return text.substr(at, end_of(item) - at);
  const Token close = next_token(text, end_of(item));
  return close.text == "]" ? text.substr(at, end_of(close) - at) : std::string_view();
}

std::string word_of(std::string_view accessor) {
  if (starts_with(accessor, ".")) return std::string(accessor.substr(1));
  const std::size_t around = starts_with(accessor, "['") || starts_with(accessor, "[\"") ? 2 : 1;
  if (accessor.size() < 2 * around) return {};
  return std::string(accessor.substr(around, accessor.size() - 2 * around));
}

class GuardInputs {
 public:
  GuardInputs(const TreePlainer& trees, const ModuleCallSignature& call, const TreeSpec& old_tree,
              const TreeSpec& plain)
      : trees_(trees) {
    const std::vector<std::string> names = call.forward_arg_names.value_or(std::vector<std::string>());
    std::size_t count = 0;
    for (std::size_t part = 0; part < old_tree.children.size(); ++part) {
      const std::vector<TreeSpec>& old_items = old_tree.children[part].children;
      for (std::size_t i = 0; i < old_items.size() && count < names.size(); ++i)
        arguments_.insert(names[count++], {&old_items[i], &plain.children[part].children[i]});
    }
  }

  std::optional<std::string> rewritten(std::string_view guard) const {
    std::string out;
    std::size_t copied = 0;
    std::size_t at = 0;
    while (at < guard.size()) {
      const Token token = next_token(guard, at);
      at = end_of(token);
      std::string_view accessor = accessor_at(guard, at);
      if (token.text != "L" || accessor.empty() || accessor == "['flat_args']") continue;
      const Trees* const argument = take_argument(guard, at);
      if (argument == nullptr) return std::nullopt;
      for (auto [old, plain] = *argument; old->type; at += accessor.size()) {
        accessor = accessor_at(guard, at);
        const std::optional<std::size_t> item = item_of(*old, accessor);
        if (!item) return std::nullopt;
        out += guard.substr(copied, at - copied);
        out += stays(*old) ? std::string(accessor) : plain_accessors(*plain)[*item];
        copied = at + accessor.size();
        old = &old->children[*item];
        plain = &plain->children[*item];
      }
    }
    return out.append(guard.substr(copied));
  }

 private:
  using Trees = std::pair<const TreeSpec*, const TreeSpec*>;  // the old one and the plain one

  const Trees* take_argument(std::string_view guard, std::size_t& at) const {
    const std::string_view accessor = accessor_at(guard, at);
    at += accessor.size();
    const std::string name = word_of(accessor);
    if (const Trees* const argument = arguments_.find(name)) return argument;
    const std::string_view item = accessor_at(guard, at);
    at += item.size();
    const bool is_number = item.find_first_of("0123456789") == 1;
    return arguments_.find(is_number ? name + "_" + word_of(item) : word_of(item));
  }

  std::optional<std::size_t> item_of(const TreeSpec& spec, std::string_view accessor) const {
    const ItemNames names = trees_.names_of(spec);
    for (std::size_t i = 0; i < spec.children.size(); ++i) {
      const std::string number = "[" + std::to_string(i) + "]";
      const std::string name = names ? "[" + python_text((*names)[i]) + "]" : number;
      const bool is_field = starts_with(accessor, ".") && word_of(accessor) == word_of(name);
      if (accessor == name || is_field || (spec.type == kNamedTuple && accessor == number)) return i;
    }
    return std::nullopt;
  }

  const TreePlainer& trees_;
  schemagen::Map<Trees> arguments_;
};

std::vector<std::string> rewrite_guards(std::vector<std::string>& guards, const GuardInputs& inputs) {
  std::vector<std::string> kept;
  std::vector<std::string> gone;
  for (std::string& guard : guards) {
    std::optional<std::string> rewritten = inputs.rewritten(guard);
    rewritten ? kept.push_back(*std::move(rewritten)) : gone.push_back(std::move(guard));
  }
  guards = std::move(kept);
  return gone;
}

}  // namespace

bool PlainTrees::changes_call() const noexcept {
  return std::any_of(containers.begin(), containers.end(), [](const PlainContainer& container) {
    return container.is_input && container.module.empty();
  });
}

PlainTrees make_trees_plain(ExportedProgram& program) {
  GraphModule& module = program.graph_module;
  std::vector<ModuleCallEntry> calls = module.module_call_graph;
  TreePlainer trees(module);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (!calls[i].signature) continue;
    ModuleCallSignature& call = *calls[i].signature;
    try {
      call.in_spec = treespec_json(trees.inputs(call.in_spec, calls[i].fqn));
      call.out_spec = treespec_json(trees.outputs(call.out_spec, calls[i].fqn));
    } catch (const schemagen::DataError& error) {
      throw schemagen::DataError("graph_module.module_call_graph[" + std::to_string(i) +
                                 "].signature: " + error.what());
    }
  }
  PlainTrees made{trees.take(), {}};
  const ModuleCallSignature* const root = root_signature(program);
  if (root != nullptr && made.changes_call()) {
    const TreeSpec old_tree = parse_treespec(root->in_spec);
    const TreeSpec plain = parse_treespec(calls[0].signature->in_spec);
    made.guards = rewrite_guards(program.guards_code, {trees, *root, old_tree, plain});
  }
  module.module_call_graph = std::move(calls);
  module.treespec_namedtuple_fields = {};
  return made;
}

}  // namespace pt2
