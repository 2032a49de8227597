#include <capnp/compat/json.h>
#include <capnp/message.h>
#include <capnp/serialize-packed.h>
#include <capnp/serialize.h>
#include <kj/io.h>

#include <cstring>

#include "codec.h"
#include "notes.capnp.h"

namespace {

template <class Text>
double length(const Text& text) {
  return static_cast<double>(text.size());
}

double content_of(notes_cp::Entry::Content::Reader content) {
  switch (content.which()) {
    case notes_cp::Entry::Content::TEXT:
      return length(content.getText().getBody()) + length(content.getText().getLanguage());
    case notes_cp::Entry::Content::PHOTO:
      return static_cast<double>(content.getPhoto().getWidth() + content.getPhoto().getHeight()) +
             length(content.getPhoto().getData());
    case notes_cp::Entry::Content::SERIES: {
      const auto series = content.getSeries();
      double sum = length(series.getSensor());
      for (const auto time : series.getTimes()) sum += static_cast<double>(time);
      for (const double value : series.getValues()) sum += value;
      return sum;
    }
  }
  return 0;
}

double sum_of(notes_cp::Notebook::Reader notebook) {
  double sum = length(notebook.getTitle());
  for (const auto entry : notebook.getEntries()) {
    sum += static_cast<double>(entry.getId()) + length(entry.getTitle());
    sum += static_cast<double>(entry.getStage()) + (entry.getIsPublic() ? 1 : 0);
    const auto author = entry.getAuthor();
    sum += length(author.getName()) + length(author.getEmail()) + static_cast<double>(author.getAge());
    if (entry.hasPosition()) sum += entry.getPosition().getLatitude() + entry.getPosition().getLongitude();
    for (const auto tag : entry.getTags()) sum += length(tag.getKey()) + length(tag.getValue());
    sum += content_of(entry.getContent());
    for (const auto other : entry.getRelated()) sum += static_cast<double>(other);
  }
  return sum;
}

void fill(const notes::Content& from, notes_cp::Entry::Content::Builder to) {
  if (const auto* text = from.get_if<notes::Content::text>()) {
    auto made = to.initText();
    made.setBody(text->body);
    made.setLanguage(text->language);
  } else if (const auto* photo = from.get_if<notes::Content::photo>()) {
    auto made = to.initPhoto();
    made.setWidth(photo->width);
    made.setHeight(photo->height);
    made.setData(kj::arrayPtr(photo->data.data(), photo->data.size()));
  } else {
    const auto& series = from.get<notes::Content::series>();
    auto made = to.initSeries();
    made.setSensor(series.sensor);
    made.setTimes(kj::arrayPtr(series.times.data(), series.times.size()));
    made.setValues(kj::arrayPtr(series.values.data(), series.values.size()));
  }
}

/// Cap'n Proto's only form in memory is the message.
void fill(const notes::Notebook& from, notes_cp::Notebook::Builder to) {
  to.setTitle(from.title);
  auto entries = to.initEntries(static_cast<unsigned>(from.entries.size()));
  for (unsigned i = 0; i < entries.size(); ++i) {
    const notes::Entry& one = from.entries[i];
    auto entry = entries[i];
    entry.setId(one.id);
    entry.setTitle(one.title);
    entry.setStage(static_cast<notes_cp::Stage>(one.stage));
    entry.setIsPublic(one.is_public);
    auto author = entry.initAuthor();
    author.setName(one.author.name);
    author.setEmail(one.author.email);
    author.setAge(one.author.age);
    if (one.position) {
      auto position = entry.initPosition();
      position.setLatitude(one.position->latitude);
      position.setLongitude(one.position->longitude);
    }
    auto tags = entry.initTags(static_cast<unsigned>(one.tags.size()));
    for (unsigned j = 0; j < tags.size(); ++j) {
      tags[j].setKey(one.tags[j].key);
      tags[j].setValue(one.tags[j].value);
    }
    fill(one.content, entry.initContent());
    entry.setRelated(kj::arrayPtr(one.related.data(), one.related.size()));
  }
}

std::string to_bytes(const notes::Notebook& notebook) {
  capnp::MallocMessageBuilder message;
  fill(notebook, message.initRoot<notes_cp::Notebook>());
  const auto words = capnp::messageToFlatArray(message);
  return {words.asChars().begin(), words.asChars().size()};
}

std::string to_packed(const notes::Notebook& notebook) {
  capnp::MallocMessageBuilder message;
  fill(notebook, message.initRoot<notes_cp::Notebook>());
  kj::VectorOutputStream out;
  capnp::writePackedMessage(out, message);
  return {out.getArray().asChars().begin(), out.getArray().size()};
}

double read(const std::string& bytes) {
  const auto words =
      kj::arrayPtr(reinterpret_cast<const capnp::word*>(bytes.data()), bytes.size() / sizeof(capnp::word));
  capnp::FlatArrayMessageReader message(words);
  return sum_of(message.getRoot<notes_cp::Notebook>());
}

double read_packed(const std::string& bytes) {
  kj::ArrayInputStream in(kj::arrayPtr(reinterpret_cast<const kj::byte*>(bytes.data()), bytes.size()));
  capnp::PackedMessageReader message(in);
  return sum_of(message.getRoot<notes_cp::Notebook>());
}

std::string to_json(const notes::Notebook& notebook) {
  capnp::MallocMessageBuilder message;
  fill(notebook, message.initRoot<notes_cp::Notebook>());
  return capnp::JsonCodec().encode(message.getRoot<notes_cp::Notebook>().asReader()).cStr();
}

double read_json(const std::string& text) {
  capnp::MallocMessageBuilder message;
  auto notebook = message.initRoot<notes_cp::Notebook>();
  capnp::JsonCodec().decode(kj::arrayPtr(text.data(), text.size()), notebook);
  return sum_of(notebook.asReader());
}

}  // namespace

std::vector<Codec> by_capnproto(const notes::Notebook& notebook) {
  return {{"Cap'n Proto, in place", to_bytes(notebook), [&] { return to_bytes(notebook); }, read},
          {"Cap'n Proto, packed", to_packed(notebook), [&] { return to_packed(notebook); }, read_packed},
          {"Cap'n Proto, JSON", to_json(notebook), [&] { return to_json(notebook); }, read_json}};
}
