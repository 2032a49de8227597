// libFuzzer: documents of any version are upgraded or refused, and what was upgraded needs no further
// upgrade.
#include <cstdint>
#include <string>
#include <vector>

#include "fault.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "schemagen/value/error.h"

namespace {

/// The program in `json`, brought to the head version, as JSON.
std::string upgraded(const std::string& json, std::vector<pt2::UpgradeChange>& changes) {
  pt2::LoadOptions options;
  options.upgrading = pt2::Upgrading::all;
  options.upgrade.changes = &changes;
  const pt2::ProgramFile file = pt2::open_program_bytes(pt2::FileBytes(json));
  return schemagen::to_json(pt2::load_program(file, options).program);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string json(reinterpret_cast<const char*>(data), size);
  std::vector<pt2::UpgradeChange> changes;
  std::string once;
  try {
    once = upgraded(json, changes);
  } catch (const schemagen::DataError& error) {
    require_message(error);
    return 0;
  }
  for (const pt2::UpgradeChange& change : changes) {
    require_message(change.path);
    require_message(change.what);
  }
  changes.clear();
  require(upgraded(once, changes) == once, "an upgraded program is left as it is by another upgrade");
  require(changes.empty(), "an upgraded program needs no step");
  return 0;
}
