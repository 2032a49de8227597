#include "schemagen/tree/dom.h"

#include <cmath>

#include "schemagen/json/json_writer.h"

namespace schemagen {
namespace {

/// The parser limited the depth of recursion.
class TapeValues {
 public:
  enum class Strings { borrowed, owned };
  TapeValues(const JsonTape& tape, Strings strings) : tape_(tape), strings_(strings) {}

  void read(std::size_t index, DomValue& out) const {
    switch (tape_.tag(index)) {
      case JsonTape::kObject:
        return read_object(index, out);
      case JsonTape::kArray:
        return read_list(index, out);
      case JsonTape::kString:
        return out.make_string(text_at(index));
      case JsonTape::kInt64:
        out = tape_.is_minus_zero(index) ? DomValue::minus_zero() : tape_.number<std::int64_t>(index);
        return;
      case JsonTape::kUint64:
        out = tape_.number<std::uint64_t>(index);
        return;
      case JsonTape::kDouble:
      case JsonTape::kBigInteger:
      case JsonTape::kBare:
        out = tape_.number<double>(index);
        return;
      case JsonTape::kTrue:
      case JsonTape::kFalse:
        out = tape_.tag(index) == JsonTape::kTrue;
        return;
      default:  // null, as `out` is
        return;
    }
  }

 private:
  void read_object(std::size_t object, DomValue& out) const {
    std::size_t key = object + 1;
    for (DomMember& member : out.make_object(tape_.size_of(object))) {
      member.name = text_at(key);
      read(key + 1, member.value);
      key = tape_.next(key + 1);
    }
  }

  void read_list(std::size_t list, DomValue& out) const {
    std::size_t index = list + 1;
    for (DomValue& item : out.make_list(tape_.size_of(list))) {
      read(index, item);
      index = tape_.next(index);
    }
  }

  DomText text_at(std::size_t index) const {
    std::string scratch;
    const std::string_view text = tape_.string(index, scratch);
    const bool may_borrow = strings_ == Strings::borrowed && text.data() != scratch.data();
    return may_borrow ? DomText::borrowed(text) : DomText(text);
  }

  const JsonTape& tape_;
  Strings strings_;
};

void write_dom(JsonWriter& out, const DomValue& value, Nonfinite nonfinite) {
  switch (value.kind()) {
    case DomValue::Kind::null:
      out.null();
      break;
    case DomValue::Kind::boolean:
      out.boolean(*value.boolean());
      break;
    case DomValue::Kind::integer:
      value.is_minus_zero() ? out.raw("-0") : out.integer(*value.integer());
      break;
    case DomValue::Kind::large_integer:
      out.count(*value.large_integer());
      break;
    case DomValue::Kind::floating: {
      const double number = *value.number();
      const bool is_bare = nonfinite == Nonfinite::bare && !std::isfinite(number);
      const char* const word = std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
      is_bare ? out.raw(word) : out.floating(number);
      break;
    }
    case DomValue::Kind::string:
      out.string(value.text());
      break;
    case DomValue::Kind::list:
      out.begin('[');
      for (const DomValue& item : *value.list()) write_dom(out, item, nonfinite);
      out.end(']');
      break;
    case DomValue::Kind::object:
      out.begin('{');
      for (const DomMember& member : *value.object()) {
        out.key(member.name.view());
        write_dom(out, member.value, nonfinite);
      }
      out.end('}');
      break;
  }
}

DomValue value_of(const JsonDocument& document, TapeValues::Strings strings) {
  // A member has at least two words of tape, any other value one.
  static_assert(sizeof(DomMember) <= 2 * sizeof(DomValue));
  MemoryBudget memory(document.memory_left());
  if (!memory.take(document.tape().size(), sizeof(DomValue)) || !memory.take(document.text().size(), 1)) {
    document.fail(JsonDocument::root(), too_much_memory(document.limits()));
  }
  DomValue value;
  TapeValues(document.tape(), strings).read(JsonDocument::root(), value);
  return value;
}

}  // namespace

DomValue to_dom(const JsonDocument& document) {
  return value_of(document, TapeValues::Strings::borrowed);
}

std::optional<DomValue> parse_dom(std::string_view text) {
  try {
    return value_of(JsonDocument(text, {}), TapeValues::Strings::owned);
  } catch (const DataError&) {
    return std::nullopt;
  }
}

std::string dom_text(const DomValue& value, Nonfinite nonfinite) {
  JsonWriter out;
  write_dom(out, value, nonfinite);
  return out.text();
}

}  // namespace schemagen
