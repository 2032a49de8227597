#include "model/canonical.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <cstring>
#include <iterator>
#include <utility>

#include "schemagen/base/sha256.h"
#include "text/characters.h"
#include "text/json_text.h"
#include "text/message.h"

namespace generator {
namespace {

using Fields = std::vector<const Field*>;

Fields sorted_fields(const Definition& type, Form form) {
  Fields fields;
  for (const Field& field : type.fields) fields.push_back(&field);
  std::sort(fields.begin(), fields.end(), [&](const Field* a, const Field* b) {
    return form == Form::json ? a->name < b->name : a->id < b->id;
  });
  return fields;
}

/// Hexadecimal IEEE bits are exact in every locale.
template <typename Word, typename Float>
std::string float_bits(Float value) {
  static_assert(sizeof(Float) == sizeof(Word));
  Word bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return "0x" + hex(bits, 2 * sizeof bits);
}

/// Fields by id or, in JSON, by name; keys by their bytes, because their order has no meaning.
struct LiteralText {
  Form form;

  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return float_bits<std::uint64_t>(value); }
  std::string operator()(float value) const { return float_bits<std::uint32_t>(value); }
  std::string operator()(const std::string& value) const { return json_string(value); }
  std::string operator()(const ListLiteral& list) const {
    return "[" + joined(list.items, ",", [&](const Literal& item) { return std::visit(*this, item); }) + "]";
  }
  std::string operator()(const MapLiteral& map) const {
    std::vector<std::string> entries;
    for (const auto& [key, value] : map.entries)
      entries.push_back(std::visit(*this, key) + ":" + std::visit(*this, value));
    std::sort(entries.begin(), entries.end());
    return "{" + joined(entries, ",") + "}";
  }
  std::string operator()(const FieldsLiteral& fields) const {
    std::vector<const FieldsLiteral::Value*> values;
    for (const FieldsLiteral::Value& one : fields.values) values.push_back(&one);
    std::sort(values.begin(), values.end(), [&](const auto* a, const auto* b) {
      return form == Form::json ? a->name < b->name : a->id < b->id;
    });
    const auto text = [&](const FieldsLiteral::Value* one) {
      const std::string head = form == Form::json ? json_string(one->name) + ":" : filled("$ ", one->id);
      return head + std::visit(*this, one->value);
    };
    return "{" + joined(values, ",", text) + "}";
  }
  std::string operator()(const EnumMember& member) const { return std::to_string(member.number); }
};

/// In the order of Type::Kind.
constexpr std::string_view kScalars[] = {"bool", "i64", "f64", "i8",     "i16",    "i32",  "u8", "u16",
                                         "u32",  "u64", "f32", "string", "binary", "unit", "any"};
static_assert(std::size(kScalars) == static_cast<std::size_t>(Type::Kind::list));

struct CanonicalWriter {
  const Model& model;
  const std::vector<std::string>& names;
  Form form;

  std::string block(std::size_t type) const {
    const Definition& definition = model.types[type];
    const std::string head = std::string(name_of(definition.kind)) + " " + names[type];
    if (definition.is_enum()) {
      return head + (shows_names(definition) ? " json=name\n" : "\n") + members(definition);
    }
    std::string out = head + "\n";
    for (const Field* field : sorted_fields(definition, form)) out += line(*field);
    return out;
  }

  bool shows_names(const Definition& type) const { return type.is_named_in_json && form != Form::binary; }

  std::string members(const Definition& type) const {
    std::vector<std::pair<std::int32_t, std::string>> members;
    for (const Field& value : type.values) members.emplace_back(value.id, value.name);
    std::sort(members.begin(), members.end());
    const bool has_names = form == Form::schema || shows_names(type);
    std::string out;
    for (const auto& [number, name] : members) {
      out += std::to_string(number) + (has_names ? " " + name : "") + "\n";
    }
    return out;
  }

  std::string line(const Field& field) const {
    std::string out;
    if (form != Form::json) out += std::to_string(field.id) + " ";
    if (form != Form::binary) out += field.name + " ";
    out += type_text(field.type);
    if (field.fallback) out += " =" + std::visit(LiteralText{form}, *field.fallback);
    return out + "\n";
  }

