#include "schemagen/c/type.h"

#include <iterator>
#include <limits>

#include "schemagen/c/error.h"
#include "schemagen/c/lifetime.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace schemagen::c {
namespace {

using Kind = ReflectedType::Kind;

constexpr schemagen_value kNoValue = {nullptr, nullptr, 0, 0};

const Access& access_at(const schemagen_value& value) noexcept {
  return *static_cast<const Access*>(value.type);
}

// The tables use one function for reading and writing.
void* place_of(const schemagen_value& value) noexcept {
  return const_cast<void*>(value.at);
}

Kind kind_of(const schemagen_value& value) noexcept {
  require_alive(value.life);
  return value.type == nullptr ? Kind::optional : access_at(value).kind;
}

bool is_of(const schemagen_value& value, Kind kind) noexcept {
  return kind_of(value) == kind;
}

template <class T>
const T& held(const schemagen_value& value) noexcept {
  return *static_cast<const T*>(value.at);
}

schemagen_value field_of(const schemagen_value& value, std::size_t index) noexcept {
  const Access& access = access_at(value);
  return cursor(*access.fields[index], access.at(place_of(value), index), value.life);
}

schemagen_value field_of(const schemagen_value& value, const ReflectedField* field) noexcept {
  if (field == nullptr) return kNoValue;
  return field_of(value, static_cast<std::size_t>(field - access_at(value).type->fields));
}

const ReflectedField* member_of(const schemagen_value& value) noexcept {
  if (!is_of(value, Kind::union_)) return nullptr;
  const std::size_t number = access_at(value).count(value.at);
  return number == 0 ? nullptr : access_at(value).type->fields + (number - 1);
}

const ReflectedField* field_at(const schemagen_value& value, std::size_t index) noexcept {
  const bool has_fields = is_of(value, Kind::structure) || is_of(value, Kind::union_);
  if (!has_fields || index >= access_at(value).type->field_count) return nullptr;
  return access_at(value).type->fields + index;
}

/// Returns the number of items if the key is missing.
std::size_t find_key(const schemagen_value& map, std::string_view key) noexcept {
  const Access& access = access_at(map);
  try {
    const std::string text(key);
    return access.find(map.at, &text);
  } catch (...) {  // out of memory for the key
    const std::size_t count = access.count(map.at);
    std::size_t index = 0;
    while (index < count && *static_cast<const std::string*>(access.key_at(map.at, index)) != key) ++index;
    return index;
  }
}

template <class Number>
bool read_number(const schemagen_value& value, Number& number) noexcept {
  bool fits = true;
  const auto take = [&](auto held) {
    if constexpr (std::is_same_v<Number, std::int64_t> && std::is_same_v<decltype(held), std::uint64_t>) {
      fits = held <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    }
    if constexpr (std::is_same_v<Number, std::uint64_t> && std::is_signed_v<decltype(held)>) fits = held >= 0;
    if (fits) number = static_cast<Number>(held);
  };
  const Kind kind = kind_of(value);
  if (kind == Kind::boolean) {
    take(schemagen_value_bool(value));
    return true;
  }
  return visit_integer(kind, value.at, take) && fits;
}

// In the order of ReflectedType::Kind.
constexpr std::int32_t kKindsInC[] = {
    SCHEMAGEN_BOOL,  SCHEMAGEN_INT,  SCHEMAGEN_FLOAT, SCHEMAGEN_STRING, SCHEMAGEN_BYTES, SCHEMAGEN_UNIT,
    SCHEMAGEN_ANY,   SCHEMAGEN_LIST, SCHEMAGEN_MAP,   SCHEMAGEN_NULL,   SCHEMAGEN_ENUM,  SCHEMAGEN_STRUCT,
    SCHEMAGEN_UNION, SCHEMAGEN_INT,  SCHEMAGEN_INT,   SCHEMAGEN_INT,    SCHEMAGEN_INT,   SCHEMAGEN_INT,
    SCHEMAGEN_INT,   SCHEMAGEN_UINT, SCHEMAGEN_FLOAT};
static_assert(std::size(kKindsInC) == std::size_t{Kind::float32} + 1);

}  // namespace

schemagen_value cursor(const Access& access, const void* value, std::uint64_t life) noexcept {
  const Access* at = &access;
  while (at->kind == Kind::optional && at->count(value) != 0) {
    value = at->at(const_cast<void*>(value), 0);
    at = at->element;
  }
  schemagen_value result = {value, at, 0, life};
#ifdef __SSE2__
  // In halves, as callers copy it: a 16-byte load would wait for 8-byte stores to reach the cache.
  const auto half = [](std::uint64_t low, std::uint64_t high) {
    return _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
  };
  const __m128i halves[] = {
      half(reinterpret_cast<std::uintptr_t>(value), reinterpret_cast<std::uintptr_t>(at)), half(0, life)};
  std::memcpy(&result, halves, sizeof result);
#endif
  return result;
}

}  // namespace schemagen::c

