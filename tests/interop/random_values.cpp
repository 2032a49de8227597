// random_values to-binary|to-json: converts values of a random schema's Root, one per line, between JSON and
// hexadecimal compact payloads. Compares all encodings.
#include <s/binary.h>
#include <s/json.h>

#include <iostream>
#include <stdexcept>
#include <string>

#include "schemagen/base/error.h"

namespace {

constexpr char kDigits[] = "0123456789abcdef";

std::string to_hex(const std::string& bytes) {
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::string from_hex(const std::string& hex) {
  const auto digit = [&](std::size_t at) { return std::string(kDigits).find(hex.at(at)); };
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(static_cast<unsigned char>(digit(i) * 16 + digit(i + 1)));
  }
  return bytes;
}

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

/// Long payloads have too many; some hundred are enough.
void check_prefixes(const std::string& payload) {
  for (std::size_t size = 0; size < payload.size(); size += 1 + payload.size() / 200) {
    try {
      static_cast<void>(schemagen::from_binary<s::Root>(payload.substr(0, size)));
    } catch (const schemagen::DataError& error) {
      require(error.place().offset.has_value() && *error.place().offset <= size,
              "an error without its place");
      continue;
    }
    throw std::logic_error("a payload without its end was read");
  }
}

void check(const s::Root& value, const std::string& payload) {
  const auto again = schemagen::from_binary<s::Root>(payload);
  require(schemagen::to_binary(again) == payload, "the payload is written otherwise once it was read");
  require(schemagen::to_json(again) == schemagen::to_json(value),
          "the value is another once it was a payload");
  schemagen::BinaryWriteOptions sorted;
  sorted.canonical = true;
  schemagen::BinaryReadOptions strict;
  strict.canonical_check = true;
  const std::string canonical = schemagen::to_binary(value, sorted);
  require(schemagen::to_binary(schemagen::from_binary<s::Root>(canonical, strict)) == canonical,
          "the canonical form is written otherwise once it was read");
  check_prefixes(payload);
}

std::string convert(const std::string& mode, const std::string& line) {
  if (mode == "to-json") return schemagen::to_json(schemagen::from_binary<s::Root>(from_hex(line)));
  const auto value = schemagen::from_json<s::Root>(line);
  const std::string payload = schemagen::to_binary(value);
  check(value, payload);
  return to_hex(payload);
}

}  // namespace

int main(int, char** argv) {
  std::string line;
  try {
    while (std::getline(std::cin, line)) std::cout << convert(argv[1], line) << "\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\nby: " << line << "\n";
    return 1;
  }
  return 0;
}
