#include "schemagen/base/sha256.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

using schemagen::Sha256;
using schemagen::sha256_hex;

// From FIPS 180-2, appendix B.
TEST_CASE("the examples of the standard have the hashes that it gives") {
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256_hex(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("a hash does not depend on how the bytes are divided into parts") {
  std::string bytes;
  for (int i = 0; i < 300; ++i) bytes += static_cast<char>(i * 7 % 251);
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const std::string_view text = std::string_view(bytes).substr(0, size);
    for (const std::size_t part : std::vector<std::size_t>{1, 3, 63, 64, 65, 130}) {
      Sha256 hash;
      for (std::size_t at = 0; at < size; at += part) hash.update(text.substr(at, part));
      REQUIRE(hash.hex() == sha256_hex(text));
    }
  }
}
