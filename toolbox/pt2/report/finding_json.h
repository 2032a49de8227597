// Writes findings as JSON for the commands and the page.
#pragma once

#include <initializer_list>
#include <string>

#include "pt2/findings/finding.h"
#include "schemagen/base/error.h"
#include "schemagen/json/json_writer.h"

namespace pt2 {

enum class FindingKey { file, level, message, path, position, record, rule, what, place };

void write_finding(schemagen::JsonWriter& json, const std::string& file, const Finding& finding,
                   std::initializer_list<FindingKey> keys);

void write_place(schemagen::JsonWriter& json, const schemagen::Place& place);

}  // namespace pt2
