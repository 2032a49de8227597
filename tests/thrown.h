// Exceptions in tests.
#pragma once

#include <string>

/// The message of the Error that `action` throws; "no error" if it throws none.
template <class Error, class Action>
std::string error_of(Action action) {
  try {
    action();
    return "no error";
  } catch (const Error& error) {
    return error.what();
  }
}
