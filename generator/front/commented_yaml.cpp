#include "front/commented_yaml.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "schemagen/base/ascii.h"
#include "text/source_lines.h"

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
class CommentReader {
 public:
  CommentReader(const YamlNode& root, Diagnostics& diagnostics)
      : root_(root), diagnostics_(diagnostics), text_(diagnostics.text()), lines_(text_) {
    walk(root, kNone);
    advance(text_.size());
  }

  std::vector<Comment> take_all() { return std::move(found_); }

  CommentTable attach_all() {
    for (Comment& comment : found_) attach(std::move(comment));
    return std::move(table_);
  }

 private:
  void walk(const YamlNode& node, std::size_t parent) {
    if (node.kind == YamlNode::Kind::scalar) return walk_scalar(node);
    const std::size_t begin = lines_.offset(node.span);
    const char open = begin < text_.size() ? text_[begin] : ' ';
    const bool flow = open == '{' || open == '[';
    if (flow) advance(begin + 1);
    const auto walk_entry = [&](const YamlNode& first, const YamlNode& value) {
      const std::size_t index = places_.size();
      places_.push_back({&first, &value, &node, parent, lines_.offset(first.span), flow});
      if (&first != &value) walk_scalar(first);
      walk(value, index);
      places_[index].end = at_;
    };
    for (const YamlEntry& entry : node.entries) walk_entry(entry.key, entry.value);
    for (const YamlNode& item : node.items) walk_entry(item, item);
    if (!flow) return;
    while (at_ < text_.size() && text_[at_] != (open == '{' ? '}' : ']')) step();
    at_ = std::min(at_ + 1, text_.size());
    if (parent == kNone) return;
    places_[parent].flow_begin = begin;
    places_[parent].flow_end = at_;
  }

  void walk_scalar(const YamlNode& node) {
    if (is_nothing(node)) return;
    const std::size_t begin = lines_.offset(node.span);
    advance(begin);
    const char first = begin < text_.size() ? text_[begin] : ' ';
    std::size_t end = kNone;
    if (!node.quoted) {
      end = plain_end(text_, begin, node.text);
    } else if (first == '"' || first == '\'') {
      end = begin + quoted_length(text_.substr(begin));
    } else if (first == '|' || first == '>') {
      end = walk_block_head(begin);
      if (end != kNone) end = block_end(text_, end, node.text);
    }
    if (end == kNone) {
      diagnostics_.error(node.span, "cannot find the end of this value, so its comment cannot be attached",
                         "write it in double quotes, on one line");
      end = begin;
    }
    at_ = std::max(at_, end);
  }

  /// The line of a `|` or `>` may end in a comment. Returns the start of the next line.
  std::size_t walk_block_head(std::size_t begin) {
    const std::size_t end = text_.find_first_not_of("+-", begin + 1);
    if (end != kNone && text_[end] >= '0' && text_[end] <= '9') return kNone;  // explicit indentation
    at_ = std::min(end, text_.size());
    const std::size_t line_end = std::min(text_.find('\n', begin), text_.size());
    advance(line_end);
    return std::min(line_end + 1, text_.size());
  }

  void advance(std::size_t end) {
    while (at_ < end) step();
  }

  void step() {
    constexpr std::string_view kIndicators = ",:-?{}[].";
    const char c = text_[at_];
    if (c == '#') {
      read_comment();
    } else if (schemagen::is_blank(c) || kIndicators.find(c) != std::string_view::npos) {
      ++at_;
    } else {
      diagnostics_.error(lines_.place(at_), "cannot find the entry that this text belongs to");
      at_ = text_.size();
    }
  }

  void read_comment() {
    const std::size_t line_end = std::min(text_.find('\n', at_), text_.size());
    std::string_view text = text_.substr(at_, line_end - at_);
    text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
    const Span place = lines_.place(at_);
    found_.push_back(
        {std::string(text), is_empty_line(lines_, place.line - 1), {place.line, place.column, text.size()}});
    at_ = line_end;
  }

  void attach(Comment comment) {
    const std::size_t offset = lines_.offset(comment.span);
    const auto after = std::upper_bound(places_.begin(), places_.end(), offset,
                                        [](std::size_t at, const Place& place) { return at < place.begin; });
    const auto count = static_cast<std::size_t>(after - places_.begin());
    const std::size_t previous = count == 0 ? kNone : count - 1;
    const bool has_own_line = is_empty(lines_.line(comment.span.line).substr(0, comment.span.column - 1));
    if (has_own_line) return attach_line(std::move(comment), offset, previous);
    const std::size_t index = entry_of_line(comment.span.line, offset, previous);
    std::optional<Comment>* const behind = index == kNone ? nullptr : &table_[places_[index].first].behind;
    if (behind == nullptr || *behind) {
      diagnostics_.error(comment.span, "the layout has no place for this comment",
                         "move it to a separate line above its entry");
      return;
    }
    *behind = std::move(comment);
  }

  /// The last outermost entry entirely on the line before the comment; else the last that begins there; else
  /// the outermost that ends there.
  std::size_t entry_of_line(std::size_t line, std::size_t offset, std::size_t previous) const {
    const auto begins_here = [&](std::size_t i) {
      return i != kNone && lines_.place(places_[i].begin).line == line;
    };
    const auto ends_here = [&](const Place& place) {
      const std::size_t last = std::max(place.end, place.begin + 1) - 1;
      return place.end <= offset && lines_.place(last).line == line;
    };
    std::size_t best = kNone;
    for (std::size_t i = previous; begins_here(i); i = i == 0 ? kNone : i - 1) {
      if (ends_here(places_[i]) && (best == kNone || places_[i].end >= places_[best].end)) best = i;
    }
    if (best != kNone) return best;
    if (begins_here(previous)) return previous;
    for (std::size_t i = previous; i != kNone; i = places_[i].parent) {
      if (ends_here(places_[i])) best = i;
    }
    return best;
  }

  void attach_line(Comment comment, std::size_t offset, std::size_t previous) {
    const std::size_t after = previous == kNone ? 0 : previous + 1;
    const Place* const next = after < places_.size() ? &places_[after] : nullptr;
    for (std::size_t i = previous; i != kNone; i = places_[i].parent) {
      const Place& place = places_[i];
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
      const bool ours = !place.in_flow && comment.span.column >= lines_.place(place.begin).column;
      if (ours) return add_tail(*place.container, std::move(comment));
    }
    next == nullptr ? add_tail(root_, std::move(comment)) : add_above(*next, std::move(comment));
  }

  void add_above(const Place& place, Comment comment) {
    Comments& comments = table_[place.first];
    comments.gap = is_empty_line(lines_, comment.span.line + 1);
    comments.above.push_back(std::move(comment));
  }

  void add_tail(const YamlNode& container, Comment comment) {
    if (container.entries.empty() && container.items.empty()) {
      diagnostics_.error(comment.span, "the layout has no place for this comment", "move it above the entry");
      return;
    }
    table_[&container].tail.push_back(std::move(comment));
  }

  const YamlNode& root_;
  Diagnostics& diagnostics_;
  std::string_view text_;
  SourceLines lines_;
  std::size_t at_ = 0;
  std::vector<Place> places_;
  std::vector<Comment> found_;
  CommentTable table_;
};

}  // namespace

CommentTable attached_comments(const YamlNode& root, Diagnostics& diagnostics) {
  return CommentReader(root, diagnostics).attach_all();
}

std::vector<Comment> comments_of(const YamlNode& root, Diagnostics& diagnostics) {
  return CommentReader(root, diagnostics).take_all();
}

}  // namespace generator
