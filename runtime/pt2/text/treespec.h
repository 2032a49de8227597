// Reads and writes treespecs (in_spec and out_spec), which describe how nested inputs and outputs are
// flattened.
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
  /// torch's name for the container: `builtins.tuple`, `builtins.list`, `builtins.dict`,
  /// `collections.OrderedDict`, `collections.defaultdict`, `collections.deque`, `collections.namedtuple`, or
  /// the name of a registered type. nullopt for a leaf.
  std::optional<std::string> type;
  /// The container's context as JSON, or `null` for a leaf. Most contexts are strings that contain JSON. For
  /// example, a dict with the keys a and b has the context `"[\"a\", \"b\"]"`; see keys().
  schemagen::Json context{"null"};
  std::vector<TreeSpec> children;

  std::size_t leaf_count() const noexcept;
};

/// Parses the output of torch's treespec_dumps(), e.g. `[1, {"type": ..., "context": ..., "children_spec":
/// [...]}]`. The leading 1 is the protocol, which is the same in all releases.
///
/// Throws DataError, with the path and position, if the protocol is not 1, if the JSON is malformed, if the
/// tree is more than 80 levels deep, or if a leaf has a context or children. Source: _treespec_to_json in
/// torch/utils/_pytree.py.
TreeSpec parse_treespec(std::string_view text);

/// Returns the spec as JSON in the form that torch writes. Parsing torch's JSON and passing the result to
/// this function reproduces the same bytes.
std::string treespec_json(const TreeSpec& spec);

/// Returns whether `spec` describes a dict, OrderedDict or defaultdict.
bool is_dict(const TreeSpec& spec) noexcept;

/// Returns the keys of a dict, OrderedDict or defaultdict as JSON, in the order of the children. Returns no
/// keys for other types. Throws DataError if the numbers of keys and children differ.
std::vector<schemagen::Json> keys(const TreeSpec& spec);
/// Sets the keys of a dict, OrderedDict or defaultdict. `keys` has one key per child.
void set_keys(TreeSpec& spec, const std::vector<schemagen::Json>& keys);
/// Returns whether a key was a tuple. torch reads it as a list, which Python cannot use as a key.
bool has_list_key(const TreeSpec& spec);

/// Returns the field names of a registered class as JSON, or nullopt if they are unknown. The names are known
/// if the class's context is a list of distinct names, one per child (as in model outputs and caches), or
/// starts with such a list (dataclasses have the context `[names, names of None fields]`). Source:
/// register_dataclass in torch/utils/_pytree.py; _model_output_flatten in transformers.
std::optional<std::vector<schemagen::Json>> field_names(const TreeSpec& spec);

TreeSpec tuple_spec(std::vector<TreeSpec> children);

/// Returns the spec of a dict. `keys` has one key per child, each as JSON.
TreeSpec dict_spec(const std::vector<schemagen::Json>& keys, std::vector<TreeSpec> children);

/// Returns a JSON value in the form that Python's repr() prints, e.g. `'a'` or `[1, None]`, using only
/// printable characters. Throws DataError for malformed JSON.
std::string python_text(const schemagen::Json& value);

}  // namespace pt2
