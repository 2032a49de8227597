// Says in errors what they are about.
#pragma once

#include <string>
#include <string_view>

#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {

/// Returns what `action` returns. Puts `kind` and `name` before the messages of its DataErrors, e.g.
/// `tensor 'a': `. Their positions can be left out.
template <class Action>
decltype(auto) about(std::string_view kind, std::string_view name, const Action& action,
                     bool has_place = true) {
  try {
    return action();
  } catch (const schemagen::DataError& error) {
    throw schemagen::DataError(std::string(kind) + " " + schemagen::quoted(name) + ": " +
                               (has_place ? error.what() : error.reason()));
  }
}

/// Does the same for a tensor, but leaves out positions.
template <class Action>
decltype(auto) about_tensor(std::string_view name, const Action& action) {
  return about("tensor", name, action, false);
}

}  // namespace pt2
