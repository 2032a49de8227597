#include "reflective_codec.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "model/canonical.h"
#include "schemagen/binary_file/binary_file.h"
#include "schemagen/json/map_key.h"
#include "schemagen/json/reader.h"
#include "schemagen/json/writer.h"
#include "schemagen/thrift/reader.h"
#include "schemagen/thrift/writer.h"

namespace schemagen_test {

using generator::Definition;
using generator::EnumMember;
using generator::Field;
using generator::FieldsLiteral;
using generator::ListLiteral;
using generator::Literal;
using generator::MapLiteral;
using generator::Model;
using generator::Type;
using schemagen::CompactReader;
using schemagen::CompactWriter;
using schemagen::JsonReader;
using schemagen::JsonSink;
using schemagen::UnknownFields;
using schemagen::WireType;
using Kind = Type::Kind;

bool operator==(const Value& a, const Value& b) {
  const auto* const x = std::get_if<double>(&a.scalar);
  const auto* const y = std::get_if<double>(&b.scalar);
  const bool are_nan = x != nullptr && y != nullptr && std::isnan(*x) && std::isnan(*y);
  return (are_nan || a.scalar == b.scalar) && a.is_null == b.is_null && a.member == b.member &&
         a.keys == b.keys && a.items == b.items;
}

namespace {

bool is_wide(Kind kind) {
  return kind == Kind::integer || kind == Kind::uint64;
}

const Definition* enum_of(const Model& model, const Type& type) {
  return model.is_enum(type) ? &model.types[type.named] : nullptr;
}

const Field* numbered(const Definition& type, std::int64_t number) {
  const auto found = std::find_if(type.values.begin(), type.values.end(),
                                  [&](const Field& value) { return value.id == number; });
  return found == type.values.end() ? nullptr : &*found;
}

const Field* named(const Definition& type, std::string_view name) {
  const auto found = std::find_if(type.values.begin(), type.values.end(),
                                  [&](const Field& value) { return value.name == name; });
  return found == type.values.end() ? nullptr : &*found;
}

template <class Int>
std::optional<std::int64_t> number_of_key(std::string_view text) {
  const auto number = schemagen::detail::number_of_key<Int>(text);
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

std::optional<std::int64_t> number_of_key(Kind kind, std::string_view text) {
  switch (kind) {
    case Kind::int8:
      return number_of_key<std::int8_t>(text);
    case Kind::int16:
      return number_of_key<std::int16_t>(text);
    case Kind::uint8:
      return number_of_key<std::uint8_t>(text);
    case Kind::uint16:
      return number_of_key<std::uint16_t>(text);
    case Kind::uint32:
      return number_of_key<std::uint32_t>(text);
    case Kind::uint64:
      return number_of_key<std::uint64_t>(text);
    case Kind::integer:
      return number_of_key<std::int64_t>(text);
    default:
      return number_of_key<std::int32_t>(text);
  }
}

std::string number_text(const Type& type, std::int64_t number) {
  return type.kind == Kind::uint64 ? std::to_string(static_cast<std::uint64_t>(number))
                                   : std::to_string(number);
}

std::array<std::uint8_t, 8> id_of(const Model& model) {
  const std::string hash = generator::schema_hash(normal_form(model));
  const std::size_t start = hash.find(':') + 1;
  std::array<std::uint8_t, 8> id{};
  for (std::size_t i = 0; i < id.size(); ++i)
    id[i] = static_cast<std::uint8_t>(std::stoi(hash.substr(start + 2 * i, 2), nullptr, 16));
  return id;
}

std::int64_t enum_number(JsonReader& in) {
  return in.integer(INT32_MIN, INT32_MAX);
}

}  // namespace

struct ReflectiveCodec::Slot {
  const ReflectiveCodec& codec;
  const Type& type;
  Value& value;
};

struct ReflectiveCodec::Source {
  const ReflectiveCodec& codec;
  const Type& type;
  const Value& value;
  LeavesOut leaves_out;
};

struct ReflectiveCodec::JsonOut {
  JsonSink& sink;
  LeavesOut leaves_out;
};

ReflectiveCodec::ReflectiveCodec(const Model& model)
    : model_(model),
      identity_{model.name, {model.version.major_, model.version.minor_}, id_of(model)},
      by_id_(model.types.size()),
      compact_fields_(model.types.size()),
      compact_types_(model.types.size()) {
  for (std::size_t i = 0; i < model.types.size(); ++i) {
    const Definition& type = model.types[i];
    for (const Field& field : type.fields) by_id_[i].push_back(&field);
    std::sort(by_id_[i].begin(), by_id_[i].end(),
              [](const Field* a, const Field* b) { return a->id < b->id; });
    for (const Field* field : by_id_[i]) {
      const auto presence = field->type.kind == Kind::optional ? schemagen::Presence::optional
                            : field->fallback                  ? schemagen::Presence::defaulted
                                                               : schemagen::Presence::required;
      const auto held = named_in(field->type);
      const bool is_of_fields = held && !model.types[*held].is_enum();
      compact_fields_[i].push_back({field->name, static_cast<std::int16_t>(field->id), presence,
                                    is_of_fields ? &compact_types_[*held] : nullptr});
    }
    compact_types_[i] = {type.name, compact_fields_[i].data(),
                         static_cast<std::uint32_t>(compact_fields_[i].size()), &identity_};
  }
}

Value ReflectiveCodec::value_of(const Type& type, const Literal& literal) const {
  Value value;
  if (type.kind == Kind::optional) {
    if (!std::holds_alternative<std::monostate>(literal)) return value_of(type.args.front(), literal);
    value.is_null = true;
  } else if (const auto* list = std::get_if<ListLiteral>(&literal)) {
    for (const Literal& item : list->items) value.items.push_back(value_of(type.args.front(), item));
  } else if (const auto* map = std::get_if<MapLiteral>(&literal)) {
    static const Type kText{Kind::string, {}, 0};
    const Type* const key = generator::key_of(type);
    for (const MapLiteral::Entry& entry : map->entries) {
      value.keys.push_back(value_of(key == nullptr ? kText : *key, entry.key));
      value.items.push_back(value_of(type.args.front(), entry.value));
    }
  } else if (const auto* fields = std::get_if<FieldsLiteral>(&literal)) {
    const Definition& held = model_.types[type.named];
    value = absent_struct(held);
    for (const FieldsLiteral::Value& one : fields->values) {
      const Field& field = field_of(held, one);
      const auto index = static_cast<std::size_t>(&field - held.fields.data());
      if (held.is_union()) {
        value.member = index;
        value.items = {value_of(field.type, one.value)};
      } else {
        value.items[index] = value_of(field.type, one.value);
      }
    }
  } else if (const auto* member = std::get_if<EnumMember>(&literal)) {
    value.scalar = std::int64_t{member->number};
  } else if (const auto* flag = std::get_if<bool>(&literal)) {
    value.scalar = *flag;
  } else if (const auto* text = std::get_if<std::string>(&literal)) {
    value.scalar = *text;
  } else if (const auto* large = std::get_if<std::uint64_t>(&literal)) {
    value.scalar = static_cast<std::int64_t>(*large);
  } else if (const auto* number = std::get_if<std::int64_t>(&literal)) {
    const bool is_float = type.kind == Kind::floating || type.kind == Kind::float32;
    if (is_float) {
      value.scalar = static_cast<double>(*number);
    } else {
      value.scalar = *number;
    }
  } else if (const auto* single = std::get_if<float>(&literal)) {
    value.scalar = double{*single};
  } else if (const auto* real = std::get_if<double>(&literal)) {
    value.scalar = *real;
  }
  return value;
}

Value ReflectiveCodec::absent(const Field& field) const {
  if (field.fallback) return value_of(field.type, *field.fallback);
  Value value;
  value.is_null = field.type.kind == Kind::optional;
  return value;
}

Value ReflectiveCodec::absent_struct(const Definition& type) const {
  Value value;
  if (type.is_union()) return value;
  for (const Field& field : type.fields) value.items.push_back(absent(field));
  return value;
}

bool ReflectiveCodec::is_left_out(const Definition& owner, const Field& field, const Value& value,
                                  const LeavesOut& leaves_out) const {
  return leaves_out && field.fallback && leaves_out(owner, field) && value == absent(field);
}

std::string ReflectiveCodec::to_json(const Type& type, const Value& value,
                                     const LeavesOut& leaves_out) const {
  JsonSink sink;
  JsonOut out{sink, leaves_out};
  const char* const end = write(out, sink.value_room(nullptr), type, value);
  return std::string(sink.view(end));
}

Value ReflectiveCodec::from_json(const Type& type, std::string_view text, UnknownFields unknown) const {
  schemagen::JsonReadOptions options;
  options.unknown_fields = unknown;
  Value value;
  Slot slot{*this, type, value};
  static constexpr schemagen::JsonCodec kCodec = {schemagen::detail::made_before, nullptr,
                                                  [](JsonReader& in, void* out) {
                                                    const Slot& one = *static_cast<Slot*>(out);
                                                    one.codec.read(in, one.type, one.value);
                                                  },
                                                  [](JsonSink& sink, char* at, const void* in) {
                                                    const Slot& one = *static_cast<const Slot*>(in);
                                                    JsonOut out{sink, {}};
                                                    return one.codec.write(out, at, one.type, one.value);
                                                  }};
  schemagen::detail::read_document(text, options, kCodec, &slot);
  return value;
}

void ReflectiveCodec::read(JsonReader& in, const Type& type, Value& out) const {
  out = {};
  switch (type.kind) {
    case Kind::boolean:
      out.scalar = in.boolean();
      return;
    case Kind::integer:
      out.scalar = in.integer();
      return;
    case Kind::uint64:
      out.scalar = static_cast<std::int64_t>(in.natural());
      return;
    case Kind::floating:
      out.scalar = in.floating();
      return;
    case Kind::float32:
      out.scalar = double{in.single()};
      return;
    case Kind::string:
      out.scalar = std::string(in.string());
      return;
    case Kind::bytes: {
      const schemagen::Bytes bytes = in.bytes();
      out.scalar = std::string(bytes.begin(), bytes.end());
      return;
    }
    case Kind::unit:
      return in.empty_list();
    case Kind::any:
      out.scalar = std::string(in.raw());
      return;
    case Kind::list:
      for (schemagen::JsonItems items(in); items.next();)
        read(in, type.args.front(), out.items.emplace_back());
      return;
    case Kind::map: {
      schemagen::JsonEntries entries(in);
      for (std::size_t start = in.at(); const auto text = entries.next(); start = in.at()) {
        Value key = key_of(in, generator::key_of(type), start, *text);
        if (std::find(out.keys.begin(), out.keys.end(), key) != out.keys.end()) {
          in.fail_at(start, "duplicate key " + schemagen::quoted(*text));
        }
        out.keys.push_back(std::move(key));
        read(in, type.args.front(), out.items.emplace_back());
      }
      return;
    }
    case Kind::optional:
      if (in.take_null()) {
        out.is_null = true;
      } else {
        read(in, type.args.front(), out);
      }
      return;
    case Kind::named:
      return read_named(in, type.named, out);
    default:
      break;
  }
  const generator::IntegerType& bounds = *generator::integer_type(type.kind);
  out.scalar = in.integer(bounds.min, static_cast<std::int64_t>(bounds.max));
}

void ReflectiveCodec::read_named(JsonReader& in, std::size_t index, Value& out) const {
  const Definition& type = model_.types[index];
  if (type.is_enum()) {
    if (!type.is_named_in_json || !in.is_string()) {
      out.scalar = enum_number(in);
      return;
    }
    const std::size_t start = in.at();
    const Field* const member = named(type, in.string());
    if (member == nullptr) in.fail_at(start, "no such member");
    out.scalar = std::int64_t{member->id};
    return;
  }
  const std::vector<Field>& fields = type.fields;
  if (type.is_union()) {
    std::vector<std::string_view> names;
    for (const Field& field : fields) names.push_back(field.name);
    schemagen::JsonMember member(in, names.data(), names.size());
    out.member = member.index();
    if (member.index() != schemagen::JsonMember::kUnknown)
      read(in, fields[member.index()].type, out.items.emplace_back());
    member.finish();
    return;
  }
  std::vector<schemagen::JsonField> table;
  for (const Field& field : fields) table.push_back({field.name, !field.fallback});
  out = absent_struct(type);
  for (schemagen::JsonFields each(in, table.data(), table.size(), type.name); each.next();) {
    read(in, fields[each.index()].type, out.items[each.index()]);
  }
}

Value ReflectiveCodec::key_of(JsonReader& in, const Type* key, std::size_t at, std::string_view text) const {
  Value value;
  if (key == nullptr) {
    value.scalar = std::string(text);
    return value;
  }
  if (const auto number = number_of_key(key->kind, text)) {
    value.scalar = *number;
    return value;
  }
  const Definition* const body = enum_of(model_, *key);
  const Field* const member = body != nullptr && body->is_named_in_json ? named(*body, text) : nullptr;
  if (member == nullptr) in.fail_at(at, "no such key");
  value.scalar = std::int64_t{member->id};
  return value;
}

char* ReflectiveCodec::write(JsonOut& out, char* at, const Type& type, const Value& value) const {
  JsonSink& sink = out.sink;
  switch (type.kind) {
    case Kind::boolean:
      return sink.boolean(at, std::get<bool>(value.scalar));
    case Kind::uint64:
      return sink.natural(at, static_cast<std::uint64_t>(value.integer()));
    case Kind::floating:
      return sink.floating(at, value.floating());
    case Kind::float32:
      return sink.floating(at, static_cast<float>(value.floating()));
    case Kind::string:
      return sink.string(at, value.text());
    case Kind::bytes:
      return write_json(sink, at, schemagen::Bytes(value.text().begin(), value.text().end()));
    case Kind::unit:
      return write_json(sink, at, schemagen::Unit());
    case Kind::any:
      return sink.any(at, value.text());
    case Kind::list:
      sink.enter(at, value.items.size());
      at = sink.text(at, "[");
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        if (i != 0) at = sink.text(at, ", ");
        at = write(out, at, type.args.front(), value.items[i]);
      }
      return sink.close(at, ']');
    case Kind::map:
      sink.enter(at, value.items.size());
      at = sink.text(at, "{");
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        if (i != 0) at = sink.text(at, ", ");
        at = sink.text(write_key(out, at, generator::key_of(type), value.keys[i]), ": ");
        at = write(out, at, type.args.front(), value.items[i]);
      }
      return sink.close(at, '}');
    case Kind::optional:
      return value.is_null ? sink.null(at) : write(out, at, type.args.front(), value);
    case Kind::named:
      return write_named(out, at, type.named, value);
    default:
      return sink.integer(at, value.integer());
  }
}

