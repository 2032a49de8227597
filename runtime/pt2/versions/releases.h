// Lists the releases of torch and the schema versions that they write.
#pragma once

#include <iterator>
#include <string>

#include "pt2/schema_info.h"
#include "pt2/types.h"

namespace pt2 {

struct Release {
  int torch_minor;  // the minor version of the release; the major version is 2
  SchemaVersion schema;
};

/// All releases, oldest first. The last releases write the current schema version.
inline constexpr Release kReleases[] = {
    {1, {1, 0}},   {2, {2, 0}},   {3, {5, 1}},   {4, {5, 3}},   {5, {7, 3}},
    {6, {8, 2}},   {7, {8, 7}},   {8, {8, 8}},   {9, {8, 14}},  {10, {8, 15}},
    {11, {8, 17}}, {12, {8, 20}}, {13, {8, 20}}, {14, {8, 20}}, {15, {8, 20}},
};

static_assert(std::end(kReleases)[-1].schema.major == kSchemaMajor &&
                  std::end(kReleases)[-1].schema.minor == kSchemaMinor,
              "add a row for the first release that writes the current schema");

/// Returns the latest release's name, e.g. "2.15".
inline std::string latest_torch() {
  return "2." + std::to_string(std::end(kReleases)[-1].torch_minor);
}

}  // namespace pt2
