#include "schemagen/json/parse.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "schemagen/base/float_chars.h"
#include "schemagen/base/float_text.h"
#include "schemagen/base/json_syntax.h"
#include "schemagen/base/utf8.h"
#include "schemagen/json/document.h"
#include "schemagen/json/rapidjson.h"
#include "schemagen/json/text_position.h"

namespace schemagen {
namespace {

constexpr char kTooLarge[] = "the number is too large for a 64-bit float";

struct TapeArrays {
  /// A tape has at most one word per byte and three more; an unfinished one also has the ends of open
  /// containers and a placeholder. Untouched memory costs nothing, and growing would need as much again.
  TapeArrays(std::size_t text_size, std::size_t most_words, std::size_t depth)
      // An empty string with its separator takes three bytes of text, and four here. No string takes more
      // than its share.
      : strings(new char[text_size / 3 * 4 + 16]) {
    words.reserve(std::min(text_size + 3, most_words) + std::min(text_size, depth) + 2);
  }
  std::vector<std::uint64_t> words;
  std::unique_ptr<char[]> strings;
};

struct Fault {
  std::size_t offset;
  const char* reason;
};

/// RapidJSON checks these only in some places.
std::optional<Fault> find_fault(std::string_view text) {
  std::optional<Fault> first;
  const auto note = [&](std::optional<std::size_t> offset, const char* reason) {
    if (offset && (!first || *offset < first->offset)) first = Fault{*offset, reason};
  };
  if (text.substr(0, 3) == "\xef\xbb\xbf") note(0, "the text begins with a byte order mark");
  note(find_bad_utf8(text), "the text is not valid UTF-8");
  note(find_control_character(text), "the text has a control character");
  if (may_hold_lone_surrogates(text)) note(find_lone_surrogate(text), "the string has a lone surrogate");
  return first;
}

/// Returning false stops the parser, with the reason in `fault`.
class TapeBuilder {
 public:
  TapeBuilder(std::string_view text, const Limits& limits)
      : arrays_(std::make_shared<TapeArrays>(text.size(), most_words(text, limits), limits.depth)),
        out_(*arrays_),
        limits_(limits),
        most_words_(most_words(text, limits)) {
    out_.words.push_back(0);  // the root, set by finish()
  }

  bool Null() { return scalar(JsonTape::kNull); }
  bool Bool(bool value) { return scalar(value ? JsonTape::kTrue : JsonTape::kFalse); }

  // RapidJSON's own conversion is inexact (double) or silent (overflow).
  bool RawNumber(const char* text, unsigned length, bool) {
    ++children_;
    return number(std::string_view(text, length));
  }
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }

  bool String(const char* text, unsigned length, bool) {
    ++children_;
    return string(text, length);
  }
  bool Key(const char* text, unsigned length, bool) { return string(text, length); }

  bool StartObject() { return open(JsonTape::kObject); }
  bool EndObject(unsigned) { return close(JsonTape::kObject, JsonTape::kObjectEnd); }
  bool StartArray() { return open(JsonTape::kArray); }
  bool EndArray(unsigned) { return close(JsonTape::kArray, JsonTape::kArrayEnd); }

  JsonTape finish() {
    out_.words.push_back(JsonTape::word(JsonTape::kRoot, 0));
    out_.words[0] = JsonTape::word(JsonTape::kRoot, out_.words.size());
    JsonTape tape;
    tape.words = out_.words.data();
    tape.strings = out_.strings.get();
    tape.strings_size = strings_size_;
    tape.levels = levels_;
    tape.first_bare = first_bare_;
    tape.owner = arrays_;
    return tape;
  }

  std::string path_of_next() {
    most_words_ =
        std::numeric_limits<std::size_t>::max();  // for the ends of open containers and a placeholder
    const std::size_t next = out_.words.size();
    if (expects_value()) scalar(JsonTape::kNull);
    while (!open_.empty()) {
      const auto tag = static_cast<JsonTape::Tag>(out_.words[open_.back().at] >> 56);
      close(tag, tag == JsonTape::kObject ? JsonTape::kObjectEnd : JsonTape::kArrayEnd);
    }
    return JsonPathCursor(finish()).seek(next);
  }

