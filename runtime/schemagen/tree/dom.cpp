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

  DomValue at(std::size_t index) const {
    switch (tape_.tag(index)) {
      case JsonTape::kObject:
        return object_at(index);
      case JsonTape::kArray:
        return list_at(index);
      case JsonTape::kString:
        return text_at(index);
      case JsonTape::kInt64:
        return tape_.is_minus_zero(index) ? DomValue::minus_zero() : tape_.number<std::int64_t>(index);
      case JsonTape::kUint64:
        return tape_.number<std::uint64_t>(index);
      case JsonTape::kDouble:
      case JsonTape::kBigInteger:
      case JsonTape::kBare:
        return tape_.number<double>(index);
      case JsonTape::kTrue:
      case JsonTape::kFalse:
        return tape_.tag(index) == JsonTape::kTrue;
      default:
        return {};
    }
  }

 private:
  DomValue object_at(std::size_t object) const {
    DomValue::Object members;
    members.reserve(tape_.size_of(object));
    for (std::size_t key = object + 1; key != tape_.last(object); key = tape_.next(key + 1))
      members.push_back({text_at(key), at(key + 1)});
    return members;
  }

  DomValue list_at(std::size_t list) const {
    DomValue::List items;
    items.reserve(tape_.size_of(list));
    for (std::size_t i = list + 1; i != tape_.last(list); i = tape_.next(i)) items.push_back(at(i));
    return items;
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
  return TapeValues(document.tape(), strings).at(JsonDocument::root());
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
