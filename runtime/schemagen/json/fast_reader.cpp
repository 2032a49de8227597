#include "schemagen/json/fast_reader.h"

#include "schemagen/base/base64.h"
#include "schemagen/base/escapes.h"
#include "schemagen/base/float_chars.h"
#include "schemagen/base/float_text.h"
#include "schemagen/base/json_syntax.h"
#include "schemagen/json/document.h"
#include "schemagen/json/padded_text.h"

namespace schemagen {
namespace {

constexpr std::size_t kProgressStep = std::size_t{1} << 19;

constexpr bool is_in_number(char c) noexcept {
  return is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

}  // namespace

FastJsonReader::FastJsonReader(std::string_view text, const JsonReadOptions& options)
    : at_(text.data()),
      begin_(text.data()),
      end_(text.data() + text.size()),
      options_(options),
      memory_(options.limits.memory_bytes - most_of_tape(text)),
      levels_(options.limits.depth),
      next_progress_(options.progress.passed == nullptr ? end_ + PaddedText::kBehind
                                                        : begin_ + kProgressStep),
      left_out_(options.leave_out) {
  skip_blanks();
}

void FastJsonReader::finish() {
  skip_blanks();
  if (at_ != end_) give_up();
  if (options_.left_out != nullptr) *options_.left_out = left_out_.seen();
  if (options_.unknown_fields == UnknownFields::keep) options_.preserved->clear();
}

void FastJsonReader::give_up() {
  throw NotPlain();
}

void FastJsonReader::take_colon_and_blanks() {
  skip_blanks();
  if (at_ >= end_ || *at_ != ':') give_up();
  ++at_;
  skip_blanks();
}

void FastJsonReader::pass_key(std::size_t size) {
  at_ += size;
  take_colon();
}

bool FastJsonReader::next_after_blanks(bool is_first, char closing) {
  skip_blanks();
  // Called often enough to keep reads within the readable bytes after the text.
  if (at_ >= end_) give_up();
  if (*at_ == closing) {
    ++at_;
    levels_.give_back();
    return false;
  }
  if (!is_first) {
    if (*at_ != ',') give_up();
    ++at_;
    skip_blanks();
  }
  return true;
}

bool FastJsonReader::take_member_among_blanks(std::string_view key, bool is_first) {
  const auto skip = [this](const char* at) {
    while (at < end_ && is_blank(*at)) ++at;
    return at;
  };
  const char* at = skip(at_);
  if (!is_first) {
    if (*at != ',') return false;
    at = skip(at + 1);
  }
  if (end_ - at < static_cast<std::ptrdiff_t>(key.size()) || std::memcmp(at, key.data(), key.size()) != 0)
    return false;
  pass_key(static_cast<std::size_t>(at - at_) + key.size());
  return true;
}

std::string_view FastJsonReader::name() {
  if (*at_ != '"') give_up();
  const std::optional<ClosedString> closed = close_string(at_ + 1, end_, unescaped_);
  if (!closed) give_up();
  at_ = closed->quote + 1;
  return closed->value;
}

void FastJsonReader::skip_string() {
  const char* const quote = *at_ == '"' ? end_of_string(at_ + 1, end_) : nullptr;
  if (quote == nullptr) give_up();
  at_ = quote + 1;
}

template <class Float>
Float FastJsonReader::number_as() {
  const char* end = at_;
  while (end < end_ && is_in_number(*end)) ++end;
  Float value = 0;
  const bool is_number = is_json_number({at_, static_cast<std::size_t>(end - at_)});
  if (!is_number || parse_float(at_, end, value).ec != std::errc()) give_up();
  at_ = end;
  return value;
}

double FastJsonReader::floating() {
  if (*at_ == '"') {
    const std::optional<double> named = nonfinite_named(name());
    if (!named) give_up();
    return *named;
  }
  return number_as<double>();
}

float FastJsonReader::single() {
  return *at_ == '"' ? static_cast<float>(floating()) : number_as<float>();
}

std::string_view FastJsonReader::raw() {
  const char* const begin = at_;
  skip();
  const std::string_view text(begin, static_cast<std::size_t>(at_ - begin));
  if (text.size() > options_.limits.string_bytes) give_up();
  if (!any_fault(text, options_.limits.depth).empty()) give_up();
  return text;
}

Bytes FastJsonReader::bytes() {
  auto decoded = from_base64(name());
  if (!decoded) give_up();
  check_length(at_, decoded->size());
  return *std::move(decoded);
}

void FastJsonReader::skip_scalar() {
  switch (*at_) {
    case '"':
      skip_string();
      return;
    case 't':
    case 'f':
      boolean();
      return;
    case 'n':
      take_null();
      return;
    default:
      floating();
  }
}

void FastJsonReader::skip() {
  std::string closing;
  do {
    bool is_first = *at_ == '{' || *at_ == '[';
    if (is_first) {
      closing.push_back(*at_ == '{' ? '}' : ']');
      open(*at_);
    } else {
      skip_scalar();
    }
    while (!closing.empty() && !next(is_first, closing.back())) {
      closing.pop_back();
      is_first = false;
    }
    if (!closing.empty() && closing.back() == '}') {
      skip_string();
      take_colon();
    }
  } while (!closing.empty());
}

void FastJsonReader::check_version(const SchemaIdentity& schema, std::string_view field) {
  FastJsonReader ahead(*this);
  ahead.open('{');
  for (bool is_first = true; ahead.next(is_first, '}'); is_first = false) {
    const bool is_version = ahead.key() == field;
    const char* const value = ahead.at_;
    ahead.skip();
    if (!is_version) continue;
    const JsonDocument document({value, static_cast<std::size_t>(ahead.at_ - value)}, {});
    const std::optional<Version> version = stated_version(document.tape(), JsonDocument::root());
    const auto& [major, minor] = schema.version;
    if (version && (version->major != major || version->minor != minor)) give_up();
    return;
  }
}

std::size_t FastJsonReader::room_for(std::size_t count, const char* begin) const noexcept {
  constexpr std::size_t kFew = 64;
  if (count < kFew) return 2 * count;
  // Estimates how many values the rest would contain if all were like these. They are not, so reserves only a
  // few at once.
  const std::size_t bytes_each = static_cast<std::size_t>(at_ - begin) / count + 1;
  return count + std::min(7 * count, static_cast<std::size_t>(end_ - at_) / bytes_each + kFew);
}

void FastJsonReader::tell_progress_now() {
  next_progress_ = at_ + kProgressStep;
  options_.progress.passed(options_.progress.context, static_cast<std::size_t>(at_ - begin_));
}

}  // namespace schemagen
