// Represents JSON values that can be modified.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace schemagen {

/// A string that either owns or borrows its bytes, which do not change. Most strings in a document borrow
/// from its text.
class DomText {
 public:
  DomText() = default;
  DomText(std::string_view text);
  DomText(const char* text) : DomText(std::string_view(text)) {}
  /// Borrows the bytes of `text`, which must outlive the DomText and its copies.
  static DomText borrowed(std::string_view text) {
    return {{std::shared_ptr<const void>(), text.data()}, text.size()};
  }

  std::string_view view() const noexcept { return {bytes_.get(), size_}; }

  friend bool operator==(const DomText& a, const DomText& b) { return a.view() == b.view(); }

 private:
  DomText(std::shared_ptr<const char> bytes, std::size_t size) : bytes_(std::move(bytes)), size_(size) {}

  std::shared_ptr<const char> bytes_;  // without an owner if they are borrowed
  std::size_t size_ = 0;
};

struct DomMember;

/// A JSON value and everything that it contains. Copies share nothing except the bytes of strings.
/// Part of a value can be assigned to the value itself.
class DomValue {
 public:
  using List = std::vector<DomValue>;
  using Object = std::vector<DomMember>;  // in document order; keys can repeat

  enum class Kind { null, boolean, integer, large_integer, floating, string, list, object };

  DomValue() noexcept;  // null
  /// Creates a bool, an integer (of kind `large_integer` if it exceeds the largest std::int64_t) or a double.
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  DomValue(T value);
  DomValue(DomText text);
  DomValue(std::string_view text) : DomValue(DomText(text)) {}
  DomValue(const std::string& text) : DomValue(DomText(text)) {}
  DomValue(const char* text) : DomValue(DomText(text)) {}
  DomValue(List items);
  DomValue(Object members);
  DomValue(const DomValue& other);
  DomValue(DomValue&& other) noexcept;
  DomValue& operator=(const DomValue& other);
  DomValue& operator=(DomValue&& other) noexcept;
  /// Not inline, because below -O2, gcc 12 would print false warnings about it.
  ~DomValue();

  /// Returns an object with one member.
  static DomValue object_of(std::string_view name, DomValue value);
  /// Returns the integer `-0`, which is -0.0 as a number().
  static DomValue minus_zero();

  Kind kind() const noexcept { return is_minus_zero() ? Kind::integer : static_cast<Kind>(data_.index()); }
  bool is_minus_zero() const noexcept { return std::holds_alternative<MinusZero>(data_); }
  bool is_null() const noexcept { return kind() == Kind::null; }
  bool is_integer() const noexcept { return kind() == Kind::integer; }
  bool is_number() const noexcept { return number().has_value(); }
  bool is_string() const noexcept { return kind() == Kind::string; }

  /// These functions return the value. If it is of a different kind, they return nullopt, an empty string or
  /// null. number() accepts any number and rounds it if necessary.
  std::optional<bool> boolean() const noexcept;
  std::optional<std::int64_t> integer() const noexcept;
  std::optional<std::uint64_t> large_integer() const noexcept;
  std::optional<double> number() const noexcept;
  std::string_view text() const noexcept;
  List* list() noexcept { return std::get_if<List>(&data_); }
  const List* list() const noexcept { return std::get_if<List>(&data_); }
  Object* object() noexcept { return std::get_if<Object>(&data_); }
  const Object* object() const noexcept { return std::get_if<Object>(&data_); }

  /// Returns the value of the first member called `name`. Returns null if there is none, or if this is not an
  /// object.
  DomValue* find(std::string_view name) noexcept;
  List* find_list(std::string_view name) noexcept;
  const DomValue* find(std::string_view name) const noexcept;
  /// Does the same, but returns JSON null if there is none.
  const DomValue& operator[](std::string_view name) const noexcept;

  /// Removes the first member called `name` and returns its value, or JSON null if there is none. The other
  /// members keep their order.
  DomValue take(std::string_view name);
  /// Sets the member called `name`. If the member is new, adds it at the end. If this is not an object, first
  /// turns it into one.
  void set(std::string_view name, DomValue value);

  friend bool operator==(const DomValue& a, const DomValue& b);

 private:
  struct MinusZero {
    friend bool operator==(MinusZero, MinusZero) { return true; }
  };

  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, DomText, List, Object, MinusZero>
      data_;
};

struct DomMember {
  DomText name;
  DomValue value;

  friend bool operator==(const DomMember& a, const DomMember& b) {
    return a.name == b.name && a.value == b.value;
  }
};

// ---- Functions that need the complete DomMember ----

inline DomValue::DomValue() noexcept = default;
inline DomValue::DomValue(DomText text) : data_(std::move(text)) {}
inline DomValue::DomValue(List items) : data_(std::move(items)) {}
inline DomValue::DomValue(Object members) : data_(std::move(members)) {}
inline DomValue::DomValue(const DomValue& other) = default;
inline DomValue::DomValue(DomValue&& other) noexcept = default;
inline DomValue& DomValue::operator=(const DomValue& other) {
  return *this = DomValue(other);
}

template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int>>
DomValue::DomValue(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    data_ = value;
  } else if constexpr (std::is_floating_point_v<T>) {
    data_ = static_cast<double>(value);
  } else if (std::is_signed_v<T> || static_cast<std::uint64_t>(value) <= std::uint64_t{INT64_MAX}) {
    data_ = static_cast<std::int64_t>(value);
  } else {
    data_ = static_cast<std::uint64_t>(value);
  }
}

}  // namespace schemagen