char* ReflectiveCodec::write_named(JsonOut& out, char* at, std::size_t index, const Value& value) const {
  JsonSink& sink = out.sink;
  const Definition& type = model_.types[index];
  if (type.is_enum()) {
    const Field* const member = type.is_named_in_json ? numbered(type, value.integer()) : nullptr;
    return member == nullptr ? sink.integer(at, value.integer()) : sink.string(at, member->name);
  }
  const bool is_union = type.is_union();
  sink.enter(at);
  at = sink.text(at, "{");
  if (is_union && value.items.empty()) at = sink.unset_union(at);
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const Field& field = type.fields[is_union ? value.member : i];
    if (is_left_out(type, field, value.items[i], out.leaves_out)) continue;
    at = sink.next_field(at, ", \"" + field.name + "\": ");
    at = write(out, at, field.type, value.items[i]);
  }
  return sink.close(at, '}');
}

char* ReflectiveCodec::write_key(JsonOut& out, char* at, const Type* key, const Value& value) const {
  if (key == nullptr) return out.sink.string(at, value.text());
  const Definition* const body = enum_of(model_, *key);
  const Field* const member =
      body != nullptr && body->is_named_in_json ? numbered(*body, value.integer()) : nullptr;
  return out.sink.string(at, member == nullptr ? number_text(*key, value.integer()) : member->name);
}

