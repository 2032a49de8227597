#include "evolution/normal_form_reader.h"

#include <charconv>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "model/canonical.h"
#include "schemagen/value/quote.h"
#include "text/identifier.h"

namespace generator {
namespace {

using schemagen::quoted;

constexpr std::size_t kMaxTypeDepth = 64;
constexpr std::int32_t kMaxId = 32767;

/// Something is wrong with the line that is read. Never leaves this file.
struct Malformed {
  std::string message;
};

template <typename Number>
Number number_of(std::string_view text, int base = 10) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size())
    throw Malformed{quoted(text) + " is not a number"};
  return number;
}

/// Takes what stands before the first blank, and the blank.
std::string_view take_word(std::string_view& line) {
  const std::size_t blank = line.find(' ');
  const std::string_view word = line.substr(0, blank);
  line = blank == std::string_view::npos ? std::string_view{} : line.substr(blank + 1);
  return word;
}

/// Names are letters, digits and '_', and begin with no digit.
std::string name_of(std::string_view text) {
  if (!is_identifier(text)) throw Malformed{quoted(text) + " is not a name"};
  return std::string(text);
}

/// A string as the normal form writes it: JSON with minimal escapes.
std::string unescaped(std::string_view text) {
  constexpr std::string_view kEscapes = "\"\\bfnrt";
  constexpr std::string_view kMeanings = "\"\\\b\f\n\r\t";
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') throw Malformed{"a string is expected"};
  text = text.substr(1, text.size() - 2);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const char escape = i + 1 < text.size() ? text[i + 1] : '\0';
    if (escape == 'u' && i + 6 <= text.size()) {
      const auto code = number_of<unsigned>(text.substr(i + 2, 4), 16);
      if (code >= 0x20) throw Malformed{"an escape that is not minimal"};
      out += static_cast<char>(code);
      i += 5;
      continue;
    }
    const std::size_t found = kEscapes.find(escape);
    if (escape == '\0' || found == std::string_view::npos) throw Malformed{"an unknown escape"};
    out += kMeanings[found];
    ++i;
  }
  return out;
}

