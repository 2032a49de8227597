// Members of changeable JSON objects.
#pragma once

#include <rapidjson/document.h>

#include <string_view>

namespace schemagen {

/// The value of `name` in `object`; null: it is no object, or has no such member.
inline rapidjson::Value* find_member(rapidjson::Value& object, const char* name) {
  if (!object.IsObject()) return nullptr;
  const auto found = object.FindMember(name);
  return found == object.MemberEnd() ? nullptr : &found->value;
}

/// Takes the member `name` out of `object`, the others keep their order; JSON null: there is none.
inline rapidjson::Value take_member(rapidjson::Value& object, const char* name) {
  rapidjson::Value taken;
  if (!object.IsObject()) return taken;
  const auto found = object.FindMember(name);
  if (found == object.MemberEnd()) return taken;
  taken = found->value;
  object.EraseMember(found);
  return taken;
}

/// Sets the member `name` of `object`, which is added if there is none. `name` is borrowed.
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

/// The text of a string; empty for any other value.
inline std::string_view text_of(const rapidjson::Value& value) {
  if (!value.IsString()) return {};
  return {value.GetString(), value.GetStringLength()};
}

}  // namespace schemagen
