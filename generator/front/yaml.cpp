#include "front/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "schemagen/base/float_chars.h"
#include "schemagen/base/json_syntax.h"
#include "schemagen/base/map.h"
#include "schemagen/base/text_file.h"
#include "schemagen/base/utf8.h"
#include "text/characters.h"
#include "text/float_literal.h"
#include "text/message.h"

namespace generator {
namespace {

constexpr std::size_t kMaxDepth = 64;

std::size_t offset_of(const YAML::Mark& mark) {
  return static_cast<std::size_t>(std::max(mark.pos, 0));
}

/// yaml-cpp counts bytes from 0; its null mark is -1.
Span span_of(const YAML::Mark& mark, std::size_t length = 1) {
  return {static_cast<std::size_t>(std::max(mark.line, 0)) + 1,
          static_cast<std::size_t>(std::max(mark.column, 0)) + 1, std::max<std::size_t>(length, 1)};
}

// These run for every node, and a file can be a single line: only `rest_of_line` may look beyond the node's
// end.

std::string_view rest(std::string_view source, std::size_t offset) {
  return source.substr(std::min(offset, source.size()));
}

std::string_view rest_of_line(std::string_view source, std::size_t offset) {
  const std::string_view text = rest(source, offset);
  return text.substr(0, text.find_first_of("\r\n"));
}

std::string_view word_at(std::string_view source, const YAML::Mark& mark) {
  const std::string_view text = rest(source, offset_of(mark));
  return text.substr(0, text.find_first_of(" \t\r\n,[]{}:", 1));
}

std::string_view trimmed(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

/// yaml-cpp gives an empty list item or document the mark of the next token. Looks for the dash before it.
Span span_of_nothing(std::string_view source, const YAML::Mark& mark) {
  std::size_t line = span_of(mark).line;
  std::size_t end = offset_of(mark);
  while (true) {
    const std::size_t begin = source.substr(0, end).find_last_of('\n') + 1;
    std::string_view text = source.substr(begin, end - begin);
    const std::size_t comment = text.substr(0, 1) == "#" ? 0 : text.find(" #");
    text = trimmed(text.substr(0, comment));
    if (!text.empty()) return text.back() == '-' ? Span{line, text.size(), 1} : span_of(mark);
    if (begin == 0) return span_of(mark);
    end = begin - 1;
    --line;
  }
}

/// yaml-cpp returns the escapes `\N` and `\_`, U+0085 and U+00A0, as Latin-1.
std::string as_utf8(const std::string& value) {
  std::string text;
  for (std::size_t at = 0; at < value.size();) {
    const std::size_t begin = at;
    if (!schemagen::next_code_point(value, at)) {
      text += '\xc2';
      ++at;
    }
    text.append(value, begin, at - begin);
  }
  return text;
}

/// yaml-cpp starts at tags and anchors, which were already reported.
YamlNode scalar_node(std::string_view source, const YAML::Mark& mark, bool is_quoted, std::string text) {
  const std::string_view written = rest(source, offset_of(mark));
  const char first = written.empty() ? '\0' : written.front();
  std::size_t length = 1;
  bool verbatim = false;
  if (first == '"' || first == '\'') {
    length = quoted_length(written, "\r\n");
    verbatim = length == text.size() + 2 && written.substr(1, text.size()) == text;
  } else if (first == '!' || first == '&') {
    length = word_at(source, mark).size();
  } else if (!is_quoted) {  // not a block, whose first line is only the `|` or `>`
    verbatim = written.substr(0, text.size()) == text;
    length = verbatim ? text.size() : trimmed(rest_of_line(source, offset_of(mark))).size();
  }
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.quoted = is_quoted;
  node.verbatim = verbatim;
  node.span = span_of(mark, length);
  node.text = std::move(text);
  return node;
}

struct Stop {};

class Builder : public YAML::EventHandler {
 public:
  Builder(Diagnostics& diagnostics, std::size_t file) : diagnostics_(diagnostics), file_(file) {}

  YamlNode take_root() { return std::move(root_); }
  const YAML::Mark& last_mark() const { return last_mark_; }
  /// About the innermost list or map, if it begins on another line.
  std::vector<Note> notes_for(std::size_t line) const {
    if (open_.empty() || open_.back().node.span.line == line) return {};
    return {{open_.back().node.span, "in " + describe(open_.back().node) + " that begins here"}};
  }
  std::set<std::size_t> key_columns() const {
    std::set<std::size_t> columns = ended_;
    for (const Open& one : open_) {
      if (one.node.kind == YamlNode::Kind::map) columns.insert(one.node.span.column);
    }
    return columns;
  }
  bool passed_limit() const { return passed_limit_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 1) {
      document_ = span_of(mark);
      return;
    }
    const bool marked = rest(diagnostics_.text(), offset_of(mark)).substr(0, 3) == "---";
    const std::string message = marked
                                    ? "a schema must be a single YAML document, but a second one begins here"
                                    : "unexpected text after the end of the schema";
    diagnostics_.error(span_of(mark, marked ? 3 : 1), message, "", {{document_, "the schema begins here"}});
    throw Stop{};
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    // yaml-cpp does not tell how null was spelled, if at all. After a key without a value, the mark is at the
    // next token, which is `null` only if it is a key: another error.
    const std::string_view word = word_at(diagnostics_.text(), mark);
    const bool written = word == "~" || word == "null" || word == "Null" || word == "NULL";
    if (open_.empty()) check_tag(mark, "?");  // yaml-cpp drops the tag of an empty document
    YamlNode node = scalar_node(diagnostics_.text(), mark, false, std::string(written ? word : ""));
    const bool after_dash = open_.empty() || open_.back().has_dashes;
    if (!written && after_dash) node.span = span_of_nothing(diagnostics_.text(), mark);
    add(mark, std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    report_alias(mark);
    add(mark, {});
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    const bool tagged = check_tag(mark, tag);
    add(mark, scalar_node(diagnostics_.text(), mark, tag == "!" && !tagged, as_utf8(value)));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value style) override {
    check_tag(mark, tag);
    open(mark, YamlNode::Kind::sequence);
    open_.back().has_dashes = style == YAML::EmitterStyle::Block;
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value style) override {
    check_tag(mark, tag);
    open(mark, YamlNode::Kind::map);
    open_.back().is_block = style == YAML::EmitterStyle::Block;
  }
  void OnMapEnd() override { close(); }

  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    diagnostics_.error(span_of(mark, word_at(diagnostics_.text(), mark).size()),
                       "anchors are not part of the schema language: " + quoted("&" + name), "remove it");
  }

  void report_alias(const YAML::Mark& mark) {
    const std::string_view alias = word_at(diagnostics_.text(), mark);
    diagnostics_.error(span_of(mark, alias.size()),
                       "aliases are not part of the schema language: " + quoted(alias),
                       "write out the value");
  }

 private:
  struct Open {
    YamlNode node;
    bool has_dashes = false;
    bool is_block = false;
    std::optional<YamlNode> key;
    schemagen::Map<Span> places;
  };

  /// Without a tag, yaml-cpp passes `?` for a plain scalar or a collection and `!` for a quoted scalar; but
  /// `!` may also be a plain scalar's real tag.
  bool check_tag(const YAML::Mark& mark, const std::string& tag) {
    const bool at_tag = rest(diagnostics_.text(), offset_of(mark)).substr(0, 1) == "!";
    if ((tag == "?" || tag == "!") && !at_tag) return false;
    const std::string_view written = word_at(diagnostics_.text(), mark);
    diagnostics_.error(span_of(mark, at_tag ? written.size() : 1),
                       "tags are not part of the schema language: " + quoted(at_tag ? written : tag),
                       "remove it");
    return true;
  }

  void open(const YAML::Mark& mark, YamlNode::Kind kind) {
    if (open_.size() == kMaxDepth) {
      diagnostics_.error(span_of(mark), filled("lists and maps are nested more than $ deep", kMaxDepth));
      passed_limit_ = true;
      throw Stop{};
    }
    advance(mark);
    Open next;
    next.node.kind = kind;
    next.node.span = span_of(mark);
    open_.push_back(std::move(next));
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    if (done.is_block) ended_.insert(done.node.span.column);
    place(std::move(done.node));
  }

  void add(const YAML::Mark& mark, YamlNode node) {
    advance(mark);
    place(std::move(node));
  }

  void advance(const YAML::Mark& mark) {
    last_mark_ = mark;
    ended_.clear();
  }

  void place(YamlNode node) {
    const bool is_key = !open_.empty() && open_.back().node.kind == YamlNode::Kind::map && !open_.back().key;
    if (is_key) check_key(open_.back(), node);
    node.span.file = file_;
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::sequence) {
      parent.node.items.push_back(std::move(node));
    } else if (is_key) {
      parent.key = std::move(node);
    } else {
      place_value(parent.node, std::move(*parent.key), std::move(node));
      parent.key.reset();
    }
  }

