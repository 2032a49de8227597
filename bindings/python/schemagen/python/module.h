// Binds generated types to Python. Code that `schemagen generate --python` writes calls these functions.
#pragma once

#include "schemagen/base/unknown_fields.h"
#include "schemagen/binary_file/binary_file.h"
#include "schemagen/json/json.h"
#include "schemagen/python/view.h"
#include "schemagen/thrift/binary.h"

namespace schemagen::python {

struct KeptFields {
  enum Format { json, binary, binary_file, pickle, other } format;  // no value is read from a pickle
  std::vector<UnknownField> fields;
  BinaryFileHeader header;
  const char* loss = nullptr;  // the error of a use that would lose them, if not View's
};

/// Functions for the first three formats of KeptFields. They throw DataError. Readers fill `kept`; for
/// writers, it can be null.
struct Codecs {
  std::string (*write[3])(const void* value, const KeptFields* kept, Compression compression);
  void (*read[3])(std::string_view data, UnknownFields unknown_fields, KeptFields& kept, void* value);
};

template <class Options>
Options treating(UnknownFields unknown_fields, KeptFields& kept) {
  Options options;
  options.unknown_fields = unknown_fields;
  options.preserved = &kept.fields;
  return options;
}

template <class Options>
Options with(const KeptFields* kept) {
  Options options;
  if (kept != nullptr) options.preserved = &kept->fields;
  return options;
}

template <class T>
inline constexpr Codecs codecs_of = {
    {[](const void* value, const KeptFields* kept, Compression) {
       return schemagen::to_json(*static_cast<const T*>(value), with<JsonWriteOptions>(kept));
     },
     [](const void* value, const KeptFields* kept, Compression) {
       return schemagen::to_binary(*static_cast<const T*>(value), with<BinaryWriteOptions>(kept));
     },
     [](const void* value, const KeptFields* kept, Compression compression) {
       BinaryFileWriteOptions options;
       options.payload = with<BinaryWriteOptions>(kept);
       options.compression = compression;
       if (kept != nullptr) options.written_by = &kept->header;
       return to_binary_file(*static_cast<const T*>(value), options);
     }},
    {[](std::string_view text, UnknownFields unknown_fields, KeptFields& kept, void* value) {
       *static_cast<T*>(value) =
           schemagen::from_json<T>(text, treating<JsonReadOptions>(unknown_fields, kept));
     },
     [](std::string_view payload, UnknownFields unknown_fields, KeptFields& kept, void* value) {
       *static_cast<T*>(value) =
           schemagen::from_binary<T>(payload, treating<BinaryReadOptions>(unknown_fields, kept));
     },
     [](std::string_view bytes, UnknownFields unknown_fields, KeptFields& kept, void* value) {
       const auto options = treating<BinaryReadOptions>(unknown_fields, kept);
       const BinaryFile file(kAnySchema, bytes, options.limits);
       kept.header = file.header();
       *static_cast<T*>(value) = from_binary_file<T>(file, options);
     }}};

struct FieldText {
  const char* name;
  const char* doc;
  bool is_required;
};

/// Adds the base classes to the module. Call this function first.
void bind_values(nb::module_& module);

void bind_enum(nb::module_& module, const Access& type, const char* name, const char* doc,
               const char* const* names);

/// `fields` has one entry per field or member. `fields` and `codecs` must live as long as the process.
void bind_type(nb::module_& module, const Access& type, const Codecs& codecs, const char* name,
               const char* doc, const FieldText* fields);

void set_class(const nb::object& python_class);

}  // namespace schemagen::python
