// Only source files include this header: they are compiled with exceptions, unlike some code that includes
// our headers.
#pragma once

#include <type_traits>

#include "schemagen/base/result.h"

namespace schemagen {

template <class Function>
auto attempt(Function&& function) noexcept -> Result<std::invoke_result_t<Function>> {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Function>>) {
      function();
      return {};
    } else {
      return function();
    }
  } catch (...) {
    return Failure::of_current_exception();
  }
}

}  // namespace schemagen
