// What a reader gives that keeps what it does not know.
#pragma once

#include <string>
#include <vector>

#include "schemagen/base/error.h"
#include "schemagen/base/unknown_fields.h"

template <class T>
struct KeptValue {
  T value;
  std::vector<schemagen::UnknownField> fields;

  std::vector<std::string> paths() const {
    std::vector<std::string> paths;
    for (const schemagen::UnknownField& field : fields) paths.push_back(path_text(field));
    return paths;
  }
};

/// The message of the DataError of `write`, or what it gives.
template <class Write>
std::string error_or_text(const Write& write) {
  try {
    return "no error, but " + write();
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
}
