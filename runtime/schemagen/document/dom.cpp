#include "schemagen/document/dom.h"

#include <cmath>
#include <string_view>

#include "schemagen/document/member.h"
#include "schemagen/json/writer.h"

namespace schemagen {
namespace {

/// Tells the values of a tape to a document, in the way that RapidJSON's parser would.
class TapeEvents {
 public:
  explicit TapeEvents(const JsonTape& tape) : tape_(tape) {}

  bool operator()(rapidjson::Document& out) const {
    tell(out, JsonDocument::root());
    return true;
  }

 private:
  // Recursion is as deep as the document, for which its parser had a limit.
  void tell(rapidjson::Document& out, std::size_t at) const {
    switch (tape_.tag(at)) {
      case JsonTape::kObject:
        return tell_object(out, at);
      case JsonTape::kArray:
        return tell_array(out, at);
      case JsonTape::kString:
        return tell_string(out, at);
      case JsonTape::kInt64:
        out.Int64(tape_.number<std::int64_t>(at));
        return;
      case JsonTape::kUint64:
        out.Uint64(tape_.number<std::uint64_t>(at));
        return;
      case JsonTape::kDouble:
      case JsonTape::kBigInteger:
      case JsonTape::kBare:
        out.Double(tape_.number<double>(at));
        return;
      case JsonTape::kTrue:
        out.Bool(true);
        return;
      case JsonTape::kFalse:
        out.Bool(false);
        return;
      case JsonTape::kNull:
      case JsonTape::kRoot:
      case JsonTape::kObjectEnd:
      case JsonTape::kArrayEnd:
        break;
    }
    out.Null();
  }

  void tell_object(rapidjson::Document& out, std::size_t object) const {
    out.StartObject();
    rapidjson::SizeType count = 0;
    const std::size_t end = tape_.after(object) - 1;
    for (std::size_t key = object + 1; key < end; key = tape_.next(key + 1)) {
      tell_string(out, key);
      tell(out, key + 1);
      ++count;
    }
    out.EndObject(count);
  }

  void tell_array(rapidjson::Document& out, std::size_t array) const {
    out.StartArray();
    rapidjson::SizeType count = 0;
    const std::size_t end = tape_.after(array) - 1;
    for (std::size_t item = array + 1; item < end; item = tape_.next(item)) {
      tell(out, item);
      ++count;
    }
    out.EndArray(count);
  }

  void tell_string(rapidjson::Document& out, std::size_t at) const {
    std::string scratch;
    const std::string_view text = tape_.string(at, scratch);
    out.String(text.data(), static_cast<rapidjson::SizeType>(text.size()), true);
  }

  const JsonTape& tape_;
};

/// Writes values as JsonWriter spells them. Recursion is as deep as the value.
class DomWriter {
 public:
  DomWriter(JsonWriter& out, Nonfinite nonfinite) : out_(out), nonfinite_(nonfinite) {}

  void write(const rapidjson::Value& value) {
    switch (value.GetType()) {
      case rapidjson::kNullType:
        return out_.null();
      case rapidjson::kFalseType:
      case rapidjson::kTrueType:
        return out_.boolean(value.GetBool());
      case rapidjson::kObjectType:
        return write_object(value);
      case rapidjson::kArrayType:
        return write_array(value);
      case rapidjson::kStringType:
        return out_.string(text_of(value));
      case rapidjson::kNumberType:
        return write_number(value);
    }
  }

 private:
  void write_object(const rapidjson::Value& object) {
    out_.text("{");
    bool is_first = true;
    for (const auto& member : DomMembers(object)) {
      if (!is_first) out_.text(", ");
      is_first = false;
      out_.string(text_of(member.name));
      out_.text(": ");
      write(member.value);
    }
    out_.text("}");
  }

  void write_array(const rapidjson::Value& array) {
    out_.text("[");
    for (rapidjson::SizeType i = 0; i < array.Size(); ++i) {
      if (i != 0) out_.text(", ");
      write(array[i]);
    }
    out_.text("]");
  }

  void write_number(const rapidjson::Value& number) {
    if (number.IsInt64()) return out_.integer(number.GetInt64());
    if (number.IsUint64()) return out_.text(std::to_string(number.GetUint64()));
    const double value = number.GetDouble();
    if (nonfinite_ == Nonfinite::quoted || std::isfinite(value)) return out_.floating(value);
    out_.text(std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
  }

  JsonWriter& out_;
  Nonfinite nonfinite_;
};

}  // namespace

rapidjson::Document to_dom(const JsonDocument& document) {
  rapidjson::Document dom;
  // A number takes the bytes of its two words, all else, keys too, twice those of its word; strings are
  // copied.
  MemoryBudget memory(document.memory_left());
  if (!memory.take(document.tape().size(), sizeof(rapidjson::Value)) ||
      !memory.take(document.text().size(), 1)) {
    document.fail(JsonDocument::root(), too_much_memory(document.limits()));
  }
  const TapeEvents events(document.tape());
  dom.Populate(events);
  return dom;
}

std::string dom_text(const rapidjson::Value& value, Nonfinite nonfinite) {
  JsonWriter out;
  DomWriter(out, nonfinite).write(value);
  return std::string(out.view());
}

}  // namespace schemagen
