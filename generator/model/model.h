// A Model refers to types by index, so it can be copied, compared and printed. Places (Span) are only used
// for messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "text/source_lines.h"

namespace generator {

/// For example, `Optional[List[Node]]`.
struct Type {
  enum class Kind : std::uint8_t {
    boolean,
    integer,   // int, or int64: 64-bit signed
    floating,  // float: IEEE double
    int8,
    int16,
    int32,
    uint8,
    uint16,
    uint32,
    uint64,
    float32,  // IEEE single
    string,   // str: UTF-8
    bytes,    // bytes: base64 in JSON
    unit,     // Tuple[()]: a value without content
    any,
    list,
    map,
    optional,  // Optional[T]; never inside another type
    named,     // a type of this schema
  };
  Kind kind = Kind::boolean;
  // The element type of a list, map or optional. If a map's keys are not str, the key type follows.
  std::vector<Type> args;
  std::size_t named = 0;  // index into Model::types
};

struct IntegerType {
  Type::Kind kind = Type::Kind::integer;
  std::string_view name;
  std::int64_t min = 0;
  std::uint64_t max = 0;
};

namespace detail {
template <typename Integer>
constexpr IntegerType integers(Type::Kind kind, std::string_view name) {
  using Bounds = std::numeric_limits<Integer>;
  return {kind, name, static_cast<std::int64_t>(Bounds::min()), static_cast<std::uint64_t>(Bounds::max())};
}
}  // namespace detail

inline constexpr IntegerType kIntegerTypes[] = {
    detail::integers<std::int64_t>(Type::Kind::integer, "int"),
    detail::integers<std::int8_t>(Type::Kind::int8, "int8"),
    detail::integers<std::int16_t>(Type::Kind::int16, "int16"),
    detail::integers<std::int32_t>(Type::Kind::int32, "int32"),
    detail::integers<std::uint8_t>(Type::Kind::uint8, "uint8"),
    detail::integers<std::uint16_t>(Type::Kind::uint16, "uint16"),
    detail::integers<std::uint32_t>(Type::Kind::uint32, "uint32"),
    detail::integers<std::uint64_t>(Type::Kind::uint64, "uint64"),
};

const IntegerType* integer_type(Type::Kind kind);

/// Returns how many bits a type has in the binary format. Unsigned types use the next larger size, except
/// uint64.
int bits_in_binary(const IntegerType& type);

inline bool is_floating(Type::Kind kind) {
  return kind == Type::Kind::floating || kind == Type::Kind::float32;
}

std::string spelled_with_range(const IntegerType& type);

struct ListLiteral;
struct MapLiteral;
struct FieldsLiteral;
struct EnumMember {
  std::string name;
  std::int32_t number = 0;
  std::size_t type = 0;  // index into Model::types
};
/// `std::monostate` is null, `std::uint64_t` is used for values above the maximum of std::int64_t, and
/// `float` is used for float32.
using Literal = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, float, std::string,
                             ListLiteral, MapLiteral, FieldsLiteral, EnumMember>;

struct ListLiteral {
  std::vector<Literal> items;
};
struct MapLiteral {
  struct Entry;
  std::vector<Entry> entries;  // as written, without duplicate keys
};
/// All fields of a struct in order, with their own defaults if omitted, or the one member of a union.
struct FieldsLiteral {
  struct Value;
  std::size_t type = 0;  // index into Model::types
  std::vector<Value> values;
};

struct MapLiteral::Entry {
  Literal key;
  Literal value;
};
struct FieldsLiteral::Value {
  std::string name;
  std::int32_t id = 0;
  Literal value;
};

/// Written next to the element that it is about.
struct Allowance {
  std::string rule;    // from `schemagen rules`
  std::string reason;  // never empty
  Span span;
};

inline constexpr std::int64_t kMaxId = 32767;  // the largest id of a field

struct Field {
  std::string name;
  std::int32_t id = 0;  // of a member of an enum: its number
  Type type;
  std::optional<Literal> fallback{};  // the default; without one, the field is required
  bool boxed = false;                 // whether the value is on the heap, which makes recursion possible
  /// whether the field contains, in JSON, the schema version of the file's writer
  bool states_version = false;
  std::string doc{};
  std::string deprecated{};
  std::string since{};  // e.g. "1.4"; empty if unknown
  std::optional<std::string> cpp_name{};
  std::vector<Allowance> allowed{};
  Span span{};
  Span id_span{};
  Span type_span{};
  Span default_span{};
  Span cpp_name_span{};
};

/// Ids and names that must never be used again.
struct Reserved {
  std::vector<std::int32_t> ids;
  std::vector<std::string> names;
  Span span;
};

enum class DefinitionKind : std::uint8_t { structure, union_, enumeration };

std::string_view name_of(DefinitionKind kind);

/// Fields are in the order of JSON keys and C++ members.
struct Definition {
  std::string name;
  std::string doc;
  DefinitionKind kind = DefinitionKind::structure;
  std::vector<Field> fields;      // of a struct, or the members of a union
  std::vector<Field> values;      // of an enum: names, numbers and places
  bool is_named_in_json = false;  // whether JSON stores an enum value's name, or its number if it has no name
  Reserved reserved;
  std::optional<std::string> cpp_name;
  std::vector<Allowance> allowed;  // for the type, enum members, and removed fields
  Span span;
  Span cpp_name_span;

