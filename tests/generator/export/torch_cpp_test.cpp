#include <string>

#include "export/export.h"
#include "generator/torch_exports.h"
#include "schemagen/base/sha256.h"

using generator::export_torch_cpp;
using generator::unsupported_in_torch_cpp;

namespace {

std::string field_of_type(const std::string& field) {
  return "name: s\nversion: {major: 1, minor: 2}\ntypes:\n"
         "  E: {kind: enum, fields: {A: 0}}\n"
         "  S: {kind: struct, fields: {f: {id: 1, " +
         field + "}}}\n";
}

std::string unsupported(const std::string& field) {
  return unsupported_in_torch_cpp(model_of(field_of_type(field)));
}

}  // namespace

TEST_CASE("the C++ types of PyTorch come out byte for byte") {
  const auto exports = torch_exports("torch-cpp");
  REQUIRE(exports.size() == 2);
  for (const TorchExport& one : exports) {
    INFO(one.release << " " << one.schema);
    const std::string text = export_torch_cpp(model_of(file_text(one.schema)));
    CHECK(text.find("\n// checksum<<" + one.checksum + ">>\n") != std::string::npos);
    CHECK(schemagen::sha256_hex(text) == one.sha256);
  }
}

TEST_CASE("a member of an enum's type holds its number") {
  const std::string text = export_torch_cpp(model_of(field_of_type("type: E")));
  CHECK(text.find("  int64_t f = {};\n") != std::string::npos);
  CHECK(text.find("  E get_f() const {\n    return static_cast<E>(f);\n") != std::string::npos);
}

TEST_CASE("what PyTorch's C++ types lack is named") {
  CHECK(unsupported("type: \"Dict[str, List[E]]\"").empty());
  CHECK(unsupported("type: \"List[str]\", default: []").empty());
  CHECK(unsupported("type: bytes") == "'S.f' is of type 'bytes', which PyTorch's C++ types lack");
  CHECK(unsupported("type: \"List[Any]\"") == "'S.f' is of type 'List[Any]', which PyTorch's C++ types lack");
  CHECK(unsupported("type: \"Dict[int, str]\"") ==
        "'S.f' is of type 'Dict[int, str]', which PyTorch's C++ types lack");
  CHECK(unsupported("type: int, default: 5") == "PyTorch's C++ types cannot express the default of 'S.f': 5");
  CHECK(unsupported("type: E, default: A") == "PyTorch's C++ types cannot express the default of 'S.f': A");
}
