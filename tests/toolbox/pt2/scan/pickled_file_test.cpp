#include "pt2/scan/pickled_file.h"

#include <catch2/catch.hpp>

#include "toolbox/pt2/scan/scanned.h"

TEST_CASE("what torch unpickles is a pickle, whatever it is called") {
  const std::string use_pickle = config_of("weight_7", true);
  const auto pickled = [](const std::string& record) { return "PICKLE_GLOBAL " + record; };
  const std::string config = "data/weights/model_weights_config.json";
  for (const char* const record :
       {"data/weights/model.pt", "data/WEIGHTS/Model.PT", "data/constants/model.pt",
        "data/constants/custom_obj_0", "data/constants/opaque_obj_3", "data/sample_inputs/model.pt"}) {
    INFO(record);
    CHECK(found_in(package({{record, kCall}})).count(pickled(record)) == 1);
  }
  CHECK(found_in(package({{config, use_pickle}, {"data/weights/weight_7", kCall}}))
            .count(pickled("data/weights/weight_7")) == 1);
  CHECK(found_in(package({{config, use_pickle}, {"data/weights/Weight_7", kCall}}))
            .count(pickled("data/weights/Weight_7")) == 1);
  const std::string saved = saved_by_torch(kCall);
  CHECK(found_in(package({{"data/weights/model.pt", saved}}))
            .count(pickled("data/weights/model.pt!archive/data.pkl")) == 1);
}

TEST_CASE("pickles in old zips are found") {
  std::vector<Entry> entries = records_of("programs/torch-2.4.1/mlp.pt2");
  for (Entry& entry : entries) {
    if (entry.name == "serialized_state_dict.pt") entry.content = saved_by_torch(kCall);
  }
  CHECK(found_in(build(entries)) == Found{"PICKLE_GLOBAL serialized_state_dict.pt!archive/data.pkl"});
  entries.push_back(stored("extra_files/x", kCall));
  entries.push_back(stored("other", ""));
  CHECK(found_in(build(entries)).count("NOT_UNDERSTOOD other") == 1);
}

TEST_CASE("a torch.save file holds only a pickle and storages") {
  const auto with = [](Entry entry) {
    return build({stored("archive/data.pkl", kPlain), stored("archive/data/0", kCall), std::move(entry)});
  };
  CHECK(found_in(with(stored("archive/byteorder", "little"))) == Found{});
  CHECK(found_in(with(stored("archive/Data.PKL2", "x"))) == Found{"NOT_UNDERSTOOD archive/Data.PKL2"});
  CHECK(found_in(with(stored("archive/constants.pkl", "x"))) == Found{"SOURCE_CODE archive/constants.pkl"});
  CHECK(found_in(with(stored("archive/code/a.py", "x"))) == Found{"SOURCE_CODE archive/code/a.py"});
  CHECK(found_in(build({stored("archive/DATA.pkl", kCall)})) == Found{"PICKLE_GLOBAL archive/DATA.pkl"});
  CHECK(found_in(package({{"data/weights/model.pt", build({stored("a/b", "c")})}})) ==
        Found{"NESTED_ARCHIVE data/weights/model.pt"});
}

TEST_CASE("the pickles of torch's legacy format are all looked at, and no bytes of storages are") {
  const std::string legacy = kMagic + "\x80\x02M\xe9\x03." + kPlain + kPlain + "\x80\x02]X\1\0\0\0000a."s;
  const std::string storage = "\x02\0\0\0\0\0\0\0"s + kCall;
  CHECK(found_in(legacy + storage) == Found{});
  CHECK(found_in(kMagic + kCall) == Found{"PICKLE_GLOBAL "});
  CHECK(found_in("L119547037146038801333356L\n." + kCall) == Found{"PICKLE_GLOBAL "});
  CHECK(found_in(kMagic + "\x80\x02M\xe9\x03." + kPlain + kPlain + kCall) == Found{"PICKLE_GLOBAL "});
  CHECK(found_in(kPlain + kCall) == Found{"PICKLE_GLOBAL "});
  CHECK(found_in(kPlain + "rest").count("PICKLE_MALFORMED ") == 1);
}

TEST_CASE("numbers that Python reads and that are not plain break a pickle") {
  for (const char* const number : {"+0", " 7", "1_0", "0x1", "-1", ""}) {
    INFO(number);
    CHECK(found_in(package({{"data/weights/model.pt", "\x80\x02Np"s + number + "\n."}})) ==
          Found{"PICKLE_MALFORMED data/weights/model.pt"});
  }
  CHECK(found_in(package({{"data/weights/model.pt", "\x80\x02Np007\ng7\n0."}})) == Found{});
}

TEST_CASE("what Python would pass over with a frame breaks a pickle") {
  const auto framed = [](const std::string& size, const std::string& rest) {
    return found_in("\x80\x04\x95"s + size + std::string(7, '\0') + rest);
  };
  CHECK(framed("\2", "N.") == Found{});
  CHECK(framed("\1", "N.") == Found{});
  CHECK(framed("\4", "N.XX").count("PICKLE_MALFORMED ") == 1);  // the next pickle begins behind the frame
  CHECK(framed("\3", "\x8c\2xx.") == Found{"PICKLE_MALFORMED "});
  CHECK(framed("\x7f", "N.") == Found{"PICKLE_MALFORMED "});
}
