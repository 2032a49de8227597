// The only file of the reader that knows RapidJSON: text in, tape out, and the place of what is wrong.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "schemagen/json_tape.h"
#include "schemagen/text_position.h"
#include "schemagen/utf8.h"

#if defined(__SSE4_2__)
#define RAPIDJSON_SSE42
#elif defined(__SSE2__)
#define RAPIDJSON_SSE2
#endif
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

namespace schemagen {
namespace {

struct TapeArrays {
  explicit TapeArrays(std::size_t text_size)
      // A string of no bytes takes three of the text, with its separator, and five here: none takes more of
      // its share.
      : strings(new unsigned char[text_size / 3 * 5 + 16]) {
    words.reserve(text_size / 8 + 16);
  }
  std::vector<std::uint64_t> words;
  std::unique_ptr<unsigned char[]> strings;
};

/// Builds the tape from RapidJSON's events. A false result stops the parser; `fault` then says why.
class TapeBuilder {
 public:
  /// `check_strings`: whether a string can hold bytes that are no UTF-8.
  TapeBuilder(TapeArrays& out, const Limits& limits, bool check_strings)
      : out_(out), limits_(limits), check_strings_(check_strings) {
    out_.words.push_back(0);  // the root, set by finish()
  }

  bool Null() { return scalar(JsonTape::kNull); }
  bool Bool(bool value) { return scalar(value ? JsonTape::kTrue : JsonTape::kFalse); }

  // Numbers come as text, as RapidJSON's own conversion is inexact (double) or silent (overflow).
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

  void finish() {
    out_.words.push_back(JsonTape::word(JsonTape::kRoot, 0));
    out_.words[0] = JsonTape::word(JsonTape::kRoot, out_.words.size());
  }

  std::string fault;
  std::size_t first_bare = 0;

 private:
  struct Open {
    std::size_t at;
    std::size_t siblings;  // children of the container around it, so far
  };

  bool refuse(std::string why) {
    fault = std::move(why);
    return false;
  }

  bool scalar(JsonTape::Tag tag) {
    ++children_;
    out_.words.push_back(JsonTape::word(tag, 0));
    return true;
  }

  template <class T>
  bool push_number(JsonTape::Tag tag, T value) {
    static_assert(sizeof(T) == sizeof(std::uint64_t));
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    out_.words.push_back(JsonTape::word(tag, 0));
    out_.words.push_back(bits);
    return true;
  }

  bool bare(double value) {
    if (first_bare == 0) first_bare = out_.words.size();
    return push_number(JsonTape::kBare, value);
  }

  bool number(std::string_view text) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (text == "NaN") return bare(std::numeric_limits<double>::quiet_NaN());
    if (text == "Infinity") return bare(kInfinity);
    if (text == "-Infinity") return bare(-kInfinity);

    const char* const end = text.data() + text.size();
    const bool whole = text.find_first_of(".eE") == std::string_view::npos;
    if (whole) {
      std::int64_t integer;
      if (parsed(text, integer)) return push_number(JsonTape::kInt64, integer);
      std::uint64_t natural;
      if (parsed(text, natural)) return push_number(JsonTape::kUint64, natural);
    }
    double real;
    const auto [stop, error] = std::from_chars(text.data(), end, real);
    if (stop != end || (error != std::errc() && error != std::errc::result_out_of_range)) {
      return refuse("expected a number");  // RapidJSON's own short forms, as Inf
    }
    if (error == std::errc::result_out_of_range) {
      // from_chars says the same of what is too large and of what is too small; strtod tells them apart.
      real = std::strtod(std::string(text).c_str(), nullptr);
      if (std::isinf(real)) return refuse("the number is too large for a 64-bit float");
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
    const std::string_view view(text, length);
    if (check_strings_ && find_bad_utf8(view)) return refuse("the string has a lone surrogate");
    out_.words.push_back(JsonTape::word(JsonTape::kString, strings_size_));
    const std::uint32_t size = length;
    unsigned char* const at = out_.strings.get() + strings_size_;
    std::memcpy(at, &size, sizeof size);
    std::memcpy(at + sizeof size, text, length);
    at[sizeof size + length] = 0;
    strings_size_ += sizeof size + length + 1;
    return true;
  }

  bool open(JsonTape::Tag tag) {
    if (open_.size() == limits_.depth) {
      return refuse("nested more than " + std::to_string(limits_.depth) + " levels deep");
    }
    open_.push_back({out_.words.size(), children_ + 1});
    children_ = 0;
    out_.words.push_back(JsonTape::word(tag, 0));
    return true;
  }

  bool close(JsonTape::Tag open_tag, JsonTape::Tag close_tag) {
    const std::size_t start = open_.back().at;
    out_.words.push_back(JsonTape::word(close_tag, start));
    // An object's children are its values: keys are not counted.
    const std::uint64_t count = std::min<std::uint64_t>(children_, JsonTape::kManyItems);
    out_.words[start] = JsonTape::word(open_tag, (count << 32) | out_.words.size());
    children_ = open_.back().siblings;
    open_.pop_back();
    return true;
  }

  TapeArrays& out_;
  const Limits& limits_;
  const bool check_strings_;
  std::size_t strings_size_ = 0;
  std::vector<Open> open_;
  std::size_t children_ = 0;  // of the innermost open container
};

std::string syntax_message(rapidjson::ParseErrorCode code) {
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
      return "the string has a bad escape or a bare control character";
    case rapidjson::kParseErrorStringMissQuotationMark:
      return "the string has no closing quote";
    case rapidjson::kParseErrorStringInvalidEncoding:
      return "the string is not valid UTF-8";
    case rapidjson::kParseErrorNumberTooBig:
      return "the number is too large for a 64-bit float";
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
  if (const auto bad = find_bad_utf8(text)) {
    throw DataError("the text is not valid UTF-8", {}, place_in_text(text, *bad));
  }
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    throw DataError("the text has a NUL byte", {}, place_in_text(text, nul));
  }
  auto arrays = std::make_shared<TapeArrays>(text.size());
  TapeBuilder builder(*arrays, limits, may_hold_lone_surrogates(text));
  // RapidJSON's fast paths are those for text that ends in NUL.
  const std::string terminated(text);
  rapidjson::StringStream stream(terminated.c_str());
  rapidjson::Reader reader;
  // Recursive descent: the builder stops it at limits.depth.
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, builder);
  if (result.IsError()) {
    throw DataError(builder.fault.empty() ? syntax_message(result.Code()) : builder.fault, {},
                    place_in_text(text, result.Offset()));
  }
  builder.finish();
  JsonTape tape;
  tape.words = arrays->words.data();
  tape.strings = arrays->strings.get();
  tape.first_bare = builder.first_bare;
  tape.owner = std::move(arrays);
  return tape;
}

}  // namespace schemagen