  std::string fault;
  std::size_t fault_back = 0;  // distance before RapidJSON's offset, which is past a bracket

 private:
  struct Open {
    std::size_t at;
    std::size_t siblings;
  };

  bool refuse(std::string why) {
    fault = std::move(why);
    return false;
  }

  bool expects_value() const {
    if (open_.empty()) return out_.words.size() == JsonDocument::root();
    JsonTape tape;
    tape.words = out_.words.data();
    std::size_t at = open_.back().at;
    if (tape.tag(at) == JsonTape::kArray) return true;
    ++at;
    while (at + 1 < out_.words.size()) at = tape.next(at + 1);
    return at < out_.words.size();
  }

  bool has_room(std::size_t words) {
    const std::size_t for_strings = strings_size_ / sizeof(std::uint64_t);
    return out_.words.size() + words + for_strings < most_words_ || refuse(too_much_memory(limits_));
  }

  bool scalar(JsonTape::Tag tag) {
    ++children_;
    if (!has_room(1)) return false;
    out_.words.push_back(JsonTape::word(tag, 0));
    return true;
  }

  template <class T>
  bool push_number(JsonTape::Tag tag, T value, std::uint64_t payload = 0) {
    static_assert(sizeof(T) == sizeof(std::uint64_t));
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    if (!has_room(2)) return false;
    out_.words.insert(out_.words.end(), {JsonTape::word(tag, payload), bits});
    return true;
  }

  bool bare(double value) {
    if (first_bare_ == 0) first_bare_ = out_.words.size();
    return push_number(JsonTape::kBare, value);
  }

  bool number(std::string_view text) {
    if (const std::optional<double> named = nonfinite_named(text)) return bare(*named);
    // RapidJSON also accepts Inf and -NaN.
    if (text.find_first_of("IN") != std::string_view::npos) return refuse("expected a value");

    const bool whole = text.find_first_of(".eE") == std::string_view::npos;
    if (whole) {
      std::int64_t integer;
      if (parsed(text, integer))
        return push_number(JsonTape::kInt64, integer, text == "-0" ? JsonTape::kMinusZero : 0);
      std::uint64_t natural = 0;
      if (parsed(text, natural)) return push_number(JsonTape::kUint64, natural);
    }
    double real = 0;
    if (parse_float(text.data(), text.data() + text.size(), real).ec != std::errc()) {
      if (!is_below_doubles(text)) return refuse(kTooLarge);
      real = text.front() == '-' ? -0.0 : 0.0;
    }
    return push_number(whole ? JsonTape::kBigInteger : JsonTape::kDouble, real);
  }

  template <class T>
  static bool parsed(std::string_view text, T& value) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end;
  }

  bool string(const char* text, unsigned length) {
    const std::uint32_t size = length;
    char* const at = out_.strings.get() + strings_size_;
    const std::uint64_t payload = JsonTape::kAside | strings_size_;
    strings_size_ += sizeof size + length;
    if (!has_room(1)) return false;
    out_.words.push_back(JsonTape::word(JsonTape::kString, payload));
    std::memcpy(at, &size, sizeof size);
    std::memcpy(at + sizeof size, text, length);
    return true;
  }

  bool open(JsonTape::Tag tag) {
    if (open_.size() == limits_.depth) {
      fault_back = 1;
      return refuse(too_deep(limits_));
    }
    if (!has_room(1)) return false;
    open_.push_back({out_.words.size(), children_ + 1});
    levels_ = std::max(levels_, open_.size());
    children_ = 0;
    out_.words.push_back(JsonTape::word(tag, 0));
    return true;
  }

