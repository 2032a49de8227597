#include "schemagen/json_dom.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>

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
    const std::string_view text = tape_.string(at);
    out.String(text.data(), static_cast<rapidjson::SizeType>(text.size()), false);
  }

  const JsonTape& tape_;
};

/// Has strings for what JSON has no numbers for.
class TextWriter : public rapidjson::Writer<rapidjson::StringBuffer> {
 public:
  using Writer::Writer;

  bool Double(double value) {
    if (std::isfinite(value)) return Writer::Double(value);
    if (std::isnan(value)) return String("NaN");
    return String(value < 0 ? "-Infinity" : "Infinity");
  }
};

}  // namespace

rapidjson::Document to_dom(const JsonDocument& document) {
  rapidjson::Document dom;
  const TapeEvents events(document.tape());
  dom.Populate(events);
  return dom;
}

std::string dom_text(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  TextWriter writer(buffer);
  value.Accept(writer);
  return std::string(buffer.GetString(), buffer.GetSize());
}

}  // namespace schemagen
