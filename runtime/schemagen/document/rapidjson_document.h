// RapidJSON's values, with the options of its parser, which come first. Several threads may read the same
// object at once.
#pragma once

// clang-format off
#include "schemagen/json/rapidjson.h"
#include <rapidjson/document.h>
// clang-format on
