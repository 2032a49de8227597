#include "pt2/pickle/opcodes.h"

#include <array>
#include <string>

#include "schemagen/value/error.h"

namespace pt2 {
namespace {

/// What follows an opcode.
enum class Argument : unsigned char {
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
  Argument argument;
};

constexpr Row kRows[] = {
    {PickleOpcode::MARK, "MARK", Argument::none},
    {PickleOpcode::STOP, "STOP", Argument::none},
    {PickleOpcode::POP, "POP", Argument::none},
    {PickleOpcode::POP_MARK, "POP_MARK", Argument::none},
    {PickleOpcode::DUP, "DUP", Argument::none},
    {PickleOpcode::FLOAT, "FLOAT", Argument::line},
    {PickleOpcode::INT, "INT", Argument::line},
    {PickleOpcode::BININT, "BININT", Argument::number4},
    {PickleOpcode::BININT1, "BININT1", Argument::number1},
    {PickleOpcode::LONG, "LONG", Argument::line},
    {PickleOpcode::BININT2, "BININT2", Argument::number2},
    {PickleOpcode::NONE, "NONE", Argument::none},
    {PickleOpcode::PERSID, "PERSID", Argument::line},
    {PickleOpcode::BINPERSID, "BINPERSID", Argument::none},
    {PickleOpcode::REDUCE, "REDUCE", Argument::none},
    {PickleOpcode::STRING, "STRING", Argument::line},
    {PickleOpcode::BINSTRING, "BINSTRING", Argument::counted4},
    {PickleOpcode::SHORT_BINSTRING, "SHORT_BINSTRING", Argument::counted1},
    {PickleOpcode::UNICODE, "UNICODE", Argument::line},
    {PickleOpcode::BINUNICODE, "BINUNICODE", Argument::counted4},
    {PickleOpcode::APPEND, "APPEND", Argument::none},
    {PickleOpcode::BUILD, "BUILD", Argument::none},
    {PickleOpcode::GLOBAL, "GLOBAL", Argument::two_lines},
    {PickleOpcode::DICT, "DICT", Argument::none},
    {PickleOpcode::EMPTY_DICT, "EMPTY_DICT", Argument::none},
    {PickleOpcode::APPENDS, "APPENDS", Argument::none},
    {PickleOpcode::GET, "GET", Argument::line},
    {PickleOpcode::BINGET, "BINGET", Argument::number1},
    {PickleOpcode::INST, "INST", Argument::two_lines},
    {PickleOpcode::LONG_BINGET, "LONG_BINGET", Argument::number4},
    {PickleOpcode::LIST, "LIST", Argument::none},
    {PickleOpcode::EMPTY_LIST, "EMPTY_LIST", Argument::none},
    {PickleOpcode::OBJ, "OBJ", Argument::none},
    {PickleOpcode::PUT, "PUT", Argument::line},
    {PickleOpcode::BINPUT, "BINPUT", Argument::number1},
    {PickleOpcode::LONG_BINPUT, "LONG_BINPUT", Argument::number4},
    {PickleOpcode::SETITEM, "SETITEM", Argument::none},
    {PickleOpcode::TUPLE, "TUPLE", Argument::none},
    {PickleOpcode::EMPTY_TUPLE, "EMPTY_TUPLE", Argument::none},
    {PickleOpcode::SETITEMS, "SETITEMS", Argument::none},
    {PickleOpcode::BINFLOAT, "BINFLOAT", Argument::number8},
    {PickleOpcode::PROTO, "PROTO", Argument::number1},
    {PickleOpcode::NEWOBJ, "NEWOBJ", Argument::none},
    {PickleOpcode::EXT1, "EXT1", Argument::number1},
    {PickleOpcode::EXT2, "EXT2", Argument::number2},
    {PickleOpcode::EXT4, "EXT4", Argument::number4},
    {PickleOpcode::TUPLE1, "TUPLE1", Argument::none},
    {PickleOpcode::TUPLE2, "TUPLE2", Argument::none},
    {PickleOpcode::TUPLE3, "TUPLE3", Argument::none},
    {PickleOpcode::NEWTRUE, "NEWTRUE", Argument::none},
    {PickleOpcode::NEWFALSE, "NEWFALSE", Argument::none},
    {PickleOpcode::LONG1, "LONG1", Argument::counted1},
    {PickleOpcode::LONG4, "LONG4", Argument::counted4},
    {PickleOpcode::BINBYTES, "BINBYTES", Argument::counted4},
    {PickleOpcode::SHORT_BINBYTES, "SHORT_BINBYTES", Argument::counted1},
    {PickleOpcode::SHORT_BINUNICODE, "SHORT_BINUNICODE", Argument::counted1},
    {PickleOpcode::BINUNICODE8, "BINUNICODE8", Argument::counted8},
    {PickleOpcode::BINBYTES8, "BINBYTES8", Argument::counted8},
    {PickleOpcode::EMPTY_SET, "EMPTY_SET", Argument::none},
    {PickleOpcode::ADDITEMS, "ADDITEMS", Argument::none},
    {PickleOpcode::FROZENSET, "FROZENSET", Argument::none},
    {PickleOpcode::NEWOBJ_EX, "NEWOBJ_EX", Argument::none},
    {PickleOpcode::STACK_GLOBAL, "STACK_GLOBAL", Argument::none},
    {PickleOpcode::MEMOIZE, "MEMOIZE", Argument::none},
    {PickleOpcode::FRAME, "FRAME", Argument::number8},
    {PickleOpcode::BYTEARRAY8, "BYTEARRAY8", Argument::counted8},
    {PickleOpcode::NEXT_BUFFER, "NEXT_BUFFER", Argument::none},
    {PickleOpcode::READONLY_BUFFER, "READONLY_BUFFER", Argument::none},
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
class ArgumentReader {
 public:
  ArgumentReader(std::string_view pickle, std::size_t position)
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
  ArgumentReader argument(pickle, position);
  switch (row->argument) {
    case Argument::none:
      break;
    case Argument::number1:
      read.number = argument.number(1);
      break;
    case Argument::number2:
      read.number = argument.number(2);
      break;
    case Argument::number4:
      read.number = argument.number(4);
      break;
    case Argument::number8:
      read.number = argument.number(8);
      break;
    case Argument::counted1:
      read.text = argument.bytes(argument.number(1));
      break;
    case Argument::counted4:
      read.text = argument.bytes(argument.number(4));
      break;
    case Argument::counted8:
      read.text = argument.bytes(argument.number(8));
      break;
    case Argument::line:
      read.text = argument.line();
      break;
    case Argument::two_lines:
      read.text = argument.line();
      read.text2 = argument.line();
      break;
  }
  read.end = argument.at();
  return read;
}

}  // namespace pt2
