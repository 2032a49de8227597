#include "pt2/archive/tensors/weights.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "pt2/archive/file.h"
#include "pt2/archive/tensors/tensor_files.h"
#include "pt2/weights.h"
#include "runtime/pt2/archive/zip_builder.h"
#include "runtime/test_seed.h"
#include "schemagen/base/error.h"

using pt2::contiguous_bytes;
using pt2::Weight;
using pt2::WeightKind;
using schemagen::DataError;
using zip_builder::Entry;
using zip_builder::stored;

namespace {

const std::string kMeta =
    R"("tensor_meta": {"dtype": 7, "sizes": [{"as_int": 2}], "requires_grad": false, "device": {"type": "cpu", )"
    R"("index": null}, "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7})";

std::string payload(const std::string& name, const std::string& record, const std::string& meta = kMeta) {
  return "\"" + name + "\": {\"path_name\": \"" + record + "\", \"is_param\": true, \"use_pickle\": false, " +
         meta + "}";
}

std::string config(const std::string& payloads) {
  return "{\"config\": {" + payloads + "}}";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::vector<Entry> entries(const std::string& weights_config,
                           const std::string& file = "data/weights/m_weights_config.json") {
  return {stored("top/archive_format", "pt2"), stored("top/models/m.json", "{}"),
          stored("top/" + file, weights_config), stored("top/data/weights/weight_0", "abcdefgh")};
}

std::vector<std::string> names_of(const std::vector<Entry>& archive_entries) {
  const std::string bytes = zip_builder::build(archive_entries);
  std::vector<std::string> names;
  for (const Weight& weight : weights_of(pt2::open_archive(bytes), "m", {})) names.push_back(weight.name);
  return names;
}

std::string error_of(const std::vector<Entry>& archive_entries) {
  try {
    names_of(archive_entries);
    return "no error";
  } catch (const DataError& error) {
    return error.what();
  }
}

std::string error_of(const std::string& weights_config) {
  return error_of(entries(weights_config));
}

pt2::ProgramFile open(const std::string& path) {
  return pt2::open_program_file(PT2_SOURCE_DIR "/tests/data/" + path);
}

}  // namespace

TEST_CASE("weights come before constants, by what the signature says of them") {
  const pt2::ProgramFile file = open("programs/torch-2.13.0/mlp.pt2");
  const std::vector<Weight> weights = pt2::load_weights(file);
  REQUIRE(weights.size() == 6);
  CHECK(weights[0].name == "l1.weight");
  CHECK(weights[0].kind == WeightKind::parameter);
  CHECK(weights[0].record == "data/weights/weight_0");
  CHECK(weights[4].kind == WeightKind::buffer);
  CHECK(weights[4].persistent);
  CHECK(weights[5].kind == WeightKind::buffer);
  CHECK(!weights[5].persistent);
  CHECK(contiguous_bytes(*weights[0].tensor).size() == 128);
  CHECK_THROWS_WITH(find_weight(weights, "l3"), "unknown tensor 'l3'");
}

TEST_CASE("pickled weights of old archives are the same tensors as raw ones") {
  const pt2::ProgramFile raw = open("programs/torch-2.13.0/mlp.pt2");
  for (const char* const release : {"2.4.1", "2.5.1", "2.6.0", "2.8.0"}) {
    INFO(release);
    const pt2::ProgramFile old = open("programs/torch-" + std::string(release) + "/mlp.pt2");
    const std::vector<Weight> weights = pt2::load_weights(old);
    for (const Weight& expected : pt2::load_weights(raw)) {
      const Weight& weight = find_weight(weights, expected.name);
      CHECK(weight.pickled);
      CHECK(weight.kind == expected.kind);
      CHECK(weight.persistent == expected.persistent);
      CHECK(weight.tensor->layout == expected.tensor->layout);
      CHECK(weight.tensor->requires_grad == expected.tensor->requires_grad);
      CHECK(contiguous_bytes(*weight.tensor) == contiguous_bytes(*expected.tensor));
    }
  }
}

