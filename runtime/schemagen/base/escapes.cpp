#include "schemagen/base/escapes.h"

#include <algorithm>
#include <array>

#include "schemagen/base/json_syntax.h"
#include "schemagen/base/utf8.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace schemagen {
namespace {

constexpr std::array<char, 256> simple_escapes() {
  std::array<char, 256> table{};
  for (const char c : {'"', '\\', '/'}) table[static_cast<unsigned char>(c)] = c;
  table['b'] = '\b';
  table['f'] = '\f';
  table['n'] = '\n';
  table['r'] = '\r';
  table['t'] = '\t';
  return table;
}
constexpr std::array<char, 256> kSimpleEscapes = simple_escapes();

struct Marks {
  std::uint64_t quotes = 0;
  std::uint64_t escapes = 0;
  std::uint64_t rare = 0;  // control characters and non-ASCII bytes
};

Marks marks(const char* block) {
  Marks marks;
#ifdef __SSE2__
  constexpr std::size_t kPart = 16;
  for (std::size_t i = 0; i < kEscapeBlock; i += kPart) {
    __m128i part;
    std::memcpy(&part, block + i, sizeof part);
    const auto put = [i](std::uint64_t& bits, __m128i found) {
      bits |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(found))) << i;
    };
    put(marks.quotes, _mm_cmpeq_epi8(part, _mm_set1_epi8('"')));
    put(marks.escapes, _mm_cmpeq_epi8(part, _mm_set1_epi8('\\')));
    put(marks.rare, _mm_cmplt_epi8(part, _mm_set1_epi8(0x20)));  // non-ASCII bytes are negative
  }
#else
  for (std::size_t i = 0; i < kEscapeBlock; ++i) {
    const auto byte = static_cast<unsigned char>(block[i]);
    const auto put = [i](std::uint64_t& bits, bool found) { bits |= std::uint64_t{found} << i; };
    put(marks.quotes, byte == '"');
    put(marks.escapes, byte == '\\');
    put(marks.rare, byte < 0x20 || byte >= 0x80);
  }
#endif
  return marks;
}

std::size_t lowest_bit(std::uint64_t bits) {
#ifdef __GNUC__
  return static_cast<std::size_t>(__builtin_ctzll(bits));
#else
  std::size_t count = 0;
  while (((bits >> count) & 1) == 0) ++count;
  return count;
#endif
}

const char* take_escape(const char* at, const char* end, char*& out) {
  const char simple = kSimpleEscapes[static_cast<unsigned char>(at[1])];
  *out = simple;
  if (simple != 0) {
    ++out;
    return at + 2;
  }
  const auto code_point = escaped_code_point({at, static_cast<std::size_t>(end - at)}, 0);
  if (!code_point) return nullptr;
  out = put_utf8(code_point->number, out);
  return at + code_point->size;
}

/// May read and write kStep more: most runs are short.
char* copied(const char* begin, const char* end, char* out) {
  constexpr std::ptrdiff_t kStep = 32;
  char* const result = out + (end - begin);
  for (; begin < end; begin += kStep, out += kStep) std::memcpy(out, begin, kStep);
  return result;
}

/// Marks bytes after a backslash that starts an escape. `first` is the first byte's mark, and is set for the
/// next block.
std::uint64_t escaped_bytes(std::uint64_t backslashes, bool& first) {
  constexpr int kLast = 63;
  std::uint64_t escaped = first ? 1 : 0;
  std::uint64_t starts = backslashes & ~escaped;
  if ((starts & (starts << 1)) == 0) {
    escaped |= starts << 1;
    first = starts >> kLast != 0;
    return escaped;
  }
  for (first = false; starts != 0; starts &= ~escaped) {
    const std::uint64_t start = starts & (~starts + 1);
    starts ^= start;
    escaped |= start << 1;
    first = start >> kLast != 0;
  }
  return escaped;
}

bool has_control_character(std::string_view string) {
  return std::any_of(string.begin(), string.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

const char* plain_quote([[maybe_unused]] const char* begin, [[maybe_unused]] const char* end) {
#ifdef __SSE2__
  constexpr std::size_t kPart = 16;
  for (; begin < end; begin += kPart) {
    __m128i part;
    std::memcpy(&part, begin, sizeof part);
    const __m128i is_rare =
        _mm_or_si128(_mm_cmpeq_epi8(part, _mm_set1_epi8('\\')), _mm_cmplt_epi8(part, _mm_set1_epi8(0x20)));
    const int found = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(part, _mm_set1_epi8('"')), is_rare));
    if (found == 0) continue;
    begin += lowest_bit(static_cast<unsigned>(found));
    return begin < end && *begin == '"' ? begin : nullptr;
  }
#endif
  return nullptr;
}

