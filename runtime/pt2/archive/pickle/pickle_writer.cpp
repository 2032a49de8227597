#include "pt2/archive/pickle/pickle_writer.h"

#include <cstring>
#include <limits>
#include <utility>

#include "schemagen/base/error.h"

namespace pt2 {

PickleWriter& PickleWriter::integer(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  if (value >= 0 && value <= std::numeric_limits<std::uint8_t>::max()) {
    op(PickleOpcode::BININT1).number(bits, 1);
  } else if (value >= std::numeric_limits<std::int32_t>::min() &&
             value <= std::numeric_limits<std::int32_t>::max()) {
    op(PickleOpcode::BININT).number(bits, 4);
  } else {
    op(PickleOpcode::LONG1).number(sizeof bits, 1);
    number(bits, sizeof bits);
  }
  return *this;
}

PickleWriter& PickleWriter::floating(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  op(PickleOpcode::BINFLOAT);
  for (int shift = 56; shift >= 0; shift -= 8) bytes_ += static_cast<char>(bits >> shift & 0xFF);
  return *this;
}

PickleWriter& PickleWriter::put(std::uint32_t number) {
  op(PickleOpcode::LONG_BINPUT).number(number, sizeof number);
  return *this;
}

PickleWriter& PickleWriter::get(std::uint32_t number) {
  op(PickleOpcode::LONG_BINGET).number(number, sizeof number);
  return *this;
}

PickleWriter& PickleWriter::text(std::string_view text) {
  if (text.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw schemagen::UsageError("a string of " + std::to_string(text.size()) +
                                " bytes is too long to pickle");
  }
  op(PickleOpcode::BINUNICODE).number(text.size(), 4);
  bytes_ += text;
  return *this;
}

PickleWriter& PickleWriter::global(std::string_view module, std::string_view name) {
  op(PickleOpcode::GLOBAL).bytes_.append(module).append("\n").append(name).append("\n");
  return *this;
}

std::string PickleWriter::take() && {
  op(PickleOpcode::STOP);
  return std::move(bytes_);
}

void PickleWriter::number(std::uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xFF);
}

}  // namespace pt2
