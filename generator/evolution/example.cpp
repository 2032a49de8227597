#include "evolution/example.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <variant>

#include "evolution/compat_report.h"

namespace generator {
namespace {

using Kind = Type::Kind;

/// The integer type with the same values; for an enum, int32.
const IntegerType* numbers_of(const Model& model, const Type& type) {
  return integer_type(model.is<Enum>(type) ? Kind::int32 : type.kind);
}

const Enum* enum_in(const Model& model, const Type& type) {
  return model.is<Enum>(type) ? &std::get<Enum>(model.types[type.named].body) : nullptr;
}

std::string in_quotes(const std::string& text) {
  return !text.empty() && text.front() == '"' ? text : "\"" + text + "\"";
}

std::string value_text(const Enum& type, const EnumValue& value) {
  return type.is_named_in_json ? in_quotes(value.name) : std::to_string(value.number);
}

std::string unnamed(const Enum& type) {
  std::int64_t number = 0;
  const auto is_taken = [&](const EnumValue& value) { return value.number == number; };
  while (std::any_of(type.values.begin(), type.values.end(), is_taken)) ++number;
  return std::to_string(number);
}

std::optional<std::string> lost_member(Flow flow, const Enum& written, const Enum& read) {
  const auto find = [&](auto is_wanted) {
    return std::find_if(read.values.begin(), read.values.end(), is_wanted);
  };
  for (const EnumValue& value : written.values) {
    const auto named = find([&](const EnumValue& one) { return one.name == value.name; });
    const auto numbered = find([&](const EnumValue& one) { return one.number == value.number; });
    const bool by_name = is_json(flow) && written.is_named_in_json;
    const bool is_unknown = named == read.values.end();
    const bool is_lost = by_name      ? is_unknown || !read.is_named_in_json
                         : is_unknown ? numbered == read.values.end() && is_backward(flow)
                                      : named->number != value.number;
    if (is_lost) return value_text(written, value);
  }
  return std::nullopt;
}

std::optional<std::string> out_of_range(const IntegerType& writer, const IntegerType& reader) {
  if (writer.max > reader.max) return std::to_string(reader.max + 1);
  if (writer.min < reader.min) return std::to_string(reader.min - 1);
  return std::nullopt;
}

}  // namespace

SmallValues::SmallValues(const Model& model) : model_(model), types_(model.types.size()) {
  std::vector<std::vector<std::size_t>> users(model.types.size());
  std::deque<std::size_t> waiting;
  for (std::size_t i = 0; i < model.types.size(); ++i) {
    waiting.push_back(i);
    for (const Field& field : model.types[i].fields())
      if (field.type.kind == Kind::named) users[field.type.named].push_back(i);
  }
  for (; !waiting.empty(); waiting.pop_front()) {
    const std::size_t type = waiting.front();
    if (!types_[type].empty()) continue;
    auto value = find(model.types[type]);
    if (!value) continue;
    value->resize(std::min(value->size(), kLongestExample + 1));
    types_[type] = *std::move(value);
    waiting.insert(waiting.end(), users[type].begin(), users[type].end());
  }
}

bool SmallValues::has(const Definition& type) const {
  const std::less<> is_before;
  const Definition* const first = model_.types.data();
  return !is_before(&type, first) && is_before(&type, first + model_.types.size());
}

bool SmallValues::is_known(const Type& type) const {
  return type.kind != Kind::named || !types_[type.named].empty();
}

std::optional<std::string> SmallValues::find(const Definition& type) const {
  if (const auto* body = std::get_if<Enum>(&type.body)) return value_text(*body, body->values.front());
  const bool is_union = type.is<Union>();
  for (const Field& field : type.fields()) {
    const bool is_ready = field.fallback.has_value() || is_known(field.type);
    if (is_union && is_ready) return with(type, field, of(field.type));
    if (!is_union && !is_ready) return std::nullopt;
  }
  return is_union ? std::nullopt : std::optional(structure(type, nullptr, nullptr));
}

std::string SmallValues::of(const Type& type) const {
  constexpr TypeWords kSmallest = {"false", "0", "0.0", R"("")", R"("")", "[]", "null", "[]", "{}", "null"};
  return type.kind == Kind::named ? types_[type.named] : std::string(kSmallest.of(type.kind));
}

std::string SmallValues::not_empty(const Type& type) const {
  constexpr TypeWords kNotEmpty = {"true", "1", "1.0", R"("a")", R"("AA==")", "[]", "true", "[$]", {}, {}};
  if (type.kind == Kind::map) return "{" + key_of_map(type) + ": " + of(type.args.front()) + "}";
  if (type.kind == Kind::optional) return not_empty(type.args.front());
  if (type.kind != Kind::named) return spelled(type, kNotEmpty, [&](const Type& part) { return of(part); });
  const Definition& named = model_.types[type.named];
  if (const auto* body = std::get_if<Enum>(&named.body))
    return body->values.size() == 1 ? unnamed(*body) : value_text(*body, body->values.back());
  const std::vector<Field>& fields = named.fields();
  const auto simple =
      std::find_if(fields.begin(), fields.end(), [](const Field& field) { return !named_in(field.type); });
  if (simple != fields.end()) return with(named, *simple, not_empty(simple->type));
  if (types_[type.named] != "{}" || fields.empty()) return types_[type.named];
  const Type& first = fields.front().type;
  return with(named, fields.front(), of(without_optional(first)));
}

std::string SmallValues::key_of_map(const Type& map) const {
  const Type* const key = key_of(map);
  return key == nullptr ? "\"\"" : in_quotes(of(*key));
}

std::string SmallValues::with(const Definition& type, const Field& field, const std::string& value) const {
  if (type.is<Union>()) return "{\"" + field.name + "\": " + value + "}";
  return structure(type, &field, &value);
}

std::string SmallValues::without(const Definition& type, const Field& field) const {
  return structure(type, &field, nullptr);
}

/// `value` is for the field `given`; null omits the field.
std::string SmallValues::structure(const Definition& type, const Field* given,
                                   const std::string* value) const {
  constexpr std::size_t kMostFields = 1000;  // the values of all fields of a large type would take too long
  if (!has(type) || type.fields().size() > kMostFields) return std::string(kLongestExample + 1, ' ');
  std::string out;
  for (const Field& field : type.fields()) {
    if (out.size() > kLongestExample) break;
    const bool is_given = &field == given;
    if (is_given ? value == nullptr : field.fallback.has_value()) continue;
    out += (out.empty() ? "\"" : ", \"") + field.name + "\": " + (is_given ? *value : of(field.type));
  }
  return "{" + out + "}";
}

bool Examples::corresponds(Flow flow, const Type& written, const Type& read) const {
  return is_backward(flow) ? generator::corresponds(written, read, match_)
                           : generator::corresponds(read, written, match_);
}

std::optional<std::string> Examples::lost_value(Flow flow, const Type& written, const Type& read) const {
  const SmallValues& values = this->written(flow);
  if (corresponds(flow, written, read)) return std::nullopt;
  if (read.kind == Kind::any) {
    return is_json(flow) ? std::nullopt : std::optional(values.of(written));
  }
  if (written.kind == Kind::any) return read.kind == Kind::boolean ? "0" : "true";
  if (written.kind == Kind::list && read.kind == Kind::list) {
    const auto item = lost_item(flow, written, read);
    return item ? std::optional("[" + *item + "]") : std::nullopt;
  }
  if (written.kind == Kind::map && read.kind == Kind::map) {
    if (const auto key = lost_key(flow, written, read))
      return "{" + *key + ": " + values.of(written.args.front()) + "}";
    const auto item = lost_item(flow, written, read);
    return item ? std::optional("{" + values.key_of_map(written) + ": " + *item + "}") : std::nullopt;
  }
  if (written.kind == Kind::string && read.kind == Kind::bytes)
    return is_json(flow) ? std::optional<std::string>("\"a b\"") : std::nullopt;
  if (written.kind == Kind::bytes && read.kind == Kind::string)
    return is_json(flow) ? "\"AA==\"" : "\"/w==\"";
  if (written.kind == Kind::list && read.kind == Kind::unit) return values.not_empty(written);
  return lost_number(flow, written, read);
}

std::optional<std::string> Examples::lost_item(Flow flow, const Type& written, const Type& read) const {
  return lost_value(flow, written.args.front(), read.args.front());
}

/// Numbers, enums, and types with nothing in common.
std::optional<std::string> Examples::lost_number(Flow flow, const Type& written, const Type& read) const {
  const SmallValues& values = this->written(flow);
  const Model& read_model =
      this->written(is_backward(flow) ? Flow::old_reads_new_json : Flow::new_reads_old_json).model();
  const Enum* const written_enum = enum_in(values.model(), written);
  const Enum* const read_enum = enum_in(read_model, read);
  if (written_enum != nullptr && read_enum != nullptr) return lost_member(flow, *written_enum, *read_enum);
  if (written_enum != nullptr && is_json(flow) && written_enum->is_named_in_json) {
    if (read.kind == Kind::string) return unnamed(*written_enum);
    return values.of(written);
  }
  if (written.kind == Kind::floating && read.kind == Kind::float32) return "0.1";
  if (written.kind == Kind::float32 && read.kind == Kind::floating) return std::nullopt;
  const IntegerType* const writer = numbers_of(values.model(), written);
  if (writer == nullptr) return values.of(written);
  if (is_json(flow) && is_floating(read.kind) && written_enum == nullptr) {
    const std::uint64_t largest = std::uint64_t{1} << (read.kind == Kind::float32 ? 24 : 53);
    return writer->max > largest ? std::optional(std::to_string(largest + 1)) : std::nullopt;
  }
  const IntegerType* const reader = numbers_of(read_model, read);
  if (reader == nullptr || (!is_json(flow) && bits_in_binary(*writer) > bits_in_binary(*reader)))
    return values.of(written);
  return out_of_range(*writer, *reader);
}

std::optional<std::string> Examples::lost_key(Flow flow, const Type& written, const Type& read) const {
  const Type* const key = key_of(written);
  const Type* const read_key = key_of(read);
  if (key != nullptr && read_key != nullptr) {
    const auto lost = lost_value(flow, *key, *read_key);
    return lost ? std::optional(in_quotes(*lost)) : std::nullopt;
  }
  if (key == read_key || (is_json(flow) && read_key == nullptr)) return std::nullopt;
  return this->written(flow).key_of_map(written);
}

}  // namespace generator
