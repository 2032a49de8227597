// Only `schemagen fmt` needs comments; all other stages use the nodes of yaml.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "front/diagnostics.h"
#include "front/yaml.h"

namespace generator {

struct Comment {
  std::string text;  // from the `#`, without trailing blanks
  bool gap = false;  // preceded by an empty line
  Span span;
};

struct CommentedEntry;

/// Scalars have no entries.
struct CommentedNode {
  const YamlNode* node = nullptr;
  std::vector<CommentedEntry> entries;  // of a map or sequence, in source order
  std::vector<Comment> tail;            // on separate lines after the last entry
};

struct CommentedEntry {
  const YamlNode* key = nullptr;  // null for an item of a sequence
  CommentedNode value;
  std::vector<Comment> above;  // on separate lines before the entry
  bool gap = false;            // an empty line between `above` and the entry
  std::optional<Comment> behind;
};

/// `root` is the result of `parse_yaml`, without errors; the document points into it. Reports comments that
/// belong to no entry.
CommentedNode with_comments(const YamlNode& root, Diagnostics& diagnostics);

/// In order. Reports the same errors.
std::vector<Comment> comments_of(const YamlNode& root, Diagnostics& diagnostics);

}  // namespace generator
