// Decodes and encodes the text in Node.metadata, which records the origin of a node.
//
// torch does not version this text. Decoding text that torch wrote and encoding it again gives the same
// bytes. All parsers throw DataError with what was expected and the byte offset (line and column for JSON).
// Source: serialize_metadata and deserialize_metadata in torch/_export/serde/serialize.py.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/base/map.h"
#include "schemagen/base/value.h"

namespace pt2 {

/// A module that was running when the node was created: an item of `nn_module_stack`.
struct ModuleFrame {
  std::string key;   // from the tracer: `L__self__b.0`; for a second call, it ends in `@1`
  std::string path;  // from the root: `b.0`, or `L['self'].b[0]` up to torch 2.2; empty for the root
  std::string type;  // `torch.nn.modules.linear.Linear`
};

/// Parses `nn_module_stack`: `key,path,type` joined by `;`, outermost first. As in torch, commas inside round
/// or square brackets do not separate.
std::vector<ModuleFrame> parse_module_stack(std::string_view text);
std::string module_stack_text(const std::vector<ModuleFrame>& stack);

/// Returns the path in the same spelling for all releases: `b.0` for `L['self'].b[0]`. Empty for the root.
std::string module_path(const ModuleFrame& frame);

/// Returns the number of the call, from 0: the number after `@` in the key.
std::size_t call_number(const ModuleFrame& frame);

/// Returns whether this is torch's placeholder for nodes that a pass created outside of modules.
bool is_placeholder(const ModuleFrame& frame);

/// A function or module called in the traced code.
struct SourceFunction {
  std::string name;    // of the node as it was first created
  std::string target;  // `torch.nn.functional.relu`
};

/// Parses `source_fn_stack`: `name,target` joined by `;`, outermost first. torch 2.1's `source_fn` is a
/// single item.
std::vector<SourceFunction> parse_source_functions(std::string_view text);
std::string source_functions_text(const std::vector<SourceFunction>& functions);

/// Parses `torch_fn`: `relu_1;function.relu`.
SourceFunction parse_torch_function(std::string_view text);
std::string torch_function_text(const SourceFunction& function);

/// Parses the symbols of `unbacked_bindings` (torch 2.5 and 2.6): `u0,u1`.
std::vector<std::string> parse_unbacked_bindings(std::string_view text);
std::string unbacked_bindings_text(const std::vector<std::string>& symbols);

/// A node of an earlier graph that a pass replaced: an item of `from_node`.
struct NodeSource {
  std::string name;
  std::string target;
  std::int64_t graph_id = 0;  // only distinguishes graphs within one run of Python
  std::string pass_name;
  std::string action;  // `create`, `replace`, `create+replace` or empty
  std::vector<NodeSource> from_node;
};

/// Parses `from_node`, which is JSON; nullopt for null.
std::optional<std::vector<NodeSource>> parse_from_node(std::string_view json);
std::string from_node_json(const std::optional<std::vector<NodeSource>>& sources);

/// Parses `custom`, a JSON object with the user's notes on a node or a graph module.
schemagen::Map<schemagen::Json> parse_custom(std::string_view json);
std::string custom_json(const schemagen::Map<schemagen::Json>& custom);

/// A frame of a Python traceback. `stack_trace` shows where in the user's code a node was created.
struct StackFrame {
  std::string file;
  std::int64_t line = 0;  // from 1
  std::string function;
  std::string code;  // without indentation; lines are separated by `\n`; empty if unknown
};

struct StackTrace {
  std::string before;  // text before the first frame, e.g. `NoneType: None\n` in a trace without frames
  std::vector<StackFrame> frames;  // the innermost last
  /// Whether leading spaces and the final line break are missing, as in torch 2.5 and later.
  bool is_stripped = false;
};

/// Parses any number of `  File "models.py", line 12, in forward\n    return x + 1\n`. stack_trace_text()
/// restores the bytes that torch wrote. Throws DataError with a byte offset if there is anything but indented
/// code between frames.
StackTrace parse_stack_trace(std::string_view text);

std::string stack_trace_text(const StackTrace& trace);

}  // namespace pt2
