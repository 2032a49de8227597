// Bytes read as JSON or JSON lines give a value or a DataError, the same with all APIs; values survive a
// round trip.
#include <everything/json.h>
#include <pt2/json.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "fault.h"
#include "runtime/schemagen/json/json_check.h"
#include "schemagen/json/records.h"

namespace {

void check_records(std::string_view text) {
  std::istringstream in{std::string(text)};
  schemagen::JsonRecordReader<everything::Tree> reader(in);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto alone = schemagen::try_from_json<everything::Tree>(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto record = reader.try_next();
    if (alone) {
      require(record && record->has_value() && **record == *alone, "a line is read as it is alone");
    } else {
      require(!record, "a line is refused as it is alone");
      require_message(record.failure().what());
    }
  }
  const auto end = reader.try_next();
  require(end && !end->has_value(), "the records end with the text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  stop_at(json_fault<pt2::ExportedProgram>(text));
  stop_at(json_fault<everything::Tree>(text));
  stop_at(json_fault<everything::Numbers>(text));
  schemagen::JsonReadOptions keep;
  keep.unknown_fields = schemagen::UnknownFields::keep;
  stop_at(json_fault<everything::Tree>(text, keep));
  schemagen::JsonReadOptions options;
  options.bare_nonfinite = true;
  stop_at(json_fault<everything::Containers>(text, options));
  check_records(text);
  return 0;
}
