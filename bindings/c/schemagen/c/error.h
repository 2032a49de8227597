// Where exceptions end, and what crosses the border in their place.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "schemagen/base/error.h"
#include "schemagen/base/result.h"
#include "schemagen_value.h"

struct schemagen_error {
  std::optional<schemagen::Failure> failure;  // nullopt: memory ran out
};

namespace schemagen::c {

/// Within a handler: what the exception becomes. Where there is no memory for it, the one error that takes
/// none.
schemagen_error* error_of_current_exception() noexcept;

/// What `act` throws; null: nothing.
template <class Act>
schemagen_error* guarded(const Act& act) noexcept {
  try {
    act();
    return nullptr;
  } catch (...) {
    return error_of_current_exception();
  }
}

/// Errors: UsageError if `argument`, called `name`, is null.
void require(const void* argument, const char* name);

inline schemagen_str borrowed(std::string_view text) noexcept {
  return {text.data() != nullptr ? text.data() : "", text.size()};
}

/// The text; of none, an empty one. Errors: UsageError if there is a size without bytes.
std::string_view view_of(const void* data, std::size_t size, const char* name);
inline std::string_view view_of(schemagen_str text, const char* name) {
  return view_of(text.data, text.size, name);
}

/// A copy for the caller. Errors: std::bad_alloc.
schemagen_bytes owned(std::string_view bytes);

}  // namespace schemagen::c
