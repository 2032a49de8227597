#include <memory>
#include <stdexcept>
#include <utility>

#include "codec.h"
#include "notes_generated.h"

namespace {

using ::length;

double length(const flatbuffers::String* text) {
  return text == nullptr ? 0 : text->size();
}

/// Pack() makes empty lists null.
template <class Item, class Work>
void for_each(const flatbuffers::Vector<Item>* list, const Work& work) {
  if (list == nullptr) return;
  for (const auto item : *list) work(item);
}

double content_in_place(const notes_fb::Entry& entry) {
  if (const notes_fb::Text* text = entry.content_as_text())
    return length(text->body()) + length(text->language());
  if (const notes_fb::Photo* photo = entry.content_as_photo()) {
    return static_cast<double>(photo->width() + photo->height()) +
           static_cast<double>(flatbuffers::VectorLength(photo->data()));
  }
  const notes_fb::Series* series = entry.content_as_series();
  double sum = length(series->sensor());
  for_each(series->times(), [&](std::int64_t time) { sum += static_cast<double>(time); });
  for_each(series->values(), [&](double value) { sum += value; });
  return sum;
}

double sum_in_place(const std::string& bytes) {
  flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (!notes_fb::VerifyNotebookBuffer(verifier)) throw std::runtime_error("FlatBuffers does not read it");
  const notes_fb::Notebook* notebook = notes_fb::GetNotebook(bytes.data());
  double sum = length(notebook->title());
  for_each(notebook->entries(), [&](const notes_fb::Entry* entry) {
    sum += static_cast<double>(entry->id()) + length(entry->title());
    sum += static_cast<double>(entry->stage()) + (entry->is_public() ? 1 : 0);
    const notes_fb::Person* author = entry->author();
    sum += length(author->name()) + length(author->email()) + static_cast<double>(author->age());
    if (const auto* position = entry->position()) sum += position->latitude() + position->longitude();
    for_each(entry->tags(),
             [&](const notes_fb::Tag* tag) { sum += length(tag->key()) + length(tag->value()); });
    sum += content_in_place(*entry);
    for_each(entry->related(), [&](std::int64_t other) { sum += static_cast<double>(other); });
  });
  return sum;
}

double sum_of(const notes_fb::ContentUnion& content) {
  if (const auto* text = content.Astext()) return length(text->body) + length(text->language);
  if (const auto* photo = content.Asphoto()) {
    return static_cast<double>(photo->width + photo->height) + static_cast<double>(photo->data.size());
  }
  return sum_of_series(*content.Asseries());
}

double sum_of(const notes_fb::NotebookT& notebook) {
  double sum = length(notebook.title);
  for (const auto& entry : notebook.entries) {
    sum += static_cast<double>(entry->id) + length(entry->title);
    sum += static_cast<double>(entry->stage) + (entry->is_public ? 1 : 0);
    sum +=
        length(entry->author->name) + length(entry->author->email) + static_cast<double>(entry->author->age);
    if (entry->position) sum += entry->position->latitude + entry->position->longitude;
    for (const auto& tag : entry->tags) sum += length(tag->key) + length(tag->value);
    sum += sum_of(entry->content);
    for (const auto other : entry->related) sum += static_cast<double>(other);
  }
  return sum;
}

double sum_unpacked(const std::string& bytes) {
  flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (!notes_fb::VerifyNotebookBuffer(verifier)) throw std::runtime_error("FlatBuffers does not read it");
  return sum_of(*notes_fb::UnPackNotebook(bytes.data()));
}

void fill(const notes::Content& from, notes_fb::ContentUnion& to) {
  if (const auto* text = from.get_if<notes::Content::text>()) {
    notes_fb::TextT made;
    made.body = text->body;
    made.language = text->language;
    to.type = notes_fb::Content_text;
    to.value = new notes_fb::TextT(std::move(made));
  } else if (const auto* photo = from.get_if<notes::Content::photo>()) {
    notes_fb::PhotoT made;
    made.width = photo->width;
    made.height = photo->height;
    made.data = photo->data;
    to.type = notes_fb::Content_photo;
    to.value = new notes_fb::PhotoT(std::move(made));
  } else {
    const auto& series = from.get<notes::Content::series>();
    notes_fb::SeriesT made;
    made.sensor = series.sensor;
    made.times = series.times;
    made.values = series.values;
    to.type = notes_fb::Content_series;
    to.value = new notes_fb::SeriesT(std::move(made));
  }
}

void fill(const notes::Notebook& from, notes_fb::NotebookT& to) {
  to.title = from.title;
  for (const notes::Entry& one : from.entries) {
    auto entry = std::make_unique<notes_fb::EntryT>();
    entry->id = one.id;
    entry->title = one.title;
    entry->stage = static_cast<notes_fb::Stage>(one.stage);
    entry->is_public = one.is_public;
    entry->author = std::make_unique<notes_fb::PersonT>();
    entry->author->name = one.author.name;
    entry->author->email = one.author.email;
    entry->author->age = one.author.age;
    if (one.position) {
      entry->position = std::make_unique<notes_fb::PositionT>();
      entry->position->latitude = one.position->latitude;
      entry->position->longitude = one.position->longitude;
    }
    for (const notes::Tag& tag : one.tags) {
      auto made = std::make_unique<notes_fb::TagT>();
      made->key = tag.key;
      made->value = tag.value;
      entry->tags.push_back(std::move(made));
    }
    fill(one.content, entry->content);
    entry->related = one.related;
    to.entries.push_back(std::move(entry));
  }
}

std::string to_bytes(const notes_fb::NotebookT& notebook) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(notes_fb::Notebook::Pack(builder, &notebook));
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

}  // namespace

std::vector<Codec> by_flatbuffers(const notes::Notebook& notebook) {
  const auto value = std::make_shared<notes_fb::NotebookT>();
  fill(notebook, *value);
  const std::string bytes = to_bytes(*value);
  const auto write = [=] { return to_bytes(*value); };
  return {{"FlatBuffers, in place", bytes, write, sum_in_place},
          {"FlatBuffers, unpacked", bytes, write, sum_unpacked}};
}