namespace {

constexpr schemagen::CompactField kOnlyField[] = {{"value", 1, schemagen::Presence::required, nullptr}};
constexpr schemagen::CompactType kOnly{"Only", kOnlyField, 1, nullptr};

}  // namespace

const Definition* ReflectiveCodec::definition(const Type& type) const {
  const bool is_of_fields = type.kind == Kind::named && enum_of(model_, type) == nullptr;
  return is_of_fields ? &model_.types[type.named] : nullptr;
}

WireType ReflectiveCodec::wire(const Type& type) const {
  switch (type.kind) {
    case Kind::boolean:
      return WireType::true_;
    case Kind::int8:
      return WireType::i8;
    case Kind::int16:
    case Kind::uint8:
      return WireType::i16;
    case Kind::int32:
    case Kind::uint16:
      return WireType::i32;
    case Kind::integer:
    case Kind::uint32:
    case Kind::uint64:
      return WireType::i64;
    case Kind::floating:
    case Kind::float32:
      return WireType::floating;
    case Kind::string:
    case Kind::bytes:
    case Kind::any:
      return WireType::binary;
    case Kind::list:
      return WireType::list;
    case Kind::map:
      return WireType::map;
    case Kind::optional:
      return wire(type.args.front());
    case Kind::unit:
    case Kind::named:
      break;
  }
  return enum_of(model_, type) != nullptr ? WireType::i32 : WireType::structure;
}