  void place_value(YamlNode& map, YamlNode key, YamlNode value) {
    if (key.kind == YamlNode::Kind::invalid) return;
    const bool nothing = value.kind == YamlNode::Kind::scalar && !value.quoted && value.text.empty();
    // The mark of an empty key is at the next token.
    if (nothing) value.span = key.span;
    map.entries.push_back({std::move(key), std::move(value)});
  }

  void check_key(Open& map, YamlNode& key) {
    if (key.kind == YamlNode::Kind::invalid) return;
    const bool text = key.kind == YamlNode::Kind::scalar;
    if (!text || (!key.quoted && (key.text.empty() || is_null(key) || key.text == "~"))) {
      diagnostics_.error(key.span, "a key must be a string, not " + describe(key));
      key.kind = YamlNode::Kind::invalid;
    } else if (!key.quoted && key.text == "<<") {
      diagnostics_.error(key.span, "merge keys are not part of the schema language",
                         "write out the merged keys");
      key.kind = YamlNode::Kind::invalid;
    } else {
      const auto [first, added] = map.places.insert(key.text, key.span);
      if (added) return;
      diagnostics_.error(key.span, "duplicate key " + quoted(key.text), "remove or rename one of the two",
                         {{first->value, "first used here"}});
    }
  }

  Diagnostics& diagnostics_;
  std::size_t file_;
  std::vector<Open> open_;
  YamlNode root_;
  Span document_;
  YAML::Mark last_mark_;
  std::set<std::size_t> ended_;  // of block maps
  std::size_t documents_ = 0;
  bool passed_limit_ = false;
};

/// Bad UTF-8, a control character, or a carriage return inside a line. yaml-cpp would replace, keep or
/// misplace these; other readers take some for line endings.
std::optional<std::pair<std::size_t, std::string>> find_bad_byte(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (!schemagen::next_code_point(text, at)) return {{begin, "bytes that are not UTF-8"}};
    const bool is_return = text[begin] == '\r';
    if (is_return && text.substr(begin, 2) != "\r\n")
      return {{begin, "a carriage return that is not part of a line ending"}};
    const auto control = is_return ? std::nullopt : find_control(text.substr(begin, at - begin));
    if (control) return {{begin, "the control character " + control->name}};
  }
  return std::nullopt;
}

