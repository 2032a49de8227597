#include "pt2/edit/retarget.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "program_files.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "pt2/visit.h"
#include "runtime/show_value.h"
#include "schemagen/base/error.h"
#include "schemagen/json/json.h"

using pt2::Argument;
using pt2::ExportedProgram;
using pt2::parse_device;

namespace {

namespace fs = std::filesystem;

constexpr const char* kPrograms = PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/";

}  // namespace

TEST_CASE("devices are read as torch reads them") {
  CHECK(parse_device("cpu") == pt2::Device{"cpu", std::nullopt});
  CHECK(parse_device("cuda:1") == pt2::Device{"cuda", 1});
  for (const char* text : {"", ":", "cuda:", "cuda:x", "cuda:-1", "CPU", "cuda:1:2"}) {
    CHECK_THROWS_AS(parse_device(text), schemagen::UsageError);
  }
}

TEST_CASE("retargeting to another device and back gives the same bytes") {
  for (const fs::path& path : program_files("programs/torch-2.13.0")) {
    CAPTURE(path);
    ExportedProgram program = pt2::load_program(path.string()).program;
    const std::string original = schemagen::to_json(program);
    const std::size_t changed = pt2::retarget(program, {parse_device("meta"), {}});
    CHECK(changed > 0);
    CHECK(schemagen::to_json(program).find(R"({"type": "cpu")") == std::string::npos);
    CHECK(pt2::retarget(program, {parse_device("cpu"), parse_device("meta")}) == changed);
    CHECK(schemagen::to_json(program) == original);
  }
}

TEST_CASE("retargeting changes only the requested devices") {
  ExportedProgram program = pt2::load_program(std::string(kPrograms) + "mlp.json").program;
  auto& values = program.graph_module.graph.tensor_values;
  values.begin()->value.device = parse_device("cuda:1");
  CHECK(pt2::retarget(program, {parse_device("meta"), parse_device("cuda:0")}) == 0);
  CHECK(pt2::retarget(program, {parse_device("cuda:0"), parse_device("cuda:1")}) == 1);
  CHECK(pt2::retarget(program, {parse_device("xpu"), parse_device("cuda")}) == 1);
  CHECK(values.begin()->value.device == parse_device("xpu"));
  CHECK((values.begin() + 1)->value.device == parse_device("cpu"));
}

TEST_CASE("retargeting changes arguments that are devices") {
  ExportedProgram program = pt2::load_program(std::string(kPrograms) + "mlp.json").program;
  Argument& argument = program.graph_module.graph.nodes[0].inputs[0].arg;
  argument = Argument::of<Argument::as_device>(parse_device("cpu"));
  pt2::retarget(program, {parse_device("cuda"), {}});
  CHECK(argument.get<Argument::as_device>() == parse_device("cuda"));
}

TEST_CASE("an autocast region changes only if values on its device do") {
  // A region for a device that no value is on does nothing; for the values' own device, it would cast.
  const auto region_after = [](const char* region, const char* values, const pt2::DeviceChange& change) {
    ExportedProgram program = pt2::load_program(std::string(kPrograms) + "mlp.json").program;
    pt2::retarget(program, {parse_device(values), {}});
    pt2::Node& node = program.graph_module.graph.nodes[0];
    node.target = "torch.ops.higher_order.wrap_with_autocast";
    node.inputs[0].arg = Argument::of<Argument::as_string>(region);
    pt2::retarget(program, change);
    return node.inputs[0].arg.get<Argument::as_string>();
  };
  CHECK(region_after("cuda", "cpu", {parse_device("cpu"), {}}) == "cuda");
  CHECK(region_after("cuda", "cpu", {parse_device("xpu"), {}}) == "cuda");
  CHECK(region_after("cuda", "cpu", {parse_device("cpu"), parse_device("cuda")}) == "cuda");
  CHECK(region_after("cpu", "cuda", {parse_device("xpu:0"), {}}) == "cpu");
  CHECK(region_after("cuda", "cuda:1", {parse_device("cpu"), {}}) == "cpu");
  CHECK(region_after("cuda", "cuda:1", {parse_device("cpu"), parse_device("cuda:1")}) == "cpu");
  CHECK(region_after("cuda", "cuda:1", {parse_device("cpu"), parse_device("cuda:0")}) == "cuda");
}
