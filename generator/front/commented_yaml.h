// Only `schemagen fmt` needs comments; all other stages use the nodes of yaml.h.
#pragma once

#include <map>

#include "front/yaml.h"

namespace generator {

struct Comment {
  std::string text;
  bool gap = false;
  Span span;
};

struct Comments {
  std::vector<Comment> above;
  bool gap = false;  // whether there is an empty line between `above` and the entry
  std::optional<Comment> behind;
  std::vector<Comment> tail;  // of a map or list: comments on separate lines after the last entry
};

/// The comments of an entry belong to its key or, in a list, to the item.
using CommentTable = std::map<const YamlNode*, Comments>;

/// `root` must come from `parse_yaml`, without errors. Reports comments that do not belong to any entry.
CommentTable attached_comments(const YamlNode& root, Diagnostics& diagnostics);

std::vector<Comment> comments_of(const YamlNode& root, Diagnostics& diagnostics);

}  // namespace generator