/// yaml-cpp would silently obey `%YAML` and `%TAG`.
void report_directives(Diagnostics& diagnostics) {
  std::size_t number = 0;
  for (const std::string_view line : lines_of(diagnostics.text())) {
    ++number;
    const std::string_view content = rest_of_line(line, 0);
    const std::size_t first = content.find_first_not_of(" \t");
    if (first == std::string_view::npos || content[first] == '#') continue;
    if (content.front() != '%') return;
    diagnostics.error({number, 1, content.size()}, "directives are not part of the schema language",
                      "remove the line");
  }
}

bool check_text(Diagnostics& diagnostics) {
  const std::string& text = diagnostics.text();
  if (text.size() > kMaxSchemaBytes)
    return diagnostics.refuse({}, "file size: more than " + std::to_string(kMaxSchemaBytes) + " bytes");
  if (const std::string_view wide = schemagen::wide_encoding(text); !wide.empty())
    return diagnostics.refuse({1, 1, 1}, "the file is " + std::string(wide), "save it as UTF-8");
  if (const auto bad = find_bad_byte(text))
    return diagnostics.refuse(SourceLines(text).place(bad->first), "the file contains " + bad->second,
                              "save it as UTF-8; in double quotes, write any character as \\uNNNN");
  report_directives(diagnostics);
  return true;
}

