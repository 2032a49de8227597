#include "model/model.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace generator {
namespace {

template <typename T>
bool same(const std::vector<T>& a, const std::vector<T>& b);

bool same(std::size_t a, std::size_t b) {
  return a == b;
}

bool same(const Type& a, const Type& b) {
  return a.kind == b.kind && a.named == b.named && same(a.args, b.args);
}

bool same(const Literal& a, const Literal& b);

struct SameLiteral {
  template <typename A, typename B>
  bool operator()(const A&, const B&) const {
    return false;
  }
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    return a == b;
  }
  bool operator()(double a, double b) const {   // -0.0 is not 0.0
    return std::memcmp(&a, &b, sizeof a) == 0;  // NOLINT(bugprone-suspicious-memory-comparison)
  }
  bool operator()(float a, float b) const { return (*this)(double{a}, double{b}); }
  bool operator()(const ListLiteral& a, const ListLiteral& b) const { return same(a.items, b.items); }
  bool operator()(const MapLiteral& a, const MapLiteral& b) const { return same(a.entries, b.entries); }
  bool operator()(const FieldsLiteral& a, const FieldsLiteral& b) const {
    return a.type == b.type && same(a.values, b.values);
  }
  bool operator()(const EnumMember& a, const EnumMember& b) const {
    return a.name == b.name && a.number == b.number;
  }
};

bool same(const Literal& a, const Literal& b) {
  return std::visit(SameLiteral{}, a, b);
}

bool same(const MapLiteral::Entry& a, const MapLiteral::Entry& b) {
  return same(a.key, b.key) && same(a.value, b.value);
}

bool same(const FieldsLiteral::Value& a, const FieldsLiteral::Value& b) {
  return a.name == b.name && a.id == b.id && same(a.value, b.value);
}

bool same(const Field& a, const Field& b) {
  const bool same_default =
      a.fallback.has_value() == b.fallback.has_value() && (!a.fallback || same(*a.fallback, *b.fallback));
  return a.name == b.name && a.id == b.id && same(a.type, b.type) && same_default && a.boxed == b.boxed &&
         a.states_version == b.states_version && a.doc == b.doc && a.deprecated == b.deprecated &&
         a.since == b.since && a.cpp_name == b.cpp_name;
}

bool same(const EnumValue& a, const EnumValue& b) {
  return a.name == b.name && a.number == b.number;
}

bool same(const Constant& a, const Constant& b) {
  return a.name == b.name && a.value == b.value;
}

bool same_body(const Definition& a, const Definition& b) {
  if (kind_of(a) != kind_of(b)) return false;
  const auto* a_enum = std::get_if<Enum>(&a.body);
  const auto* b_enum = std::get_if<Enum>(&b.body);
  if (a_enum == nullptr) return same(a.fields(), b.fields());
  return same(a_enum->values, b_enum->values) && a_enum->is_named_in_json == b_enum->is_named_in_json;
}

bool same(const Definition& a, const Definition& b) {
  return a.name == b.name && a.doc == b.doc && a.cpp_name == b.cpp_name && same_body(a, b) &&
         a.reserved.ids == b.reserved.ids && a.reserved.names == b.reserved.names;
}

template <typename T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T& one, const T& other) { return same(one, other); });
}

}  // namespace

bool same_meaning(const Model& a, const Model& b) {
  return a.name == b.name && a.version.major_ == b.version.major_ && a.version.minor_ == b.version.minor_ &&
         same(a.constants, b.constants) && same(a.roots, b.roots) && same(a.types, b.types);
}

}  // namespace generator
