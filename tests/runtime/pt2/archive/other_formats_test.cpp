#include "pt2/archive/other_formats.h"

#include <catch2/catch.hpp>
#include <string>

#include "runtime/pt2/archive/zip_builder.h"

using pt2::other_format;
using zip_builder::bytes_of;
using zip_builder::stored;

namespace {

std::string zip_told(const std::vector<zip_builder::Entry>& entries) {
  const std::string bytes = zip_builder::build(entries);
  return other_format(pt2::ZipReader(bytes)).value_or("not told");
}

std::string told(const std::string& bytes) {
  return other_format(bytes).value_or("not told");
}

const std::string kExport = "export the model with torch.export.export() and torch.export.save()";

}  // namespace

TEST_CASE("files of torch.save and TorchScript are recognized by their members") {
  CHECK(zip_told({stored("m/data.pkl", ""), stored("m/data/0", ""), stored("m/version", "3")}) ==
        "this is a torch.save file (.pt, .pth), not an exported program: " + kExport);
  const std::string script =
      "this is a TorchScript file (torch.jit.save), not an exported program: export the original model with "
      "torch.export.export() and torch.export.save()";
  CHECK(zip_told({stored("m/data.pkl", ""), stored("m/code/m.py", ""), stored("m/constants.pkl", "")}) ==
        script);
  CHECK(zip_told({stored("m/code/m.py", ""), stored("m/constants.pkl", "")}) == script);
  CHECK(zip_told({stored("a.npy", ""), stored("b.npy", "")}).find("a NumPy archive (.npz)") !=
        std::string::npos);
  CHECK(zip_told({stored("notes.txt", ""), stored("a.npy", "")}) == "not told");
  CHECK(zip_told({}) == "not told");
}

TEST_CASE("safetensors are recognized by a length and an object of that length") {
  const std::string header = "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}";
  const std::string file = bytes_of(header.size(), 8) + header + "abcd";
  CHECK(told(file).find(
            "this is a safetensors file, not an exported program: it contains tensors, but no graph") == 0);
  CHECK(told(bytes_of(header.size() + 100, 8) + header + "abcd") == "not told");
  CHECK(told(bytes_of(~std::uint64_t{0}, 8) + header) == "not told");
  CHECK(told(bytes_of(2, 8)) == "not told");
}

TEST_CASE("ONNX models are recognized by the fields of their first message") {
  const std::string graph = std::string("\x3a\x03") + "abc";  // field 7
  CHECK(told("\x08\x09\x12\x07pytorch" + graph).find("this is an ONNX model") == 0);
  CHECK(told("\x08\x09\x12\x07pytorch") == "not told");
  CHECK(told("\x08\x09\x12\x07pyt") == "not told");                                   // a truncated field
  CHECK(told("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff") == "not told");  // a truncated number
  CHECK(told("\x08\x09" + graph + "\xfa\x7f\x01z") == "not told");  // a field that ONNX models do not have
}

TEST_CASE("other files are recognized by their first bytes") {
  CHECK(told(std::string("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15))
            .find("this is a torch.save file from before torch 1.6") == 0);
  CHECK(told(std::string("\x80\x04}.", 4)).find("this is a Python pickle") == 0);
  CHECK(told("\x7f"
             "ELF\x02")
            .find("this is a shared object (ELF)") == 0);
  CHECK(told(std::string("\x1c\0\0\0ET12", 8)).find("this is an ExecuTorch program") == 0);
  CHECK(
      told(std::string(257, '\0') + "ustar").find("this is a tar archive, not an exported program: unpack") ==
      0);
  CHECK(told("GGUF").find("this is a GGUF file") == 0);
}

TEST_CASE("text is never told to be another format") {
  CHECK(told(std::string(257, ' ') + "ustar") == "not told");
  CHECK(told("    ET12") == "not told");
  CHECK(told("{\"schema_version\": 1}") == "not told");
  CHECK(told("") == "not told");
}
