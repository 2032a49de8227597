#include "pt2/analysis/infer/infer.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "inferred_types.h"
#include "pt2/program.h"

namespace {

namespace fs = std::filesystem;

constexpr const char* kPrograms = PT2_SOURCE_DIR "/tests/data/programs/";

}  // namespace

TEST_CASE("the inferred types of all nodes of torch's programs are those that torch wrote") {
  std::size_t count = 0;
  std::set<std::string> unknown;
  for (const char* release : {"torch-2.12.1", "torch-2.13.0", "torch-2.14.0", "torch-2.15.0"}) {
    if (!fs::exists(std::string(kPrograms) + release)) continue;
    for (const auto& entry : fs::directory_iterator(std::string(kPrograms) + release)) {
      if (entry.path().extension() != ".json" || entry.path().filename() == "about.json") continue;
      const auto program = pt2::load_program(entry.path().string()).program;
      const auto compare = [&](const pt2::Node& node, const auto& inferred, const auto& recorded) {
        CAPTURE(entry.path(), node.name, node.target);
        CHECK(inferred == recorded);
        ++count;
      };
      unknown.merge(for_each_inferred_node(program, compare));
    }
  }
  CHECK(count > 400);
  CHECK(unknown ==
        std::set<std::string>{"torch.ops.aten.item.default", "torch.ops.aten.meshgrid.indexing",
                              "torch.ops.aten.nonzero.default", "torch.ops.aten.unique_consecutive.default",
                              "torch.ops.fxlib.scale.default", "torch.ops.higher_order.with_effects"});
}
