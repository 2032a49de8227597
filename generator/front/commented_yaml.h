// Only `schemagen fmt` needs comments; all other stages use the nodes of yaml.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "front/diagnostics.h"
#include "front/yaml.h"

namespace generator {

struct Comment {
  std::string text;
  bool gap = false;
  Span span;
};

struct CommentedEntry;

struct CommentedNode {
  const YamlNode* node = nullptr;
  std::vector<CommentedEntry> entries;
  std::vector<Comment> tail;  // comments on separate lines after the last entry
};

struct CommentedEntry {
  const YamlNode* key = nullptr;
  CommentedNode value;
  std::vector<Comment> above;
  bool gap = false;  // whether there is an empty line between `above` and the entry
  std::optional<Comment> behind;
};

/// `root` must come from `parse_yaml`, without errors; the result points into it. Reports comments that do
/// not belong to any entry.
CommentedNode with_comments(const YamlNode& root, Diagnostics& diagnostics);

std::vector<Comment> comments_of(const YamlNode& root, Diagnostics& diagnostics);

}  // namespace generator