std::string syntax_message(const std::string& message, std::string_view rest) {
  if (message == YAML::ErrorMsg::END_OF_MAP_FLOW) return "expected ',' or '}'";
  if (message == YAML::ErrorMsg::END_OF_SEQ_FLOW) return "expected ',' or ']'";
  if (message == YAML::ErrorMsg::END_OF_MAP) return "expected a key";
  for (const char* unexpected : {YAML::ErrorMsg::FLOW_END, YAML::ErrorMsg::BLOCK_ENTRY,
                                 YAML::ErrorMsg::MAP_VALUE, YAML::ErrorMsg::UNKNOWN_TOKEN}) {
    if (message == unexpected && !rest.empty()) return "unexpected '" + std::string(rest.substr(0, 1)) + "'";
  }
  return message;
}

std::string syntax_hint(std::string_view source, std::size_t offset) {
  const std::size_t line_start = source.substr(0, offset).find_last_of('\n') + 1;
  const std::string_view line = rest_of_line(source, line_start);
  if (line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string_view::npos) {
    return "indent with spaces";
  }
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t brace = std::min(line.find('{'), line.size());
  const std::string_view key = line.substr(indent, line.substr(0, brace).find_last_not_of(' ') + 1 - indent);
  if (brace != line.size() && brace > indent && is_identifier(key)) {
    return "missing colon: " + std::string(key) + ": {...}";
  }
  if (rest_of_line(source, offset).substr(0, 1) == "[") {
    return "inside braces, quote a type that contains brackets: \"List[int]\"";
  }
  return "";
}

std::string nearest_columns(const std::set<std::size_t>& columns, std::size_t column) {
  const auto behind = columns.upper_bound(column);
  std::string text;
  if (behind != columns.begin()) text = std::to_string(*std::prev(behind));
  if (behind != columns.end()) text += (text.empty() ? "" : " or ") + std::to_string(*behind);
  return text;
}

bool report_indentation(std::size_t offset, std::size_t line, const Builder& builder,
                        Diagnostics& diagnostics) {
  const std::string_view source = diagnostics.text();
  const std::size_t line_start = source.substr(0, offset).find_last_of('\n') + 1;
  const std::string_view text = rest_of_line(source, line_start);
  const std::size_t indent = std::min(text.find_first_not_of(" \t"), text.size());
  const std::string_view key = text.substr(indent, text.find(':', indent) - indent);
  // The error is at the key or at its `:`.
  const bool is_here = offset == line_start + indent || offset == line_start + indent + key.size();
  if (!is_identifier(key) || !is_here) return false;
  const Span span = {line, indent + 1, key.size()};
  if (text.substr(0, indent).find('\t') != std::string_view::npos) {
    diagnostics.error(span, quoted(key) + " is indented with a tab", "indent with spaces");
    return true;
  }
  const std::set<std::size_t> columns = builder.key_columns();
  if (columns.empty() || columns.count(span.column) != 0) return false;
  diagnostics.error(
      span, quoted(key) + " is in column " + std::to_string(span.column) + ", where no key is allowed",
      "move it to column " + nearest_columns(columns, span.column) + ", to line up with the keys around it",
      builder.notes_for(line));
  return true;
}

void report_syntax_error(const YAML::Exception& error, Builder& builder, Diagnostics& diagnostics) {
  // At the end of the file, yaml-cpp may give no place, or the file's start.
  const YAML::Mark& last = builder.last_mark();
  const bool has_place = std::pair(error.mark.line, error.mark.column) >= std::pair(last.line, last.column);
  const YAML::Mark& mark = has_place ? error.mark : last;
  const std::string_view line = rest_of_line(diagnostics.text(), offset_of(mark));
  if (line.substr(0, 1) == "*") {  // an alias without anchor
    builder.report_alias(mark);
    return;
  }
  if (report_indentation(offset_of(mark), span_of(mark).line, builder, diagnostics)) return;
  const Span span = span_of(mark);
  diagnostics.error(span, "YAML syntax: " + syntax_message(error.msg, line),
                    syntax_hint(diagnostics.text(), offset_of(mark)), builder.notes_for(span.line));
}

}  // namespace

YamlNode parse_yaml(Diagnostics& diagnostics, std::size_t file) {
  if (!check_text(diagnostics)) return {};
  std::istringstream input(diagnostics.text());
  Builder builder(diagnostics, file);
  try {
    YAML::Parser parser(input);
    if (!parser.HandleNextDocument(builder)) {
      diagnostics.error({}, "the file is empty");
      return {};
    }
    parser.HandleNextDocument(builder);
  } catch (const Stop&) {
    if (builder.passed_limit()) return {};
  } catch (const YAML::Exception& error) {
    report_syntax_error(error, builder, diagnostics);
    return {};
  }
  return builder.take_root();
}

