#include "pt2/archive/pickle/opcodes.h"

#include <array>
#include <string>

#include "schemagen/value/error.h"

namespace pt2 {
namespace {

/// What follows an opcode.
enum class Operand : unsigned char {
  none,
  number1,
  number2,
  number4,
  number8,
  counted1,  // a count of that many bytes, and so many bytes
  counted4,
  counted8,
  line,
  two_lines,
};

struct Row {
  PickleOpcode opcode;
  const char* name;
  Operand operand;
};

constexpr Row kRows[] = {
    {PickleOpcode::MARK, "MARK", Operand::none},
    {PickleOpcode::STOP, "STOP", Operand::none},
    {PickleOpcode::POP, "POP", Operand::none},
    {PickleOpcode::POP_MARK, "POP_MARK", Operand::none},
    {PickleOpcode::DUP, "DUP", Operand::none},
    {PickleOpcode::FLOAT, "FLOAT", Operand::line},
    {PickleOpcode::INT, "INT", Operand::line},
    {PickleOpcode::BININT, "BININT", Operand::number4},
    {PickleOpcode::BININT1, "BININT1", Operand::number1},
    {PickleOpcode::LONG, "LONG", Operand::line},
    {PickleOpcode::BININT2, "BININT2", Operand::number2},
    {PickleOpcode::NONE, "NONE", Operand::none},
    {PickleOpcode::PERSID, "PERSID", Operand::line},
    {PickleOpcode::BINPERSID, "BINPERSID", Operand::none},
    {PickleOpcode::REDUCE, "REDUCE", Operand::none},
    {PickleOpcode::STRING, "STRING", Operand::line},
    {PickleOpcode::BINSTRING, "BINSTRING", Operand::counted4},
    {PickleOpcode::SHORT_BINSTRING, "SHORT_BINSTRING", Operand::counted1},
    {PickleOpcode::UNICODE, "UNICODE", Operand::line},
    {PickleOpcode::BINUNICODE, "BINUNICODE", Operand::counted4},
    {PickleOpcode::APPEND, "APPEND", Operand::none},
    {PickleOpcode::BUILD, "BUILD", Operand::none},
    {PickleOpcode::GLOBAL, "GLOBAL", Operand::two_lines},
    {PickleOpcode::DICT, "DICT", Operand::none},
    {PickleOpcode::EMPTY_DICT, "EMPTY_DICT", Operand::none},
    {PickleOpcode::APPENDS, "APPENDS", Operand::none},
    {PickleOpcode::GET, "GET", Operand::line},
    {PickleOpcode::BINGET, "BINGET", Operand::number1},
    {PickleOpcode::INST, "INST", Operand::two_lines},
    {PickleOpcode::LONG_BINGET, "LONG_BINGET", Operand::number4},
    {PickleOpcode::LIST, "LIST", Operand::none},
    {PickleOpcode::EMPTY_LIST, "EMPTY_LIST", Operand::none},
    {PickleOpcode::OBJ, "OBJ", Operand::none},
    {PickleOpcode::PUT, "PUT", Operand::line},
    {PickleOpcode::BINPUT, "BINPUT", Operand::number1},
    {PickleOpcode::LONG_BINPUT, "LONG_BINPUT", Operand::number4},
    {PickleOpcode::SETITEM, "SETITEM", Operand::none},
    {PickleOpcode::TUPLE, "TUPLE", Operand::none},
    {PickleOpcode::EMPTY_TUPLE, "EMPTY_TUPLE", Operand::none},
    {PickleOpcode::SETITEMS, "SETITEMS", Operand::none},
    {PickleOpcode::BINFLOAT, "BINFLOAT", Operand::number8},
    {PickleOpcode::PROTO, "PROTO", Operand::number1},
    {PickleOpcode::NEWOBJ, "NEWOBJ", Operand::none},
    {PickleOpcode::EXT1, "EXT1", Operand::number1},
    {PickleOpcode::EXT2, "EXT2", Operand::number2},
    {PickleOpcode::EXT4, "EXT4", Operand::number4},
    {PickleOpcode::TUPLE1, "TUPLE1", Operand::none},
    {PickleOpcode::TUPLE2, "TUPLE2", Operand::none},
    {PickleOpcode::TUPLE3, "TUPLE3", Operand::none},
    {PickleOpcode::NEWTRUE, "NEWTRUE", Operand::none},
    {PickleOpcode::NEWFALSE, "NEWFALSE", Operand::none},
    {PickleOpcode::LONG1, "LONG1", Operand::counted1},
    {PickleOpcode::LONG4, "LONG4", Operand::counted4},
    {PickleOpcode::BINBYTES, "BINBYTES", Operand::counted4},
    {PickleOpcode::SHORT_BINBYTES, "SHORT_BINBYTES", Operand::counted1},
    {PickleOpcode::SHORT_BINUNICODE, "SHORT_BINUNICODE", Operand::counted1},
    {PickleOpcode::BINUNICODE8, "BINUNICODE8", Operand::counted8},
    {PickleOpcode::BINBYTES8, "BINBYTES8", Operand::counted8},
    {PickleOpcode::EMPTY_SET, "EMPTY_SET", Operand::none},
    {PickleOpcode::ADDITEMS, "ADDITEMS", Operand::none},
    {PickleOpcode::FROZENSET, "FROZENSET", Operand::none},
    {PickleOpcode::NEWOBJ_EX, "NEWOBJ_EX", Operand::none},
    {PickleOpcode::STACK_GLOBAL, "STACK_GLOBAL", Operand::none},
    {PickleOpcode::MEMOIZE, "MEMOIZE", Operand::none},
    {PickleOpcode::FRAME, "FRAME", Operand::number8},
    {PickleOpcode::BYTEARRAY8, "BYTEARRAY8", Operand::counted8},
    {PickleOpcode::NEXT_BUFFER, "NEXT_BUFFER", Operand::none},
    {PickleOpcode::READONLY_BUFFER, "READONLY_BUFFER", Operand::none},
};

/// Null: there is no such opcode.
const Row* row_of(PickleOpcode opcode) {
  static const std::array<const Row*, 256> kByOpcode = [] {
    std::array<const Row*, 256> rows{};
    for (const Row& row : kRows) rows[static_cast<unsigned char>(row.opcode)] = &row;
    return rows;
  }();
  return kByOpcode[static_cast<unsigned char>(opcode)];
}

/// Reads the parts of one instruction, in order.
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
  const Row* const row = row_of(opcode);
  return row == nullptr ? "?" : row->name;
}

PickleInstruction read_instruction(std::string_view pickle, std::size_t position) {
  if (position >= pickle.size()) fail_in_pickle("the pickle ends without STOP", pickle.size());
  PickleInstruction read;
  read.opcode = static_cast<PickleOpcode>(pickle[position]);
  read.position = position;
  const Row* const row = row_of(read.opcode);
  if (row == nullptr) {
    fail_in_pickle("unknown pickle opcode " + std::to_string(static_cast<unsigned char>(pickle[position])),
                   position);
  }
  OperandReader operand(pickle, position);
  switch (row->operand) {
    case Operand::none:
      break;
    case Operand::number1:
      read.number = operand.number(1);
      break;
    case Operand::number2:
      read.number = operand.number(2);
      break;
    case Operand::number4:
      read.number = operand.number(4);
      break;
    case Operand::number8:
      read.number = operand.number(8);
      break;
    case Operand::counted1:
      read.text = operand.bytes(operand.number(1));
      break;
    case Operand::counted4:
      read.text = operand.bytes(operand.number(4));
      break;
    case Operand::counted8:
      read.text = operand.bytes(operand.number(8));
      break;
    case Operand::line:
      read.text = operand.line();
      break;
    case Operand::two_lines:
      read.text = operand.line();
      read.text2 = operand.line();
      break;
  }
  read.end = operand.at();
  return read;
}

}  // namespace pt2
