#include "pt2/archive/tensors/tensor_files.h"

#include <catch2/catch.hpp>
#include <string>

#include "pt2/archive/file.h"
#include "runtime/pt2/archive/zip_builder.h"
#include "schemagen/base/error.h"

using Catch::Contains;
using namespace std::string_literals;
using zip_builder::build;
using zip_builder::stored;

namespace {

std::string tensor(const std::string& offset, const std::string& sizes, const std::string& strides) {
  return "ctorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0000X\3\0\0\0cpuK\4tQK"s +
         offset + "(" + sizes + "t(" + strides + "t\x89NtR";
}

std::string file_with(const std::string& value, const std::string& record = std::string(16, '\0')) {
  return build({stored("model/data.pkl", "\x80\x02" + value + "."), stored("model/data/0", record)});
}

}  // namespace

TEST_CASE("the state dict of an old archive is read with its tensors and their records") {
  const pt2::FileBytes bytes =
      pt2::read_file(std::string(PT2_SOURCE_DIR) + "/tests/data/programs/torch-2.4.1/mlp.pt2");
  const pt2::ZipReader zip(bytes.view());
  const pt2::MemberBytes weights = zip.read(*zip.find("serialized_state_dict.pt"));
  pt2::PickledTensors file{std::string(weights.view())};
  const std::vector<std::pair<std::string, pt2::PickleRef>> tensors = file.named();
  REQUIRE(tensors.size() == 5);
  CHECK(tensors[1].first == "l1.weight");
  const pt2::PickledTensor& weight = file.pickle()[tensors[1].second].tensor();
  CHECK(weight.is_parameter);
  CHECK(weight.dtype == pt2::ScalarType::FLOAT);
  CHECK(weight.sizes == std::vector<std::int64_t>{8, 4});
  CHECK(weight.strides == std::vector<std::int64_t>{4, 1});
  const auto storage = file.storage_of(file.pickle()[weight.storage].storage());
  CHECK(storage->order() == pt2::ByteOrder::little);
  CHECK(storage->read()->view().size() == 128);
}

TEST_CASE("a tensor has to lie in its storage, and that has to have a record of its size") {
  const auto fault = [](const std::string& bytes) {
    try {
      pt2::PickledTensors{bytes};
    } catch (const schemagen::DataError& error) {
      return std::string(error.what());
    }
    return "none"s;
  };
  CHECK(fault(file_with(tensor("\0"s, "K\4", "K\1"))) == "none");
  CHECK(fault(file_with(tensor("\0"s, "K\4K\3", "K\1K\0"s))) == "none");
  CHECK_THAT(fault(file_with(tensor("\1"s, "K\4", "K\1"))), Contains("extends past the end of its storage"));
  CHECK_THAT(fault(file_with(tensor("\0"s, "K\2", "J\xff\xff\xff\xff"))), Contains("is negative"));
  CHECK_THAT(fault(file_with(tensor("\0"s, "\x8a\x08\0\0\0\0\0\0\0\x7f"s, "\x8a\x08\0\0\0\0\0\0\0\x7f"s))),
             Contains("extends past"));
  CHECK_THAT(fault(file_with(tensor("\0"s, "K\4", "K\1"), "short")),
             Contains("it has 5 bytes, but its storage has 16"));
  CHECK_THAT(fault(build({stored("a/data.pkl", tensor("\0"s, "K\4", "K\1") + ".")})),
             Contains("no record 'data/0'"));
  CHECK_THAT(fault(build({stored("a/b", "")})), Contains("not a torch.save file"));
}

TEST_CASE("a storage without bytes does not stand for another of its key") {
  const auto storage = [](const std::string& count) {
    return "(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0000X\3\0\0\0cpuK"s + count + "tQ";
  };
  CHECK_NOTHROW(pt2::read_pickle(storage("\0"s) + "."));
  const pt2::Pickle pickle = pt2::read_pickle("(" + storage("\0"s) + storage("\4") + storage("\4") + "t.");
  const std::vector<pt2::PickleRef>& items = pickle[pickle.root].items();
  CHECK(pickle[items[0]].storage().bytes == 0);
  CHECK(pickle[items[1]].storage().bytes == 16);
  CHECK(items[1] == items[2]);
}
