// Reads one s::Root per line: `j` and JSON, or `b` and the payload in hex. Prints its JSON; for `w` and JSON,
// the payload in hex; or `!` and why the reader rejects it.
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>

#include "s/binary.h"
#include "s/json.h"

namespace {

std::string bytes_of(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

std::string hex_of(const std::string& bytes) {
  std::string hex;
  for (const char byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(byte));
    hex += digits;
  }
  return hex;
}

std::string answer(const std::string& line) {
  const std::string data = line.substr(1);
  if (line.front() == 'w') return hex_of(schemagen::to_binary(schemagen::from_json<s::Root>(data)));
  if (line.front() == 'j') return schemagen::to_json(schemagen::from_json<s::Root>(data));
  return schemagen::to_json(schemagen::from_binary<s::Root>(bytes_of(data)));
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    try {
      std::cout << answer(line) << "\n";
    } catch (const std::exception& error) {
      const std::string reason = error.what();
      std::cout << "!" << reason.substr(0, reason.find('\n')) << "\n";
    }
  }
}
