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

constexpr const char* kData = PT2_SOURCE_DIR "/tests/data/";

}  // namespace

TEST_CASE("the inferred types of all nodes of torch's programs are those that torch wrote") {
  std::size_t count = 0;
  std::set<std::string> unknown;
  for (const char* folder : {"programs/torch-2.12.1", "programs/torch-2.13.0", "programs/torch-2.14.0",
                             "programs/torch-2.15.0", "inference"}) {
    if (!fs::exists(std::string(kData) + folder)) continue;
    for (const auto& entry : fs::directory_iterator(std::string(kData) + folder)) {
      if (entry.path().extension() != ".json" || entry.path().filename() == "about.json") continue;
      const auto program = pt2::load_program(entry.path().string()).program;
      const auto compare = [&](const pt2::Node& node, const auto& inferred, const auto& recorded) {
        CAPTURE(entry.path(), node.name, node.target);
        CHECK(inferred == recorded);
        ++count;
      };
      for (const auto& [target, nodes] : for_each_inferred_node(program, compare)) unknown.insert(target);
    }
  }
  CHECK(count > 400);
  CHECK(unknown == std::set<std::string>{"torch.ops.aten.item.default", "torch.ops.aten.nonzero.default",
                                         "torch.ops.aten.unique_consecutive.default",
                                         "torch.ops.aten.where.default", "torch.ops.fxlib.scale.default"});
}
