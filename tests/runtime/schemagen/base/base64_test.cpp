#include "schemagen/base/base64.h"

#include <catch2/catch.hpp>
#include <string>

using schemagen::Bytes;
using schemagen::from_base64;
using schemagen::to_base64;

namespace {

Bytes bytes(const std::string& text) {
  return Bytes(text.begin(), text.end());
}

}  // namespace

TEST_CASE("base64 gives the vectors of RFC 4648, section 10, both ways, with padding and without") {
  const std::pair<const char*, const char*> vectors[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  };
  for (const auto& [plain, encoded] : vectors) {
    INFO(plain);
    CHECK(to_base64(bytes(plain)) == encoded);
    CHECK(from_base64(encoded) == bytes(plain));
    std::string bare = encoded;
    while (!bare.empty() && bare.back() == '=') bare.pop_back();
    CHECK(from_base64(bare) == bytes(plain));
  }
}

TEST_CASE("base64 holds every byte") {
  Bytes all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<std::uint8_t>(i));
  for (std::size_t length = 0; length < all.size(); ++length) {
    const Bytes some(all.end() - static_cast<std::ptrdiff_t>(length), all.end());
    CHECK(from_base64(to_base64(some)) == some);
  }
  CHECK(to_base64({0xfb, 0xff}) == "+/8=");
}

TEST_CASE("invalid base64 is rejected") {
  for (const char* text : {"A", "AAAAA", "Zg=", "Zg===", "Z===", "=", "==", "Zm9v=", "Zm9v==", "Zg==Zg==",
                           "Z g=", "Zg==\n", "Zm-_", "Zh==", "Zm9=", "Zm\xc3\xa9"}) {
    INFO(text);
    CHECK_FALSE(from_base64(text).has_value());
  }
  CHECK_FALSE(from_base64(std::string_view("Zm8\0", 4)).has_value());
}
