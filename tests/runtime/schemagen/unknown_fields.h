#pragma once

#include <string>
#include <vector>

#include "schemagen/base/error.h"
#include "schemagen/base/unknown_fields.h"

template <class T>
struct PreservedValue {
  T value;
  std::vector<schemagen::UnknownField> fields;

  std::vector<std::string> paths() const {
    std::vector<std::string> paths;
    for (const schemagen::UnknownField& field : fields) paths.push_back(path_text(field));
    return paths;
  }
};

template <class Write>
std::string error_or_text(const Write& write) {
  try {
    return "no error, but " + write();
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
}