TEST_CASE("what tensors share in a pickle stays shared") {
  const pt2::ProgramFile old = open("programs/torch-2.8.0/shared_weights.pt2");
  const std::vector<Weight> weights = pt2::load_weights(old);
  CHECK(find_weight(weights, "e.weight").tensor->storage == find_weight(weights, "o.weight").tensor->storage);
  CHECK(find_weight(weights, "big").tensor->storage == find_weight(weights, "view").tensor->storage);
  CHECK(find_weight(weights, "e.weight").tensor->storage != find_weight(weights, "big").tensor->storage);
}

TEST_CASE("a pickle that is not a dict of tensors is refused, and the error names its record") {
  const auto error_of_pickle = [](const std::string& pickle) {
    const std::string file = zip_builder::build({stored("model/data.pkl", pickle)});
    return error_of({stored("top/archive_format", "pt2"), stored("top/models/m.json", "{}"),
                     stored("top/data/weights/m.pt", file)});
  };
  CHECK(error_of_pickle(std::string("\x80\x02}.")) == "no error");
  CHECK(error_of_pickle(std::string("\x80\x02].")) ==
        "record 'data/weights/m.pt': expected a dict of tensors, found a list");
  CHECK(error_of_pickle(std::string("\x80\x02}K\x01K\x01s.")) ==
        "record 'data/weights/m.pt': expected a tensor name, found an int");
  CHECK(error_of_pickle("\x80\x02"
                        "cposix\nsystem\n.")
            .find("record 'data/weights/m.pt': ") == 0);
  CHECK(error_of_pickle("\x80\x02"
                        "cposix\nsystem\n.")
            .find("posix.system") != std::string::npos);
  CHECK(error_of({stored("top/archive_format", "pt2"), stored("top/models/m.json", "{}"),
                  stored("top/data/weights/m.pt", "no zip")}) ==
        "record 'data/weights/m.pt': not a zip archive");
}

TEST_CASE("the weights of several models are kept apart") {
  const pt2::ProgramFile file = open("packages/multi.pt2");
  CHECK(pt2::load_weights(file, "a")[0].record == "data/weights/weight_0");
  CHECK(pt2::load_weights(file, "b")[0].record == "data/weights/weight_2");
  CHECK_THROWS_AS(pt2::load_weights(file), schemagen::DataError);
}

TEST_CASE("configs are found by both names that they have had") {
  const std::string one = config(payload("w", "weight_0"));
  const std::vector<std::string> w = {"w"};
  CHECK(names_of(entries(one, "data/weights/m_model_param_config.json")) == w);
  const std::string constant = "data/constants/m_model_constants_config.json";
  std::vector<Entry> with_constants = entries(one, constant);
  with_constants.push_back(stored("top/data/constants/weight_0", "abcdefgh"));
  CHECK(names_of(with_constants) == w);
  // A config for a model with this name.
  with_constants.push_back(stored("top/models/m_model.json", "{}"));
  CHECK(names_of(with_constants).empty());
}

TEST_CASE("names that share a record share a storage") {
  const std::string bytes =
      zip_builder::build(entries(config(payload("a", "weight_0") + ", " + payload("b", "weight_0"))));
  const pt2::Archive archive = pt2::open_archive(bytes);
  const std::vector<Weight> weights = weights_of(archive, "m", {});
  CHECK(weights[0].tensor->storage == weights[1].tensor->storage);
  CHECK(weights[0].tensor->storage->read()->view() == "abcdefgh");
}

TEST_CASE("objects are listed without a tensor") {
  const std::string object =
      R"({"config": {"o": {"path_name": "custom_obj_0", "is_param": false, "use_pickle": true, "tensor_meta": null}}})";
  std::vector<Entry> archive_entries = entries(object, "data/constants/m_constants_config.json");
  CHECK(error_of(archive_entries) ==
        "record 'data/constants/m_constants_config.json': tensor 'o': the archive has no "
        "record 'data/constants/custom_obj_0'");
  archive_entries.push_back(stored("top/data/constants/custom_obj_0", "PK"));
  const std::string bytes = zip_builder::build(archive_entries);
  const std::vector<Weight> weights = weights_of(pt2::open_archive(bytes), "m", {});
  REQUIRE(weights.size() == 1);
  CHECK(weights[0].kind == WeightKind::object);
  CHECK(weights[0].pickled);
  CHECK(!weights[0].tensor);
}

