#include "schemagen/tree/dom_value.h"

#include <algorithm>

namespace schemagen {
namespace {

template <class T, class Data>
std::optional<T> held(const Data& data) {
  const T* const value = std::get_if<T>(&data);
  return value == nullptr ? std::nullopt : std::optional<T>(*value);
}

template <class Object>
auto find_in(Object& object, std::string_view name) {
  return std::find_if(object.begin(), object.end(),
                      [&](const DomMember& member) { return member.name.view() == name; });
}

}  // namespace

DomText::DomText(std::string_view text) : size_(text.size()) {
  const auto owned = std::make_shared<const std::string>(text);
  bytes_ = {owned, owned->data()};
}

DomValue::~DomValue() = default;

DomValue& DomValue::operator=(DomValue&& other) noexcept {
  DomValue taken = std::move(other);  // before the old value is destroyed: `other` may be part of it
  data_.swap(taken.data_);
  return *this;
}

DomValue DomValue::object_of(std::string_view name, DomValue value) {
  Object members;
  members.push_back({name, std::move(value)});
  return members;
}

DomValue DomValue::minus_zero() {
  DomValue value;
  value.data_ = MinusZero();
  return value;
}

std::optional<bool> DomValue::boolean() const noexcept {
  return held<bool>(data_);
}

std::optional<std::int64_t> DomValue::integer() const noexcept {
  return is_minus_zero() ? 0 : held<std::int64_t>(data_);
}

std::optional<std::uint64_t> DomValue::large_integer() const noexcept {
  return held<std::uint64_t>(data_);
}

std::optional<double> DomValue::number() const noexcept {
  if (is_minus_zero()) return -0.0;
  if (const auto value = integer()) return static_cast<double>(*value);
  if (const auto value = large_integer()) return static_cast<double>(*value);
  return held<double>(data_);
}

std::string_view DomValue::text() const noexcept {
  const DomText* const value = std::get_if<DomText>(&data_);
  return value == nullptr ? std::string_view() : value->view();
}

DomValue* DomValue::find(std::string_view name) noexcept {
  return const_cast<DomValue*>(std::as_const(*this).find(name));
}

const DomValue* DomValue::find(std::string_view name) const noexcept {
  const Object* const members = object();
  if (members == nullptr) return nullptr;
  const auto found = find_in(*members, name);
  return found == members->end() ? nullptr : &found->value;
}

DomValue::List* DomValue::find_list(std::string_view name) noexcept {
  DomValue* const found = find(name);
  return found == nullptr ? nullptr : found->list();
}

const DomValue& DomValue::operator[](std::string_view name) const noexcept {
  static const DomValue kNull;
  const DomValue* const found = find(name);
  return found == nullptr ? kNull : *found;
}

DomValue DomValue::take(std::string_view name) {
  Object* const members = object();
  if (members == nullptr) return {};
  const auto found = find_in(*members, name);
  if (found == members->end()) return {};
  DomValue taken = std::move(found->value);
  members->erase(found);
  return taken;
}

void DomValue::set(std::string_view name, DomValue value) {
  if (object() == nullptr) data_ = Object();
  if (DomValue* const old = find(name)) {
    *old = std::move(value);
  } else {
    object()->push_back({name, std::move(value)});
  }
}

bool operator==(const DomValue& a, const DomValue& b) {
  return a.data_ == b.data_;
}

}  // namespace schemagen
