#include "schemagen/error.h"

#include <utility>

namespace schemagen {
namespace {

std::string full_message(const std::string& reason, const std::string& path, const Place& place) {
  std::string text = path.empty() ? reason : path + ": " + reason;
  if (place.line != 0) {
    text += " (line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ")";
  } else if (place.offset) {
    text += " (byte " + std::to_string(*place.offset) + ")";
  }
  return text;
}

}  // namespace

DataError::DataError(std::string reason, std::string path, Place place)
    : std::runtime_error(full_message(reason, path, place)),
      reason_(std::move(reason)),
      path_(std::move(path)),
      place_(place) {}

}  // namespace schemagen