double double_of(std::string_view text) {
  if (text.substr(0, 2) != "0x" || text.size() != 18) throw Malformed{"a double is 0x and 16 digits"};
  const auto bits = number_of<std::uint64_t>(text.substr(2), 16);
  double value = 0;
  static_assert(sizeof value == sizeof bits);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  /// Errors: Malformed, about line().
  Model run() {
    declare_types();
    rewind();
    if (next_line() != "nsf 1") throw Malformed{"the first line must be 'nsf 1'"};
    while (at_ < text_.size()) read_line(next_line());
    read_enum_defaults();
    return std::move(model_);
  }

  std::size_t line() const { return line_; }

 private:
  /// A default that is an enum's number gets its name when all enums are known.
  struct EnumDefault {
    std::size_t type = 0;
    std::size_t field = 0;
    std::int32_t number = 0;
    std::size_t line = 0;
  };

  std::string_view next_line() {
    const std::size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) throw Malformed{"the last line has no end"};
    const std::string_view line = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    return line;
  }

  void rewind() {
    at_ = 0;
    line_ = 0;
  }

  /// Types refer to later ones, so their names are read first.
  void declare_types() {
    while (at_ < text_.size()) {
      std::string_view line = next_line();
      const std::string_view word = take_word(line);
      if (word == "struct" || word == "union" || word == "enum") {
        if (!indices_.emplace(line, indices_.size()).second)
          throw Malformed{quoted(line) + " is there twice"};
      }
    }
  }

  void read_line(std::string_view line) {
    const std::string_view word = take_word(line);
    if (word == "const") {
      std::string name = name_of(take_word(line));
      if (!model_.constants.empty() && name <= model_.constants.back().name) {
        throw Malformed{"constants must be in the order of their names"};
      }
      model_.constants.push_back({std::move(name), number_of<std::int64_t>(line), {}});
    } else if (word == "struct") {
      begin_type(line, Struct{});
    } else if (word == "union") {
      begin_type(line, Union{});
    } else if (word == "enum") {
      begin_type(line, Enum{});
    } else {
      read_member(word, line);
    }
  }

  template <typename Body>
  void begin_type(std::string_view name, Body body) {
    Definition definition;
    definition.name = name_of(name);
    definition.body = std::move(body);
    model_.types.push_back(std::move(definition));
    member_names_.clear();
    last_number_.reset();
  }

  void read_member(std::string_view number, std::string_view rest) {
    if (model_.types.empty()) throw Malformed{"a type is expected"};
    Definition& type = model_.types.back();
    const std::string name = name_of(take_word(rest));
    if (!member_names_.insert(name).second) throw Malformed{quoted(name) + " is there twice"};
    const auto value = number_of<std::int32_t>(number);
    if (last_number_ && value <= *last_number_)
      throw Malformed{"members must be in the order of their numbers"};
    last_number_ = value;
    if (auto* body = std::get_if<Enum>(&type.body)) {
      if (!rest.empty()) throw Malformed{"unexpected " + quoted(rest) + " after the member of an enum"};
      body->values.push_back({name, value, {}});
    } else {
      read_field(type, name, value, rest);
    }
  }

  void read_field(Definition& type, const std::string& name, std::int32_t id, std::string_view rest) {
    if (id < 1 || id > kMaxId) throw Malformed{"an id is out of range"};
    Field field;
    field.name = name;
    field.id = id;
    // A default can have blanks in it, but no type has.
    field.type = whole_type(take_word(rest));
    if (auto* as_union = std::get_if<Union>(&type.body)) {
      if (!rest.empty()) throw Malformed{"a member of a union has a default"};
      as_union->members.push_back(std::move(field));
      return;
    }
    std::vector<Field>& fields = std::get<Struct>(type.body).fields;
    if (!rest.empty()) read_default(rest, field, fields.size());
    fields.push_back(std::move(field));
  }

  void read_default(std::string_view text, Field& field, std::size_t index) {
    if (text.front() != '=') throw Malformed{"a default is expected, not " + quoted(text)};
    text.remove_prefix(1);
    switch (field.type.kind) {
      case Type::Kind::optional:
        field.fallback = Literal(std::monostate{});
        break;
      case Type::Kind::boolean:
        field.fallback = Literal(text == "true");
        break;
      case Type::Kind::integer:
        field.fallback = Literal(number_of<std::int64_t>(text));
        break;
      case Type::Kind::floating:
        field.fallback = Literal(double_of(text));
        break;
      case Type::Kind::string:
        field.fallback = Literal(unescaped(text));
        break;
      case Type::Kind::list:
        field.fallback = Literal(EmptyList{});
        break;
      case Type::Kind::map:
        field.fallback = Literal(EmptyMap{});
        break;
      case Type::Kind::named:
        enum_defaults_.push_back({model_.types.size() - 1, index, number_of<std::int32_t>(text), line_});
        break;
      case Type::Kind::bytes:
      case Type::Kind::unit:
      case Type::Kind::any:
        throw Malformed{"a type that has no defaults has one"};
    }
  }

  void read_enum_defaults() {
    for (const EnumDefault& one : enum_defaults_) {
      line_ = one.line;
      Field& field = std::get<Struct>(model_.types[one.type].body).fields[one.field];
      const auto* body = std::get_if<Enum>(&model_.types[field.type.named].body);
      if (body == nullptr) throw Malformed{"a default is a number, but its type is not an enum"};
      for (const EnumValue& value : body->values) {
        if (value.number == one.number) field.fallback = Literal(EnumMember{value.name, value.number});
      }
      if (!field.fallback) throw Malformed{"a default is not a member of its enum"};
    }
  }

  Type whole_type(std::string_view text) {
    Type type = read_type(text, 0);
    if (!text.empty()) throw Malformed{"unexpected " + quoted(text) + " after a type"};
    return type;
  }

  Type read_type(std::string_view& text, std::size_t depth) {
    if (depth > kMaxTypeDepth) throw Malformed{"types are nested too deep"};
    const std::size_t end = text.find_first_of("<>,");
    const std::string_view name = text.substr(0, end);
    text.remove_prefix(name.size());
    if (name == "bool") return {Type::Kind::boolean, {}, 0};
    if (name == "i64") return {Type::Kind::integer, {}, 0};
    if (name == "f64") return {Type::Kind::floating, {}, 0};
    if (name == "string") return {Type::Kind::string, {}, 0};
    if (name == "binary") return {Type::Kind::bytes, {}, 0};
    if (name == "unit") return {Type::Kind::unit, {}, 0};
    if (name == "any") return {Type::Kind::any, {}, 0};
    if (name == "list") return container(Type::Kind::list, "<", text, depth);
    if (name == "map") return container(Type::Kind::map, "<string,", text, depth);
    if (name == "optional" && depth == 0) return container(Type::Kind::optional, "<", text, depth);
    const auto named = indices_.find(name);
    if (named == indices_.end()) throw Malformed{"unknown type " + quoted(name)};
    return {Type::Kind::named, {}, named->second};
  }

  Type container(Type::Kind kind, std::string_view head, std::string_view& text, std::size_t depth) {
    if (text.substr(0, head.size()) != head) throw Malformed{quoted(head) + " is expected"};
    text.remove_prefix(head.size());
    Type type = {kind, {read_type(text, depth + 1)}, 0};
    if (text.substr(0, 1) != ">") throw Malformed{"'>' is expected"};
    text.remove_prefix(1);
    return type;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;
  Model model_;
  std::map<std::string_view, std::size_t> indices_;  // by name: the index in model_.types
  std::vector<EnumDefault> enum_defaults_;
  std::set<std::string> member_names_;       // of the type that is read
  std::optional<std::int32_t> last_number_;  // id or number of its last member
};

/// The number of the first line that differs.
std::size_t first_difference(std::string_view a, std::string_view b) {
  std::size_t line = 1;
  for (std::size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i) line += a[i] == '\n' ? 1 : 0;
  return line;
}

}  // namespace

std::optional<Model> read_normal_form(Diagnostics& diagnostics) {
  const std::string& text = diagnostics.text();
  Reader reader(text);
  try {
    Model model = reader.run();
    const std::string form = normal_form(model);
    if (form == text) return model;
    diagnostics.error({first_difference(text, form), 1, 1}, "this is not the normal form of a schema");
  } catch (const Malformed& malformed) {
    diagnostics.error({reader.line(), 1, 1}, malformed.message);
  }
  return std::nullopt;
}

}  // namespace generator
