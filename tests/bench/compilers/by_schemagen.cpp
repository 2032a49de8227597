#include <memory>

#include "codec.h"
#include "notes/binary.h"
#include "notes/json.h"

namespace {

double content_of(const notes::Content& content) {
  switch (content.kind()) {
    case notes::Content::text: {
      const notes::Text& text = content.get<notes::Content::text>();
      return length(text.body) + length(text.language);
    }
    case notes::Content::photo: {
      const notes::Photo& photo = content.get<notes::Content::photo>();
      return static_cast<double>(photo.width + photo.height) + static_cast<double>(photo.data.size());
    }
    case notes::Content::series:
      return sum_of_series(content.get<notes::Content::series>());
    case notes::Content::unset:
      break;
  }
  return 0;
}

}  // namespace

double sum_of(const notes::Notebook& notebook) {
  const auto position = [](const notes::Entry& entry) {
    return entry.position ? entry.position->latitude + entry.position->longitude : 0;
  };
  return sum_of_structs(notebook, position, content_of);
}

std::vector<Codec> by_schemagen(const notes::Notebook& notebook) {
  const std::string bytes = schemagen::to_binary(notebook);
  const auto write = [&] { return schemagen::to_binary(notebook); };
  const auto used = std::make_shared<notes::Notebook>();
  return {
      {"schemagen", bytes, write,
       [](const std::string& payload) { return sum_of(schemagen::from_binary<notes::Notebook>(payload)); }},
      {"schemagen, into an existing value", bytes, write,
       [used](const std::string& payload) {
         schemagen::from_binary(payload, *used);
         return sum_of(*used);
       }},
      {"baseline: copying the bytes (write), the value (read)", bytes, [bytes] { return bytes; },
       [&](const std::string&) {
         const notes::Notebook copy = notebook;  // NOLINT: that is what is timed
         return sum_of(copy);
       }},
      {"schemagen, JSON", schemagen::to_json(notebook), [&] { return schemagen::to_json(notebook); },
       [](const std::string& text) { return sum_of(schemagen::from_json<notes::Notebook>(text)); }}};
}