void read_compact(CompactReader& in, WireType found, ReflectiveCodec::Slot& slot) {
  slot.codec.read(in, found, slot.type, slot.value);
}

void ReflectiveCodec::read_root(CompactReader& in, void* slot) {
  const Slot& root = *static_cast<Slot*>(slot);
  if (root.codec.definition(root.type) != nullptr)
    return root.codec.read_fields(in, root.type.named, root.value);
  in.enter();
  in.read_others(kOnly, 0, 0, slot, [](CompactReader& inner, void* only, std::uint32_t, WireType found) {
    read_compact(inner, found, *static_cast<Slot*>(only));
  });
}

void ReflectiveCodec::write_root(CompactWriter& out, const void* source) {
  const Source& root = *static_cast<const Source*>(source);
  if (root.codec.definition(root.type) != nullptr)
    return root.codec.write_fields(out, root.type.named, root.value, root.leaves_out);
  out.enter();
  root.codec.write_field(out, 0, 1, root.type, root.value, root.leaves_out);
  out.byte(0);
  out.leave();
}

const schemagen::CompactCodec ReflectiveCodec::kBinaryCodec = {
    schemagen::detail::made_before, read_root, [](CompactWriter& out, const void* in) {
      const Slot& one = *static_cast<const Slot*>(in);
      const Source source{one.codec, one.type, one.value, {}};
      write_root(out, &source);
    }};

