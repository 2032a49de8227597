#include "front/commented_yaml.h"

#include <algorithm>
#include <utility>

#include "schemagen/base/ascii.h"

namespace generator {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool is_empty(std::string_view line) {
  return line.find_first_not_of(kBlanks) == std::string_view::npos;
}

bool is_empty_line(const SourceLines& lines, std::size_t number) {
  return number >= 1 && number <= lines.count() && is_empty(lines.line(number));
}

/// npos if the source differs from `value`. A line ending with surrounding blanks matches a blank, or line
/// endings, in `value`.
std::size_t plain_end(std::string_view text, std::size_t at, std::string_view value) {
  std::size_t i = 0;
  while (i < value.size()) {
    if (at >= text.size()) return std::string_view::npos;
    if (!schemagen::is_blank(text[at])) {
      if (text[at++] != value[i++]) return std::string_view::npos;
      continue;
    }
    const std::size_t end = std::min(text.find_first_not_of(kBlanks, at), text.size());
    const std::string_view blanks = text.substr(at, end - at);
    const auto line_ends = static_cast<std::size_t>(std::count(blanks.begin(), blanks.end(), '\n'));
    const std::string folded = line_ends == 0   ? std::string(blanks)
                               : line_ends == 1 ? " "
                                                : std::string(line_ends - 1, '\n');
    if (value.substr(i, folded.size()) != folded) return std::string_view::npos;
    i += folded.size();
    at = end;
  }
  return at;
}

std::size_t block_end(std::string_view text, std::size_t at, std::string_view value) {
  if (value.find_first_not_of('\n') == std::string_view::npos) return at;
  std::size_t indent = 0;
  while (at < text.size()) {
    const std::size_t line_end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, line_end - at);
    const std::size_t first = line.find_first_not_of(' ');
    const bool empty = is_empty(line);
    if (!empty && indent == 0) indent = first;
    if (!empty && first < indent) break;
    at = std::min(line_end + 1, text.size());
  }
  return at;
}

constexpr std::size_t kNone = std::string_view::npos;

/// An entry of a map or list.
struct Place {
  const YamlNode* first;  // the key or, in a list, the value
  const YamlNode* value;
  const YamlNode* container;
  std::size_t parent;
  std::size_t begin;
  bool in_flow;
  std::size_t end = 0;
  std::size_t flow_begin = 0;
  std::size_t flow_end = 0;
};

/// Walks the source in parallel with the nodes. Outside of scalars, only blanks, indicators and comments may
/// occur, so no comment is missed.
struct CommentReader {
  const YamlNode& root;
  Diagnostics& diagnostics;
  std::string_view source = diagnostics.text();
  SourceLines lines = SourceLines(source);
  std::size_t position = 0;
  std::vector<Place> places{};
  CommentTable table{};
  std::vector<Comment> found{};

  std::vector<Comment> read() {
    walk(root, kNone);
    advance(source.size());
    return std::move(found);
  }

  void walk(const YamlNode& node, std::size_t parent) {
    if (node.kind == YamlNode::Kind::scalar) return walk_scalar(node);
    const std::size_t begin = lines.offset(node.span);
    const char open = begin < source.size() ? source[begin] : ' ';
    const bool flow = open == '{' || open == '[';
    if (flow) advance(begin + 1);
    const auto walk_entry = [&](const YamlNode& first, const YamlNode& value) {
      const std::size_t index = places.size();
      places.push_back({&first, &value, &node, parent, lines.offset(first.span), flow});
      if (&first != &value) walk_scalar(first);
      walk(value, index);
      places[index].end = position;
    };
    for (const YamlEntry& entry : node.entries) walk_entry(entry.key, entry.value);
    for (const YamlNode& item : node.items) walk_entry(item, item);
    if (!flow) return;
    while (position < source.size() && source[position] != (open == '{' ? '}' : ']')) step();
    position = std::min(position + 1, source.size());
    if (parent == kNone) return;
    places[parent].flow_begin = begin;
    places[parent].flow_end = position;
  }

  void walk_scalar(const YamlNode& node) {
    if (is_nothing(node)) return;
    const std::size_t begin = lines.offset(node.span);
    advance(begin);
    const char first = begin < source.size() ? source[begin] : ' ';
    std::size_t end = kNone;
    if (!node.quoted) {
      end = plain_end(source, begin, node.text);
    } else if (first == '"' || first == '\'') {
      end = begin + quoted_length(source.substr(begin));
    } else if (first == '|' || first == '>') {
      end = walk_block_head(begin);
      if (end != kNone) end = block_end(source, end, node.text);
    }
    if (end == kNone) {
      diagnostics.error(node.span, "cannot find the end of this value, so its comment cannot be attached",
                        "write it in double quotes, on one line");
      end = begin;
    }
    position = std::max(position, end);
  }

  /// The line of a `|` or `>` may end in a comment. Returns the start of the next line.
  std::size_t walk_block_head(std::size_t begin) {
    const std::size_t end = source.find_first_not_of("+-", begin + 1);
    if (end != kNone && source[end] >= '0' && source[end] <= '9') return kNone;  // explicit indentation
    position = std::min(end, source.size());
    const std::size_t line_end = std::min(source.find('\n', begin), source.size());
    advance(line_end);
    return std::min(line_end + 1, source.size());
  }