  std::string type_text(const Type& type) const {
    const auto kind = static_cast<std::size_t>(type.kind);
    if (kind < std::size(kScalars)) return std::string(kScalars[kind]);
    if (type.kind == Type::Kind::named) return names[type.named];
    const std::string item = type_text(type.args.front());
    if (type.kind == Type::Kind::list) return "list<" + item + ">";
    if (type.kind == Type::Kind::optional) return "optional<" + item + ">";
    return "map<" + (key_of(type) == nullptr ? "string" : type_text(*key_of(type))) + "," + item + ">";
  }
};

std::vector<std::size_t> held_in(const Definition& type, Form form) {
  std::vector<std::size_t> held;
  for (const Field* field : sorted_fields(type, form)) {
    for (const std::size_t one : all_named_in(field->type)) held.push_back(one);
  }
  return held;
}

std::string joined_blocks(const std::vector<std::size_t>& types, const CanonicalWriter& writer) {
  return joined(types, "", [&](std::size_t type) { return writer.block(type); });
}

}  // namespace

// Iterative, because a schema may nest as deep as it has types.
std::vector<std::size_t> reachable(const Model& model, std::size_t root, Form form) {
  std::vector<std::size_t> order;
  std::vector<bool> seen(model.types.size(), false);
  std::vector<std::size_t> waiting = {root};
  while (!waiting.empty()) {
    const std::size_t type = waiting.back();
    waiting.pop_back();
    if (seen[type]) continue;
    seen[type] = true;
    order.push_back(type);
    const std::vector<std::size_t> held = held_in(model.types[type], form);
    waiting.insert(waiting.end(), held.rbegin(), held.rend());
  }
  return order;
}

namespace {

std::string blocks_by_name(const Model& model, std::vector<std::size_t> types) {
  std::vector<std::string> names;
  for (const Definition& type : model.types) names.push_back(type.name);
  std::sort(types.begin(), types.end(), [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  return joined_blocks(types, {model, names, Form::schema});
}

std::string numbered_blocks(const Model& model, std::size_t root, Form form) {
  const std::vector<std::size_t> types = reachable(model, root, form);
  std::vector<std::string> names(model.types.size());
  for (std::size_t i = 0; i < types.size(); ++i) names[types[i]] = "T" + std::to_string(i);
  return joined_blocks(types, {model, names, form});
}

}  // namespace

std::string normal_form(const Model& model) {
  std::vector<std::pair<std::string, std::int64_t>> constants;
  for (const Constant& constant : model.constants) constants.emplace_back(constant.name, constant.value);
  std::sort(constants.begin(), constants.end());
  std::string out = "nsf 1\n";
  for (const auto& [name, value] : constants) out += "const " + name + " " + std::to_string(value) + "\n";

  std::vector<std::size_t> types(model.types.size());
  for (std::size_t i = 0; i < types.size(); ++i) types[i] = i;
  return out + blocks_by_name(model, std::move(types));
}

std::string form_of(const Model& model, std::size_t root, Form form) {
  if (form == Form::schema) return "nsf 1\n" + blocks_by_name(model, reachable(model, root, form));
  return (form == Form::binary ? "nsf-bin 1\n" : "nsf-json 1\n") + numbered_blocks(model, root, form);
}

std::vector<TypeForm> type_forms(const Model& model, Form form) {
  const std::vector<std::string> names(model.types.size(), "T");
  const CanonicalWriter writer{model, names, form};
  std::vector<TypeForm> forms;
  for (std::size_t type = 0; type < model.types.size(); ++type) {
    forms.push_back({writer.block(type), held_in(model.types[type], form)});
  }
  return forms;
}

std::string schema_hash(std::string_view form) {
  return "sha256:" + schemagen::sha256_hex(form);
}

namespace {

constexpr std::string_view kPrefix = "sha256:";
constexpr std::size_t kMinDigits = 16;  // fewer digits match by accident
constexpr std::size_t kMaxDigits = 64;

std::string_view digits_of(std::string_view hash) {
  if (hash.substr(0, kPrefix.size()) == kPrefix) hash.remove_prefix(kPrefix.size());
  return hash;
}

}  // namespace

bool is_hash(std::string_view text) {
  const std::string_view digits = digits_of(text);
  return digits.size() >= kMinDigits && digits.size() <= kMaxDigits &&
         std::all_of(digits.begin(), digits.end(),
                     [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
}

bool hash_matches(std::string_view hash, std::string_view expected) {
  assert(is_hash(expected));
  const std::string_view digits = digits_of(hash);
  const std::string_view wanted = digits_of(expected);
  return wanted.size() <= digits.size() && lower(digits.substr(0, wanted.size())) == lower(wanted);
}

}  // namespace generator
