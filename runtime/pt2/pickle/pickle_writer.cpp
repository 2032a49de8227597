#include "pt2/pickle/pickle_writer.h"

#include <limits>
#include <utility>

#include "schemagen/value/error.h"

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
