#include "boundary_value.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace schemagen_test {
namespace {

using generator::Definition;
using generator::Field;
using generator::Model;
using generator::Type;
using Kind = Type::Kind;

constexpr int kMaxDepth = 6;

template <class T, std::size_t count>
T one_of(const T (&values)[count], Random& random) {
  return values[random.below(count)];
}

class BoundaryMaker {
 public:
  BoundaryMaker(const ReflectiveCodec& codec, const ReflectiveCodec& other, Random& random)
      : codec_(codec), model_(codec.model()), other_(other), random_(random) {}

  Value make(const Type& type, int depth) {
    Value value;
    switch (type.kind) {
      case Kind::boolean:
        value.scalar = random_.chance(50);
        return value;
      case Kind::floating:
        value.scalar = one_of({0.0, 0.5, 0.1, 3.0, 16777217.0, -1e300, 1e-300, std::nan(""),
                               -std::numeric_limits<double>::infinity()},
                              random_);
        return value;
      case Kind::float32:
        value.scalar =
            double{one_of({0.0F, 0.5F, 0.1F, 3.0F, -3.4028235e+38F, 1e-45F, std::nanf("")}, random_)};
        return value;
      case Kind::string:
        value.scalar = text();
        return value;
      case Kind::bytes:
        value.scalar = one_of<std::string>({"", "abcd", "\xff", "1", "i\xb7\x1d"}, random_);
        return value;
      case Kind::unit:
        return value;
      case Kind::any:
        value.scalar = any(depth);
        return value;
      case Kind::list:
        for (std::size_t i = count(depth); i > 0; --i)
          value.items.push_back(make(type.args.front(), depth + 1));
        return value;
      case Kind::map:
        for (std::size_t i = count(depth); i > 0; --i) {
          static const Type kText{Kind::string, {}, 0};
          const Type* const key_type = key_of(type);
          Value key = make(key_type == nullptr ? kText : *key_type, depth + 1);
          if (std::find(value.keys.begin(), value.keys.end(), key) != value.keys.end()) continue;
          value.keys.push_back(std::move(key));
          value.items.push_back(make(type.args.front(), depth + 1));
        }
        return value;
      case Kind::optional:
        if (depth < kMaxDepth && random_.chance(70)) {
          value = make(type.args.front(), depth);
          // In JSON, a null Optional[Any] and one that holds null are the same.
          if (type.args.front().kind != Kind::any || value.text() != "null") return value;
        }
        value = {};
        value.is_null = true;
        return value;
      case Kind::named:
        return named(type.named, depth + 1);
      default:
        value.scalar = integer(*generator::integer_type(type.kind));
        return value;
    }
  }

 private:
  Value named(std::size_t index, int depth) {
    const Definition& type = model_.types[index];
    Value value;
    if (type.is_enum()) {
      value.scalar = number(type);
    } else if (type.is_union()) {
      value.member = random_.below(type.fields.size());
      value.items = {make(type.fields[value.member].type, depth)};
    } else {
      for (const Field& field : type.fields) {
        const bool is_default = field.fallback && (depth >= kMaxDepth || random_.chance(20));
        value.items.push_back(is_default ? codec_.absent(field) : make(field.type, depth));
      }
    }
    return value;
  }

  std::int64_t number(const Definition& type) {
    if (random_.chance(75)) return type.values[random_.below(type.values.size())].id;
    return one_of<std::int64_t>({77, INT32_MIN, INT32_MAX}, random_);
  }

  std::int64_t integer(const generator::IntegerType& type) {
    const std::int64_t any =
        one_of<std::int64_t>({0, 1, -1, 77, INT8_MIN, INT8_MAX, INT8_MAX + 1, UINT8_MAX, INT16_MIN, INT16_MAX,
                              UINT16_MAX, INT32_MIN, INT32_MAX, std::int64_t{1} << 31, UINT32_MAX, INT64_MIN,
                              INT64_MAX, 16777217, (std::int64_t{1} << 53) + 1},
                             random_);
    if (type.kind == Kind::uint64) return any;
    return any < type.min || (any > 0 && static_cast<std::uint64_t>(any) > type.max) ? type.min : any;
  }

  std::string text() {
    if (random_.chance(25)) {
      const Definition& type = any_type(random_.chance(50) ? model_ : other_.model());
      if (type.is_enum()) return type.values[random_.below(type.values.size())].name;
    }
    return one_of<std::string>({"", "a b", "abcd", "1", "-7", "\xc3\xa9\xe2\x98\x83", "NaN", "\"q\"\n"},
                               random_);
  }

  std::string any(int depth) {
    const Definition& type = any_type(other_.model());
    if (depth < 3 && random_.chance(60) && !type.fields.empty()) {
      const Field& field = type.fields[random_.below(type.fields.size())];
      return other_.to_json(field.type, BoundaryMaker(other_, codec_, random_).make(field.type, depth + 2));
    }
    return one_of<std::string>(
        {"0", "1", "\"x\"", "\"\"", "[]", "[1, null]", "{}", "{\"k\": 2.5}", "true", "null"}, random_);
  }

  const Definition& any_type(const Model& model) { return model.types[random_.below(model.types.size())]; }

  std::size_t count(int depth) { return depth > kMaxDepth ? 0 : random_.below(3); }

  const ReflectiveCodec& codec_;
  const Model& model_;
  const ReflectiveCodec& other_;
  Random& random_;
};

}  // namespace

Value boundary_value(const ReflectiveCodec& codec, const Type& type, const ReflectiveCodec& other,
                     Random& random) {
  return BoundaryMaker(codec, other, random).make(type, 0);
}

}  // namespace schemagen_test
