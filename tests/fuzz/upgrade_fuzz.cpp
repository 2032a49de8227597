// Upgrading again changes nothing.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fault.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "schemagen/base/error.h"

namespace {

struct Upgraded {
  std::string text;
  std::vector<pt2::UpgradeChange> changes;
  std::vector<pt2::NamedTensor> constants;
};

Upgraded upgraded(const std::string& json) {
  pt2::LoadOptions options;
  options.upgrading = pt2::Upgrading::all;
  options.upgrade.report_changes = true;
  const pt2::ProgramFile file{pt2::FileBytes(json)};
  pt2::LoadedProgram loaded = pt2::load_program(file, options);
  return {schemagen::to_json(loaded.program), std::move(loaded.changes), std::move(loaded.constants)};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string json(reinterpret_cast<const char*>(data), size);
  Upgraded once;
  try {
    once = upgraded(json);
  } catch (const schemagen::DataError& error) {
    require_message(error);
    return 0;
  }
  for (const pt2::UpgradeChange& change : once.changes) {
    require_message(change.path);
    require_message(change.what);
  }
  const Upgraded twice = upgraded(once.text);
  require(twice.text == once.text, "an upgraded program is left as it is by another upgrade");
  require(twice.changes.empty(), "an upgraded program needs no step");
  require(twice.constants.empty(), "an upgraded program has no constants in itself");
  return 0;
}
