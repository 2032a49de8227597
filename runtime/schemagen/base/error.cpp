#include "schemagen/base/error.h"

#include <system_error>

#include "schemagen/base/quote.h"

namespace schemagen {
namespace {

std::string full_message(const std::string& reason, const std::string& path, const Place& place) {
  const std::string where = place_text(place);
  return (path.empty() ? reason : shortened(path) + ": " + reason) + (where.empty() ? "" : " " + where);
}

}  // namespace

std::string place_text(const Place& place) {
  if (place.line != 0) {
    return "(line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ")";
  }
  return place.offset ? "(byte " + std::to_string(*place.offset) + ")" : "";
}

DataError::DataError(std::string reason, std::string path, Place place, DataFault fault)
    : Error(full_message(reason, path, place)),
      reason_(std::move(reason)),
      path_(std::move(path)),
      place_(place),
      fault_(fault) {}

FileIoError::FileIoError(const std::string& action, const std::string& path, int error_number)
    : IoError(action + " '" + path + "': " + std::generic_category().message(error_number)),
      path_(path),
      error_number_(error_number) {}

}  // namespace schemagen