Value ReflectiveCodec::from_binary(const Type& type, std::string_view payload, UnknownFields unknown) const {
  schemagen::BinaryReadOptions options;
  options.unknown_fields = unknown;
  Value value;
  Slot slot{*this, type, value};
  const schemagen::CompactType& root = definition(type) == nullptr ? kOnly : compact_types_[type.named];
  schemagen::detail::read_payload(payload, root, options, kBinaryCodec, &slot);
  return value;
}

std::string ReflectiveCodec::to_binary(const Type& type, const Value& value,
                                       const LeavesOut& leaves_out) const {
  const Source source{*this, type, value, leaves_out};
  const schemagen::CompactType& root = definition(type) == nullptr ? kOnly : compact_types_[type.named];
  return schemagen::detail::write_payload(root, {}, write_root, &source);
}

Value ReflectiveCodec::from_binary_file(const Type& type, std::string_view file,
                                        UnknownFields unknown) const {
  schemagen::BinaryReadOptions options;
  options.unknown_fields = unknown;
  Value value;
  Slot slot{*this, type, value};
  schemagen::detail::read_file(schemagen::kAnySchema, file, compact_types_[type.named], options, kBinaryCodec,
                               &slot);
  return value;
}

std::string ReflectiveCodec::to_binary_file(const Type& type, const Value& value,
                                            const LeavesOut& leaves_out) const {
  const Source source{*this, type, value, leaves_out};
  return schemagen::detail::write_binary_file(schemagen::kAnySchema, compact_types_[type.named], {},
                                              write_root, &source);
}

