#include "meaning.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <variant>

#include "schemagen/base/error.h"

namespace schemagen_test {

using generator::Definition;
using generator::Field;
using generator::FieldPair;
using generator::Type;
using generator::TypePair;
using schemagen::UnknownFields;
using Kind = Type::Kind;

namespace {

bool is_integer(Kind kind) {
  return generator::integer_type(kind) != nullptr;
}

bool is_text(Kind kind) {
  return kind == Kind::string || kind == Kind::bytes;
}

bool is_json_null(const Value& value) {
  const auto* const text = std::get_if<std::string>(&value.scalar);
  return value.is_null || (text != nullptr && *text == "null");
}

bool is_empty(const Type& type, const Value& value) {
  if (value.is_null || type.kind == Kind::unit) return true;
  if (type.kind == Kind::optional) return is_empty(type.args.front(), value);
  if (type.kind == Kind::list || type.kind == Kind::map) return value.items.empty();
  if (is_text(type.kind)) return value.text().empty();
  if (type.kind == Kind::any)
    return value.text() == "null" || value.text() == "[]" || value.text() == "{}" || value.text() == "\"\"";
  return type.kind == Kind::named && value.scalar.index() == 0 &&
         std::all_of(value.items.begin(), value.items.end(), [](const Value& one) { return one.is_null; });
}

bool is_same_integer(const Type& a, const Value& x, const Type& b, const Value& y) {
  const bool differ_in_sign = (a.kind == Kind::uint64) != (b.kind == Kind::uint64);
  return x.integer() == y.integer() && !(differ_in_sign && x.integer() < 0);
}

bool is_same_float(const Type& a, const Value& x, const Type& b, const Value& y) {
  if (std::isnan(x.floating()) || std::isnan(y.floating()))
    return std::isnan(x.floating()) && std::isnan(y.floating());
  if (a.kind == Kind::float32 && b.kind == Kind::floating)
    return static_cast<float>(x.floating()) == static_cast<float>(y.floating());
  return x.floating() == y.floating();
}

bool is_same_mixed(const Type& integer_type, const Value& integer, const Value& floating) {
  const auto exact = integer_type.kind == Kind::uint64
                         ? static_cast<long double>(static_cast<std::uint64_t>(integer.integer()))
                         : static_cast<long double>(integer.integer());
  return exact == static_cast<long double>(floating.floating());
}

const Field* numbered(const Definition& type, std::int64_t number) {
  const auto found = std::find_if(type.values.begin(), type.values.end(),
                                  [&](const Field& value) { return value.id == number; });
  return found == type.values.end() ? nullptr : &*found;
}

}  // namespace

const TypePair& Meaning::pair_of(std::size_t before, std::size_t after) const {
  const auto [found, is_new] = pairs_.try_emplace({before, after});
  if (is_new) {
    found->second =
        match_members(before_.model(), after_.model(), before, after, match_, generator::Renames::found);
  }
  return found->second;
}

class Meaning::Comparison {
 public:
  Comparison(const Meaning& meaning, Direction direction, bool is_lossy)
      : meaning_(meaning),
        writer_(direction == Direction::backward ? meaning.before_ : meaning.after_),
        reader_(direction == Direction::backward ? meaning.after_ : meaning.before_),
        is_backward_(direction == Direction::backward),
        is_lossy_(is_lossy) {}

  bool is_same(const Type& a, const Value& x, const Type& b, const Value& y) const {
    if (a.kind == Kind::any || b.kind == Kind::any) return is_same_any(a, x, b, y);
    if (x.is_null || y.is_null) return x.is_null && y.is_null;
    if (a.kind == Kind::optional) return is_same(a.args.front(), x, b, y);
    if (b.kind == Kind::optional) return is_same(a, x, b.args.front(), y);
    if (is_integer(a.kind) && is_integer(b.kind)) return is_same_integer(a, x, b, y);
    if (is_floating(a.kind) && is_floating(b.kind)) return is_same_float(a, x, b, y);
    if (is_integer(a.kind) && is_floating(b.kind)) return is_same_mixed(a, x, y);
    if (is_floating(a.kind) && is_integer(b.kind)) return is_same_mixed(b, y, x);
    if (is_text(a.kind) && is_text(b.kind)) return x.text() == y.text();
    if (a.kind == Kind::named && b.kind == Kind::named) return is_same_named(a.named, x, b.named, y);
    const Definition* const written = enum_of(writer_, a);
    const Definition* const read = enum_of(reader_, b);
    if (written != nullptr && is_integer(b.kind)) return is_same_integer({Kind::int32, {}, 0}, x, b, y);
    if (read != nullptr && is_integer(a.kind)) return is_same_integer(a, x, {Kind::int32, {}, 0}, y);
    if (written != nullptr && b.kind == Kind::string) return y.text() == spelled(*written, x);
    if (read != nullptr && a.kind == Kind::string) return x.text() == spelled(*read, y);
    if (a.kind != b.kind) return false;
    return a.kind == Kind::unit || a.kind == Kind::boolean ? x == y : are_same_items(a, x, b, y);
  }

 private:
  static const Definition* enum_of(const ReflectiveCodec& codec, const Type& type) {
    return codec.model().is_enum(type) ? &codec.model().types[type.named] : nullptr;
  }

  static std::string spelled(const Definition& type, const Value& value) {
    const Field* const member = type.is_named_in_json ? numbered(type, value.integer()) : nullptr;
    return member == nullptr ? std::to_string(value.integer()) : member->name;
  }

