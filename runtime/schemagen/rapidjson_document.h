// RapidJSON's values, with the options of its parser, which come first.
#pragma once

// clang-format off
#include "schemagen/rapidjson.h"
#include <rapidjson/document.h>
// clang-format on