void ReflectiveCodec::read(CompactReader& in, WireType found, const Type& type, Value& out) const {
  out = {};
  switch (type.kind) {
    case Kind::boolean:
      out.scalar = in.boolean(found);
      return;
    case Kind::floating:
      out.scalar = in.floating(found);
      return;
    case Kind::float32:
      out.scalar = double{in.single(found)};
      return;
    case Kind::string:
      out.scalar = std::string(in.string(found));
      return;
    case Kind::bytes:
      out.scalar = std::string(in.binary(found));
      return;
    case Kind::any: {
      schemagen::Json json;
      read_compact(in, found, json);
      out.scalar = std::move(json.text);
      return;
    }
    case Kind::unit: {
      schemagen::Unit unit;
      return read_compact(in, found, unit);
    }
    case Kind::list: {
      const Type& item = type.args.front();
      const std::size_t least_bytes = wire(item) == WireType::floating ? 8 : 1;
      const CompactReader::Items items = in.list(found, wire(item), least_bytes);
      for (std::uint32_t i = 0; i < items.count; ++i)
        read(in, in.item(items.type), item, out.items.emplace_back());
      return in.leave();
    }
    case Kind::map: {
      static const Type kText{Kind::string, {}, 0};
      const Type& item = type.args.front();
      const Type* const key_type = generator::key_of(type);
      const Type& key = key_type == nullptr ? kText : *key_type;
      const std::size_t least_bytes = wire(item) == WireType::floating ? 8 : 1;
      const CompactReader::Items items = in.map(found, wire(key), wire(item), 1 + least_bytes);
      for (std::uint32_t i = 0; i < items.count; ++i) {
        Value one;
        read(in, items.key, key, one);
        if (std::find(out.keys.begin(), out.keys.end(), one) != out.keys.end()) in.fail("duplicate key");
        out.keys.push_back(std::move(one));
        read(in, in.item(items.type), item, out.items.emplace_back());
      }
      return in.leave();
    }
    case Kind::optional:
      return read(in, found, type.args.front(), out);
    case Kind::named:
      if (definition(type) == nullptr) {
        out.scalar = std::int64_t{in.number(found)};
        return;
      }
      if (found != WireType::structure) in.expected(WireType::structure, found);
      return read_fields(in, type.named, out);
    default:
      break;
  }
  if (is_wide(type.kind)) {
    out.scalar = in.integer(found);
    return;
  }
  const generator::IntegerType& bounds = *generator::integer_type(type.kind);
  out.scalar = in.integer(found, wire(type), bounds.min, static_cast<std::int64_t>(bounds.max));
}

