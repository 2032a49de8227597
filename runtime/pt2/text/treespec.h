// How nested inputs and outputs are flattened: the treespecs of in_spec and out_spec.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/base/value.h"

namespace pt2 {

/// A node of a pytree.
struct TreeSpec {
  /// The name under which torch knows the container: `builtins.tuple`, `builtins.list`, `builtins.dict`,
  /// `collections.OrderedDict`, `collections.defaultdict`, `collections.deque`, `collections.namedtuple`, or
  /// that with which a type was registered. nullopt: a leaf.
  std::optional<std::string> type;
  /// What the container is besides its children, as JSON; `null` of a leaf. Of most types JSON within a
  /// string: `"[\"a\", \"b\"]"` are the keys of a dict. See keys().
  schemagen::Json context{"null"};
  std::vector<TreeSpec> children;

  std::size_t leaf_count() const noexcept;
};

/// Reads what torch's treespec_dumps writes: `[1, {"type": ..., "context": ..., "children_spec": [...]}]`.
/// The only protocol that torch has is 1, also in the releases before it.
/// Errors: DataError with a path and a place, if it is another protocol, no such JSON, deeper than 80 nodes,
/// or if a leaf has a context or children.
/// Source: torch/utils/_pytree.py, _treespec_to_json.
TreeSpec parse_treespec(std::string_view text);

/// As torch writes it. Of what was read from such a text, the same bytes.
std::string treespec_json(const TreeSpec& spec);

/// The keys of a dict, OrderedDict or defaultdict, in the order of the children, each as JSON; empty for
/// other types. Errors: DataError unless the context has one key for each child.
std::vector<schemagen::Json> keys(const TreeSpec& spec);

/// What a class that was registered calls its children, each name as JSON: where its context is a list of as
/// many different names (model outputs, caches), or has one in itself first (`[names, names of those that are
/// None]` of dataclasses). nullopt: it says no such thing.
/// Source: register_dataclass (torch/utils/_pytree.py); _model_output_flatten of transformers.
std::optional<std::vector<schemagen::Json>> field_names(const TreeSpec& spec);

/// A tuple of `children`.
TreeSpec tuple_spec(std::vector<TreeSpec> children);

/// A dict of `children`, with one of `keys`, which are JSON, for each.
TreeSpec dict_spec(const std::vector<schemagen::Json>& keys, std::vector<TreeSpec> children);

/// A JSON value as Python shows it, printable: `'a'`, `[1, None]`. Errors: DataError, if it is no JSON.
std::string python_text(const schemagen::Json& value);

/// As Python shows it, `TreeSpec(tuple, None, [*,\n  TreeSpec(dict, ['a'], [*])])`. The class of a type that
/// was registered is not known, so its name is that of its registration.
std::string treespec_text(const TreeSpec& spec);

}  // namespace pt2
