#include "pt2/strings/node_metadata.h"

#include <algorithm>
#include <charconv>

#include "pt2/text/affix.h"
#include "pt2/text/json_text.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using schemagen::JsonReader;

struct Piece {
  std::string_view text;
  std::size_t offset = 0;

  [[noreturn]] void fail(const std::string& expected) const {
    schemagen::Place place;
    place.offset = offset;
    throw schemagen::DataError("expected " + expected + ", got " + schemagen::quoted(text), {}, place);
  }
};

/// As in torch, any closing bracket closes any open one.
std::vector<Piece> split(Piece whole, char separator, bool honours_brackets = false) {
  std::vector<Piece> pieces;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < whole.text.size(); ++i) {
    const char c = whole.text[i];
    if (honours_brackets && (c == '[' || c == '(')) ++depth;
    if (honours_brackets && (c == ']' || c == ')')) --depth;
    if (c != separator || depth != 0) continue;
    pieces.push_back({whole.text.substr(start, i - start), whole.offset + start});
    start = i + 1;
  }
  pieces.push_back({whole.text.substr(start), whole.offset + start});
  return pieces;
}

NodeSource read_source(JsonReader& in) {
  static constexpr schemagen::JsonField kFields[] = {{"name", true},     {"target", true},
                                                     {"graph_id", true}, {"pass_name", true},
                                                     {"action", true},   {"from_node", true}};
  NodeSource source;
  std::string* const texts[] = {&source.name, &source.target, nullptr, &source.pass_name, &source.action};
  for (schemagen::JsonFields fields(in, kFields); fields.next();) {
    if (fields.index() == 2) {
      read_json(in, source.graph_id);
    } else if (fields.index() < 5) {
      read_json(in, *texts[fields.index()]);
    } else {
      for (schemagen::JsonItems items(in); items.next();) source.from_node.push_back(read_source(in));
    }
  }
  return source;
}

}  // namespace

std::vector<ModuleFrame> parse_module_stack(std::string_view text) {
  std::vector<ModuleFrame> stack;
  for (const Piece& item : split({text}, ';')) {
    const std::vector<Piece> parts = split(item, ',', true);
    if (parts.size() != 3) item.fail("a module's key,path,type");
    stack.push_back({std::string(parts[0].text), std::string(parts[1].text), std::string(parts[2].text)});
  }
  return stack;
}

std::string module_path(const ModuleFrame& frame) {
  std::string_view old = std::string_view(frame.path).substr(0, frame.path.find('@'));
  if (!starts_with(old, "L[")) return std::string(old);
  old.remove_prefix(std::min(old.find(']'), old.size() - 1) + 1);
  std::string path;
  for (const char c : old) {
    if (c == ']' || ((c == '.' || c == '[') && path.empty())) continue;
    path += c == '[' ? '.' : c;
  }
  return path;
}

std::size_t call_number(const ModuleFrame& frame) {
  const std::string_view key = frame.key;
  const std::string_view digits = key.substr(std::min(key.rfind('@'), key.size() - 1) + 1);
  std::size_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

bool is_placeholder(const ModuleFrame& frame) {
  return frame.key == "_empty_nn_module_stack_from_metadata_hook" ||
         starts_with(frame.type, "torch.export._trace.");
}

std::vector<SourceFunction> parse_source_functions(std::string_view text) {
  std::vector<SourceFunction> functions;
  for (const Piece& item : split({text}, ';')) {
    const std::vector<Piece> parts = split(item, ',');
    if (parts.size() != 2) item.fail("a function's name,target");
    functions.push_back({std::string(parts[0].text), std::string(parts[1].text)});
  }
  return functions;
}

std::optional<std::vector<NodeSource>> parse_from_node(std::string_view json) {
  return read_json_text(json, [](JsonReader& in) -> std::optional<std::vector<NodeSource>> {
    if (in.take_null()) return std::nullopt;
    std::vector<NodeSource> sources;
    for (schemagen::JsonItems items(in); items.next();) sources.push_back(read_source(in));
    return sources;
  });
}

schemagen::Map<schemagen::Json> parse_custom(std::string_view json) {
  schemagen::Map<schemagen::Json> custom;
  read_json_text(json, [&](JsonReader& in) { read_json(in, custom); });
  return custom;
}

}  // namespace pt2
