#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "notes/types.h"

namespace notes {
inline namespace v1 {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Position, latitude, longitude)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Tag, key, value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Person, name, email, age)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Text, body, language)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Photo, width, height, data)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Series, sensor, times, values)

inline void to_json(nlohmann::json& json, const Content& content) {
  if (const auto* text = content.get_if<Content::text>()) json["text"] = *text;
  if (const auto* photo = content.get_if<Content::photo>()) json["photo"] = *photo;
  if (const auto* series = content.get_if<Content::series>()) json["series"] = *series;
}
inline void from_json(const nlohmann::json& json, Content& content) {
  if (json.contains("text")) {
    json.at("text").get_to(content.emplace<Content::text>());
  } else if (json.contains("photo")) {
    json.at("photo").get_to(content.emplace<Content::photo>());
  } else {
    json.at("series").get_to(content.emplace<Content::series>());
  }
}

inline void to_json(nlohmann::json& json, const Entry& entry) {
  json = {{"id", entry.id},           {"title", entry.title},
          {"stage", entry.stage},     {"is_public", entry.is_public},
          {"author", entry.author},   {"tags", entry.tags},
          {"content", entry.content}, {"related", entry.related}};
  if (entry.position) json["position"] = *entry.position;
}
inline void from_json(const nlohmann::json& json, Entry& entry) {
  json.at("id").get_to(entry.id);
  json.at("title").get_to(entry.title);
  json.at("stage").get_to(entry.stage);
  json.at("is_public").get_to(entry.is_public);
  json.at("author").get_to(entry.author);
  if (json.contains("position")) json.at("position").get_to(entry.position.emplace());
  json.at("tags").get_to(entry.tags);
  json.at("content").get_to(entry.content);
  json.at("related").get_to(entry.related);
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Notebook, title, entries)

}  // namespace v1
}  // namespace notes
