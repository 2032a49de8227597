// The texts in Node.metadata, decoded and encoded: where a node comes from.
//
// torch has no version for these. Of text that torch wrote, decoding and encoding gives the same bytes.
// Errors of all that read: DataError that says what was expected and at which byte (of JSON: line and
// column). Source: torch/_export/serde/serialize.py, serialize_metadata and deserialize_metadata.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/base/map.h"
#include "schemagen/base/value.h"

namespace pt2 {

/// A module that was being called: an item of `nn_module_stack`.
struct ModuleFrame {
  std::string key;  // made by the tracer: `L__self__b.0`; a second call has `@1` at its end
  std::string
      path;  // from the root: `b.0`, or as torch up to 2.2 wrote it, `L['self'].b[0]`; empty: the root
  std::string type;  // `torch.nn.modules.linear.Linear`
};

/// `nn_module_stack`, outermost first: `key,path,type` joined by `;`. Commas within round or square brackets
/// are part of what they stand in, as torch has it.
std::vector<ModuleFrame> parse_module_stack(std::string_view text);
std::string module_stack_text(const std::vector<ModuleFrame>& stack);

/// The path in one spelling: `L['self'].b[0]` is `b.0`. Empty: the root.
std::string module_path(const ModuleFrame& frame);

/// Which call of the module it is, from 0: the number behind the `@` of its key.
std::size_t call_number(const ModuleFrame& frame);

/// Whether torch put it where a pass made a node that belongs to no module.
bool is_placeholder(const ModuleFrame& frame);

/// A function or module that was called in the traced code.
struct SourceFunction {
  std::string name;    // of the node that it made at first
  std::string target;  // `torch.nn.functional.relu`
};

/// `source_fn_stack`, outermost first: `name,target` joined by `;`. `source_fn` of torch 2.1 is one of these.
std::vector<SourceFunction> parse_source_functions(std::string_view text);
std::string source_functions_text(const std::vector<SourceFunction>& functions);

/// `torch_fn`: `relu_1;function.relu`.
SourceFunction parse_torch_function(std::string_view text);
std::string torch_function_text(const SourceFunction& function);

/// The symbols of `unbacked_bindings`, which torch 2.5 and 2.6 wrote: `u0,u1`.
std::vector<std::string> parse_unbacked_bindings(std::string_view text);
std::string unbacked_bindings_text(const std::vector<std::string>& symbols);

/// A node of an earlier graph from which a pass made another: an item of `from_node`.
struct NodeSource {
  std::string name;
  std::string target;
  std::int64_t graph_id = 0;  // of a run of Python: tells graphs apart, no more
  std::string pass_name;
  std::string action;  // `create`, `replace`, `create+replace`; empty: none
  std::vector<NodeSource> from_node;
};

/// `from_node`, JSON; nullopt is its null.
std::optional<std::vector<NodeSource>> parse_from_node(std::string_view json);
std::string from_node_json(const std::optional<std::vector<NodeSource>>& sources);

/// `custom`, a JSON object: what the user noted, of a node or of a whole graph module.
schemagen::Map<schemagen::Json> parse_custom(std::string_view json);
std::string custom_json(const schemagen::Map<schemagen::Json>& custom);

// `stack_trace`: where in the user's code a node was made.

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
