#include "front/type_parser.h"

#include "schemagen/base/utf8.h"
#include "text/characters.h"

namespace generator {
namespace {

constexpr std::size_t kMaxTypeDepth = 64;

struct SimpleType {
  std::string_view name;
  Type::Kind kind;
};
constexpr SimpleType kSimpleTypes[] = {
    {"bool", Type::Kind::boolean},  {"int", Type::Kind::integer},   {"float", Type::Kind::floating},
    {"str", Type::Kind::string},    {"bytes", Type::Kind::bytes},   {"Any", Type::Kind::any},
    {"int8", Type::Kind::int8},     {"int16", Type::Kind::int16},   {"int32", Type::Kind::int32},
    {"int64", Type::Kind::integer}, {"uint8", Type::Kind::uint8},   {"uint16", Type::Kind::uint16},
    {"uint32", Type::Kind::uint32}, {"uint64", Type::Kind::uint64}, {"float32", Type::Kind::float32},
};
constexpr std::string_view kGenericTypes[] = {"List", "Dict", "Optional", "Tuple"};

struct ForeignType {
  std::string_view foreign;
  std::string_view ours;
};
constexpr ForeignType kForeignTypes[] = {
    {"string", "str"},        {"boolean", "bool"},    {"integer", "int"},    {"i8", "int8"},
    {"i16", "int16"},         {"i32", "int32"},       {"i64", "int"},        {"u8", "uint8"},
    {"u16", "uint16"},        {"u32", "uint32"},      {"u64", "uint64"},     {"byte", "uint8"},
    {"uint", "uint64"},       {"long", "int"},        {"short", "int16"},    {"double", "float"},
    {"float64", "float"},     {"f64", "float"},       {"f32", "float32"},    {"single", "float32"},
    {"half", "float32"},      {"float16", "float32"}, {"binary", "bytes"},   {"list", "List"},
    {"vector", "List"},       {"dict", "Dict"},       {"map", "Dict"},       {"Map", "Dict"},
    {"optional", "Optional"}, {"object", "Any"},      {"None", "Tuple[()]"}, {"void", "Tuple[()]"},
};

/// Continues after an unknown name, but not after a syntax error.
struct TypeParser {
  const YamlNode& node;
  const TypeIndex& types;
  Diagnostics& diagnostics;
  std::string_view text = node.text;
  std::size_t position = 0;
  bool sound = true;

  std::optional<Type> parse() {
    std::optional<Type> type = any_type(0);
    if (!type) return std::nullopt;
    skip_blanks();
    if (position < text.size()) {
      fail("unexpected " + quoted(text.substr(position)) + " after the type", position,
           text.size() - position);
      return std::nullopt;
    }
    return sound ? type : std::nullopt;
  }

  std::optional<Type> any_type(std::size_t depth) {
    skip_blanks();
    const std::size_t begin = position;
    while (position < text.size() && is_name_char(text[position])) ++position;
    const std::string_view name = text.substr(begin, position - begin);
    if (name.empty()) {
      if (begin == text.size()) return fail("expected a type here", begin, 1);
      return fail("expected a type here, got " + quoted(character(begin)), begin, 1);
    }
    if (depth > kMaxTypeDepth) {
      return fail(filled("types are nested more than $ levels deep", kMaxTypeDepth), begin, name.size());
    }
    if (name == "List") return generic(Type::Kind::list, "List[T]", begin, depth);
    if (name == "Dict") return map(begin, depth);
    if (name == "Optional") {
      if (depth > 0) fail("'Optional' can only be the outermost type of a field", begin, name.size());
      return generic(Type::Kind::optional, "Optional[T]", begin, depth);
    }
    if (name == "Tuple") return unit();
    return simple(name, begin);
  }

  std::optional<Type> generic(Type::Kind kind, std::string_view example, std::size_t begin,
                              std::size_t depth) {
    return open(example, begin) ? closed_with(kind, any_type(depth + 1)) : std::nullopt;
  }

