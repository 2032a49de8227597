// Makes the types of your schema available to C. For each root type, define a function such as this one:
//
//     extern "C" const schemagen_type* notes_notebook(void) {
//       return schemagen::c::type_of<notes::Notebook>();
//     }
//
// Pass the result to the schemagen_document_ functions of schemagen_value.h. Include the schema's own json.h,
// binary.h and visit.h before this header.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schemagen/access.h"
#include "schemagen/binary_file/binary_file.h"
#include "schemagen/json/json.h"
#include "schemagen_value.h"

/// Functions that access, read and write values of a struct or union.
struct schemagen_type {
  const schemagen::Access* access;
  void (*from_json)(void* value, std::string_view text, const schemagen::JsonReadOptions& options);
  void (*from_binary)(void* value, std::string_view file, const schemagen::BinaryReadOptions& options);
  std::string (*to_json)(const void* value, const schemagen::JsonWriteOptions& options);
  std::string (*to_binary)(const void* value, const schemagen::BinaryFileWriteOptions& options);
};

namespace schemagen::c {

/// Returns a cursor that refers to `value` and is valid until the Lifetime with the id `life` ends.
schemagen_value cursor(const Access& access, const void* value, std::uint64_t life) noexcept;

/// Returns the functions for values of T. The pointer stays valid forever. Your library needs a C function
/// that returns it.
template <class T>
const schemagen_type* type_of() noexcept {
  static constexpr schemagen_type kType = {
      &access_of<T>,
      [](void* value, std::string_view text, const JsonReadOptions& options) {
        *static_cast<T*>(value) = schemagen::from_json<T>(text, options);
      },
      [](void* value, std::string_view file, const BinaryReadOptions& options) {
        *static_cast<T*>(value) = schemagen::from_binary_file<T>(file, options);
      },
      [](const void* value, const JsonWriteOptions& options) {
        return schemagen::to_json(*static_cast<const T*>(value), options);
      },
      [](const void* value, const BinaryFileWriteOptions& options) {
        return schemagen::to_binary_file(*static_cast<const T*>(value), options);
      }};
  return &kType;
}

/// Returns a cursor that refers to a C++ value. The value must outlive the cursor.
template <class T>
schemagen_value value_of(const T& value) noexcept {
  return cursor(access_of<T>, &value, 0);
}

}  // namespace schemagen::c