TEST_CASE("a record of no bytes is right, and cannot be read") {
  std::vector<Entry> archive_entries = entries(config(payload("w", "weight_0")));
  archive_entries.back().content.clear();
  const std::string bytes = zip_builder::build(archive_entries);
  const pt2::Archive archive = pt2::open_archive(bytes);
  const std::vector<Weight> weights = weights_of(archive, "m", {});
  CHECK(weights[0].tensor->is_absent());
  CHECK_THROWS_AS(contiguous_bytes(*weights[0].tensor), DataError);
}

TEST_CASE("configs that do not fit their records are refused by name") {
  const std::string start = "record 'data/weights/m_weights_config.json': ";
  CHECK(error_of(config(payload("w", "weight_0"))) == "no error");
  CHECK(error_of(config(payload("w", "weight_1"))) ==
        start + "tensor 'w': the archive has no record 'data/weights/weight_1'");
  CHECK(error_of(config(payload("w", "../../models/m.json"))) ==
        start + "tensor 'w': the archive has no record 'data/weights/../../models/m.json'");
  CHECK(error_of(config(payload("w", "weight_0", replaced(kMeta, "{\"as_int\": 2}", "{\"as_int\": 3}")))) ==
        start + "tensor 'w': it ends at byte 12, but its storage has 8 bytes");
  CHECK(error_of(config(payload("w", "weight_0", replaced(kMeta, "[{\"as_int\": 1}]", "[]")))) ==
        start + "tensor 'w': it has 1 dimension, but 0 strides");
  CHECK(error_of(config(payload("w", "weight_0", "\"tensor_meta\": null"))) ==
        start + "tensor 'w': it has no tensor_meta, although it is not an object");
  CHECK(error_of("{\"config\": 1}") ==
        start + "config: expected an object, found an integer (line 1, column 12)");
}

TEST_CASE("a changed byte in a payload config gives an error, or tensors that lie in their records") {
  std::mt19937 random(test_seed());
  const std::string good = config(payload("a", "weight_0") + ", " + payload("b", "weight_0"));
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int tries = 0; tries < 8; ++tries) {
      std::string changed = good;
      changed[at] = static_cast<char>(' ' + static_cast<int>(random() % 95));
      INFO(changed);
      const std::string bytes = zip_builder::build(entries(changed));
      try {
        const pt2::Archive archive = pt2::open_archive(bytes);
        for (const Weight& weight : weights_of(archive, "m", {})) {
          if (weight.tensor && !weight.tensor->is_absent())
            CHECK(contiguous_bytes(*weight.tensor).size() <= 80);
        }
      } catch (const DataError&) {
      }
    }
  }
}

TEST_CASE("safetensors are read as they were written") {
  const pt2::ProgramFile file = open("programs/torch-2.13.0/mlp.pt2");
  std::vector<pt2::NamedTensor> tensors;
  for (const Weight& weight : pt2::load_weights(file)) tensors.push_back({weight.name, *weight.tensor});
  tensors.push_back({"empty", pt2::make_tensor(pt2::ScalarType::BOOL, {0, 2}, "")});
  tensors.push_back({"\xc3\xa9\n", pt2::make_tensor(pt2::ScalarType::FLOAT8E4M3FN, {}, "x")});
  std::string bytes;
  write_safetensors(tensors, [&](std::string_view part) { bytes += part; });
  const std::vector<pt2::NamedTensor> again = pt2::read_safetensors(bytes);
  REQUIRE(again.size() == tensors.size());
  for (const pt2::NamedTensor& named : again) {
    const auto original = std::find_if(tensors.begin(), tensors.end(), [&](const pt2::NamedTensor& other) {
      return other.name == named.name;
    });
    REQUIRE(original != tensors.end());
    CHECK(named.tensor.layout.dtype == original->tensor.layout.dtype);
    CHECK(named.tensor.layout.shape == original->tensor.layout.shape);
    CHECK(contiguous_bytes(named.tensor) == contiguous_bytes(original->tensor));
  }
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_THROWS_AS(pt2::read_safetensors(std::string_view(bytes).substr(0, size)), DataError);
  }
}

