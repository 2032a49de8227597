#include "pt2/scan/record_roles.h"

#include <catch2/catch.hpp>

#include "toolbox/pt2/scan/scanned.h"

TEST_CASE("a config points to records anywhere") {
  const std::string config = "data/weights/model_weights_config.json";
  CHECK(found_in(package({{config, config_of("../../extra/x", true)}, {"data/weights/../../extra/x", kCall}}))
            .count("PICKLE_GLOBAL data/weights/../../extra/x") == 1);
  CHECK(found_in(package({{config, config_of("/extra/x", true)}, {"/extra/x", kCall}}))
            .count("PICKLE_GLOBAL /extra/x") == 1);
  CHECK(found_in(package({{"data/constants/model_constants_config.json", config_of("custom_obj_/x", false)},
                          {"data/constants/custom_obj_/x", kCall}}))
            .count("PICKLE_GLOBAL data/constants/custom_obj_/x") == 1);
}

TEST_CASE("a config names records that the archive has, by names that all readers read alike") {
  for (const auto& [config, record] :
       {std::pair<std::string, std::string>("data/weights/more_weights_config.json", "weight_9"),
        std::pair<std::string, std::string>("data/constants/more_constants_config.json", "tensor_9")}) {
    const std::string stored_as = config.substr(0, config.rfind('/') + 1) + record;
    for (const bool use_pickle : {false, true}) {
      INFO(config << use_pickle);
      const auto naming = [&, name = config](const std::string& path_name) {
        return found_in(package({{name, config_of(path_name, use_pickle)}, {stored_as, kPlain}}));
      };
      // torch writes the weights of a model before its program.
      CHECK(naming(record) == (record == "weight_9" ? Found{"NOT_UNDERSTOOD "} : Found{}));
      CHECK(naming("T" + record).count("NOT_UNDERSTOOD " + config) == 1);
      CHECK(naming(record + "x").count("NOT_UNDERSTOOD " + config) == 1);
      for (const char* const control : {"\\u0000x", "\\u0000", "\\n", "\\u001f"}) {
        CHECK(naming(record + control).count("RECORD_NAME " + config) == 1);
      }
    }
  }
  const std::string control = "\\u0001";
  CHECK(found_in(package({{"data/weights/more_weights_config.json", config_of("w" + control, false)},
                          {"data/weights/w\1", kPlain}}))
            .count("RECORD_NAME data/weights/more_weights_config.json") == 1);
}

TEST_CASE("the bytes of tensors and what a user added are not opened") {
  const std::string config = "data/weights/more_weights_config.json";
  CHECK(found_in(package({{config, config_of("weight_9", false)}, {"data/weights/weight_9", kCall}})) ==
        Found{"NOT_UNDERSTOOD "});
  CHECK(found_in(package({{"extra/notes", kCall}})) == Found{});
  CHECK(found_in(package({{"extra/data/aotinductor/model/x", "y"}})) ==
        Found{"SOURCE_CODE extra/data/aotinductor/model/x"});
}

TEST_CASE("records that nobody is known to read are errors") {
  CHECK(found_in(package({{"data/weights/stray", "x"}})) == Found{"NOT_UNDERSTOOD data/weights/stray"});
  CHECK(found_in(package({{"data/executorch/m.pte", "x"}})) == Found{"NOT_UNDERSTOOD data/executorch/m.pte"});
  CHECK(found_in(package({{".data/other", "x"}})) == Found{"NOT_UNDERSTOOD .data/other"});
  CHECK(found_in(package({{"byteorder", "__import__"}})) == Found{"NOT_UNDERSTOOD byteorder"});
  CHECK(found_in(package({{"models/other.json", "{}"}})) == Found{"NOT_UNDERSTOOD models/other.json"});
  CHECK(found_in(package({{"data/weights/b_weights_config.json", "{"}})) ==
        Found{"NOT_UNDERSTOOD ", "NOT_UNDERSTOOD data/weights/b_weights_config.json"});
  CHECK(found_in(build({stored("a/b", "c")})) == Found{"NOT_UNDERSTOOD ", "NOT_UNDERSTOOD a/b"});
}

TEST_CASE("an archive of several layouts is scanned as each of them, and reported as not understood") {
  const Found found = found_in(package({{"data.pkl", kCall}, {"data/constants/model.pt", kCall}}));
  CHECK(found.count("NOT_UNDERSTOOD ") == 1);
  CHECK(found.count("PICKLE_GLOBAL m/data.pkl") == 1);
  CHECK(found.count("PICKLE_GLOBAL m/data/constants/model.pt") == 1);
}
