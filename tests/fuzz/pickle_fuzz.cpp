// The scan finds nothing in pickles that can be read.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "fault.h"
#include "pt2/archive/pickle/pickle.h"
#include "pt2/archive/pickle/pickle_scan.h"
#include "schemagen/base/error.h"

namespace {

schemagen::Limits small_limits() {
  schemagen::Limits limits;
  limits.depth = 50;
  limits.container_items = 1000;
  limits.memory_bytes = std::size_t{8} << 20;
  return limits;
}

bool all_below(const std::vector<pt2::PickleRef>& items, std::size_t size) {
  return std::all_of(items.begin(), items.end(), [size](pt2::PickleRef item) { return item < size; });
}

void check_values(const pt2::Pickle& pickle) {
  const std::size_t size = pickle.values.size();
  require(pickle.root < size, "the root is a value");
  for (const pt2::PickleValue& value : pickle.values) {
    const auto* const items = std::get_if<std::vector<pt2::PickleRef>>(&value.data);
    require(items == nullptr || all_below(*items, size), "items are values");
    if (value.kind == pt2::PickleKind::dict) require(value.items().size() % 2 == 0, "a dict has pairs");
    if (value.kind != pt2::PickleKind::tensor) continue;
    const pt2::PickledTensor& tensor = value.tensor();
    require(pickle[tensor.storage].kind == pt2::PickleKind::storage, "a tensor has a storage");
    require(tensor.sizes.size() == tensor.strides.size(), "a tensor has a stride for each size");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<char> copy(data, data + size);
  const std::string_view bytes(copy.data(), copy.size());
  const pt2::PickleScan scan = pt2::scan_pickle(bytes, small_limits());
  require(scan.end <= size && scan.fault_position <= size, "places are in the pickle");
  if (scan.fault) require_message(*scan.fault);
  for (const pt2::PickleDanger& danger : scan.dangers) {
    require_message(danger.message);
    require(danger.position < size, "places are in the pickle");
  }
  for (const pt2::PickleGlobals globals : {pt2::PickleGlobals::weights_only, pt2::PickleGlobals::any}) {
    try {
      check_values(pt2::read_pickle(bytes, small_limits(), globals));
      require(scan.dangers.empty() || globals == pt2::PickleGlobals::any,
              "what is read imports nothing else");
    } catch (const schemagen::DataError& error) {
      require_message(error);
      require(error.place().offset && *error.place().offset <= size, "a place is in the pickle");
    }
  }
  return 0;
}
