// Converts values of generated types to text for messages, logs and debuggers.
#pragma once

#include <optional>

#include "schemagen/base/map.h"
#include "schemagen/base/value.h"
#include "schemagen/base/visit.h"

namespace schemagen {

struct TextOptions {
  std::size_t bytes = 4096;  // maximum size of the text, not counting the final `...`
};

namespace detail {

class ValueText {
 public:
  explicit ValueText(std::size_t most) : most_(most) {}

  bool is_full() const noexcept { return is_full_; }
  std::string take() { return std::move(text_); }

  void put(std::string_view text);

  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  void add(T value) {
    if constexpr (std::is_same_v<T, bool>) {
      put(value ? "true" : "false");
    } else {
      put(std::to_string(value));
    }
  }
  void add(double value);
  void add(float value);
  void add(const std::string& value);
  void add(const Bytes& value);
  void add(Unit) { put("()"); }
  void add(const Json& value);

  template <class T>
  void add(const Box<T>& value) {
    add(*value);
  }
  template <class T>
  void add(const std::optional<T>& value) {
    value ? add(*value) : put("null");
  }
  template <class T>
  void add(const std::vector<T>& value) {
    add_items("[", value, "]", [this](const auto& item) { this->add(item); });
  }
  void add(const ByteList& value) { add<std::uint8_t>(value); }
  template <class T, class Key>
  void add(const Map<T, Key>& value) {
    add_items("{", value, "}", [this](const MapEntry<T, Key>& entry) {
      add(entry.key());
      put(": ");
      add(entry.value);
    });
  }
  template <class T, std::enable_if_t<kIsReflected<T>, int> = 0>
  void add(const T& value) {
    constexpr const ReflectedType& type = reflected_type<T>();
    if constexpr (kIsReflectedEnum<T>) {
      add_enum(type, static_cast<std::int32_t>(value));
    } else if constexpr (kIsReflectedUnion<T>) {
      put(type.name);
      if (value.kind() == T::unset) put(".unset");
      visit(value, [this](auto member, const auto& held) {
        put(".");
        put(member.name);
        put("(");
        add(held);
        put(")");
      });
    } else {
      put(type.name);
      put("{");
      visit(value, [this](auto field, const auto& member) {
        if (is_full()) return;
        put(field.index == 0 ? "" : ", ");
        put(field.name);
        put(": ");
        add(member);
      });
      put("}");
    }
  }

 private:
  void add_enum(const ReflectedType& type, std::int32_t number);

  template <class Items, class Add>
  void add_items(std::string_view open, const Items& items, std::string_view close, Add add_item) {
    put(open);
    bool is_first = true;
    for (const auto& item : items) {
      if (is_full()) return;
      put(is_first ? "" : ", ");
      is_first = false;
      add_item(item);
    }
    put(close);
  }

  std::string text_;
  std::size_t most_;
  bool is_full_ = false;
};

}  // namespace detail

/// Returns `value` as one printable line, e.g. `RangeConstraint{min_val: 2, max_val: null}`,
/// `SymInt.as_int(3)` or `SymInt.unset`. Strings are quoted and truncated to 100 bytes. Enums appear by name,
/// or by number if they have no name. Text over the limit is truncated and ends with `...`, and the rest of
/// the value is not visited. Do not parse the text, because the format can change.
template <class T>
std::string to_text(const T& value, const TextOptions& options = {}) {
  detail::ValueText text(options.bytes);
  text.add(value);
  return text.take();
}

}  // namespace schemagen