  bool close(JsonTape::Tag open_tag, JsonTape::Tag close_tag) {
    if (!has_room(1)) return false;
    const std::size_t start = open_.back().at;
    out_.words.push_back(JsonTape::word(close_tag, start));
    // Only the values of an object count.
    const std::uint64_t count = std::min<std::uint64_t>(children_, JsonTape::kManyItems);
    out_.words[start] = JsonTape::word(open_tag, (count << 32) | out_.words.size());
    children_ = open_.back().siblings;
    open_.pop_back();
    return true;
  }

  std::shared_ptr<TapeArrays> arrays_;
  TapeArrays& out_;
  const Limits& limits_;
  std::size_t most_words_;
  std::size_t strings_size_ = 0;
  std::vector<Open> open_;
  std::size_t levels_ = 0;
  std::size_t children_ = 0;
  std::size_t first_bare_ = 0;
};

std::string syntax_message(rapidjson::ParseErrorCode code, const std::string& json, std::size_t offset) {
  switch (code) {
    case rapidjson::kParseErrorDocumentEmpty:
      return "the document is empty";
    case rapidjson::kParseErrorDocumentRootNotSingular:
      return "there is text after the end of the document";
    case rapidjson::kParseErrorValueInvalid:
      return "expected a value";
    case rapidjson::kParseErrorObjectMissName:
      return "expected a key in double quotes";
    case rapidjson::kParseErrorObjectMissColon:
      return "expected ':' after the key";
    case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket:
      return "expected ',' or '}' in an object";
    case rapidjson::kParseErrorArrayMissCommaOrSquareBracket:
      return "expected ',' or ']' in an array";
    case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
      return "expected four hexadecimal digits after \\u";
    case rapidjson::kParseErrorStringUnicodeSurrogateInvalid:
      return "the string has a lone surrogate";
    case rapidjson::kParseErrorStringEscapeInvalid:
      return json[offset] == '\\' ? "the string has an invalid escape"
                                  : "the string has an unescaped control character";
    case rapidjson::kParseErrorStringMissQuotationMark:
      return "the string has no closing quote";
    case rapidjson::kParseErrorStringInvalidEncoding:
      return "the string is not valid UTF-8";
    case rapidjson::kParseErrorNumberTooBig:
      return kTooLarge;
    case rapidjson::kParseErrorNumberMissFraction:
      return "expected a digit after the decimal point";
    case rapidjson::kParseErrorNumberMissExponent:
      return "expected a digit in the exponent";
    case rapidjson::kParseErrorNone:
    case rapidjson::kParseErrorTermination:
    case rapidjson::kParseErrorUnspecificSyntaxError:
      break;
  }
  return rapidjson::GetParseError_En(code);
}

constexpr unsigned kFlags = rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseNanAndInfFlag;

}  // namespace

JsonTape parse_with_rapidjson(std::string_view text, const Limits& limits) {
  const std::optional<Fault> fault = find_fault(text);
  const std::string_view good = fault ? text.substr(0, fault->offset) : text;
  if (good.size() > limits.memory_bytes) {
    throw DataError(too_much_memory(limits), "", place_in_text(text, 0));
  }
  // RapidJSON's fast paths read whole blocks up to a NUL.
  constexpr std::size_t kBlock = 16;
  std::string terminated;
  terminated.reserve(good.size() + kBlock);
  terminated = good;
  TapeBuilder builder(text, limits);
  rapidjson::StringStream stream(terminated.c_str());
  rapidjson::Reader reader;
  // Recursive descent: the builder stops it at limits.depth.
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, builder);
  if (fault && (!result.IsError() || result.Offset() >= good.size())) {
    throw DataError(fault->reason, builder.path_of_next(), place_in_text(text, fault->offset));
  }
  if (result.IsError()) {
    throw DataError(
        builder.fault.empty() ? syntax_message(result.Code(), terminated, result.Offset()) : builder.fault,
        builder.path_of_next(), place_in_text(text, result.Offset() - builder.fault_back));
  }
  return builder.finish();
}

}  // namespace schemagen
