#include <google/protobuf/arena.h>
#include <google/protobuf/util/json_util.h>

#include <memory>
#include <stdexcept>

#include "codec.h"
#include "notes.pb.h"

namespace {

double sum_of(const notes_pb::Content& content) {
  switch (content.value_case()) {
    case notes_pb::Content::kText:
      return length(content.text().body()) + length(content.text().language());
    case notes_pb::Content::kPhoto:
      return static_cast<double>(content.photo().width() + content.photo().height()) +
             length(content.photo().data());
    case notes_pb::Content::kSeries: {
      double sum = length(content.series().sensor());
      for (const auto time : content.series().times()) sum += static_cast<double>(time);
      for (const double value : content.series().values()) sum += value;
      return sum;
    }
    case notes_pb::Content::VALUE_NOT_SET:
      break;
  }
  return 0;
}

double sum_of(const notes_pb::Notebook& notebook) {
  double sum = length(notebook.title());
  for (const notes_pb::Entry& entry : notebook.entries()) {
    sum += static_cast<double>(entry.id()) + length(entry.title());
    sum += static_cast<double>(entry.stage()) + (entry.is_public() ? 1 : 0);
    sum += length(entry.author().name()) + length(entry.author().email()) +
           static_cast<double>(entry.author().age());
    if (entry.has_position()) sum += entry.position().latitude() + entry.position().longitude();
    for (const auto& tag : entry.tags()) sum += length(tag.key()) + length(tag.value());
    sum += sum_of(entry.content());
    for (const auto other : entry.related()) sum += static_cast<double>(other);
  }
  return sum;
}

void fill(const notes::Content& from, notes_pb::Content& to) {
  if (const auto* text = from.get_if<notes::Content::text>()) {
    to.mutable_text()->set_body(text->body);
    to.mutable_text()->set_language(text->language);
  } else if (const auto* photo = from.get_if<notes::Content::photo>()) {
    to.mutable_photo()->set_width(photo->width);
    to.mutable_photo()->set_height(photo->height);
    to.mutable_photo()->set_data(photo->data.data(), photo->data.size());
  } else {
    const auto& series = from.get<notes::Content::series>();
    to.mutable_series()->set_sensor(series.sensor);
    to.mutable_series()->mutable_times()->Add(series.times.begin(), series.times.end());
    to.mutable_series()->mutable_values()->Add(series.values.begin(), series.values.end());
  }
}

void fill(const notes::Notebook& from, notes_pb::Notebook& to) {
  to.set_title(from.title);
  for (const notes::Entry& one : from.entries) {
    notes_pb::Entry& entry = *to.add_entries();
    entry.set_id(one.id);
    entry.set_title(one.title);
    entry.set_stage(static_cast<notes_pb::Stage>(one.stage));
    entry.set_is_public(one.is_public);
    entry.mutable_author()->set_name(one.author.name);
    entry.mutable_author()->set_email(one.author.email);
    entry.mutable_author()->set_age(one.author.age);
    if (one.position) {
      entry.mutable_position()->set_latitude(one.position->latitude);
      entry.mutable_position()->set_longitude(one.position->longitude);
    }
    for (const notes::Tag& tag : one.tags) {
      notes_pb::Tag& made = *entry.add_tags();
      made.set_key(tag.key);
      made.set_value(tag.value);
    }
    fill(one.content, *entry.mutable_content());
    entry.mutable_related()->Add(one.related.begin(), one.related.end());
  }
}

void require(bool is_read) {
  if (!is_read) throw std::runtime_error("protobuf does not read it");
}

double read(const std::string& bytes) {
  notes_pb::Notebook notebook;
  require(notebook.ParseFromString(bytes));
  return sum_of(notebook);
}

double read_on_arena(const std::string& bytes) {
  google::protobuf::Arena arena;
  auto* notebook = google::protobuf::Arena::CreateMessage<notes_pb::Notebook>(&arena);
  require(notebook->ParseFromString(bytes));
  return sum_of(*notebook);
}

std::string to_json(const notes_pb::Notebook& notebook) {
  std::string text;
  require(google::protobuf::util::MessageToJsonString(notebook, &text).ok());
  return text;
}

double read_json(const std::string& text) {
  notes_pb::Notebook notebook;
  require(google::protobuf::util::JsonStringToMessage(text, &notebook).ok());
  return sum_of(notebook);
}

}  // namespace

std::vector<Codec> by_protobuf(const notes::Notebook& notebook) {
  const auto message = std::make_shared<notes_pb::Notebook>();
  fill(notebook, *message);
  const std::string bytes = message->SerializeAsString();
  const auto write = [=] { return message->SerializeAsString(); };
  return {{"protobuf", bytes, write, read},
          {"protobuf, on an arena", bytes, write, read_on_arena},
          {"protobuf, JSON", to_json(*message), [=] { return to_json(*message); }, read_json}};
}
