#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/protocol/TJSONProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <memory>

#include "codec.h"
#include "notes_types.h"

namespace {

using apache::thrift::protocol::TCompactProtocol;
using apache::thrift::protocol::TJSONProtocol;
using apache::thrift::transport::TMemoryBuffer;

double content_of(const notes_th::Content& content) {
  if (content.__isset.text) return length(content.text.body) + length(content.text.language);
  if (content.__isset.photo) {
    return static_cast<double>(content.photo.width + content.photo.height) + length(content.photo.data);
  }
  return sum_of_series(content.series);
}

double sum_of(const notes_th::Notebook& notebook) {
  const auto position = [](const notes_th::Entry& entry) {
    return entry.__isset.position ? entry.position.latitude + entry.position.longitude : 0;
  };
  return sum_of_structs(notebook, position, content_of);
}

template <class Protocol>
std::string to_bytes(const notes_th::Notebook& notebook) {
  const auto buffer = std::make_shared<TMemoryBuffer>();
  Protocol protocol(buffer);
  notebook.write(&protocol);
  return buffer->getBufferAsString();
}

template <class Protocol>
notes_th::Notebook from_bytes(const std::string& bytes) {
  std::string copy = bytes;
  const auto buffer = std::make_shared<TMemoryBuffer>(reinterpret_cast<std::uint8_t*>(copy.data()),
                                                      static_cast<std::uint32_t>(copy.size()));
  Protocol protocol(buffer);
  notes_th::Notebook notebook;
  notebook.read(&protocol);
  return notebook;
}

}  // namespace

std::vector<Codec> by_thrift(const notes::Notebook& notebook) {
  // Our binary form is Thrift's compact protocol.
  const auto value = std::make_shared<notes_th::Notebook>(
      from_bytes<TCompactProtocol>(by_schemagen(notebook).front().bytes));
  const auto codec = [=](const char* name, auto write, auto read) {
    return Codec{name, write(*value), [=] { return write(*value); },
                 [=](const std::string& bytes) { return sum_of(read(bytes)); }};
  };
  return {codec("Apache Thrift", to_bytes<TCompactProtocol>, from_bytes<TCompactProtocol>),
          codec("Apache Thrift, JSON", to_bytes<TJSONProtocol>, from_bytes<TJSONProtocol>)};
}
