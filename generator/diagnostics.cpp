#include "diagnostics.h"

#include <algorithm>
#include <utility>

namespace schemagen {
namespace {

constexpr std::size_t kMaxShown = 100;      // messages; more help nobody
constexpr std::size_t kMaxLineShown = 110;  // bytes of a source line; a longer one is windowed
constexpr std::size_t kMinGutter = 5;       // width of the line number before " | "
constexpr std::string_view kCut = "...";

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

/// Number of code points, which is close enough to the number of columns on a screen.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

/// As many blanks as `text` is wide; tabs stay tabs, so that the caret stands under its place.
std::string blanks(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_continuation(c)) out += c == '\t' ? '\t' : ' ';
  }
  return out;
}

/// The part of a line that is shown: bytes [begin, end).
struct Window {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The whole line if it is short, else a part with the byte `at` in it, not cut within a character.
Window window_around(std::string_view line, std::size_t at) {
  if (line.size() <= kMaxLineShown) return {0, line.size()};
  std::size_t begin = at < kMaxLineShown / 2 ? 0 : at - kMaxLineShown / 2;
  begin = std::min(begin, line.size() - kMaxLineShown);
  std::size_t end = begin + kMaxLineShown;
  // A character has at most three bytes after its first.
  for (int i = 0; i < 3 && begin > 0 && is_continuation(line[begin]); ++i) --begin;
  for (int i = 0; i < 3 && end < line.size() && is_continuation(line[end]); ++i) ++end;
  return {begin, end};
}

class Renderer {
 public:
  explicit Renderer(const Diagnostics& diagnostics) : file_(diagnostics.file()), lines_(diagnostics.text()) {}

  void add(const Diagnostic& diagnostic) {
    add(diagnostic.span, diagnostic.severity == Severity::error ? "error" : "warning", diagnostic.message);
    for (const Note& note : diagnostic.notes) add(note.span, "note", note.message);
    if (!diagnostic.hint.empty()) out_ += "hint: " + printable(diagnostic.hint) + "\n";
  }

  void add_rest(std::size_t count) { out_ += "and " + std::to_string(count) + " more\n"; }

  std::string take() { return std::move(out_); }

 private:
  void add(const Span& span, std::string_view label, const std::string& message) {
    out_ += printable(file_);
    if (span.line > 0) out_ += ':' + std::to_string(span.line) + ':' + std::to_string(span.column);
    out_.append(": ").append(label).append(": ").append(printable(message)).append("\n");
    if (span.line > 0) out_ += lines_.excerpt(span);
  }

  const std::string& file_;
  SourceLines lines_;
  std::string out_;
};

}  // namespace

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

std::string SourceLines::excerpt(const Span& span) const {
  const std::string_view source = line(span.line);
  const std::size_t at = std::min(span.column == 0 ? 0 : span.column - 1, source.size());
  const Window window = window_around(source, at);
  const std::string shown = printable(source.substr(window.begin, window.end - window.begin));
  const std::string_view head = window.begin > 0 ? kCut : std::string_view{};
  const std::string_view tail = window.end < source.size() ? kCut : std::string_view{};
  const std::string_view before = std::string_view(shown).substr(0, at - window.begin);
  const std::string_view marked = std::string_view(shown).substr(at - window.begin, span.length);

  const std::string number = std::to_string(span.line);
  const std::size_t gutter = std::max(kMinGutter, number.size());
  std::string out(gutter - number.size(), ' ');
  out.append(number).append(" | ").append(head).append(shown).append(tail).append("\n");
  out.append(gutter, ' ').append(" | ").append(head.size(), ' ').append(blanks(before)).append("^");
  out.append(std::max<std::size_t>(width(marked), 1) - 1, '~').append("\n");
  return out;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0 || (is_control(text[at]) && text[at] != '\t')) {
      out += '?';
      ++at;
    } else {
      out += text.substr(at, length);
      at += length;
    }
  }
  return out;
}

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // The second byte decides about overlong forms, surrogates and the upper end.
  const unsigned second = byte(1);
  if (lead == 0xe0 && second < 0xa0) return 0;
  if (lead == 0xed && second > 0x9f) return 0;
  if (lead == 0xf0 && second < 0x90) return 0;
  if (lead == 0xf4 && second > 0x8f) return 0;
  return length;
}

Diagnostics::Diagnostics(std::string file, std::string text)
    : file_(std::move(file)), text_(std::move(text)) {}

void Diagnostics::add(Diagnostic diagnostic) {
  diagnostics_.push_back(std::move(diagnostic));
}

void Diagnostics::error(Span span, std::string message, std::string hint) {
  add({Severity::error, span, std::move(message), {}, std::move(hint)});
}

bool Diagnostics::has_errors() const {
  return std::any_of(diagnostics_.begin(), diagnostics_.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

std::string Diagnostics::render() const {
  std::vector<const Diagnostic*> sorted;
  sorted.reserve(diagnostics_.size());
  for (const Diagnostic& diagnostic : diagnostics_) sorted.push_back(&diagnostic);
  // Stable: messages about one place stay in the order in which they were found.
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic* a, const Diagnostic* b) {
    return std::pair(a->span.line, a->span.column) < std::pair(b->span.line, b->span.column);
  });
  Renderer renderer(*this);
  const std::size_t shown = std::min(sorted.size(), kMaxShown);
  for (std::size_t i = 0; i < shown; ++i) renderer.add(*sorted[i]);
  if (shown < sorted.size()) renderer.add_rest(sorted.size() - shown);
  return renderer.take();
}

}  // namespace schemagen
