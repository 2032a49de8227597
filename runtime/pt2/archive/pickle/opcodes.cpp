#include "pt2/archive/pickle/opcodes.h"

#include <array>
#include <string>

#include "schemagen/base/error.h"

namespace pt2 {
namespace {

enum class OpcodeOperand : unsigned char {
  none,
  number1,
  number2,
  number4,
  number8,
  counted1,  // a count of that many bytes, then that many bytes
  counted4,
  counted8,
  line,
  two_lines,
};

struct OpcodeRow {
  PickleOpcode opcode;
  const char* name;
  OpcodeOperand operand;
};

constexpr OpcodeRow kOpcodeRows[] = {
    {PickleOpcode::MARK, "MARK", OpcodeOperand::none},
    {PickleOpcode::STOP, "STOP", OpcodeOperand::none},
    {PickleOpcode::POP, "POP", OpcodeOperand::none},
    {PickleOpcode::POP_MARK, "POP_MARK", OpcodeOperand::none},
    {PickleOpcode::DUP, "DUP", OpcodeOperand::none},
    {PickleOpcode::FLOAT, "FLOAT", OpcodeOperand::line},
    {PickleOpcode::INT, "INT", OpcodeOperand::line},
    {PickleOpcode::BININT, "BININT", OpcodeOperand::number4},
    {PickleOpcode::BININT1, "BININT1", OpcodeOperand::number1},
    {PickleOpcode::LONG, "LONG", OpcodeOperand::line},
    {PickleOpcode::BININT2, "BININT2", OpcodeOperand::number2},
    {PickleOpcode::NONE, "NONE", OpcodeOperand::none},
    {PickleOpcode::PERSID, "PERSID", OpcodeOperand::line},
    {PickleOpcode::BINPERSID, "BINPERSID", OpcodeOperand::none},
    {PickleOpcode::REDUCE, "REDUCE", OpcodeOperand::none},
    {PickleOpcode::STRING, "STRING", OpcodeOperand::line},
    {PickleOpcode::BINSTRING, "BINSTRING", OpcodeOperand::counted4},
    {PickleOpcode::SHORT_BINSTRING, "SHORT_BINSTRING", OpcodeOperand::counted1},
    {PickleOpcode::UNICODE, "UNICODE", OpcodeOperand::line},
    {PickleOpcode::BINUNICODE, "BINUNICODE", OpcodeOperand::counted4},
    {PickleOpcode::APPEND, "APPEND", OpcodeOperand::none},
    {PickleOpcode::BUILD, "BUILD", OpcodeOperand::none},
    {PickleOpcode::GLOBAL, "GLOBAL", OpcodeOperand::two_lines},
    {PickleOpcode::DICT, "DICT", OpcodeOperand::none},
    {PickleOpcode::EMPTY_DICT, "EMPTY_DICT", OpcodeOperand::none},
    {PickleOpcode::APPENDS, "APPENDS", OpcodeOperand::none},
    {PickleOpcode::GET, "GET", OpcodeOperand::line},
    {PickleOpcode::BINGET, "BINGET", OpcodeOperand::number1},
    {PickleOpcode::INST, "INST", OpcodeOperand::two_lines},
    {PickleOpcode::LONG_BINGET, "LONG_BINGET", OpcodeOperand::number4},
    {PickleOpcode::LIST, "LIST", OpcodeOperand::none},
    {PickleOpcode::EMPTY_LIST, "EMPTY_LIST", OpcodeOperand::none},
    {PickleOpcode::OBJ, "OBJ", OpcodeOperand::none},
    {PickleOpcode::PUT, "PUT", OpcodeOperand::line},
    {PickleOpcode::BINPUT, "BINPUT", OpcodeOperand::number1},
    {PickleOpcode::LONG_BINPUT, "LONG_BINPUT", OpcodeOperand::number4},
    {PickleOpcode::SETITEM, "SETITEM", OpcodeOperand::none},
    {PickleOpcode::TUPLE, "TUPLE", OpcodeOperand::none},
    {PickleOpcode::EMPTY_TUPLE, "EMPTY_TUPLE", OpcodeOperand::none},
    {PickleOpcode::SETITEMS, "SETITEMS", OpcodeOperand::none},
    {PickleOpcode::BINFLOAT, "BINFLOAT", OpcodeOperand::number8},
    {PickleOpcode::PROTO, "PROTO", OpcodeOperand::number1},
    {PickleOpcode::NEWOBJ, "NEWOBJ", OpcodeOperand::none},
    {PickleOpcode::EXT1, "EXT1", OpcodeOperand::number1},
    {PickleOpcode::EXT2, "EXT2", OpcodeOperand::number2},
    {PickleOpcode::EXT4, "EXT4", OpcodeOperand::number4},
    {PickleOpcode::TUPLE1, "TUPLE1", OpcodeOperand::none},
    {PickleOpcode::TUPLE2, "TUPLE2", OpcodeOperand::none},
    {PickleOpcode::TUPLE3, "TUPLE3", OpcodeOperand::none},
    {PickleOpcode::NEWTRUE, "NEWTRUE", OpcodeOperand::none},
    {PickleOpcode::NEWFALSE, "NEWFALSE", OpcodeOperand::none},
    {PickleOpcode::LONG1, "LONG1", OpcodeOperand::counted1},
    {PickleOpcode::LONG4, "LONG4", OpcodeOperand::counted4},
    {PickleOpcode::BINBYTES, "BINBYTES", OpcodeOperand::counted4},
    {PickleOpcode::SHORT_BINBYTES, "SHORT_BINBYTES", OpcodeOperand::counted1},
    {PickleOpcode::SHORT_BINUNICODE, "SHORT_BINUNICODE", OpcodeOperand::counted1},
    {PickleOpcode::BINUNICODE8, "BINUNICODE8", OpcodeOperand::counted8},
    {PickleOpcode::BINBYTES8, "BINBYTES8", OpcodeOperand::counted8},
    {PickleOpcode::EMPTY_SET, "EMPTY_SET", OpcodeOperand::none},
    {PickleOpcode::ADDITEMS, "ADDITEMS", OpcodeOperand::none},
    {PickleOpcode::FROZENSET, "FROZENSET", OpcodeOperand::none},
    {PickleOpcode::NEWOBJ_EX, "NEWOBJ_EX", OpcodeOperand::none},
    {PickleOpcode::STACK_GLOBAL, "STACK_GLOBAL", OpcodeOperand::none},
    {PickleOpcode::MEMOIZE, "MEMOIZE", OpcodeOperand::none},
    {PickleOpcode::FRAME, "FRAME", OpcodeOperand::number8},
    {PickleOpcode::BYTEARRAY8, "BYTEARRAY8", OpcodeOperand::counted8},
    {PickleOpcode::NEXT_BUFFER, "NEXT_BUFFER", OpcodeOperand::none},
    {PickleOpcode::READONLY_BUFFER, "READONLY_BUFFER", OpcodeOperand::none},
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
  schemagen::Place place;
  place.offset = position;
  throw schemagen::DataError(std::string(reason), {}, place);
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
  OperandReader operand(pickle, position);
  switch (row->operand) {
    case OpcodeOperand::none:
      break;
    case OpcodeOperand::number1:
      read.number = operand.number(1);
      break;
    case OpcodeOperand::number2:
      read.number = operand.number(2);
      break;
    case OpcodeOperand::number4:
      read.number = operand.number(4);
      break;
    case OpcodeOperand::number8:
      read.number = operand.number(8);
      break;
    case OpcodeOperand::counted1:
      read.text = operand.bytes(operand.number(1));
      break;
    case OpcodeOperand::counted4:
      read.text = operand.bytes(operand.number(4));
      break;
    case OpcodeOperand::counted8:
      read.text = operand.bytes(operand.number(8));
      break;
    case OpcodeOperand::line:
      read.text = operand.line();
      break;
    case OpcodeOperand::two_lines:
      read.text = operand.line();
      read.text2 = operand.line();
      break;
  }
  read.end = operand.at();
  return read;
}

}  // namespace pt2