  bool is_same_any(const Type& a, const Value& x, const Type& b, const Value& y) const {
    if (is_json_null(x) && is_json_null(y)) return true;
    if (b.kind == Kind::any) {
      const auto read = parsed(writer_, a, y.is_null ? "null" : y.text());
      return read && *read == x;
    }
    const auto written = parsed(reader_, b, x.is_null ? "null" : x.text());
    return written && *written == y;
  }

  static std::optional<Value> parsed(const ReflectiveCodec& codec, const Type& type,
                                     const std::string& text) {
    try {
      return codec.from_json(type, text, UnknownFields::error);
    } catch (const schemagen::DataError&) {
      return std::nullopt;
    }
  }

  bool are_same_items(const Type& a, const Value& x, const Type& b, const Value& y) const {
    if (x.items.size() != y.items.size()) return false;
    for (std::size_t i = 0; i < x.items.size(); ++i) {
      if (!is_same(a.args.front(), x.items[i], b.args.front(), y.items[i])) return false;
      if (a.kind == Kind::map && !is_same_key(key_of(a), x.keys[i], key_of(b), y.keys[i])) return false;
    }
    return true;
  }

  bool is_same_key(const Type* a, const Value& x, const Type* b, const Value& y) const {
    if (a != nullptr && b != nullptr) return is_same(*a, x, *b, y);
    if (a == nullptr && b == nullptr) return x == y;
    return a == nullptr ? x.text() == key_text(reader_, *b, y) : y.text() == key_text(writer_, *a, x);
  }

  static std::string key_text(const ReflectiveCodec& codec, const Type& type, const Value& key) {
    if (const Definition* const body = enum_of(codec, type)) return spelled(*body, key);
    return type.kind == Kind::uint64 ? std::to_string(static_cast<std::uint64_t>(key.integer()))
                                     : std::to_string(key.integer());
  }

  bool is_same_named(std::size_t a, const Value& x, std::size_t b, const Value& y) const {
    const Definition& written = writer_.model().types[a];
    const Definition& read = reader_.model().types[b];
    if (written.kind != read.kind) return false;
    const TypePair& pair = is_backward_ ? meaning_.pair_of(a, b) : meaning_.pair_of(b, a);
    if (written.is_enum()) return is_same_member(pair, written, x, read, y);
    if (written.is_union()) return is_same_union(pair, written, x, read, y);
    for (std::size_t i = 0; i < read.fields.size(); ++i) {
      const Field& field = read.fields[i];
      const Field* const origin = origin_of(pair, field);
      if (origin == nullptr) {
        // Without a default, another field's value was read instead.
        const bool may_be_absent = field.fallback || field.type.kind == Kind::optional;
        if (!may_be_absent || y.items[i] != reader_.absent(field)) return false;
        continue;
      }
      const Value& value = x.items[static_cast<std::size_t>(origin - written.fields.data())];
      if (!is_same(origin->type, value, field.type, y.items[i])) return false;
    }
    return is_lossy_ || are_lost_ones_empty(pair, written, x);
  }

  bool are_lost_ones_empty(const TypePair& pair, const Definition& written, const Value& x) const {
    for (std::size_t i = 0; i < written.fields.size(); ++i) {
      const Field& field = written.fields[i];
      const auto is_read = [&](const generator::FieldPair& fields) {
        return (is_backward_ ? fields.first : fields.second) == &field;
      };
      if (std::none_of(pair.fields.begin(), pair.fields.end(), is_read) && !is_empty(field.type, x.items[i]))
        return false;
    }
    return true;
  }

  const Field* origin_of(const TypePair& pair, const Field& read) const {
    for (const auto& [before, after] : pair.fields) {
      if ((is_backward_ ? after : before) == &read) return is_backward_ ? before : after;
    }
    return nullptr;
  }

  bool is_same_union(const TypePair& pair, const Definition& written, const Value& x, const Definition& read,
                     const Value& y) const {
    if (y.items.empty()) return is_lossy_;  // its member is unknown
    const Field& member = read.fields[y.member];
    const Field* const origin = origin_of(pair, member);
    return origin == &written.fields[x.member] &&
           is_same(origin->type, x.items.front(), member.type, y.items.front());
  }

  /// Enums are open: numbers without a name are kept. An old reader does not know a new member; a new reader
  /// lacks an old member's meaning.
  bool is_same_member(const TypePair& pair, const Definition& written_type, const Value& x,
                      const Definition& read_type, const Value& y) const {
    const Field* const written = numbered(written_type, x.integer());
    const Field* const read = numbered(read_type, y.integer());
    if (written == nullptr) return x.integer() == y.integer();
    for (const FieldPair& values : pair.fields) {
      const Field* const from = is_backward_ ? values.first : values.second;
      const Field* const to = is_backward_ ? values.second : values.first;
      if (from == written || to == read) return from == written && to == read;
    }
    return x.integer() == y.integer() && read == nullptr && !is_backward_;
  }

  const Meaning& meaning_;
  const ReflectiveCodec& writer_;
  const ReflectiveCodec& reader_;
  bool is_backward_;
  bool is_lossy_;
};

bool Meaning::is_same(Direction direction, bool is_lossy, const Type& written_type, const Value& written,
                      const Type& read_type, const Value& read) const {
  return Comparison(*this, direction, is_lossy).is_same(written_type, written, read_type, read);
}

}  // namespace schemagen_test
