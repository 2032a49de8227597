// For Catch2's messages. Include the schema's visit.h, too.
#pragma once

#include <schemagen/base/visit.h>

#include <catch2/catch.hpp>
#include <string>
#include <type_traits>

template <class T>
struct Catch::StringMaker<T, std::enable_if_t<schemagen::kIsReflected<T>>> {
  static std::string convert(const T& value) { return schemagen::to_text(value); }
};
