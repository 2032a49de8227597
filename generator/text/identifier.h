#pragma once

#include "schemagen/base/ascii.h"

namespace generator {

using schemagen::is_digit;
using schemagen::is_identifier;
using schemagen::is_name_char;
using schemagen::is_name_start;
using schemagen::is_upper;

}  // namespace generator
