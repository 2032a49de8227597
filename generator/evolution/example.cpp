#include "evolution/example.h"

#include <deque>

#include "evolution/compat_report.h"

namespace generator {

std::string in_quotes(const std::string& text) {
  return !text.empty() && text.front() == '"' ? text : "\"" + text + "\"";
}

std::string value_text(const Definition& type, const Field& value) {
  return type.is_named_in_json ? in_quotes(value.name) : std::to_string(value.id);
}

std::string unnamed(const Definition& type) {
  std::int64_t number = 0;
  const auto is_taken = [&](const Field& value) { return value.id == number; };
  while (std::any_of(type.values.begin(), type.values.end(), is_taken)) ++number;
  return std::to_string(number);
}
SmallValues::SmallValues(const Model& model) : model_(model), types_(model.types.size()) {
  std::vector<std::vector<std::size_t>> users(model.types.size());
  std::deque<std::size_t> waiting;
  for (std::size_t i = 0; i < model.types.size(); ++i) {
    waiting.push_back(i);
    for (const Field& field : model.types[i].fields)
      if (field.type.kind == Type::Kind::named) users[field.type.named].push_back(i);
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

std::optional<std::string> SmallValues::find(const Definition& type) const {
  if (type.is_enum()) return value_text(type, type.values.front());
  const bool is_union = type.is_union();
  for (const Field& field : type.fields) {
    const bool is_ready =
        field.fallback || field.type.kind != Type::Kind::named || !types_[field.type.named].empty();
    if (is_union && is_ready) return with(type, field, of(field.type));
    if (!is_union && !is_ready) return std::nullopt;
  }
  return is_union ? std::nullopt : std::optional(structure(type, nullptr, nullptr));
}

std::string SmallValues::of(const Type& type) const {
  constexpr TypeWords kSmallest = {"false", "0", "0.0", R"("")", R"("")", "[]", "null", "[]", "{}", "null"};
  return type.kind == Type::Kind::named ? types_[type.named] : std::string(kSmallest.of(type.kind));
}

std::string SmallValues::not_empty(const Type& type) const {
  constexpr TypeWords kNotEmpty = {"true", "1", "1.0", R"("a")", R"("AA==")", "[]", "true", "[$]", {}, {}};
  if (type.kind == Type::Kind::map) return "{" + key_of_map(type) + ": " + of(type.args.front()) + "}";
  if (type.kind == Type::Kind::optional) return not_empty(type.args.front());
  if (type.kind != Type::Kind::named)
    return spelled(type, kNotEmpty, [&](const Type& part) { return of(part); });
  const Definition& named = model_.types[type.named];
  if (named.is_enum())
    return named.values.size() == 1 ? unnamed(named) : value_text(named, named.values.back());
  const std::vector<Field>& fields = named.fields;
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
  if (type.is_union()) return "{\"" + field.name + "\": " + value + "}";
  return structure(type, &field, &value);
}

std::string SmallValues::without(const Definition& type, const Field& field) const {
  return structure(type, &field, nullptr);
}

/// `value` is for the field `given`; null omits the field.
std::string SmallValues::structure(const Definition& type, const Field* given,
                                   const std::string* value) const {
  constexpr std::size_t kMostFields = 1000;  // the values of all fields of a large type would take too long
  if (!has(type) || type.fields.size() > kMostFields) return std::string(kLongestExample + 1, ' ');
  std::string out;
  for (const Field& field : type.fields) {
    if (out.size() > kLongestExample) break;
    const bool is_given = &field == given;
    if (is_given ? value == nullptr : field.fallback.has_value()) continue;
    out += (out.empty() ? "\"" : ", \"") + field.name + "\": " + (is_given ? *value : of(field.type));
  }
  return "{" + out + "}";
}

}  // namespace generator
