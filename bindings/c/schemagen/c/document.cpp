#include "schemagen/c/type.h"

#include "schemagen/c/error.h"
#include "schemagen/c/lifetime.h"
#include "schemagen/c/options.h"

struct schemagen_document {
  schemagen_document(const schemagen_type& of, const schemagen::Limits& limits_)
      : type(&of), limits(limits_), value(schemagen::make_value(*of.access)) {}

  const schemagen_type* type;
  schemagen::Limits limits;
  schemagen::OwnedValue value;
  schemagen::c::Lifetime life;
};

namespace schemagen::c {
namespace {

template <class Options, class Read>
schemagen_error* read_document_by(Read schemagen_type::*read, const schemagen_type* type, const void* data,
                                  std::size_t size, const schemagen_read_options* options,
                                  schemagen_document** out) noexcept {
  return made(out, [&] {
    require(type, "type");
    const schemagen_read_options set = options_of(options);
    Options reading;
    reading.limits = limits_of(set);
    reading.unknown_fields = unknown_fields_of(set.unknown_fields, UnknownFields::error);
    if (reading.unknown_fields == UnknownFields::keep) {
      throw UsageError("documents cannot preserve unknown fields");
    }
    auto document = std::make_unique<schemagen_document>(*type, reading.limits);
    (type->*read)(document->value.get(), view_of(data, size, "data"), reading);
    return document;
  });
}

}  // namespace
}  // namespace schemagen::c

using namespace schemagen::c;

extern "C" {

schemagen_error* schemagen_document_from_json(const schemagen_type* type, const void* data, size_t size,
                                              const schemagen_read_options* options,
                                              schemagen_document** out) {
  return read_document_by<schemagen::JsonReadOptions>(&schemagen_type::from_json, type, data, size, options,
                                                      out);
}

schemagen_error* schemagen_document_from_binary(const schemagen_type* type, const void* data, size_t size,
                                                const schemagen_read_options* options,
                                                schemagen_document** out) {
  return read_document_by<schemagen::BinaryReadOptions>(&schemagen_type::from_binary, type, data, size,
                                                        options, out);
}

schemagen_value schemagen_document_value(const schemagen_document* document) {
  if (document == nullptr) return {nullptr, nullptr, 0, 0};
  return cursor(*document->type->access, document->value.get(), document->life.id());
}

schemagen_error* schemagen_document_to_json(const schemagen_document* document,
                                            const schemagen_write_options* options, schemagen_bytes* out) {
  return given(out, [&] {
    require(document, "document");
    schemagen::JsonWriteOptions writing = json_options_of(options_of(options));
    writing.limits = document->limits;
    return document->type->to_json(document->value.get(), writing);
  });
}

schemagen_error* schemagen_document_to_binary(const schemagen_document* document,
                                              const schemagen_write_options* options, schemagen_bytes* out) {
  return given(out, [&] {
    require(document, "document");
    schemagen::BinaryFileWriteOptions writing =
        binary_options_of(options_of(options), schemagen::Compression::none);
    writing.payload.limits = document->limits;
    return document->type->to_binary(document->value.get(), writing);
  });
}

void schemagen_document_free(schemagen_document* document) {
  delete document;
}

}  // extern "C"
