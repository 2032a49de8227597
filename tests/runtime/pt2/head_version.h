#pragma once

#include <string>

#include "pt2/schema_info.h"
#include "pt2/types.h"

inline const pt2::SchemaVersion kHeadVersion = {pt2::kSchemaMajor, pt2::kSchemaMinor};

inline const pt2::SchemaVersion kNextMinor = {pt2::kSchemaMajor, pt2::kSchemaMinor + 1};

inline const std::string kHeadText =
    std::to_string(pt2::kSchemaMajor) + "." + std::to_string(pt2::kSchemaMinor);
inline const std::string kNextMinorText =
    std::to_string(pt2::kSchemaMajor) + "." + std::to_string(pt2::kSchemaMinor + 1);
