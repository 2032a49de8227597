// Decodes the text in Node.metadata, which records the origin of a node.
//
// torch does not version this text. All parsers throw DataError if the text is malformed. The message says
// what was expected and gives the byte offset (for JSON, the line and column). Source: serialize_metadata and
// deserialize_metadata in torch/_export/serde/serialize.py.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/base/map.h"
#include "schemagen/base/value.h"

namespace pt2 {

/// An item of `nn_module_stack`: a module that was running when the node was created.
struct ModuleFrame {
  std::string key;  // the tracer's key, e.g. `L__self__b.0`; the key for a second call ends in `@1`
  /// The path from the root, e.g. `b.0` (`L['self'].b[0]` up to torch 2.2); empty for the root.
  std::string path;
  std::string type;  // the class, e.g. `torch.nn.modules.linear.Linear`
};

/// Parses `nn_module_stack`, which consists of items `key,path,type`, joined by `;`, outermost first. As in
/// torch, commas inside parentheses or square brackets are not separators.
std::vector<ModuleFrame> parse_module_stack(std::string_view text);

/// Returns the frame's path in the spelling that torch 2.3 and later use, e.g. `b.0` for `L['self'].b[0]`.
/// Returns an empty string for the root.
std::string module_path(const ModuleFrame& frame);

/// Returns the number of the call, counting from 0. This is the number after `@` in the key, or 0 if there is
/// none.
std::size_t call_number(const ModuleFrame& frame);

/// Returns whether `frame` is a placeholder that torch uses for nodes that a pass created outside any module:
/// an empty stack, or the class Wrapper of _aot_export_non_strict() in torch/export/_trace.py.
bool is_placeholder(const ModuleFrame& frame);

/// A function or module called in the traced code.
struct SourceFunction {
  std::string name;    // the name of the node when it was first created
  std::string target;  // the function or class, e.g. `torch.nn.functional.relu`
};

/// Parses `source_fn_stack`, which consists of items `name,target`, joined by `;`, outermost first. torch 2.1
/// has `source_fn` instead, which is a single item.
std::vector<SourceFunction> parse_source_functions(std::string_view text);

/// An item of `from_node`: a node of an earlier graph that a pass replaced.
struct NodeSource {
  std::string name;
  std::string target;
  std::int64_t graph_id = 0;  // distinguishes graphs, but only within one Python process
  std::string pass_name;
  std::string action;  // `create`, `replace`, `create+replace`, or empty
  std::vector<NodeSource> from_node;
};

/// Parses `from_node`, which is JSON. Returns nullopt for null.
std::optional<std::vector<NodeSource>> parse_from_node(std::string_view json);

/// Parses `custom`, a JSON object with the user's annotations of a node or a graph module.
schemagen::Map<schemagen::Json> parse_custom(std::string_view json);

/// A frame of a Python traceback, which is the content of `stack_trace`. It shows where the user's code
/// created a node.
struct StackFrame {
  std::string file;
  std::int64_t line = 0;  // counted from 1
  std::string function;
  std::string code;  // the code without indentation; lines are separated by `\n`; empty if unknown
};

/// Parses a traceback with any number of frames such as
/// `  File "models.py", line 12, in forward\n    return x + 1\n`. Returns the innermost frame last. Skips
/// text before the first frame. Throws DataError, with a byte offset, if there is anything other than
/// indented code between frames.
std::vector<StackFrame> parse_stack_trace(std::string_view text);

}  // namespace pt2
