#pragma once

#include <string>

template <class Error, class Action>
std::string error_of(Action action) {
  try {
    action();
    return "no error";
  } catch (const Error& error) {
    return error.what();
  }
}
