#include "text/source_lines.h"

#include "text/characters.h"
#include "text/message.h"

namespace generator {
namespace {

constexpr std::size_t kMaxLineShown = 110;
constexpr std::size_t kMinGutter = 5;
constexpr std::string_view kCut = "...";

struct Window {
  std::size_t begin = 0;
  std::size_t end = 0;
};

Window window_around(std::string_view line, std::size_t at) {
  if (line.size() <= kMaxLineShown) return {0, line.size()};
  std::size_t begin = at < kMaxLineShown / 2 ? 0 : at - kMaxLineShown / 2;
  begin = std::min(begin, line.size() - kMaxLineShown);
  std::size_t end = begin + kMaxLineShown;
  // A character has at most three continuation bytes.
  for (int i = 0; i < 3 && begin > 0 && is_continuation(line[begin]); ++i) --begin;
  for (int i = 0; i < 3 && end < line.size() && is_continuation(line[end]); ++i) ++end;
  return {begin, end};
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size(); at += lines.back().size() + 1)
    lines.push_back(text.substr(at, text.find('\n', at) - at));
  return lines;
}

std::string commented(std::string_view text, std::string_view mark) {
  std::string out;
  for (const std::string_view line : lines_of(text))
    out.append(mark).append(line.empty() ? "" : " ").append(line).append("\n");
  return out;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string_view line : lines_of(text)) {
    bool is_first = true;
    for (std::size_t at = 0, end = 0; at < line.size(); at = end + 1) {
      end = std::min(line.find_first_of(" \t", at), line.size());
      const std::string_view word = line.substr(at, end - at);
      if (word.empty()) continue;
      const bool fits = !is_first && lines.back().size() + 1 + word.size() <= width;
      fits ? lines.back().append(" ").append(word) : lines.emplace_back(word);
      is_first = false;
    }
  }
  return lines;
}

SourceLines::SourceLines(std::string_view text) : text_(text) {
  starts_.push_back(0);
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    starts_.push_back(at + 1);
  }
}

std::string_view SourceLines::line(std::size_t number) const {
  if (number == 0 || number > starts_.size()) return {};
  const std::size_t begin = starts_[number - 1];
  std::size_t end = number < starts_.size() ? starts_[number] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return text_.substr(begin, end - begin);
}

std::size_t SourceLines::offset(const Span& span) const {
  return span.line == 0 || span.line > starts_.size() ? text_.size()
                                                      : starts_[span.line - 1] + span.column - 1;
}

Span SourceLines::place(std::size_t offset) const {
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return {static_cast<std::size_t>(next - starts_.begin()), offset - *std::prev(next) + 1};
}

std::string SourceLines::excerpt(const Span& span) const {
  const std::string_view source = line(span.line);
  const std::size_t at = std::min(span.column == 0 ? 0 : span.column - 1, source.size());
  const Window window = window_around(source, at);
  const std::string_view head = window.begin > 0 ? kCut : std::string_view{};
  const std::string_view tail = window.end < source.size() ? kCut : std::string_view{};
  const std::string_view part = source.substr(window.begin, window.end - window.begin);
  const std::string_view rest = part.substr(at - window.begin);
  const std::string before = schemagen::printable(part.substr(0, at - window.begin));
  const std::string marked = schemagen::printable(rest.substr(0, span.length));
  const std::string after = schemagen::printable(rest.substr(std::min(span.length, rest.size())));

  const std::string number = std::to_string(span.line);
  const std::size_t gutter = std::max(kMinGutter, number.size());
  std::string out(gutter - number.size(), ' ');
  out += filled("$ | $$$$$\n", number, head, before, marked, after, tail);
  out.append(gutter, ' ').append(" | ").append(head.size() + code_points(before), ' ').append("^");
  out.append(std::max<std::size_t>(code_points(marked), 1) - 1, '~').append("\n");
  return out;
}

}  // namespace generator
