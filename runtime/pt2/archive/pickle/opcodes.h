// Splits pickles of protocols 0 to 5 into instructions, without executing anything. Source: Python's
// Lib/pickletools.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pt2 {

// The name, byte and operand (see opcodes.cpp) of each opcode.
#define PT2_OPCODES(PT2_OPCODE)                \
  PT2_OPCODE(MARK, '(', none)                  \
  PT2_OPCODE(STOP, '.', none)                  \
  PT2_OPCODE(POP, '0', none)                   \
  PT2_OPCODE(POP_MARK, '1', none)              \
  PT2_OPCODE(DUP, '2', none)                   \
  PT2_OPCODE(FLOAT, 'F', line)                 \
  PT2_OPCODE(INT, 'I', line)                   \
  PT2_OPCODE(BININT, 'J', number4)             \
  PT2_OPCODE(BININT1, 'K', number1)            \
  PT2_OPCODE(LONG, 'L', line)                  \
  PT2_OPCODE(BININT2, 'M', number2)            \
  PT2_OPCODE(NONE, 'N', none)                  \
  PT2_OPCODE(PERSID, 'P', line)                \
  PT2_OPCODE(BINPERSID, 'Q', none)             \
  PT2_OPCODE(REDUCE, 'R', none)                \
  PT2_OPCODE(STRING, 'S', line)                \
  PT2_OPCODE(BINSTRING, 'T', counted4)         \
  PT2_OPCODE(SHORT_BINSTRING, 'U', counted1)   \
  PT2_OPCODE(UNICODE, 'V', line)               \
  PT2_OPCODE(BINUNICODE, 'X', counted4)        \
  PT2_OPCODE(APPEND, 'a', none)                \
  PT2_OPCODE(BUILD, 'b', none)                 \
  PT2_OPCODE(GLOBAL, 'c', two_lines)           \
  PT2_OPCODE(DICT, 'd', none)                  \
  PT2_OPCODE(EMPTY_DICT, '}', none)            \
  PT2_OPCODE(APPENDS, 'e', none)               \
  PT2_OPCODE(GET, 'g', line)                   \
  PT2_OPCODE(BINGET, 'h', number1)             \
  PT2_OPCODE(INST, 'i', two_lines)             \
  PT2_OPCODE(LONG_BINGET, 'j', number4)        \
  PT2_OPCODE(LIST, 'l', none)                  \
  PT2_OPCODE(EMPTY_LIST, ']', none)            \
  PT2_OPCODE(OBJ, 'o', none)                   \
  PT2_OPCODE(PUT, 'p', line)                   \
  PT2_OPCODE(BINPUT, 'q', number1)             \
  PT2_OPCODE(LONG_BINPUT, 'r', number4)        \
  PT2_OPCODE(SETITEM, 's', none)               \
  PT2_OPCODE(TUPLE, 't', none)                 \
  PT2_OPCODE(EMPTY_TUPLE, ')', none)           \
  PT2_OPCODE(SETITEMS, 'u', none)              \
  PT2_OPCODE(BINFLOAT, 'G', number8)           \
  PT2_OPCODE(PROTO, 0x80, number1)             \
  PT2_OPCODE(NEWOBJ, 0x81, none)               \
  PT2_OPCODE(EXT1, 0x82, number1)              \
  PT2_OPCODE(EXT2, 0x83, number2)              \
  PT2_OPCODE(EXT4, 0x84, number4)              \
  PT2_OPCODE(TUPLE1, 0x85, none)               \
  PT2_OPCODE(TUPLE2, 0x86, none)               \
  PT2_OPCODE(TUPLE3, 0x87, none)               \
  PT2_OPCODE(NEWTRUE, 0x88, none)              \
  PT2_OPCODE(NEWFALSE, 0x89, none)             \
  PT2_OPCODE(LONG1, 0x8a, counted1)            \
  PT2_OPCODE(LONG4, 0x8b, counted4)            \
  PT2_OPCODE(BINBYTES, 'B', counted4)          \
  PT2_OPCODE(SHORT_BINBYTES, 'C', counted1)    \
  PT2_OPCODE(SHORT_BINUNICODE, 0x8c, counted1) \
  PT2_OPCODE(BINUNICODE8, 0x8d, counted8)      \
  PT2_OPCODE(BINBYTES8, 0x8e, counted8)        \
  PT2_OPCODE(EMPTY_SET, 0x8f, none)            \
  PT2_OPCODE(ADDITEMS, 0x90, none)             \
  PT2_OPCODE(FROZENSET, 0x91, none)            \
  PT2_OPCODE(NEWOBJ_EX, 0x92, none)            \
  PT2_OPCODE(STACK_GLOBAL, 0x93, none)         \
  PT2_OPCODE(MEMOIZE, 0x94, none)              \
  PT2_OPCODE(FRAME, 0x95, number8)             \
  PT2_OPCODE(BYTEARRAY8, 0x96, counted8)       \
  PT2_OPCODE(NEXT_BUFFER, 0x97, none)          \
  PT2_OPCODE(READONLY_BUFFER, 0x98, none)

enum class PickleOpcode : unsigned char {
#define PT2_OPCODE(name, byte, operand) name = (byte),
  PT2_OPCODES(PT2_OPCODE)
#undef PT2_OPCODE
};

/// An instruction, whose strings refer to the pickle's bytes.
struct PickleInstruction {
  PickleOpcode opcode = PickleOpcode::STOP;
  std::size_t position = 0;
  std::size_t end = 0;
  std::uint64_t number = 0;  // a fixed-width operand or a count, little-endian
  std::string_view text;
  std::string_view text2;  // the second line of GLOBAL and INST
};

/// Returns the next instruction. Throws DataError, with the position, if it is missing or truncated.
PickleInstruction read_instruction(std::string_view pickle, std::size_t position);

const char* name_of(PickleOpcode opcode);

[[noreturn]] void fail_in_pickle(std::string_view reason, std::size_t position);

}  // namespace pt2
