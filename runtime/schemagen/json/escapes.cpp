#include "schemagen/json/escapes.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "schemagen/value/json_syntax.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace schemagen {
namespace {

/// What the character behind a backslash stands for; 0: nothing, or that of `\u`.
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

/// Bit i: whether byte i of a block is a backslash.
std::uint64_t backslashes(const char* block) {
  std::uint64_t bits = 0;
#ifdef __SSE2__
  constexpr std::size_t kPart = 16;
  for (std::size_t i = 0; i < kEscapeBlock; i += kPart) {
    __m128i part;
    std::memcpy(&part, block + i, sizeof part);
    const int found = _mm_movemask_epi8(_mm_cmpeq_epi8(part, _mm_set1_epi8('\\')));
    bits |= static_cast<std::uint64_t>(static_cast<unsigned>(found)) << i;
  }
#else
  for (std::size_t i = 0; i < kEscapeBlock; ++i) bits |= static_cast<std::uint64_t>(block[i] == '\\') << i;
#endif
  return bits;
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

/// Calls `take` for each escape, with where the run of plain bytes before it begins; it gives where the next
/// run does, or null. The begin of the last run; null if `take` gave it.
template <class Take>
const char* for_each_escape(const char* begin, const char* end, const Take& take) {
  for (const char* block = begin; block < end; block += kEscapeBlock) {
    // All of a block at once: escapes often come every few bytes, and no step waits for the one before.
    for (std::uint64_t found = backslashes(block); found != 0; found &= found - 1) {
      const char* const at = block + lowest_bit(found);
      if (at >= end) break;
      if (at < begin) continue;  // part of the escape before
      begin = take(begin, at);
      if (begin == nullptr) return nullptr;
    }
  }
  return begin;
}

/// An escape `\u`, or a pair of them.
struct CodePoint {
  unsigned number;
  std::size_t size;  // of what stands for it
};

std::optional<CodePoint> escaped_code_point(const char* at, const char* end) {
  constexpr std::size_t kSize = 6;
  const std::string_view rest(at, static_cast<std::size_t>(end - at));
  const std::optional<unsigned> first = escaped_unit(rest, 0);
  if (!first) return std::nullopt;
  if (*first < 0xd800 || *first > 0xdfff) return CodePoint{*first, kSize};
  const std::optional<unsigned> second = escaped_unit(rest, kSize);
  if (*first > 0xdbff || !second || *second < 0xdc00 || *second > 0xdfff) return std::nullopt;
  return CodePoint{0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00), 2 * kSize};
}

/// Appends a code point in UTF-8.
char* put_utf8(unsigned code_point, char* out) {
  const auto put = [&](unsigned byte) { *out++ = static_cast<char>(static_cast<unsigned char>(byte)); };
  const auto put_tail = [&](int shift) { put(0x80 | ((code_point >> shift) & 0x3f)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xc0 | (code_point >> 6));
    put_tail(0);
  } else if (code_point < 0x10000) {
    put(0xe0 | (code_point >> 12));
    put_tail(6);
    put_tail(0);
  } else {
    put(0xf0 | (code_point >> 18));
    put_tail(12);
    put_tail(6);
    put_tail(0);
  }
  return out;
}

/// Behind the copied bytes. Writes up to kStep more, and reads them: most runs are short.
char* copied(const char* begin, const char* end, char* out) {
  constexpr std::ptrdiff_t kStep = 32;
  char* const result = out + (end - begin);
  for (; begin < end; begin += kStep, out += kStep) std::memcpy(out, begin, kStep);
  return result;
}

}  // namespace

bool has_good_escapes(const char* begin, const char* end) {
  return for_each_escape(begin, end, [end](const char*, const char* at) -> const char* {
           if (kSimpleEscapes[static_cast<unsigned char>(at[1])] != 0) return at + 2;
           const std::optional<CodePoint> code_point = escaped_code_point(at, end);
           return code_point ? at + code_point->size : nullptr;
         }) != nullptr;
}

char* unescape(const char* begin, const char* end, char* out) {
  const char* const rest =
      for_each_escape(begin, end, [end, &out](const char* run, const char* at) -> const char* {
        out = copied(run, at, out);
        if (const char simple = kSimpleEscapes[static_cast<unsigned char>(at[1])]) {
          *out++ = simple;
          return at + 2;
        }
        const std::optional<CodePoint> code_point = escaped_code_point(at, end);
        if (!code_point) return nullptr;
        out = put_utf8(code_point->number, out);
        return at + code_point->size;
      });
  return rest == nullptr ? nullptr : copied(rest, end, out);
}

}  // namespace schemagen
