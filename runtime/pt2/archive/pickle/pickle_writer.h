// Pickles of protocol 2, as torch.save writes them. A writer is for one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pt2/archive/pickle/opcodes.h"

namespace pt2 {

/// Writes the instructions of a pickle, one after the other, and keeps no record of the stack: the caller
/// knows what lies on it.
class PickleWriter {
 public:
  PickleWriter() { op(PickleOpcode::PROTO).bytes_ += '\x02'; }

  /// An instruction without an operand.
  PickleWriter& op(PickleOpcode opcode) {
    bytes_ += static_cast<char>(opcode);
    return *this;
  }
  PickleWriter& integer(std::int64_t value);
  PickleWriter& boolean(bool value) { return op(value ? PickleOpcode::NEWTRUE : PickleOpcode::NEWFALSE); }
  PickleWriter& floating(double value);
  /// Remembers the value on top of the stack under a number.
  PickleWriter& put(std::uint32_t number);
  /// Puts the value that was remembered under `number` on the stack.
  PickleWriter& get(std::uint32_t number);
  /// `text` is UTF-8. Errors: UsageError beyond 4 GiB.
  PickleWriter& text(std::string_view text);
  /// A class or function of Python.
  PickleWriter& global(std::string_view module, std::string_view name);

  /// The pickle, ended.
  std::string take() &&;

 private:
  void number(std::uint64_t value, unsigned width);

  std::string bytes_;
};

}  // namespace pt2