using namespace schemagen::c;
using schemagen::Access;
using schemagen::ReflectedField;

extern "C" {

int32_t schemagen_value_kind(schemagen_value value) {
  require_alive(value.life);
  if (value.type == nullptr) return SCHEMAGEN_NONE;
  return kKindsInC[access_at(value).kind];
}

schemagen_str schemagen_value_type(schemagen_value value) {
  require_alive(value.life);
  const bool has_name = value.type != nullptr && access_at(value).type != nullptr;
  return borrowed(has_name ? access_at(value).type->name : std::string_view());
}

size_t schemagen_value_size(schemagen_value value) {
  switch (kind_of(value)) {
    case Kind::structure:
    case Kind::union_:
      return access_at(value).type->field_count;
    case Kind::list:
    case Kind::map:
      return access_at(value).count(value.at);
    case Kind::enumeration:
      return 0;
    default:
      return schemagen_value_string(value).size;
  }
}

bool schemagen_value_equal(schemagen_value a, schemagen_value b) {
  require_alive(a.life);
  require_alive(b.life);
  if (a.type == nullptr || a.type != b.type) return a.type == b.type;
  return access_at(a).is_same(a.at, b.at);
}

schemagen_value schemagen_value_field(schemagen_value structure, int32_t id) {
  if (!is_of(structure, Kind::structure)) return kNoValue;
  return field_of(structure, access_at(structure).type->numbered(id));
}

schemagen_value schemagen_value_named(schemagen_value structure, const char* name) {
  if (name == nullptr || !is_of(structure, Kind::structure)) return kNoValue;
  return field_of(structure, access_at(structure).type->named(name));
}

schemagen_value schemagen_value_field_at(schemagen_value structure, size_t index) {
  if (!is_of(structure, Kind::structure) || index >= access_at(structure).type->field_count) return kNoValue;
  return field_of(structure, index);
}

schemagen_str schemagen_value_field_name(schemagen_value value, size_t index) {
  const ReflectedField* const field = field_at(value, index);
  return borrowed(field == nullptr ? std::string_view() : field->name);
}

int32_t schemagen_value_field_id(schemagen_value value, size_t index) {
  const ReflectedField* const field = field_at(value, index);
  return field == nullptr ? 0 : field->id;
}

schemagen_value schemagen_value_member(schemagen_value value) {
  return field_of(value, member_of(value));
}

int32_t schemagen_value_member_id(schemagen_value value) {
  const ReflectedField* const member = member_of(value);
  return member == nullptr ? 0 : member->id;
}

schemagen_str schemagen_value_member_name(schemagen_value value) {
  const ReflectedField* const member = member_of(value);
  return borrowed(member == nullptr ? std::string_view() : member->name);
}

schemagen_value schemagen_value_item(schemagen_value value, size_t index) {
  if (!is_of(value, Kind::list) && !is_of(value, Kind::map)) return kNoValue;
  const Access& access = access_at(value);
  if (index >= access.count(value.at)) return kNoValue;
  return cursor(*access.element, access.at(place_of(value), index), value.life);
}

schemagen_value schemagen_value_key(schemagen_value map, size_t index) {
  if (!is_of(map, Kind::map) || index >= access_at(map).count(map.at)) return kNoValue;
  return cursor(*access_at(map).key, access_at(map).key_at(map.at, index), map.life);
}

schemagen_value schemagen_value_get(schemagen_value map, schemagen_str key) {
  if (!is_of(map, Kind::map) || access_at(map).key->kind != Kind::string) return kNoValue;
  if (key.data == nullptr && key.size != 0) return kNoValue;
  return schemagen_value_item(map, find_key(map, key.size == 0 ? "" : std::string_view(key.data, key.size)));
}

bool schemagen_value_bool(schemagen_value value) {
  return is_of(value, Kind::boolean) && held<bool>(value);
}

int64_t schemagen_value_int(schemagen_value value) {
  std::int64_t number = 0;
  return read_number(value, number) ? number : 0;
}

uint64_t schemagen_value_uint(schemagen_value value) {
  std::uint64_t number = 0;
  return read_number(value, number) ? number : 0;
}

double schemagen_value_float(schemagen_value value) {
  if (is_of(value, Kind::floating)) return held<double>(value);
  if (is_of(value, Kind::float32)) return double{held<float>(value)};
  double number = 0;
  return read_number(value, number) ? number : 0;
}

schemagen_str schemagen_value_string(schemagen_value value) {
  switch (kind_of(value)) {
    case Kind::string:
      return borrowed(held<std::string>(value));
    case Kind::any:
      return borrowed(held<schemagen::Json>(value).text);
    case Kind::bytes: {
      const auto& bytes = held<schemagen::Bytes>(value);
      return borrowed({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    case Kind::enumeration: {
      std::int32_t number = 0;
      read_number(value, number);
      const ReflectedField* const named = access_at(value).type->numbered(number);
      return borrowed(named == nullptr ? std::string_view() : named->name);
    }
    default:
      return {nullptr, 0};
  }
}

}  // extern "C"