void ReflectiveCodec::read_fields(CompactReader& in, std::size_t index, Value& out) const {
  const Definition& type = model_.types[index];
  out = absent_struct(type);
  if (type.is_union()) {
    schemagen::CompactMember member(in);
    const auto found = std::find_if(type.fields.begin(), type.fields.end(),
                                    [&](const Field& field) { return field.id == member.id(); });
    out.member = static_cast<std::size_t>(found - type.fields.begin());
    if (found == type.fields.end()) {
      member.pass_unknown();
    } else {
      Slot slot{*this, found->type, out.items.emplace_back()};
      member.read(slot);
    }
    return member.finish();
  }
  struct Target {
    const ReflectiveCodec& codec;
    const std::vector<const Field*>& fields;
    const Definition& type;
    Value& value;
  } target{*this, by_id_[index], type, out};
  in.enter();
  in.read_others(compact_types_[index], 0, 0, &target,
                 [](CompactReader& inner, void* into, std::uint32_t i, WireType found) {
                   const Target& one = *static_cast<Target*>(into);
                   const Field& field = *one.fields[i];
                   const auto at = static_cast<std::size_t>(&field - one.type.fields.data());
                   one.codec.read(inner, found, field.type, one.value.items[at]);
                 });
}

void ReflectiveCodec::write(CompactWriter& out, const Type& type, const Value& value,
                            const LeavesOut& leaves_out) const {
  switch (type.kind) {
    case Kind::boolean:
      return out.boolean(std::get<bool>(value.scalar));
    case Kind::int8:
      return out.byte(static_cast<unsigned char>(value.integer()));
    case Kind::floating:
    case Kind::float32:
      return out.floating(value.floating());
    case Kind::string:
      return out.string(value.text());
    case Kind::bytes:
      return out.binary(value.text().data(), value.text().size());
    case Kind::any:
      return write_compact(out, schemagen::Json{value.text()});
    case Kind::unit:
      return write_compact(out, schemagen::Unit());
    case Kind::list:
      out.enter();
      out.list(value.items.size(), wire(type.args.front()));
      for (const Value& item : value.items) write(out, type.args.front(), item, leaves_out);
      return out.leave();
    case Kind::map: {
      static const Type kText{Kind::string, {}, 0};
      const Type* const key_type = generator::key_of(type);
      const Type& key = key_type == nullptr ? kText : *key_type;
      out.enter();
      out.map(value.items.size(), wire(key), wire(type.args.front()));
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        write(out, key, value.keys[i], leaves_out);
        write(out, type.args.front(), value.items[i], leaves_out);
      }
      return out.leave();
    }
    case Kind::optional:
      return write(out, type.args.front(), value, leaves_out);
    case Kind::named:
      if (definition(type) != nullptr) return write_fields(out, type.named, value, leaves_out);
      break;
    default:
      break;
  }
  out.integer(value.integer());
}

void ReflectiveCodec::write_field(CompactWriter& out, std::int32_t last_id, std::int32_t id, const Type& type,
                                  const Value& value, const LeavesOut& leaves_out) const {
  const auto* const flag = std::get_if<bool>(&value.scalar);
  if (flag != nullptr) return out.header(last_id, id, *flag ? WireType::true_ : WireType::false_);
  out.header(last_id, id, wire(type));
  write(out, type, value, leaves_out);
}

void ReflectiveCodec::write_fields(CompactWriter& out, std::size_t index, const Value& value,
                                   const LeavesOut& leaves_out) const {
  const Definition& type = model_.types[index];
  out.enter();
  if (type.is_union()) {
    if (value.items.empty()) out.unset_union();
    const Field& field = type.fields[value.member];
    write_field(out, 0, field.id, field.type, value.items.front(), leaves_out);
  } else {
    std::int32_t last_id = 0;
    for (const Field* field : by_id_[index]) {
      const Value& one = value.items[static_cast<std::size_t>(field - type.fields.data())];
      if (one.is_null || is_left_out(type, *field, one, leaves_out)) continue;
      write_field(out, last_id, field->id, field->type, one, leaves_out);
      last_id = field->id;
    }
  }
  out.byte(0);
  out.leave();
}

}  // namespace schemagen_test
