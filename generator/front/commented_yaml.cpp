#include "front/commented_yaml.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "text/source_lines.h"

namespace generator {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool is_blank(char c) {
  return kBlanks.find(c) != std::string_view::npos;
}

bool is_empty(std::string_view line) {
  return line.find_first_not_of(kBlanks) == std::string_view::npos;
}

bool is_empty_line(const SourceLines& lines, std::size_t number) {
  return number >= 1 && number <= lines.count() && is_empty(lines.line(number));
}

std::size_t quoted_end(std::string_view text, std::size_t at) {
  const char mark = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    const bool escape = mark == '"' ? text[i] == '\\' : text.substr(i, 2) == "''";
    if (escape)
      ++i;
    else if (text[i] == mark)
      return i + 1;
  }
  return std::string_view::npos;
}

/// npos if the source differs from `value`. A line ending with surrounding blanks matches a blank, or line
/// endings, in `value`.
std::size_t plain_end(std::string_view text, std::size_t at, std::string_view value) {
  std::size_t i = 0;
  while (i < value.size()) {
    if (at >= text.size()) return std::string_view::npos;
    if (!is_blank(text[at])) {
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

struct Place {
  CommentedEntry* entry = nullptr;
  CommentedNode* container = nullptr;
  std::size_t parent = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool in_flow = false;
  std::size_t flow_begin = 0;
  std::size_t flow_end = 0;
};

constexpr std::size_t kNone = std::string_view::npos;

/// Walks the source in parallel with the nodes. Outside of scalars, only blanks, indicators and comments may
/// occur, so no comment is missed.
class Scanner {
 public:
  explicit Scanner(Diagnostics& diagnostics)
      : diagnostics_(diagnostics), text_(diagnostics.text()), lines_(text_) {}

  void scan(CommentedNode& root) {
    walk(root, kNone);
    advance(text_.size());
  }

  struct Found {
    Comment comment;
    std::size_t offset = 0;
    bool own_line = false;
  };

  const SourceLines& lines() const { return lines_; }
  std::vector<Place>& places() { return places_; }
  std::vector<Found>& found() { return found_; }

 private:
  void walk(CommentedNode& value, std::size_t parent) {
    const YamlNode& node = *value.node;
    if (node.kind == YamlNode::Kind::scalar) return walk_scalar(node);
    const std::size_t begin = lines_.offset(node.span);
    const char open = begin < text_.size() ? text_[begin] : ' ';
    const bool flow = open == '{' || open == '[';
    if (flow) advance(begin + 1);
    for (CommentedEntry& entry : value.entries) walk_entry(entry, value, parent, flow);
    if (!flow) return;
    find(open == '{' ? '}' : ']');
    if (parent == kNone) return;
    places_[parent].flow_begin = begin;
    places_[parent].flow_end = at_;
  }

  void walk_entry(CommentedEntry& entry, CommentedNode& container, std::size_t parent, bool flow) {
    const YamlNode& first = entry.key == nullptr ? *entry.value.node : *entry.key;
    const std::size_t index = places_.size();
    Place place;
    place.entry = &entry;
    place.container = &container;
    place.parent = parent;
    place.begin = lines_.offset(first.span);
    place.in_flow = flow;
    places_.push_back(place);
    if (entry.key != nullptr) walk_scalar(*entry.key);
    walk(entry.value, index);
    places_[index].end = at_;
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
      end = quoted_end(text_, begin);
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

  void find(char bracket) {
    while (at_ < text_.size() && text_[at_] != bracket) step();
    at_ = std::min(at_ + 1, text_.size());
  }

  void step() {
    constexpr std::string_view kIndicators = ",:-?{}[].";
    const char c = text_[at_];
    if (c == '#') {
      read_comment();
    } else if (is_blank(c) || kIndicators.find(c) != std::string_view::npos) {
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
    Found one;
    one.comment.text = std::string(text);
    one.comment.gap = is_empty_line(lines_, place.line - 1);
    one.comment.span = {place.line, place.column, text.size()};
    one.offset = at_;
    one.own_line = is_empty(lines_.line(place.line).substr(0, place.column - 1));
    found_.push_back(std::move(one));
    at_ = line_end;
  }

  Diagnostics& diagnostics_;
  std::string_view text_;
  SourceLines lines_;
  std::size_t at_ = 0;
  std::vector<Place> places_;
  std::vector<Found> found_;
};

CommentedNode without_comments(const YamlNode& node) {
  CommentedNode result;
  result.node = &node;
  for (const YamlEntry& entry : node.entries) {
    CommentedEntry one;
    one.key = &entry.key;
    one.value = without_comments(entry.value);
    result.entries.push_back(std::move(one));
  }
  for (const YamlNode& item : node.items) {
    CommentedEntry one;
    one.value = without_comments(item);
    result.entries.push_back(std::move(one));
  }
  return result;
}

class Attacher {
 public:
  Attacher(Scanner& scanner, CommentedNode& root, Diagnostics& diagnostics)
      : lines_(scanner.lines()), places_(scanner.places()), root_(root), diagnostics_(diagnostics) {}

  void attach(Scanner::Found& found) {
    const auto after =
        std::upper_bound(places_.begin(), places_.end(), found.offset,
                         [](std::size_t offset, const Place& place) { return offset < place.begin; });
    next_ = static_cast<std::size_t>(after - places_.begin());
    previous_ = next_ == 0 ? kNone : next_ - 1;
    found.own_line ? attach_line(found) : attach_behind(found);
  }

 private:
  void attach_behind(Scanner::Found& found) {
    const std::size_t index = entry_of_line(found);
    if (index == kNone || places_[index].entry->behind) {
      diagnostics_.error(found.comment.span, "the layout has no place for this comment",
                         "move it to a separate line above its entry");
      return;
    }
    places_[index].entry->behind = std::move(found.comment);
  }

  /// The last outermost entry entirely on the line before the comment; else the last that begins there; else
  /// the outermost that ends there.
  std::size_t entry_of_line(const Scanner::Found& found) const {
    const std::size_t line = found.comment.span.line;
    std::size_t best = kNone;
    for (std::size_t i = previous_; i != kNone && lines_.place(places_[i].begin).line == line;
         i = i == 0 ? kNone : i - 1) {
      const bool whole = places_[i].end <= found.offset && lines_.place(last_of(places_[i])).line == line;
      if (whole && (best == kNone || places_[i].end >= places_[best].end)) best = i;
    }
    if (best != kNone) return best;
    if (previous_ != kNone && lines_.place(places_[previous_].begin).line == line) return previous_;
    for (std::size_t i = previous_; i != kNone; i = places_[i].parent) {
      if (places_[i].end <= found.offset && lines_.place(last_of(places_[i])).line == line) best = i;
    }
    return best;
  }

  static std::size_t last_of(const Place& place) { return std::max(place.end, place.begin + 1) - 1; }

  void attach_line(Scanner::Found& found) {
    const Place* next = next_ < places_.size() ? &places_[next_] : nullptr;
    for (std::size_t i = previous_; i != kNone; i = places_[i].parent) {
      Place& place = places_[i];
      const bool is_scalar = place.entry->value.node->kind == YamlNode::Kind::scalar;
      if (is_scalar && found.offset < place.end) return add_above(place, found);
      const bool in_brackets = place.flow_begin < found.offset && found.offset < place.flow_end;
      if (in_brackets) {
        const bool next_is_within = next != nullptr && next->begin < place.flow_end;
        return next_is_within ? add_above(places_[next_], found) : add_tail(place.entry->value, found);
      }
      if (next != nullptr && next->begin < place.end) return add_above(places_[next_], found);
      // After the entry ended. Unless `next` is a sibling, indentation decides whether the comment belongs to
      // this level or to the next entry.
      if (next != nullptr && next->parent == place.parent) return add_above(places_[next_], found);
      const bool ours = !place.in_flow && found.comment.span.column >= lines_.place(place.begin).column;
      if (ours) return add_tail(*place.container, found);
    }
    if (next != nullptr) return add_above(places_[next_], found);
    add_tail(root_, found);
  }

  void add_above(Place& place, Scanner::Found& found) {
    place.entry->gap = is_empty_line(lines_, found.comment.span.line + 1);
    place.entry->above.push_back(std::move(found.comment));
  }

  void add_tail(CommentedNode& container, Scanner::Found& found) {
    if (container.entries.empty()) {
      diagnostics_.error(found.comment.span, "the layout has no place for this comment",
                         "move it above the entry");
      return;
    }
    container.tail.push_back(std::move(found.comment));
  }

  const SourceLines& lines_;
  std::vector<Place>& places_;
  CommentedNode& root_;
  Diagnostics& diagnostics_;
  std::size_t previous_ = kNone;
  std::size_t next_ = 0;
};

}  // namespace

CommentedNode with_comments(const YamlNode& root, Diagnostics& diagnostics) {
  CommentedNode result = without_comments(root);
  Scanner scanner(diagnostics);
  scanner.scan(result);
  Attacher attacher(scanner, result, diagnostics);
  for (Scanner::Found& found : scanner.found()) attacher.attach(found);
  return result;
}

std::vector<Comment> comments_of(const YamlNode& root, Diagnostics& diagnostics) {
  CommentedNode document = without_comments(root);
  Scanner scanner(diagnostics);
  scanner.scan(document);
  std::vector<Comment> comments;
  for (Scanner::Found& found : scanner.found()) comments.push_back(std::move(found.comment));
  return comments;
}

}  // namespace generator
