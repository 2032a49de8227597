// Where in the user's code a node was made: `stack_trace` of Node.metadata. All functions may be called from
// several threads at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pt2 {

/// A call, as Python's traceback shows it.
struct StackFrame {
  std::string file;
  std::int64_t line = 0;  // from 1
  std::string function;
  std::string code;  // without indentation; several lines have `\n` between them; empty: it was not known
};

struct StackTrace {
  std::string before;  // text before the first frame, e.g. `NoneType: None\n` of a trace without any
  std::vector<StackFrame> frames;  // the innermost last
  /// Without the spaces at its beginning and the line end at its end, as torch writes it since 2.5.
  bool is_stripped = false;
};

/// Reads `  File "models.py", line 12, in forward\n    return x + 1\n`, as often as it comes. Of what torch
/// writes, stack_trace_text() gives the same bytes.
/// Errors: DataError with a byte offset, where between two frames there is anything but indented code.
StackTrace parse_stack_trace(std::string_view text);

std::string stack_trace_text(const StackTrace& trace);

}  // namespace pt2
