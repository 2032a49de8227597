#include "front/diagnostics.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "schemagen/base/text_file.h"
#include "text/message.h"
#include "text/source_place.h"

namespace generator {
namespace {

constexpr std::size_t kMaxShown = 100;

std::string_view name_of(Severity severity) {
  return word_of(severity, {"error", "warning", "note"});
}

}  // namespace

Diagnostics::Diagnostics(std::string file, std::string text) : files_{{std::move(file), std::move(text)}} {
  std::string& kept = files_.front().text;
  kept.erase(0, kept.size() - schemagen::without_byte_order_mark(kept).size());
}

void Diagnostics::add_file(Diagnostics imported) {
  const std::size_t number = files_.size();
  files_.push_back(std::move(imported.files_.front()));
  for (Diagnostic& diagnostic : imported.diagnostics_) {
    diagnostic.span.file = number;
    for (Note& note : diagnostic.notes) note.span.file = number;
    add(std::move(diagnostic));
  }
}

void Diagnostics::add(Diagnostic diagnostic) {
  diagnostics_.push_back(std::move(diagnostic));
}

std::nullopt_t Diagnostics::error(Span span, std::string message, std::string hint, std::vector<Note> notes) {
  add({Severity::error, span, std::move(message), std::move(hint), std::move(notes)});
  return std::nullopt;
}

bool Diagnostics::refuse(Span span, std::string message, std::string hint) {
  error(span, std::move(message), std::move(hint));
  return false;
}

bool Diagnostics::has_errors() const {
  return std::any_of(diagnostics_.begin(), diagnostics_.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

std::vector<const Diagnostic*> Diagnostics::by_place() const {
  std::vector<const Diagnostic*> sorted;
  sorted.reserve(diagnostics_.size());
  for (const Diagnostic& diagnostic : diagnostics_) sorted.push_back(&diagnostic);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic* a, const Diagnostic* b) {
    const auto place = [](const Span& span) { return std::tuple(span.file, span.line, span.column); };
    return place(a->span) < place(b->span);
  });
  return sorted;
}

std::string Diagnostics::render() const {
  std::vector<SourceLines> lines;
  for (const SourceText& file : files_) lines.emplace_back(file.text);
  std::string out;
  const auto add = [&](const Span& span, std::string_view label, const std::string& message) {
    out += placed_line(file_of(span), span, label, message);
    if (span.line > 0) out += lines[span.file].excerpt(span);
  };
  const std::vector<const Diagnostic*> sorted = by_place();
  const std::size_t count = std::min(sorted.size(), kMaxShown);
  for (std::size_t i = 0; i < count; ++i) {
    const Diagnostic& one = *sorted[i];
    add(one.span, name_of(one.severity), one.message);
    for (const Note& note : one.notes) add(note.span, "note", note.message);
    if (!one.hint.empty()) out += "hint: " + shown(one.hint) + "\n";
  }
  if (count < sorted.size()) out += filled("and $ more\n", sorted.size() - count);
  return out;
}

}  // namespace generator
