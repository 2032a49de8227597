#include "pt2/scan/evaluated_program.h"

#include <catch2/catch.hpp>

#include "toolbox/pt2/scan/scanned.h"

TEST_CASE("a program of torch 2.1 is read as it stands, with what is pickled in it") {
  const std::string json = content_of("programs/torch-2.1.2/mlp.json");
  REQUIRE(found_in(json) == Found{});
  const std::string file = saved_by_torch(kCall);
  const auto* const bytes = reinterpret_cast<const schemagen::Bytes::value_type*>(file.data());
  const std::string saved = schemagen::to_base64(schemagen::Bytes(bytes, bytes + file.size()));
  CHECK(found_in(
            replaced(json, R"("example_inputs": null)", R"("example_inputs": [[")" + saved + "\"], {}]")) ==
        Found{"PICKLE_GLOBAL example_inputs!archive/data.pkl"});
  CHECK(found_in(replaced(json, R"("constants": {})", R"("constants": {"c": ")" + saved + "\"}"))
            .count("PICKLE_GLOBAL constants!archive/data.pkl") == 1);
  CHECK(found_in(replaced(json, R"("meta": {)", R"("meta": {}, "meta": {)")) == Found{"NOT_UNDERSTOOD "});
}

TEST_CASE("names are scanned as they were before an upgrade") {
  const std::string json = content_of("programs/torch-2.4.1/effects.json");
  REQUIRE(found_in(json) == Found{});
  CHECK(found_in(replaced(json, "torch._higher_order_ops.effects.with_effects",
                          "torch._higher_order_ops.x.os.with_effects")) == Found{"TARGET_CODE "});
}

TEST_CASE("programs in JSON and in binary are scanned alike") {
  pt2::ExportedProgram program = pt2::load_program(kData + "programs/torch-2.13.0/mlp.json").program;
  CHECK(found_in(pt2::to_pt2b(program)) == Found{});
  program.graph_module.graph.nodes.front().target = "torch.os.system";
  CHECK(found_in(pt2::to_pt2b(program)) == Found{"TARGET_CODE "});
  CHECK(found_in(schemagen::to_json(program)) == Found{"TARGET_CODE "});
  CHECK(found_in("{}") == Found{"NOT_UNDERSTOOD "});
}
