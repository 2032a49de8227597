#include "schemagen/base/sha256.h"

#include <algorithm>

#include "schemagen/base/base64.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define SCHEMAGEN_SHA256_X86
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace schemagen {
namespace {

using Sha256State = std::array<std::uint32_t, 8>;

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (§4.2.2).
alignas(16) constexpr std::array<std::uint32_t, 64> kSha256Rounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t rotated_right(std::uint32_t word, int bits) {
  return word >> bits | word << (32 - bits);
}

void add_block(Sha256State& state, const char* block) {
  std::array<std::uint32_t, 64> words;
  for (std::size_t i = 0; i < 16; ++i) {
    words[i] = 0;
    for (std::size_t j = 0; j < 4; ++j)
      words[i] = words[i] << 8 | static_cast<unsigned char>(block[4 * i + j]);
  }
  for (std::size_t i = 16; i < words.size(); ++i) {
    const std::uint32_t near = words[i - 2];
    const std::uint32_t far = words[i - 15];
    words[i] = words[i - 16] + (rotated_right(far, 7) ^ rotated_right(far, 18) ^ far >> 3) + words[i - 7] +
               (rotated_right(near, 17) ^ rotated_right(near, 19) ^ near >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint32_t first = h + (rotated_right(e, 6) ^ rotated_right(e, 11) ^ rotated_right(e, 25)) +
                                ((e & f) ^ (~e & g)) + kSha256Rounds[i] + words[i];
    const std::uint32_t second =
        (rotated_right(a, 2) ^ rotated_right(a, 13) ^ rotated_right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const Sha256State added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += added[i];
}

#ifdef SCHEMAGEN_SHA256_X86

bool has_sha_instructions() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  const bool has_sse = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSSE3) != 0 && (c & bit_SSE4_1) != 0;
  return has_sse && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}

__m128i loaded(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}

/// The instructions take the state as words a, b, e, f and c, d, g, h, and do two rounds each; `words` are
/// the last 16 of the message schedule.
__attribute__((target("sha,ssse3,sse4.1"))) void add_blocks_by_x86(Sha256State& state, const char* blocks,
                                                                   std::size_t count) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i cdab = _mm_shuffle_epi32(loaded(&state[0]), 0xb1);
  const __m128i efgh = _mm_shuffle_epi32(loaded(&state[4]), 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
  for (; count != 0; --count, blocks += 64) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i words[4];
#ifndef __clang__
#pragma GCC unroll 16
#endif
    for (std::size_t i = 0; i < 16; ++i) {
      __m128i& word = words[i % 4];
      const __m128i last = words[(i + 3) % 4];
      if (i < 4) {
        word = _mm_shuffle_epi8(loaded(blocks + 16 * i), big_endian);
      } else {
        const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(word, words[(i + 1) % 4]),
                                          _mm_alignr_epi8(last, words[(i + 2) % 4], 4));
        word = _mm_sha256msg2_epu32(sum, last);
      }
      const __m128i added = _mm_add_epi32(word, loaded(&kSha256Rounds[4 * i]));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(&state[0])), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(&state[4])), _mm_alignr_epi8(dchg, feba, 8));
}

#endif

void add_blocks(Sha256State& state, const char* blocks, std::size_t count) {
#ifdef SCHEMAGEN_SHA256_X86
  static const bool has_instructions = has_sha_instructions();
  if (has_instructions) return add_blocks_by_x86(state, blocks, count);
#endif
  for (; count != 0; --count, blocks += 64) add_block(state, blocks);
}

}  // namespace

void Sha256::update(std::string_view bytes) {
  const std::size_t held = size_ % kBlockBytes;
  size_ += bytes.size();
  if (held != 0) {
    const std::size_t taken = std::min(kBlockBytes - held, bytes.size());
    std::copy_n(bytes.begin(), taken, rest_.begin() + static_cast<std::ptrdiff_t>(held));
    bytes.remove_prefix(taken);
    if (held + taken < kBlockBytes) return;
    add_blocks(state_, rest_.data(), 1);
  }
  const std::size_t blocks = bytes.size() / kBlockBytes;
  add_blocks(state_, bytes.data(), blocks);
  bytes.remove_prefix(blocks * kBlockBytes);
  std::copy(bytes.begin(), bytes.end(), rest_.begin());
}

std::array<unsigned char, 32> Sha256::digest() {
  const std::uint64_t bits = size_ * 8;
  // One bit, zeros and the length end the message.
  const std::size_t held = size_ % kBlockBytes;
  std::string padding(held < 56 ? 56 - held : kBlockBytes + 56 - held, '\0');
  padding[0] = '\x80';
  for (int shift = 56; shift >= 0; shift -= 8) padding += static_cast<char>(bits >> shift & 0xff);
  update(padding);
  std::array<unsigned char, 32> digest;
  for (std::size_t i = 0; i < digest.size(); ++i)
    digest[i] = static_cast<unsigned char>(state_[i / 4] >> (24 - 8 * (i % 4)) & 0xff);
  return digest;
}

std::string Sha256::hex() {
  const auto bytes = digest();
  return hex_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.hex();
}

}  // namespace schemagen
