// libFuzzer: any bytes read as JSON give a value or a DataError, by all ways the same, and what is taken
// is written and read back.
#include <everything/json.h>
#include <pt2/json.h>

#include <cstdint>
#include <string_view>

#include "fault.h"
#include "runtime/schemagen/json/json_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  stop_at(json_fault<pt2::ExportedProgram>(text));
  stop_at(json_fault<everything::Tree>(text));
  schemagen::JsonReadOptions keep;
  keep.unknown_fields = schemagen::UnknownFields::keep;
  stop_at(json_fault<everything::Tree>(text, keep));
  schemagen::JsonReadOptions options;
  options.bare_nonfinite = true;
  stop_at(json_fault<everything::Containers>(text, options));
  return 0;
}
