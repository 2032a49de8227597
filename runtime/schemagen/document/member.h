// Members of changeable JSON objects. Several threads may read the same object at once.
#pragma once

#include <string_view>
#include <utility>

#include "schemagen/document/rapidjson_document.h"

namespace schemagen {

/// The text of a string; empty for any other value.
inline std::string_view text_of(const rapidjson::Value& value) {
  if (!value.IsString()) return {};
  return {value.GetString(), value.GetStringLength()};
}

/// The members of an object, to loop over; none of any other value. `Value` may be const.
/// RapidJSON's own iterators cannot be compared in C++20 without a warning.
template <class Value>
class DomMembers {
 public:
  explicit DomMembers(Value& object) {
    if (!object.IsObject()) return;
    begin_ = object.MemberBegin().operator->();
    end_ = begin_ + object.MemberCount();
  }
  auto begin() const { return begin_; }
  auto end() const { return end_; }

 private:
  using Pointer = decltype(std::declval<Value&>().MemberBegin().operator->());
  Pointer begin_ = nullptr;
  Pointer end_ = nullptr;
};

/// The value of `name` in `object`; null if it is not an object, or has no such member. `Value` may be const.
template <class Value>
Value* find_member(Value& object, std::string_view name) {
  for (auto& member : DomMembers(object)) {
    if (text_of(member.name) == name) return &member.value;
  }
  return nullptr;
}

/// Takes the member `name` out of `object`, the others keep their order; JSON null if there is no such
/// member.
inline rapidjson::Value take_member(rapidjson::Value& object, const char* name) {
  rapidjson::Value taken;
  rapidjson::Value* const member = find_member(object, name);
  if (member == nullptr) return taken;
  taken = *member;
  object.EraseMember(name);
  return taken;
}

/// Sets the member `name` of `object`, which is added if missing. `name` is borrowed.
inline void set_member(rapidjson::Value& object, const char* name, rapidjson::Value value,
                       rapidjson::Document::AllocatorType& allocator) {
  if (rapidjson::Value* const old = find_member(object, name)) {
    *old = value;
  } else {
    object.AddMember(rapidjson::StringRef(name), value, allocator);
  }
}

/// An object of one member. `name` is borrowed.
inline rapidjson::Value object_of(const char* name, rapidjson::Value value,
                                  rapidjson::Document::AllocatorType& allocator) {
  rapidjson::Value object(rapidjson::kObjectType);
  object.AddMember(rapidjson::StringRef(name), value, allocator);
  return object;
}

/// A string with its own bytes.
inline rapidjson::Value string_value(std::string_view text, rapidjson::Document::AllocatorType& allocator) {
  return {text.data(), static_cast<rapidjson::SizeType>(text.size()), allocator};
}

}  // namespace schemagen
