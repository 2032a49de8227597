#include "pt2/archive/pickle/pickle.h"

#include <catch2/catch.hpp>
#include <limits>
#include <string>

#include "message_check.h"
#include "pt2/archive/pickle/opcodes.h"
#include "schemagen/base/error.h"

using Catch::Contains;
using pt2::Pickle;
using pt2::PickleKind;
using pt2::read_pickle;
using schemagen::DataError;
using namespace std::string_literals;

namespace {

std::string fault_of(const std::string& pickle, const schemagen::Limits& limits = {}) {
  try {
    read_pickle(pickle, limits);
  } catch (const DataError& error) {
    CHECK(message_fault(error.what()) == "");
    return error.what();
  }
  return "none";
}

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("a global that weights_only refuses is named with its byte") {
  CHECK(fault_of("\x80\x02"s + "cposix\nsystem\n(X\2\0\0\0idtR."s) ==
        "the pickle refers to 'posix.system', which torch.load with weights_only does not allow (byte 2)");
  CHECK_THAT(fault_of("c__builtin__\nxrange\n."), Contains("'builtins.range'"));
  CHECK_THAT(fault_of("cos\x1b\nsystem\n."), Contains("'os\\x1b.system'"));
}

TEST_CASE("what is made with other globals stays a call of them, where these are let in") {
  const std::string made = "\x80\x02"s + "cposix\nsystem\n(X\2\0\0\0idtR}X\1\0\0\0aK\1sb."s;
  const Pickle pickle = read_pickle(made, {}, pt2::PickleGlobals::any);
  const pt2::PickleValue& call = pickle[pickle.root];
  REQUIRE(call.kind == PickleKind::call);
  CHECK(pickle[call.items()[0]].text() == "posix.system");
  CHECK(pickle[pickle[call.items()[1]].items()[0]].text() == "id");
  const auto reads = [](const std::string& text) { read_pickle(text, {}, pt2::PickleGlobals::any); };
  CHECK_NOTHROW(reads("ca\nB\n)\x81."));
  CHECK_NOTHROW(reads("ctorch._tensor\n_rebuild_from_type_v2\n(ca\nf\nctorch\nTensor\n)NtR."));
  CHECK_THROWS_WITH(reads("(ios\nsystem\n."), Contains("INST"));
  CHECK_THROWS_WITH(reads("ccollections\nOrderedDict\nK\1R."), Contains("expected a tuple of arguments"));
}

TEST_CASE("a value that occurs twice counts twice in the expanded size") {
  const auto expanded = [](const std::string& pickle) { return read_pickle(pickle).expanded_size(); };
  const std::string pair_of_last = "q\0h\0\x86"s;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  CHECK(expanded("K\1."s) == 1);
  CHECK(expanded("K\1"s + pair_of_last + ".") == 3);
  CHECK(expanded("K\1"s + repeated(pair_of_last, 10) + ".") == (1 << 11) - 1);
  CHECK(expanded("K\1"s + repeated(pair_of_last, 100) + ".") == kMost);
  CHECK(expanded("]q\0h\0a."s) == kMost);
}

TEST_CASE("a tensor on the device meta has a layout and no bytes") {
  const auto on_meta = [](const std::string& arguments) {
    return "\x80\x02"s + "ctorch._utils\n_rebuild_meta_tensor_no_storage\n(ctorch\nfloat32\n" + arguments +
           "tR.";
  };
  const Pickle pickle = read_pickle(on_meta("K\3K\4\x86K\4K\1\x86\x88"), {});
  const pt2::PickleValue& value = pickle[pickle.root];
  REQUIRE(value.kind == PickleKind::tensor);
  CHECK(value.tensor().sizes == std::vector<std::int64_t>{3, 4});
  CHECK(value.tensor().strides == std::vector<std::int64_t>{4, 1});
  CHECK(value.tensor().requires_grad);
  CHECK(pickle[value.tensor().storage].storage().location == "meta");
  CHECK(pickle[value.tensor().storage].storage().bytes == 0);
  CHECK_THAT(fault_of(on_meta("K\3\x85)\x88")), Contains("1 size, but 0 strides"));
  CHECK_THAT(fault_of(on_meta("J\xff\xff\xff\xff\x85K\1\x85\x88")), Contains("is negative"));
  CHECK_THAT(fault_of(on_meta("K\3\x85K\1\x85")), Contains("expected 4 arguments for a tensor, found 3"));
}

TEST_CASE("each other way to a function is refused by its opcode") {
  CHECK_THAT(fault_of("(S'id'\nios\nsystem\n."), Contains("STRING"));
  CHECK_THAT(fault_of("(ios\nsystem\n."), Contains("INST"));
  CHECK_THAT(fault_of("(ccollections\nOrderedDict\no."), Contains("OBJ"));
  CHECK_THAT(fault_of("X\2\0\0\0osX\6\0\0\0system\x93."s), Contains("STACK_GLOBAL"));
  CHECK_THAT(fault_of("\x82\x01."), Contains("EXT1"));
  CHECK_THAT(fault_of("Pid\n."), Contains("PERSID"));
  CHECK_THAT(fault_of("ccollections\nOrderedDict\n)}\x92."), Contains("NEWOBJ_EX"));
  CHECK_THAT(fault_of("K\1\x94."), Contains("MEMOIZE"));
}

TEST_CASE("what is called or made gets a tuple") {
  CHECK_THAT(fault_of("ccollections\nOrderedDict\nK\1R."),
             Contains("expected a tuple of arguments, found an int"));
  CHECK_THAT(fault_of("ccollections\nOrderedDict\nK\1\x81."),
             Contains("expected a tuple of arguments, found an int"));
  CHECK(fault_of("ccollections\nOrderedDict\n)\x81.") == "none");
}

TEST_CASE("the metadata of a tensor is a dict, also of a dtype that the schema does not have") {
  for (const char* const dtype : {"float32", "qint8"}) {
    const auto tensor = [dtype](const std::string& metadata) {
      return "ctorch._utils\n_rebuild_tensor_v3\n((X\7\0\0\0storagectorch.storage\nUntypedStorage\nX\1\0\0\0"
             "0X\3\0\0\0cpuK\4tQK\0K\1\x85K\1\x85\x89"
             "ccollections\nOrderedDict\n)Rctorch\n"s +
             dtype + "\n" + metadata + "tR.";
    };
    CHECK(fault_of(tensor("}")) == "none");
    CHECK_THAT(fault_of(tensor("ctorch\nuint32\n")),
               Contains("expected a dict of at most 16 entries for the metadata of a tensor"));
  }
}

TEST_CASE("a value that is referenced several times is one value") {
  const Pickle pickle = read_pickle("]q\0h\0a."s);  // a list in itself
  CHECK(pickle[pickle.root].kind == PickleKind::list);
  CHECK(pickle[pickle.root].items() == std::vector{pickle.root});
}

TEST_CASE("of equal keys of a dict the last value counts") {
  const Pickle pickle = read_pickle("}(X\1\0\0\0aK\1X\1\0\0\0bK\2X\1\0\0\0aK\3u."s);
  const pt2::PickleValue& dict = pickle[pickle.root];
  CHECK(dict.items().size() == 4);
  CHECK(pickle[dict.items()[0]].text() == "a");
  CHECK(std::get<std::int64_t>(pickle[dict.items()[1]].data) == 3);
}

TEST_CASE("integers of any length that fit are integers") {
  const auto integer = [](const std::string& bytes) {
    const Pickle pickle = read_pickle("\x8a"s + static_cast<char>(bytes.size()) + bytes + ".");
    return std::get<std::int64_t>(pickle[pickle.root].data);
  };
  CHECK(integer("") == 0);
  CHECK(integer("\xff") == -1);
  CHECK(integer("\xff\0"s) == 255);
  CHECK(integer("\1\0\0\0\0\0\0\0\0\0"s) == 1);
  CHECK(integer("\0\0\0\0\0\0\0\x80"s) == INT64_MIN);
}

TEST_CASE("a pickle stays within its limits") {
  schemagen::Limits limits;
  limits.depth = 8;
  CHECK(fault_of(repeated("(", 8) + "N.", limits) == "none");
  CHECK_THAT(fault_of(repeated("(", 9) + "N.", limits), Contains("(depth)"));
  limits.container_items = 4;
  CHECK_THAT(fault_of("(" + repeated("N", 5) + "t.", limits), Contains("(container_items)"));
  CHECK_THAT(fault_of("](NNNe(NNe.", limits), Contains("(container_items)"));
  limits = {};
  limits.memory_bytes = 100000;
  CHECK_THAT(fault_of(repeated("N", 5000) + ".", limits), Contains("(memory_bytes)"));
  CHECK_THAT(fault_of("N" + repeated("r\1\2\3\4", 1000) + ".", limits),
             Contains("(memory_bytes)") || Contains("none"));
  CHECK_THAT(fault_of("ccollections\nOrderedDict\nq\0}q\1("s + repeated("K\1N", 500) + "u" +
                          repeated("h\0h\1\x85R"s, 200) + ".",
                      limits),
             Contains("(memory_bytes)"));
}

TEST_CASE("every truncation of a pickle is refused") {
  const std::string pickle = "\x80\x02}q\0(X\1\0\0\0aG\0\0\0\0\0\0\0\0X\1\0\0\0b\x8a\x02\1\2u."s;
  REQUIRE(fault_of(pickle) == "none");
  for (std::size_t size = 0; size < pickle.size(); ++size) CHECK(fault_of(pickle.substr(0, size)) != "none");
}

TEST_CASE("instructions of all protocols are parsed with their arguments") {
  const auto end = [](const std::string& pickle) { return pt2::read_instruction(pickle, 0).end; };
  CHECK(end("cos\nsystem\nrest") == 11);
  CHECK(end("\x8d\3\0\0\0\0\0\0\0abcd"s) == 12);
  CHECK(end("\x95\xff\xff\xff\xff\xff\xff\xff\xff.") == 9);
  CHECK_THROWS_WITH(end("\x8d\xff\xff\xff\xff\xff\xff\xff\xff."), Contains("ends inside an instruction"));
  CHECK_THROWS_WITH(end("\xff"), Contains("unknown pickle opcode 255"));
}
