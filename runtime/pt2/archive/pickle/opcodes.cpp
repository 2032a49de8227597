#include "pt2/archive/pickle/opcodes.h"

#include <algorithm>
#include <string>

#include "schemagen/base/error.h"

namespace pt2 {
namespace {

/// The last hexadecimal digit is the width of a number.
enum class OpcodeOperand : unsigned char {
  none = 0,
  number1 = 0x01,
  number2 = 0x02,
  number4 = 0x04,
  number8 = 0x08,
  counted1 = 0x11,  // a count of that many bytes, then that many bytes
  counted4 = 0x14,
  counted8 = 0x18,
  line = 0x20,
  two_lines = 0x40,
};

struct OpcodeRow {
  const char* name;  // null for an unknown opcode
  OpcodeOperand operand;
};

OpcodeRow row_of(PickleOpcode opcode) {
  switch (opcode) {
#define PT2_OPCODE(name, byte, operand) \
  case PickleOpcode::name:              \
    return {#name, OpcodeOperand::operand};
    PT2_OPCODES(PT2_OPCODE)
#undef PT2_OPCODE
  }
  return {nullptr, OpcodeOperand::none};
}

}  // namespace

void fail_in_pickle(std::string_view reason, std::size_t position) {
  throw schemagen::DataError(std::string(reason), {}, {position});
}

const char* name_of(PickleOpcode opcode) {
  const char* const name = row_of(opcode).name;
  return name == nullptr ? "?" : name;
}

PickleInstruction read_instruction(std::string_view pickle, std::size_t position) {
  if (position >= pickle.size()) fail_in_pickle("the pickle ends without STOP", pickle.size());
  PickleInstruction read;
  read.opcode = static_cast<PickleOpcode>(pickle[position]);
  read.position = position;
  const OpcodeRow row = row_of(read.opcode);
  if (row.name == nullptr) {
    fail_in_pickle("unknown pickle opcode " + std::to_string(static_cast<unsigned char>(pickle[position])),
                   position);
  }
  read.end = position + 1;
  const auto take = [&](std::uint64_t count) {
    if (count > pickle.size() - read.end) fail_in_pickle("the pickle ends inside an instruction", position);
    const std::string_view part = pickle.substr(read.end, static_cast<std::size_t>(count));
    read.end += part.size();
    return part;
  };
  const auto take_line = [&] {
    const std::string_view line = take(std::min(pickle.find('\n', read.end), pickle.size()) - read.end);
    take(1);
    return line;
  };
  const auto operand = static_cast<unsigned>(row.operand);
  unsigned shift = 0;
  for (const char byte : take(operand & 0x0F)) {
    read.number |= std::uint64_t{static_cast<unsigned char>(byte)} << shift;
    shift += 8;
  }
  if ((operand & 0x10) != 0) read.text = take(read.number);
  if (operand >= 0x20) read.text = take_line();
  if (row.operand == OpcodeOperand::two_lines) read.text2 = take_line();
  return read;
}

}  // namespace pt2
