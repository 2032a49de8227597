#include "front/type_parser.h"

#include <algorithm>
#include <iterator>
#include <utility>

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
class TypeParser {
 public:
  TypeParser(const YamlNode& node, const TypeIndex& types, Diagnostics& diagnostics)
      : node_(node), text_(node.text), types_(types), diagnostics_(diagnostics) {}

  std::optional<Type> parse() {
    std::optional<Type> type = any_type(0);
    if (!type) return std::nullopt;
    skip_blanks();
    if (at_ < text_.size()) {
      fail("unexpected " + quoted(text_.substr(at_)) + " after the type", at_, text_.size() - at_);
      return std::nullopt;
    }
    return sound_ ? type : std::nullopt;
  }

 private:
  std::optional<Type> any_type(std::size_t depth) {
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name.empty()) {
      if (begin == text_.size()) return fail("expected a type here", begin, 1);
      return fail("expected a type here, got " + quoted(character(begin)), begin, 1);
    }
    if (depth > kMaxTypeDepth) {
      return fail(filled("types are nested more than $ levels deep", kMaxTypeDepth), begin, name.size());
    }
    if (name == "List") return list(begin, depth);
    if (name == "Dict") return map(begin, depth);
    if (name == "Optional") return optional(begin, depth);
    if (name == "Tuple") return unit();
    return simple(name, begin);
  }

  std::optional<Type> list(std::size_t begin, std::size_t depth) {
    if (!open("List[T]", begin)) return std::nullopt;
    return closed_with(Type::Kind::list, any_type(depth + 1));
  }

  std::optional<Type> optional(std::size_t begin, std::size_t depth) {
    if (depth > 0) {
      fail("'Optional' can only be the outermost type of a field", begin,
           std::string_view("Optional").size());
    }
    if (!open("Optional[T]", begin)) return std::nullopt;
    return closed_with(Type::Kind::optional, any_type(depth + 1));
  }

  std::optional<Type> map(std::size_t begin, std::size_t depth) {
    if (!open("Dict[str, T]", begin)) return std::nullopt;
    skip_blanks();
    const std::size_t key_begin = at_;
    const bool was_sound = std::exchange(sound_, true);
    std::optional<Type> key = any_type(depth + 1);
    if (!key) return std::nullopt;
    if (sound_ && !can_be_key(*key)) {
      const std::string_view written = text_.substr(key_begin, at_ - key_begin);
      fail(std::string(kNoKey) + quoted(written), key_begin, written.size());
    }
    sound_ = sound_ && was_sound;
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
    const std::size_t begin = at_;
    for (const char c : std::string_view("[()]")) {
      skip_blanks();
      if (at_ == text_.size() || text_[at_] != c) {
        return fail("expected 'Tuple[()]', the only supported tuple", begin, text_.size() - begin);
      }
      ++at_;
    }
    return Type{Type::Kind::unit, {}, 0};
  }

  std::optional<Type> simple(std::string_view name, std::size_t begin) {
    const std::optional<Type> type = find(name);
    if (!type) fail("unknown type " + quoted(name), begin, name.size(), near_name(name));
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != '[') return type ? type : Type{};
    if (type) fail(quoted(name) + " takes no type argument", at_, 1);
    return std::nullopt;
  }

  std::optional<Type> find(std::string_view name) const {
    if (const SimpleType* const type = find_named(kSimpleTypes, name)) return Type{type->kind, {}, 0};
    const auto named = types_.find(name);
    if (named == types_.end()) return std::nullopt;
    return Type{Type::Kind::named, {}, named->second};
  }

  std::string near_name(std::string_view name) const {
    for (const ForeignType& type : kForeignTypes) {
      if (type.foreign == name) return "did you mean " + quoted(type.ours) + "?";
    }
    Names candidates = built_in_types();
    add_names(types_, candidates);
    return did_you_mean(name, candidates);
  }

  bool open(std::string_view example, std::size_t begin) {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '[') {
      ++at_;
      return true;
    }
    fail("missing type argument: " + std::string(example), begin, example.find('['));
    return false;
  }

  std::optional<Type> closed_with(Type::Kind kind, std::optional<Type> element) {
    if (!element || !expect(']')) return std::nullopt;
    return Type{kind, {std::move(*element)}, 0};
  }

  bool expect(char c) {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
      return true;
    }
    const std::string found = at_ == text_.size() ? "" : ", got " + quoted(character(at_));
    fail("expected " + quoted(std::string_view(&c, 1)) + " here" + found, at_, 1);
    return false;
  }

  std::string_view character(std::size_t at) const {
    std::size_t end = at;
    if (!schemagen::next_code_point(text_, end)) ++end;
    return text_.substr(at, end - at);
  }

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::nullopt_t fail(std::string message, std::size_t offset, std::size_t length, std::string hint = {}) {
    diagnostics_.error(node_.part(offset, length), std::move(message), std::move(hint));
    sound_ = false;
    return std::nullopt;
  }

  const YamlNode& node_;
  std::string_view text_;
  const TypeIndex& types_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  bool sound_ = true;
};

}  // namespace

std::optional<Type> parse_type(const YamlNode& node, const TypeIndex& types, Diagnostics& diagnostics) {
  return TypeParser(node, types, diagnostics).parse();
}

Names simple_types() {
  Names names;
  for (const SimpleType& type : kSimpleTypes) names.push_back(type.name);
  return names;
}

Names built_in_types() {
  Names names = simple_types();
  names.insert(names.end(), std::begin(kGenericTypes), std::end(kGenericTypes));
  return names;
}

bool is_built_in(std::string_view name) {
  const Names names = built_in_types();
  return std::find(names.begin(), names.end(), name) != names.end();
}

void add_names(const TypeIndex& types, Names& names) {
  for (const auto& [name, index] : types) {
    if (names.size() > kMaxCandidates) return;
    names.push_back(name);
  }
}

}  // namespace generator
