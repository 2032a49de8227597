// A YAML document with its comments, each beside the entry that it is about. Only `schemagen fmt` needs
// them; every other stage reads the nodes of yaml.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "front/diagnostics.h"
#include "front/yaml.h"

namespace generator {

struct Comment {
  std::string text;  // from the `#`, without blanks at its end
  bool gap = false;  // an empty line stands before it
  Span span;
};

struct CommentedEntry;

/// A value. Scalars have no entries.
struct CommentedNode {
  const YamlNode* node = nullptr;
  std::vector<CommentedEntry> entries;  // of a map, or the items of a sequence; in the order of the source
  std::vector<Comment> tail;            // behind the last entry, on lines of their own
};

/// An entry of a map or an item of a sequence.
struct CommentedEntry {
  const YamlNode* key = nullptr;  // null: an item of a sequence
  CommentedNode value;
  std::vector<Comment> above;  // on lines of their own
  bool gap = false;            // an empty line stands between those and the entry
  std::optional<Comment> behind;
};

/// The document in `diagnostics.text()` that `root`, its root from `parse_yaml` without errors, was read
/// from. It points into `root`.
/// Errors: a comment that belongs to no entry, with its place.
CommentedNode with_comments(const YamlNode& root, Diagnostics& diagnostics);

/// All comments of the document, in order. Errors as above.
std::vector<Comment> comments_of(const YamlNode& root, Diagnostics& diagnostics);

}  // namespace generator
