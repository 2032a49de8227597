#include "pt2/archive/pickle/opcodes.h"

#include <array>
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
  PickleOpcode opcode;
  const char* name;
  OpcodeOperand operand;
};

constexpr OpcodeRow kOpcodeRows[] = {
#define PT2_OPCODE(name, byte, operand) {PickleOpcode::name, #name, OpcodeOperand::operand},
    PT2_OPCODES(PT2_OPCODE)
#undef PT2_OPCODE
};

const OpcodeRow* row_of(PickleOpcode opcode) {
  static const std::array<const OpcodeRow*, 256> kByOpcode = [] {
    std::array<const OpcodeRow*, 256> rows{};
    for (const OpcodeRow& row : kOpcodeRows) rows[static_cast<unsigned char>(row.opcode)] = &row;
    return rows;
  }();
  return kByOpcode[static_cast<unsigned char>(opcode)];
}

class OperandReader {
 public:
  OperandReader(std::string_view pickle, std::size_t position)
      : pickle_(pickle), position_(position), at_(position + 1) {}

  std::size_t at() const { return at_; }

  std::string_view bytes(std::uint64_t count) {
    if (count > pickle_.size() - at_) fail_in_pickle("the pickle ends inside an instruction", position_);
    const std::string_view part = pickle_.substr(at_, static_cast<std::size_t>(count));
    at_ += part.size();
    return part;
  }

  std::uint64_t number(unsigned width) {
    const std::string_view part = bytes(width);
    std::uint64_t value = 0;
    for (unsigned i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(part[i]);
    return value;
  }

  std::string_view line() {
    const std::size_t end = pickle_.find('\n', at_);
    if (end == pickle_.npos) fail_in_pickle("the pickle ends inside an instruction", position_);
    const std::string_view text = pickle_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }

 private:
  std::string_view pickle_;
  std::size_t position_;
  std::size_t at_;
};

}  // namespace

void fail_in_pickle(std::string_view reason, std::size_t position) {
  throw schemagen::DataError(std::string(reason), {}, {position});
}

const char* name_of(PickleOpcode opcode) {
  const OpcodeRow* const row = row_of(opcode);
  return row == nullptr ? "?" : row->name;
}

PickleInstruction read_instruction(std::string_view pickle, std::size_t position) {
  if (position >= pickle.size()) fail_in_pickle("the pickle ends without STOP", pickle.size());
  PickleInstruction read;
  read.opcode = static_cast<PickleOpcode>(pickle[position]);
  read.position = position;
  const OpcodeRow* const row = row_of(read.opcode);
  if (row == nullptr) {
    fail_in_pickle("unknown pickle opcode " + std::to_string(static_cast<unsigned char>(pickle[position])),
                   position);
  }
  OperandReader in(pickle, position);
  const auto operand = static_cast<unsigned>(row->operand);
  read.number = in.number(operand & 0x0F);
  if ((operand & 0x10) != 0) read.text = in.bytes(read.number);
  if (operand >= 0x20) read.text = in.line();
  if (row->operand == OpcodeOperand::two_lines) read.text2 = in.line();
  read.end = in.at();
  return read;
}

}  // namespace pt2