const YamlEntry* YamlNode::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const YamlEntry& entry) { return entry.key.text == key; });
  return found == entries.end() ? nullptr : &*found;
}

Span YamlNode::part(std::size_t offset, std::size_t length) const {
  if (!verbatim) return span;
  return {span.line, span.column + (quoted ? 1 : 0) + offset, std::max<std::size_t>(length, 1), span.file};
}

std::size_t quoted_length(std::string_view text, std::string_view ends) {
  const char mark = text.front();
  std::size_t i = 1;
  for (; i < text.size() && ends.find(text[i]) == std::string_view::npos; ++i) {
    const bool escaped = mark == '"' ? text[i] == '\\' : text.substr(i, 2) == "''";
    if (escaped)
      ++i;
    else if (text[i] == mark)
      return i + 1;
  }
  return std::min(i, text.size());
}

bool check_kind(const YamlNode& node, YamlNode::Kind kind, std::string_view what, Diagnostics& diagnostics,
                std::string hint) {
  if (node.kind == kind) return true;
  if (node.kind == YamlNode::Kind::invalid) return false;
  const std::string wanted = kind == YamlNode::Kind::map ? " must be a map, not " : " must be a list, not ";
  return diagnostics.refuse(node.span, std::string(what) + wanted + describe(node), std::move(hint));
}

std::string describe(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::invalid) return "an error";
  if (node.kind == YamlNode::Kind::sequence) return "a list";
  if (node.kind == YamlNode::Kind::map) return "a map";
  if (node.quoted) return node.text.empty() ? "an empty string" : "the string " + quoted(node.text);
  if (node.text.empty()) return "an empty value";
  return is_null(node) ? "null" : quoted(node.text);
}

namespace {

bool is_plain(const YamlNode& node) {
  return node.kind == YamlNode::Kind::scalar && !node.quoted;
}

bool is_integer(std::string_view text) {
  return schemagen::is_json_number(text) && text.find_first_of(".eE") == std::string_view::npos;
}

std::optional<bool> loose_bool(std::string_view text) {
  static const Words yes = words_of({"true yes on y"});
  static const Words no = words_of({"false no off n"});
  const std::string word = lower(text);
  return yes.count(word) != 0  ? std::optional(true)
         : no.count(word) != 0 ? std::optional(false)
                               : std::nullopt;
}

/// In decimal and without leading zeros, for any version of YAML: `+1`, `1_000`, `0x1F`, `0o17`, `0b11`,
/// `012`.
std::optional<std::string> loose_integer(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c != '_') digits += c;
  }
  const bool negative = digits.substr(0, 1) == "-";
  if (negative || digits.substr(0, 1) == "+") digits.erase(0, 1);
  const std::string prefix = lower(digits.substr(0, 2));
  const int base = prefix == "0x" ? 16 : prefix == "0o" ? 8 : prefix == "0b" ? 2 : 10;
  if (base != 10) digits.erase(0, 2);
  std::int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  if (error != std::errc{} || stop != end || digits.empty() || digits.front() == '-') return std::nullopt;
  return (negative ? "-" : "") + std::to_string(value);
}

