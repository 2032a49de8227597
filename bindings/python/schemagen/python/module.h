// What the Python modules of schemas are made of: `schemagen generate --python` writes the calls.
#pragma once

#include <string>
#include <string_view>

#include "schemagen/json/json.h"
#include "schemagen/python/view.h"
#include "schemagen/thrift/binary.h"

namespace schemagen::python {

/// How the values of a struct or union are written and read. Errors: DataError.
struct Codecs {
  std::string (*to_json)(const void* value);
  void (*from_json)(std::string_view text, void* value);
  std::string (*to_binary)(const void* value);
  void (*from_binary)(std::string_view payload, void* value);
};

template <class T>
inline constexpr Codecs codecs_of = {
    [](const void* value) { return schemagen::to_json(*static_cast<const T*>(value)); },
    [](std::string_view text, void* value) { *static_cast<T*>(value) = schemagen::from_json<T>(text); },
    [](const void* value) { return schemagen::to_binary(*static_cast<const T*>(value)); },
    [](std::string_view payload, void* value) {
      *static_cast<T*>(value) = schemagen::from_binary<T>(payload);
    },
};

/// A field or member: its name as an attribute, and its doc.
struct FieldText {
  const char* name;
  const char* doc;
};

/// Puts View, Struct, Union, List and Map, on which the classes of a schema stand, and Error and DataError
/// into `module`. To be called first.
void bind_values(nb::module_& module);

/// Puts the class of an enum into `module`: an IntEnum; a number that it does not have stays a number.
/// `names`: one for each value.
void bind_enum(nb::module_& module, const Access& type, const char* name, const char* doc,
               const char* const* names);

/// Puts the class of a struct or union into `module`. `fields` has one for each field or member; it and
/// `codecs` live as long as the process.
void bind_type(nb::module_& module, const Access& type, const Codecs& codecs, const char* name,
               const char* doc, const FieldText* fields);

/// From now on `python_class`, which inherits the class of a type, is that of its values.
void set_class(const nb::object& python_class);

}  // namespace schemagen::python
