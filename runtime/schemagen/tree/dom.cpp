#include "schemagen/tree/dom.h"

#include <cmath>

#include "schemagen/json/json_writer.h"

namespace schemagen {
namespace {

enum class DomStrings { borrowed, owned };

DomText dom_text_at(const JsonTape& tape, std::size_t index, DomStrings strings) {
  std::string scratch;
  const std::string_view text = tape.string(index, scratch);
  const bool may_borrow = strings == DomStrings::borrowed && text.data() != scratch.data();
  return may_borrow ? DomText::borrowed(text) : DomText(text);
}

/// The parser limited the depth of recursion.
DomValue dom_value_at(const JsonTape& tape, std::size_t index, DomStrings strings) {
  switch (tape.tag(index)) {
    case JsonTape::kObject: {
      DomValue::Object members;
      members.reserve(tape.size_of(index));
      for (std::size_t key = index + 1; key != tape.last(index); key = tape.next(key + 1))
        members.push_back({dom_text_at(tape, key, strings), dom_value_at(tape, key + 1, strings)});
      return members;
    }
    case JsonTape::kArray: {
      DomValue::List items;
      items.reserve(tape.size_of(index));
      for (std::size_t item = index + 1; item != tape.last(index); item = tape.next(item))
        items.push_back(dom_value_at(tape, item, strings));
      return items;
    }
    case JsonTape::kString:
      return dom_text_at(tape, index, strings);
    case JsonTape::kInt64:
      return tape.is_minus_zero(index) ? DomValue::minus_zero() : tape.number<std::int64_t>(index);
    case JsonTape::kUint64:
      return tape.number<std::uint64_t>(index);
    case JsonTape::kDouble:
    case JsonTape::kBigInteger:
    case JsonTape::kBare:
      return tape.number<double>(index);
    case JsonTape::kTrue:
    case JsonTape::kFalse:
      return tape.tag(index) == JsonTape::kTrue;
    default:
      return {};
  }
}

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

DomValue value_of(const JsonDocument& document, DomStrings strings) {
  // A member has at least two words of tape, any other value one.
  static_assert(sizeof(DomMember) <= 2 * sizeof(DomValue));
  MemoryBudget memory(document.memory_left());
  if (!memory.take(document.tape().size(), sizeof(DomValue)) || !memory.take(document.text().size(), 1)) {
    document.fail(JsonDocument::root(), too_much_memory(document.limits()));
  }
  return dom_value_at(document.tape(), JsonDocument::root(), strings);
}

}  // namespace

DomValue to_dom(const JsonDocument& document) {
  return value_of(document, DomStrings::borrowed);
}

std::optional<DomValue> parse_dom(std::string_view text) {
  try {
    return value_of(JsonDocument(text, {}), DomStrings::owned);
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