bool is_loose_null(std::string_view text) {
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

/// Also `-.INF`, `NaN` and other spellings.
std::optional<double> loose_nonfinite(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::string word = lower(text);
  const std::size_t sign = word.find_first_not_of("+-") == 1 ? 1 : 0;
  const std::string name = word.substr(word.substr(sign, 1) == "." ? sign + 1 : sign);
  if (name == "inf" || name == "infinity") return word.front() == '-' ? -kInfinity : kInfinity;
  if (name == "nan" && sign == 0) return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

/// `.5`, `5.` and `+1.5`, in JSON syntax.
std::optional<std::string> loose_number(std::string_view text) {
  std::string number(text);
  if (!number.empty() && number.front() == '+') number.erase(0, 1);
  const std::size_t sign = number.substr(0, 1) == "-" ? 1 : 0;
  if (number.substr(sign, 1) == ".") number.insert(sign, "0");
  if (!number.empty() && number.back() == '.') number += '0';
  if (schemagen::is_json_number(number)) return number;
  return loose_integer(text);
}

std::nullopt_t report_wrong(const YamlNode& node, std::string_view what, std::string_view wanted,
                            std::string hint, Diagnostics& diagnostics) {
  if (node.kind == YamlNode::Kind::invalid) return std::nullopt;
  return diagnostics.error(node.span, filled("$ must be $, not $", what, wanted, describe(node)),
                           std::move(hint));
}

std::string write_hint(const std::optional<std::string>& value) {
  return value ? "write " + *value : "";
}

std::string integer_hint(const YamlNode& node) {
  if (node.quoted && is_integer(node.text)) return "write " + node.text + " without quotes";
  const std::string_view text = node.text;
  const std::size_t sign = text.substr(0, 1) == "-" || text.substr(0, 1) == "+" ? 1 : 0;
  const bool leading_zero = text.size() > sign + 1 && text[sign] == '0' && is_digit(text[sign + 1]);
  const std::optional<std::string> decimal = loose_integer(text);
  if (!decimal) return "write digits, as in 10";
  if (!leading_zero) return write_hint(decimal);
  const std::optional<std::string> octal = loose_integer(std::string(text).insert(sign + 1, "o"));
  return write_hint(decimal) + (octal && octal != decimal ? ", or " + *octal + " if you meant octal" : "");
}

}  // namespace

bool is_nothing(const YamlNode& node) {
  return node.kind == YamlNode::Kind::scalar && !node.quoted && node.text.empty();
}

bool is_null(const YamlNode& node) {
  return is_plain(node) && node.text == "null";
}

bool is_ambiguous_as_string(const YamlNode& node) {
  return is_plain(node) && (is_loose_null(node.text) || loose_bool(node.text) || loose_number(node.text) ||
                            (loose_nonfinite(node.text) && node.text.find('.') != std::string::npos));
}

std::optional<std::string> read_string(const YamlNode& node, std::string_view what,
                                       Diagnostics& diagnostics) {
  const bool is_scalar = node.kind == YamlNode::Kind::scalar;
  if (is_scalar && (node.quoted || !is_loose_null(node.text))) return node.text;
  const bool has_text = is_scalar && !node.text.empty();
  return report_wrong(node, what, "a string",
                      has_text ? "write \"" + node.text + "\" if you mean the string" : "", diagnostics);
}

std::optional<bool> read_bool(const YamlNode& node, std::string_view what, Diagnostics& diagnostics) {
  if (is_plain(node) && node.text == "true") return true;
  if (is_plain(node) && node.text == "false") return false;
  std::string hint;
  if (const auto value = loose_bool(node.text)) {
    hint = std::string(*value ? "write true" : "write false") + (node.quoted ? " without quotes" : "");
  }
  return report_wrong(node, what, "true or false", std::move(hint), diagnostics);
}

bool check_integer(const YamlNode& node, std::string_view what, Diagnostics& diagnostics) {
  if (is_plain(node) && is_integer(node.text)) return true;
  report_wrong(node, what, "an integer", integer_hint(node), diagnostics);
  return false;
}

std::optional<std::int64_t> read_int(const YamlNode& node, std::string_view what, Diagnostics& diagnostics) {
  if (!check_integer(node, what, diagnostics)) return std::nullopt;
  std::int64_t value = 0;
  const char* end = node.text.data() + node.text.size();
  if (std::from_chars(node.text.data(), end, value).ec == std::errc{}) return value;
  return diagnostics.error(node.span, std::string(what) + " does not fit in 64 bits: " + quoted(node.text));
}

std::optional<double> read_float(const YamlNode& node, std::string_view what, Diagnostics& diagnostics) {
  const std::optional<double> nonfinite = loose_nonfinite(node.text);
  if (is_plain(node) && nonfinite && node.text == yaml_float(*nonfinite)) return nonfinite;
  if (!is_plain(node) || !schemagen::is_json_number(node.text)) {
    const std::optional<std::string> number = nonfinite ? yaml_float(*nonfinite) : loose_number(node.text);
    return report_wrong(
        node, what, "a number",
        number ? write_hint(number) + (node.quoted ? " without quotes" : "") : "write digits, as in 0.5",
        diagnostics);
  }
  double value = 0;
  const char* end = node.text.data() + node.text.size();
  if (schemagen::parse_float(node.text.data(), end, value).ec == std::errc{}) return value;
  return diagnostics.error(node.span, std::string(what) + " does not fit in a double: " + quoted(node.text));
}

}  // namespace generator
