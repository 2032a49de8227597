#include "pt2/text/treespec.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "pt2/text/join.h"
#include "pt2/text/json_text.h"
#include "pt2/text/literal.h"
#include "schemagen/base/counted.h"
#include "schemagen/json/json_writer.h"
#include "schemagen/tree/dom.h"
#include "schemagen/tree/dom_value.h"

namespace pt2 {
namespace {

using schemagen::JsonReader;
using schemagen::JsonTape;

constexpr std::int64_t kProtocol = 1;

TreeSpec read_spec(JsonReader& in) {
  static constexpr schemagen::JsonField kFields[] = {
      {"type", true}, {"context", true}, {"children_spec", true}};
  const std::size_t start = in.at();
  TreeSpec spec;
  for (schemagen::JsonFields fields(in, kFields); fields.next();) {
    if (fields.index() == 0) {
      read_json(in, spec.type);
    } else if (fields.index() == 1) {
      read_json(in, spec.context);
    } else {
      for (schemagen::JsonItems items(in); items.next();) spec.children.push_back(read_spec(in));
    }
  }
  if (!spec.type && (spec.context.text != "null" || !spec.children.empty())) {
    in.fail_at(start, "expected a leaf (type null) without context or children");
  }
  return spec;
}

void write_spec(schemagen::JsonWriter& out, const TreeSpec& spec) {
  out.enter();
  out.begin('{').key("type").value(spec.type).key("context").value(spec.context);
  out.key("children_spec").begin('[');
  for (const TreeSpec& child : spec.children) write_spec(out, child);
  out.end(']').end('}');
  out.leave();
}

struct DictContext {
  std::vector<schemagen::Json> keys;
  std::string factory[2];  // the module and the name
};

constexpr schemagen::JsonField kDefaultDict[] = {
    {"default_factory_module", true}, {"default_factory_name", true}, {"dict_context", true}};

std::string key_text(JsonReader& in) {
  if (in.tag() == JsonTape::kBare) {  // Python's json module writes these words
    const double number = in.floating();
    return std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
  }
  if (in.tag() != JsonTape::kArray) return std::string(in.raw());
  std::string list;
  for (schemagen::JsonItems items(in); items.next();) list += (list.empty() ? "" : ", ") + key_text(in);
  return "[" + list + "]";
}

std::vector<schemagen::Json> read_keys(JsonReader& in) {
  std::vector<schemagen::Json> keys;
  for (schemagen::JsonItems items(in); items.next();) keys.push_back({key_text(in)});
  return keys;
}

DictContext read_dict(JsonReader& in) {
  DictContext context;
  if (in.tag() == JsonTape::kString) {
    const std::string text(in.string());
    return read_json_text(text, [](JsonReader& inner) { return read_dict(inner); });
  }
  if (in.tag() == JsonTape::kArray) {
    context.keys = read_keys(in);
    return context;
  }
  for (schemagen::JsonFields fields(in, kDefaultDict); fields.next();) {
    if (fields.index() == 2) {
      context.keys = read_keys(in);
    } else {
      read_json(in, context.factory[fields.index()]);
    }
  }
  return context;
}

DictContext dict_context(const TreeSpec& spec) {
  DictContext context = read_json_text(spec.context.text, [](JsonReader& in) { return read_dict(in); });
  if (context.keys.size() != spec.children.size()) {
    throw schemagen::DataError("treespec: " + schemagen::counted(context.keys.size(), "key") + " for " +
                               schemagen::counted(spec.children.size(), "child spec"));
  }
  return context;
}

std::string python_string(std::string_view text) {
  const char quote = text.find('\'') != text.npos && text.find('"') == text.npos ? '"' : '\'';
  std::string literal(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') literal += '\\';
    literal += c;
  }
  return printable(literal) + quote;
}

std::string python_repr(JsonReader& in) {
  switch (in.tag()) {
    case JsonTape::kString:
      return python_string(in.string());
    case JsonTape::kTrue:
    case JsonTape::kFalse:
      return bool_literal(in.boolean());
    case JsonTape::kNull:
      in.take_null();
      return "None";
    case JsonTape::kBare:
      return float_literal(in.floating());
    case JsonTape::kArray: {
      std::string list;
      for (schemagen::JsonItems items(in); items.next();)
        list += (list.empty() ? "" : ", ") + python_repr(in);
      return "[" + list + "]";
    }
    case JsonTape::kObject: {
      std::string dict;
      schemagen::JsonEntries entries(in);
      while (const auto key = entries.next()) {
        dict += (dict.empty() ? "" : ", ") + python_string(*key) + ": ";
        dict += python_repr(in);
      }
      return "{" + dict + "}";
    }
    default:
      return std::string(in.raw());
  }
}

}  // namespace

std::size_t TreeSpec::leaf_count() const noexcept {
  std::size_t count = type ? 0 : 1;
  for (const TreeSpec& child : children) count += child.leaf_count();
  return count;
}

TreeSpec parse_treespec(std::string_view text) {
  return read_json_text(text, [](JsonReader& in) {
    const std::size_t start = in.at();
    schemagen::JsonItems items(in);
    if (!items.next()) in.fail_at(start, "expected [protocol, treespec], got an empty list");
    const std::size_t protocol_at = in.at();
    const std::int64_t protocol = in.integer();
    if (protocol != kProtocol) {
      in.fail_at(protocol_at, "treespec protocol: expected 1, got " + std::to_string(protocol));
    }
    if (!items.next()) in.fail_at(start, "expected [protocol, treespec], got one item");
    TreeSpec spec = read_spec(in);
    if (items.next()) in.fail_at(start, "expected [protocol, treespec], got more than two items");
    return spec;
  });
}

std::string treespec_json(const TreeSpec& spec) {
  schemagen::JsonWriter out;
  out.begin('[').integer(kProtocol);
  write_spec(out, spec);
  out.end(']');
  return out.text();
}

bool is_dict(const TreeSpec& spec) noexcept {
  return spec.type == "builtins.dict" || spec.type == "collections.OrderedDict" ||
         spec.type == "collections.defaultdict";
}

std::vector<schemagen::Json> keys(const TreeSpec& spec) {
  return is_dict(spec) ? dict_context(spec).keys : std::vector<schemagen::Json>();
}

bool has_list_key(const TreeSpec& spec) {
  const std::vector<schemagen::Json> all = keys(spec);
  return std::any_of(all.begin(), all.end(), [](const schemagen::Json& key) { return key.text[0] == '['; });
}

std::optional<std::vector<schemagen::Json>> field_names(const TreeSpec& spec) {
  using schemagen::DomValue;
  const std::optional<DomValue> context = schemagen::parse_dom(spec.context.text);
  const std::optional<DomValue> inner =
      context && context->is_string() ? schemagen::parse_dom(context->text()) : context;
  const DomValue::List* names = inner ? inner->list() : nullptr;
  if (names == nullptr) return std::nullopt;
  const auto first =
      std::find_if(names->begin(), names->end(), [](const DomValue& item) { return item.list() != nullptr; });
  if (first != names->end()) names = first->list();
  if (names->size() != spec.children.size()) return std::nullopt;
  std::set<std::string_view> known;
  std::vector<schemagen::Json> fields;
  for (const DomValue& name : *names) {
    if (!name.is_string() || !known.insert(name.text()).second) return std::nullopt;
    fields.push_back({schemagen::dom_text(name)});
  }
  return fields;
}

TreeSpec tuple_spec(std::vector<TreeSpec> children) {
  return {"builtins.tuple", schemagen::Json{"\"null\""}, std::move(children)};
}

void set_keys(TreeSpec& spec, const std::vector<schemagen::Json>& keys) {
  const std::string list =
      "[" + join_texts(keys, ", ", [](const schemagen::Json& key) { return key.text; }) + "]";
  schemagen::JsonWriter out;
  if (spec.type == "collections.defaultdict") {
    const DictContext old = read_json_text(spec.context.text, [](JsonReader& in) { return read_dict(in); });
    out.begin('{');
    for (std::size_t i = 0; i < 2; ++i) out.key(kDefaultDict[i].name).string(old.factory[i]);
    out.key(kDefaultDict[2].name).raw(list).end('}');
  } else {
    out.string(list);
  }
  spec.context.text = out.text();
}

TreeSpec dict_spec(const std::vector<schemagen::Json>& keys, std::vector<TreeSpec> children) {
  TreeSpec spec{"builtins.dict", {}, std::move(children)};
  set_keys(spec, keys);
  return spec;
}

std::string python_text(const schemagen::Json& value) {
  return read_json_text(value.text, [](JsonReader& in) { return python_repr(in); });
}

}  // namespace pt2
