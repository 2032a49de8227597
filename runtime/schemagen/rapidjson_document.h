// RapidJSON's values, with the options of its parser.
#pragma once

// clang-format off: the options come first
#include <rapidjson/document.h>

#include "schemagen/rapidjson.h"
// clang-format on