class UnescapedBytes {
 public:
  UnescapedBytes(const char* begin, std::string& bytes)
      : begin_(begin), run_(begin), bytes_(bytes), out_(bytes.data()) {}

  void make_room(const char* block) {
    const auto size = static_cast<std::size_t>(out_ - bytes_.data());
    const auto run = static_cast<std::size_t>(block - std::min(run_, block));
    const std::size_t most = size + run + 2 * kEscapeBlock;
    if (bytes_.size() >= most) return;
    bytes_.resize(2 * most);
    out_ = bytes_.data() + size;
  }
  bool add_escape(const char* at, const char* end) {
    if (at < run_) return true;  // the second half of a surrogate pair
    out_ = copied(run_, at, out_);
    run_ = take_escape(at, end, out_);
    return run_ != nullptr;
  }
  bool has_escapes() const { return run_ != begin_; }
  std::string_view finish(const char* quote) {
    make_room(quote);
    out_ = copied(run_, quote, out_);
    return {bytes_.data(), static_cast<std::size_t>(out_ - bytes_.data())};
  }

 private:
  const char* begin_;
  const char* run_;
  std::string& bytes_;
  char* out_;
};

class PassedBytes {
 public:
  explicit PassedBytes(const char* begin) : run_(begin) {}

  void make_room(const char*) {}
  bool add_escape(const char* at, const char* end) {
    if (at < run_) return true;
    char ignored[kLongestUtf8];
    char* out = ignored;
    run_ = take_escape(at, end, out);
    return run_ != nullptr;
  }

 private:
  const char* run_;
};

/// Returns the closing quote; null if the string is not closed, not UTF-8, or has a control character or a
/// bad escape. Passes each escape to `bytes`.
template <class Bytes>
[[gnu::always_inline]] inline const char* scan_string(const char* begin, const char* end, Bytes& bytes) {
  bool is_escaped = false;
  bool has_rare = false;
  for (const char* block = begin; block < end; block += kEscapeBlock) {
    const Marks found = marks(block);
    const std::uint64_t escaped = escaped_bytes(found.escapes, is_escaped);
    const std::uint64_t quotes = found.quotes & ~escaped;
    std::uint64_t before = (quotes & (~quotes + 1)) - 1;  // up to the first quote, or all
    if (end - block < static_cast<std::ptrdiff_t>(kEscapeBlock))
      before &= (std::uint64_t{1} << (end - block)) - 1;
    has_rare = has_rare || (found.rare & before) != 0;
    std::uint64_t escapes = found.escapes & ~escaped & before;
    if (escapes != 0) bytes.make_room(block);
    for (; escapes != 0; escapes &= escapes - 1) {
      if (!bytes.add_escape(block + lowest_bit(escapes), end)) return nullptr;
    }
    if (quotes == 0) continue;
    const char* const quote = block + lowest_bit(quotes);
    if (quote >= end) return nullptr;
    const std::string_view raw(begin, static_cast<std::size_t>(quote - begin));
    return has_rare && (has_control_character(raw) || find_bad_utf8(raw)) ? nullptr : quote;
  }
  return nullptr;
}

}  // namespace

const char* end_of_string(const char* begin, const char* end) {
  if (const char* const quote = plain_quote(begin, end)) return quote;
  PassedBytes passed(begin);
  return scan_string(begin, end, passed);
}

std::optional<ClosedString> close_string(const char* begin, const char* end, std::string& scratch) {
  const auto text_until = [begin](const char* quote) {
    return std::string_view(begin, static_cast<std::size_t>(quote - begin));
  };
  if (const char* const quote = plain_quote(begin, end)) return ClosedString{quote, text_until(quote)};
  UnescapedBytes bytes(begin, scratch);
  const char* const quote = scan_string(begin, end, bytes);
  if (quote == nullptr) return std::nullopt;
  return ClosedString{quote, bytes.has_escapes() ? bytes.finish(quote) : text_until(quote)};
}

}  // namespace schemagen
