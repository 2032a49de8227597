#pragma once

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "message_check.h"

inline void stop_at(const std::string& fault) {
  if (fault.empty()) return;
  std::fprintf(stderr, "fault: %s\n", fault.c_str());
  std::abort();
}

inline void require(bool holds, const std::string& what) {
  if (!holds) stop_at("does not hold: " + what);
}

inline void require_message(std::string_view message) {
  stop_at(message_fault(message));
}

inline void require_message(const std::exception& error) {
  require_message(std::string_view(error.what()));
}