  std::optional<Type> map(std::size_t begin, std::size_t depth) {
    if (!open("Dict[str, T]", begin)) return std::nullopt;
    skip_blanks();
    const std::size_t key_begin = position;
    const bool was_sound = std::exchange(sound, true);
    std::optional<Type> key = any_type(depth + 1);
    if (!key) return std::nullopt;
    if (sound && !can_be_key(*key)) {
      const std::string_view written = text.substr(key_begin, position - key_begin);
      fail(std::string(kNoKey) + quoted(written), key_begin, written.size());
    }
    sound = sound && was_sound;
    if (!expect(',')) return std::nullopt;
    std::optional<Type> map = closed_with(Type::Kind::map, any_type(depth + 1));
    if (map && key->kind != Type::Kind::string) map->args.push_back(*std::move(key));
    return map;
  }

  /// Named types are checked later, once all are known.
  static bool can_be_key(const Type& type) {
    return type.kind == Type::Kind::string || integer_type(type.kind) != nullptr ||
           type.kind == Type::Kind::named;
  }

  std::optional<Type> unit() {
    const std::size_t begin = position;
    for (const char c : std::string_view("[()]")) {
      if (!take(c)) return fail("expected 'Tuple[()]', the only supported tuple", begin, text.size() - begin);
    }
    return Type{Type::Kind::unit, {}, 0};
  }

  std::optional<Type> simple(std::string_view name, std::size_t begin) {
    const std::optional<Type> type = find(name);
    if (!type) fail("unknown type " + quoted(name), begin, name.size(), near_name(name));
    skip_blanks();
    if (position == text.size() || text[position] != '[') return type ? type : Type{};
    if (type) fail(quoted(name) + " takes no type argument", position, 1);
    return std::nullopt;
  }

  std::optional<Type> find(std::string_view name) const {
    if (const SimpleType* const type = find_named(kSimpleTypes, name)) return Type{type->kind, {}, 0};
    const auto named = types.find(name);
    if (named == types.end()) return std::nullopt;
    return Type{Type::Kind::named, {}, named->second};
  }

  std::string near_name(std::string_view name) const {
    for (const ForeignType& type : kForeignTypes) {
      if (type.foreign == name) return "did you mean " + quoted(type.ours) + "?";
    }
    Names candidates = built_in_types();
    add_names(types, candidates);
    return did_you_mean(name, candidates);
  }

  bool take(char c) {
    skip_blanks();
    const bool is_here = position < text.size() && text[position] == c;
    position += is_here ? 1 : 0;
    return is_here;
  }

  bool open(std::string_view example, std::size_t begin) {
    if (take('[')) return true;
    fail("missing type argument: " + std::string(example), begin, example.find('['));
    return false;
  }

  std::optional<Type> closed_with(Type::Kind kind, std::optional<Type> element) {
    if (!element || !expect(']')) return std::nullopt;
    return Type{kind, {std::move(*element)}, 0};
  }

  bool expect(char c) {
    if (take(c)) return true;
    const std::string found = position == text.size() ? "" : ", got " + quoted(character(position));
    fail("expected " + quoted(std::string_view(&c, 1)) + " here" + found, position, 1);
    return false;
  }

  std::string_view character(std::size_t at) const {
    std::size_t end = at;
    if (!schemagen::next_code_point(text, end)) ++end;
    return text.substr(at, end - at);
  }

  void skip_blanks() {
    while (position < text.size() && text[position] == ' ') ++position;
  }

  std::nullopt_t fail(std::string message, std::size_t offset, std::size_t length, std::string hint = {}) {
    diagnostics.error(node.part(offset, length), std::move(message), std::move(hint));
    sound = false;
    return std::nullopt;
  }
};

}  // namespace

std::optional<Type> parse_type(const YamlNode& node, const TypeIndex& types, Diagnostics& diagnostics) {
  return TypeParser{node, types, diagnostics}.parse();
}

Names simple_types() {
  return names_of(kSimpleTypes);
}

Names built_in_types() {
  Names names = simple_types();
  names.insert(names.end(), std::begin(kGenericTypes), std::end(kGenericTypes));
  return names;
}

bool is_built_in(std::string_view name) {
  return contains(built_in_types(), name);
}

void add_names(const TypeIndex& types, Names& names) {
  for (const auto& [name, index] : types) {
    if (names.size() > kMaxCandidates) return;
    names.push_back(name);
  }
}

}  // namespace generator
