#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "schemagen/base/error.h"
#include "schemagen/base/result.h"
#include "schemagen_value.h"

struct schemagen_error {
  std::optional<schemagen::Failure> failure;
};

namespace schemagen::c {

/// Converts the current exception to an error. Must be called inside a catch block. If memory runs out,
/// returns a static error.
schemagen_error* error_of_current_exception() noexcept;

template <class Act>
schemagen_error* guarded(const Act& act) noexcept {
  try {
    act();
    return nullptr;
  } catch (...) {
    return error_of_current_exception();
  }
}

/// Throws UsageError if `argument` is null. `name` is the argument's name in the message.
void require(const void* argument, const char* name);

inline schemagen_str borrowed(std::string_view text) noexcept {
  return {text.data() != nullptr ? text.data() : "", text.size()};
}

/// Returns a view of the `size` bytes at `data`, or an empty view if `data` is null. Throws UsageError if
/// `data` is null but `size` is not 0.
std::string_view view_of(const void* data, std::size_t size, const char* name);
inline std::string_view view_of(schemagen_str text, const char* name) {
  return view_of(text.data, text.size, name);
}

schemagen_bytes owned(std::string_view bytes);

template <class Handle, class Make>
schemagen_error* made(Handle** out, const Make& make) noexcept {
  return guarded([&] {
    require(out, "out");
    *out = nullptr;
    *out = make().release();
  });
}

template <class Make>
schemagen_error* given(schemagen_bytes* out, const Make& make) noexcept {
  return guarded([&] {
    require(out, "out");
    *out = {nullptr, 0};
    *out = owned(make());
  });
}

}  // namespace schemagen::c