  bool is_struct() const { return kind == DefinitionKind::structure; }
  bool is_union() const { return kind == DefinitionKind::union_; }
  bool is_enum() const { return kind == DefinitionKind::enumeration; }
  const std::vector<Field>& members() const { return is_enum() ? values : fields; }
};

struct Constant {
  std::string name;
  std::int64_t value = 0;
  Span span;
};

struct Version {
  std::int32_t major_ = 0;  // `major` and `minor` are macros of glibc and BSD
  std::int32_t minor_ = 0;
};

/// Once it has been checked, named types exist, ids are unique, and every type has a finite value.
struct Model {
  std::string name;  // also the default C++ namespace
  Version version;
  std::vector<Constant> constants;
  std::vector<std::size_t> roots;  // indices into `types`; can be empty
  std::vector<Definition> types;
  std::vector<Allowance> allowed;  // for removed roots and types, constants and the version
  std::vector<std::string> files;  // indexed by Span::file
  Span name_span;
  Span version_span;
  Span major_span;  // of the numbers
  Span minor_span;
  Span roots_span;  // of the `roots` key, or {}

  bool is_enum(const Type& type) const {
    return type.kind == Type::Kind::named && types[type.named].is_enum();
  }
  std::optional<std::size_t> find(std::string_view type_name) const;
  bool is_root(const Definition& type) const;
  /// In byte order.
  std::vector<const Definition*> types_by_name() const;
};

std::string spelled(const Model& model, const Type& type);

/// How a language writes types. `$` stands for the element type, and `#` for the key type of a map.
struct TypeWords {
  std::string_view boolean, integer, floating, string, bytes, unit, any, list, map, optional;

  /// Returns an empty text for named types.
  std::string_view of(Type::Kind kind) const;
};

/// Returns the words for a type that is not named. `spell` is called for element and key types.
std::string spelled(const Type& type, const TypeWords& words,
                    const std::function<std::string(const Type&)>& spell);

std::string spelled(const Literal& literal);

/// Returns a literal as JSON. Enum members have names if `names_members` is true, and otherwise the form used
/// in files.
std::string json_text(const Model& model, const Literal& literal, bool names_members);

const Field& field_of(const Definition& type, const FieldsLiteral::Value& value);

/// Returns whether the literal is a struct, a union, or a list or map that is not empty.
bool is_composed(const Literal& literal);

/// Returns the docs, with `since` and `deprecated` as sentences.
std::string description(const Field& field);

const Type* key_of(const Type& map);

/// Returns T of Optional[T], and any other type itself.
const Type& without_optional(const Type& type);

/// Returns the type of the innermost elements, or the type itself if it has none.
const Type& innermost(const Type& type);

/// Returns the named type in a type, even inside List, Dict and Optional, as an index into `Model::types`.
std::optional<std::size_t> named_in(const Type& type);

std::vector<std::size_t> all_named_in(const Type& type);

std::string spelled(Version version);

/// Compares everything that a schema can express, including docs and order.
bool same_meaning(const Model& a, const Model& b);

}  // namespace generator