TEST_CASE("tensors that a format cannot hold are refused by name") {
  const std::vector<pt2::NamedTensor> tensors = {
      {"c", pt2::make_tensor(pt2::ScalarType::COMPLEXHALF, {1}, "abcd")}};
  const auto ignore = [](std::string_view) {};
  CHECK_THROWS_WITH(write_safetensors(tensors, ignore),
                    "tensor 'c': safetensors does not support complex32 or complex128; write .npz");
  const std::vector<pt2::NamedTensor> twice(2, {"a", pt2::make_tensor(pt2::ScalarType::CHAR, {1}, "a")});
  CHECK_THROWS_WITH(write_safetensors(twice, ignore), "invalid or duplicate name in a safetensors file: 'a'");
}

TEST_CASE("arrays of NumPy are read as their headers say, or refused by name") {
  const std::vector<pt2::NamedTensor> known = {
      {"a", pt2::make_tensor(pt2::ScalarType::BFLOAT16, {2}, "abcd")}};
  const auto read = [&](const std::string& header, const std::string& body) {
    const std::string file =
        "\x93NUMPY\1" + zip_builder::bytes_of(0, 1) + zip_builder::bytes_of(header.size(), 2) + header + body;
    const std::string bytes = zip_builder::build({stored("a.npy", file)});
    try {
      return contiguous_bytes(pt2::read_npz(bytes, known).at(0).tensor);
    } catch (const DataError& error) {
      return std::string(error.what());
    }
  };
  const std::string good = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }\n";
  CHECK(read(good, "abcd") == "abcd");
  CHECK(read(replaced(good, "False", "True"), "abcd") == "acbd");
  CHECK(read(replaced(replaced(good, "2, 2", "2,"), "|u1", "|V2"), "abcd") == "abcd");
  CHECK(read(good, "abc") == "tensor 'a': expected 4 bytes for its shape, got 3");
  CHECK(read(replaced(good, "2, 2", "2, -2"), "abcd") ==
        "tensor 'a': expected a tuple of sizes as its shape");
  CHECK(read(replaced(good, "|u1", ">f4"), "abcd") ==
        "tensor 'a': its dtype '>f4' has no equivalent in torch");
  CHECK(read(replaced(good, "|u1", "|V3"), "abcd") ==
        "tensor 'a': its dtype '|V3' has no equivalent in torch");
  CHECK(read(replaced(good, "'|u1'", "[('f', '<f4')]"), "") ==
        "tensor 'a': structured dtypes are not supported");
  for (std::size_t size = 0; size + 4 < good.size(); ++size) {
    CHECK(read(good.substr(0, size), "abcd").find("tensor 'a': ") == 0);
  }
}

TEST_CASE("damaged headers of safetensors are refused") {
  const auto read = [](const std::string& header, const std::string& body) {
    const std::string bytes = zip_builder::bytes_of(header.size(), 8) + header + body;
    try {
      pt2::read_safetensors(bytes);
      return std::string("no error");
    } catch (const DataError& error) {
      return std::string(error.what());
    }
  };
  const std::string good = R"({"a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]}})";
  CHECK(read(good, "xy") == "no error");
  CHECK(read(good, "xyz") == "the file has 1 byte after its last tensor");
  CHECK(read(good, "x") == "tensor 'a': its bytes extend past the end of the file");
  CHECK(read(replaced(good, "U8", "U9"), "xy") == "tensor 'a': unknown dtype 'U9'");
  CHECK(read(replaced(good, "[2]", "[3]"), "xy") == "tensor 'a': expected 3 bytes for its shape, got 2");
  CHECK(read(replaced(good, "[2]", "[9223372036854775807, 2]"), "xy") ==
        "tensor 'a': its size exceeds 2^63 - 1 bytes");
  CHECK(read(replaced(good, "[2]", "[-2]"), "xy") ==
        "tensor 'a': expected non-negative integers in its shape");
  CHECK(read(replaced(good, "[0, 2]", "[2, 0]"), "xy") ==
        "tensor 'a': expected data_offsets to be [begin, end]");
  CHECK(read(replaced(good, "[0, 2]", "[1, 3]"), "xyz") == "tensor 'a': there is a gap before its bytes");
  CHECK(read(R"({"a": 1})", "") == "tensor 'a': unknown dtype ''");
  CHECK(read(good.substr(0, good.size() - 1) + ", " + good.substr(1), "xy").find("twice") !=
        std::string::npos);
}
