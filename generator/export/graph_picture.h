// A directed graph as an SVG picture, drawn in columns from left to right.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace generator {

struct PictureNode {
  std::string label;      // text of the box
  std::string css_class;  // of its group
  std::string link;       // where a click leads
  std::string title;      // what a pointer shows
};

struct PictureArc {
  std::size_t from = 0;  // indices of nodes
  std::size_t to = 0;
  std::string css_class;
  std::string title;
};

/// The picture as one `<svg>` element, without colours: classes and the style sheet of the page decide those.
/// Arcs refer to markers `#arrow`, which the picture defines. An arc is in the group of the node that it
/// comes from. The same graph gives the same picture.
/// Limits: time grows with the square of the number of arcs between two columns.
std::string draw(const std::vector<PictureNode>& nodes, const std::vector<PictureArc>& arcs);

/// `text` for HTML and SVG, within elements and attributes.
std::string html_escaped(const std::string& text);

}  // namespace generator
