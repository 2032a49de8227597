#include "random_value.h"

#include <variant>
#include <vector>

namespace schemagen_test {
namespace {

using generator::Definition;
using generator::Field;
using generator::Model;
using generator::Type;
using Kind = Type::Kind;

constexpr int kMaxDepth = 8;

template <std::size_t count>
std::string one_of(const char* const (&texts)[count], Random& random) {
  return texts[random.below(count)];
}

class ValueMaker {
 public:
  ValueMaker(const Model& model, Random& random) : model_(model), random_(random) {}

  std::string named(std::size_t index, int depth) {
    const Definition& type = model_.types[index];
    if (type.is_enum()) {
      const Field& value = type.values[random_.below(type.values.size())];
      return type.is_named_in_json ? "\"" + value.name + "\"" : std::to_string(value.id);
    }
    if (type.is_union()) {
      return "{" + field(type.fields[random_.below(type.fields.size())], depth) + "}";
    }
    std::string out;
    for (const Field& one : type.fields) out += (out.empty() ? "" : ", ") + field(one, depth);
    return "{" + out + "}";
  }

 private:
  std::string field(const Field& field, int depth) {
    return "\"" + field.name + "\": " + value(field.type, depth + 1);
  }

  std::string value(const Type& type, int depth) {
    switch (type.kind) {
      case Kind::boolean:
        return random_.chance(50) ? "true" : "false";
      case Kind::integer:
        return one_of({"0", "1", "-7", "1000", "9007199254740993", "-9223372036854775808"}, random_);
      case Kind::floating:
        return one_of({"0.0", "0.5", "-1e+300", "3.0", "\"NaN\"", "\"-Infinity\""}, random_);
      case Kind::int8:
      case Kind::int16:
      case Kind::int32:
      case Kind::uint8:
      case Kind::uint16:
      case Kind::uint32:
      case Kind::uint64:
        return integer(*generator::integer_type(type.kind));
      case Kind::float32:
        return one_of({"0.0", "0.1", "-3.4028235e+38", "1e-45", "\"NaN\"", "\"Infinity\""}, random_);
      case Kind::string:
        return one_of({R"("")", R"("a b")", R"("abcd")", "\"\\u00e9\\u2603\"", R"("\"q\"\n")"}, random_);
      case Kind::bytes:
        return one_of({R"("")", R"("abcd")", R"("/w==")", R"("AAECAw==")"}, random_);
      case Kind::unit:
        return "[]";
      case Kind::any:
        return one_of({"1", "\"x\"", "[1, null]", "{\"k\": 2.5}", "true"}, random_);
      case Kind::named:
        return named(type.named, depth);
      case Kind::list:
        return "[" + items(type.args.front(), depth, {}) + "]";
      case Kind::map:
        return "{" + items(type.args.front(), depth, keys_of(type)) + "}";
      case Kind::optional:
        break;
    }
    return depth > kMaxDepth || random_.chance(40) ? "null" : value(type.args.front(), depth);
  }

  std::string integer(const generator::IntegerType& type) {
    if (random_.chance(30)) return std::to_string(random_.below(100));
    return random_.chance(50) ? std::to_string(type.min) : std::to_string(type.max);
  }

  std::vector<std::string> keys_of(const Type& map) {
    const generator::Type* const key = key_of(map);
    if (key == nullptr) return {"k0", "k1", "k2"};
    if (key->kind != Kind::named) {
      const generator::IntegerType& type = *generator::integer_type(key->kind);
      return {std::to_string(type.min), "77", std::to_string(type.max)};
    }
    const Definition& body = model_.types[key->named];
    std::vector<std::string> keys;
    for (const Field& value : body.values) {
      keys.push_back(body.is_named_in_json ? value.name : std::to_string(value.id));
    }
    return keys;
  }

  std::string items(const Type& element, int depth, const std::vector<std::string>& keys) {
    const std::size_t count = depth > kMaxDepth ? 0 : random_.below(4);
    std::string out;
    for (std::size_t i = 0; i < count && (keys.empty() || i < keys.size()); ++i) {
      if (i > 0) out += ", ";
      if (!keys.empty()) out += "\"" + keys[i] + "\": ";
      out += value(element, depth + 1);
    }
    return out;
  }

  const Model& model_;
  Random& random_;
};

}  // namespace

std::string random_value(const Model& model, std::size_t type, Random& random) {
  return ValueMaker(model, random).named(type, 0);
}

}  // namespace schemagen_test
