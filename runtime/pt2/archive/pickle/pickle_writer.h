// Writes pickles of protocol 2, as torch.save does. Not thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pt2/archive/pickle/opcodes.h"

namespace pt2 {

class PickleWriter {
 public:
  PickleWriter() { op(PickleOpcode::PROTO).bytes_ += '\x02'; }

  PickleWriter& op(PickleOpcode opcode) {
    bytes_ += static_cast<char>(opcode);
    return *this;
  }
  PickleWriter& integer(std::int64_t value);
  PickleWriter& boolean(bool value) { return op(value ? PickleOpcode::NEWTRUE : PickleOpcode::NEWFALSE); }
  PickleWriter& floating(double value);
  PickleWriter& put(std::uint32_t number);
  PickleWriter& get(std::uint32_t number);
  /// Writes UTF-8 text. Throws UsageError if it exceeds 4 GiB.
  PickleWriter& text(std::string_view text);
  PickleWriter& global(std::string_view module, std::string_view name);

  std::string take() &&;

 private:
  void number(std::uint64_t value, unsigned width);

  std::string bytes_;
};

}  // namespace pt2
