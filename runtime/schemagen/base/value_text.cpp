#include "schemagen/base/value_text.h"

#include "schemagen/base/base64.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/float_text.h"
#include "schemagen/base/quote.h"

namespace schemagen::detail {

void ValueText::put(std::string_view text) {
  if (is_full_) return;
  if (text.size() > most_ - text_.size()) {
    is_full_ = true;
    text = "...";
  }
  text_ += text;
}

void ValueText::add(float value) {
  put(float_text(value));
}

void ValueText::add(double value) {
  put(float_text(value));
}

void ValueText::add(const std::string& value) {
  put(schemagen::quoted(value));
}

void ValueText::add(const Bytes& value) {
  constexpr std::size_t kShown = 16;
  const std::string_view bytes(reinterpret_cast<const char*>(value.data()), value.size());
  put("<" + counted(value.size(), "byte") + (value.empty() ? "" : ": ") +
      hex_text(bytes.substr(0, kShown), " ") + (value.size() > kShown ? " ...>" : ">"));
}

void ValueText::add(const Json& value) {
  put(printable_start(value.text));
}

void ValueText::add_enum(const ReflectedType& type, std::int32_t number) {
  const ReflectedField* const value = type.numbered(number);
  value == nullptr ? put(std::to_string(number)) : put(value->name);
}

}  // namespace schemagen::detail