  void advance(std::size_t end) {
    while (position < end) step();
  }

  void step() {
    constexpr std::string_view kIndicators = ",:-?{}[].";
    const char c = source[position];
    if (c == '#') {
      read_comment();
    } else if (schemagen::is_blank(c) || kIndicators.find(c) != std::string_view::npos) {
      ++position;
    } else {
      diagnostics.error(lines.place(position), "cannot find the entry that this text belongs to");
      position = source.size();
    }
  }

  void read_comment() {
    const std::size_t line_end = std::min(source.find('\n', position), source.size());
    std::string_view text = source.substr(position, line_end - position);
    text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
    const Span place = lines.place(position);
    found.push_back(
        {std::string(text), is_empty_line(lines, place.line - 1), {place.line, place.column, text.size()}});
    position = line_end;
  }

  void attach(Comment comment) {
    const std::size_t offset = lines.offset(comment.span);
    const auto after = std::upper_bound(places.begin(), places.end(), offset,
                                        [](std::size_t at, const Place& place) { return at < place.begin; });
    const auto count = static_cast<std::size_t>(after - places.begin());
    const std::size_t previous = count == 0 ? kNone : count - 1;
    const bool has_own_line = is_empty(lines.line(comment.span.line).substr(0, comment.span.column - 1));
    if (has_own_line) return attach_line(std::move(comment), offset, previous);
    const std::size_t index = entry_of_line(comment.span.line, offset, previous);
    std::optional<Comment>* const behind = index == kNone ? nullptr : &table[places[index].first].behind;
    if (behind == nullptr || *behind) {
      diagnostics.error(comment.span, "the layout has no place for this comment",
                        "move it to a separate line above its entry");
      return;
    }
    *behind = std::move(comment);
  }

  /// The last outermost entry entirely on the line before the comment; else the last that begins there; else
  /// the outermost that ends there.
  std::size_t entry_of_line(std::size_t line, std::size_t offset, std::size_t previous) const {
    const auto begins_here = [&](std::size_t i) {
      return i != kNone && lines.place(places[i].begin).line == line;
    };
    const auto ends_here = [&](const Place& place) {
      const std::size_t last = std::max(place.end, place.begin + 1) - 1;
      return place.end <= offset && lines.place(last).line == line;
    };
    std::size_t best = kNone;
    for (std::size_t i = previous; begins_here(i); i = i == 0 ? kNone : i - 1) {
      if (ends_here(places[i]) && (best == kNone || places[i].end >= places[best].end)) best = i;
    }
    if (best != kNone) return best;
    if (begins_here(previous)) return previous;
    for (std::size_t i = previous; i != kNone; i = places[i].parent) {
      if (ends_here(places[i])) best = i;
    }
    return best;
  }

  void attach_line(Comment comment, std::size_t offset, std::size_t previous) {
    const std::size_t after = previous == kNone ? 0 : previous + 1;
    const Place* const next = after < places.size() ? &places[after] : nullptr;
    for (std::size_t i = previous; i != kNone; i = places[i].parent) {
      const Place& place = places[i];
      const bool is_scalar = place.value->kind == YamlNode::Kind::scalar;
      if (is_scalar && offset < place.end) return add_above(place, std::move(comment));
      if (place.flow_begin < offset && offset < place.flow_end) {
        const bool next_is_within = next != nullptr && next->begin < place.flow_end;
        return next_is_within ? add_above(*next, std::move(comment))
                              : add_tail(*place.value, std::move(comment));
      }
      // After the entry ended. Unless `next` is a sibling, indentation decides whether the comment belongs to
      // this level or to the next entry.
      if (next != nullptr && (next->begin < place.end || next->parent == place.parent)) break;
      const bool ours = !place.in_flow && comment.span.column >= lines.place(place.begin).column;
      if (ours) return add_tail(*place.container, std::move(comment));
    }
    next == nullptr ? add_tail(root, std::move(comment)) : add_above(*next, std::move(comment));
  }

  void add_above(const Place& place, Comment comment) {
    Comments& comments = table[place.first];
    comments.gap = is_empty_line(lines, comment.span.line + 1);
    comments.above.push_back(std::move(comment));
  }

  void add_tail(const YamlNode& container, Comment comment) {
    if (container.entries.empty() && container.items.empty()) {
      diagnostics.error(comment.span, "the layout has no place for this comment", "move it above the entry");
      return;
    }
    table[&container].tail.push_back(std::move(comment));
  }
};

}  // namespace

CommentTable attached_comments(const YamlNode& root, Diagnostics& diagnostics) {
  CommentReader reader{root, diagnostics};
  for (Comment& comment : reader.read()) reader.attach(std::move(comment));
  return std::move(reader.table);
}

std::vector<Comment> comments_of(const YamlNode& root, Diagnostics& diagnostics) {
  return CommentReader{root, diagnostics}.read();
}

}  // namespace generator
