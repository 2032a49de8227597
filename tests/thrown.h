// Exceptions in tests.
#pragma once

#include <string>

/// The message of the Error that `action` ends in; "no error" if it ends in none.
template <class Error, class Action>
std::string error_of(Action action) {
  try {
    action();
    return "no error";
  } catch (const Error& error) {
    return error.what();
  }
}
