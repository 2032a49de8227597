#include "pt2/archive/file_kind.h"

#include <catch2/catch.hpp>
#include <string>

#include "runtime/pt2/archive/zip_builder.h"

using pt2::other_format;
using pt2::ZipKind;
using zip_builder::bytes_of;

namespace {

std::string zip_told(const std::vector<std::string_view>& members) {
  return pt2::kind_of(members) == ZipKind::other ? "not told" : pt2::why_no_program(members);
}

std::string told(const std::string& bytes) {
  return other_format(bytes).value_or("not told");
}

const std::string kExport = "export the model with torch.export.export() and torch.export.save()";

}  // namespace

TEST_CASE("files of torch.save and TorchScript are recognized by their members") {
  CHECK(zip_told({"m/data.pkl", "m/data/0", "m/version"}) ==
        "this is a torch.save file (.pt, .pth), not an exported program: " + kExport);
  const std::string script =
      "this is a TorchScript file (torch.jit.save), not an exported program: export the original model with "
      "torch.export.export() and torch.export.save()";
  CHECK(zip_told({"m/data.pkl", "m/code/m.py", "m/constants.pkl"}) == script);
  CHECK(zip_told({"m/code/m.py", "m/constants.pkl"}) == script);
  CHECK(zip_told({"a.npy", "b.npy"}).find("a NumPy archive (.npz)") != std::string::npos);
  CHECK(zip_told({"notes.txt", "a.npy"}) == "not told");
  CHECK(zip_told({}) == "not told");
}

TEST_CASE("the names of an archive's members tell whether torch.export.save() finished it") {
  using Names = std::vector<std::string_view>;
  const auto kind = [](Names names) {
    names.insert(names.end(), {"m/archive_format", "m/archive_version", "m/.data/version", "m/byteorder"});
    return pt2::kind_of(names);
  };
  for (const Names& names :
       {Names{"m/data/weights/a_weights_config.json", "m/models/a.json", "m/data/sample_inputs/a.pt"},
        Names{"m/models/a.json"}, Names{"m/models/a.json", "m/data/weights/weight_0.pt"},
        Names{"m/models/a.json", "m/data/constants/a_model_constants_config.json"},
        Names{"m/models/a.json", "m/data/aotinductor/b/b.so", "m/data/weights/b_weights_config.json"}}) {
    CHECK(kind(names) == ZipKind::programs);
  }
  CHECK(kind({"m/data/aotinductor/b/b.so", "m/data/weights/b_weights_config.json"}) ==
        ZipKind::compiled_package);
  CHECK(kind({"m/extra/notes.txt"}) == ZipKind::other_archive);
  CHECK(kind({"m/data/executorch/a.pte"}) == ZipKind::other_archive);
  for (const Names& names : {Names{}, Names{"m/data/weights/weight_0"}, Names{"m/data/constants/tensor_0"},
                             Names{"m/data/weights/a_weights_config.json"},
                             Names{"m/models/a.json", "m/data/weights/b_weights_config.json"},
                             Names{"m/models/a.json", "m/data/weights/b_model_param_config.json"},
                             Names{"m/models/a.json", "m/data/sample_inputs/b.pt"}}) {
    CHECK(kind(names) == ZipKind::unfinished);
  }
  CHECK(pt2::why_no_program({"m/archive_format", "m/models/a.json", "m/data/sample_inputs/b.pt"}) ==
        "torch.export.save() did not finish this archive: it has records of the model 'b', but no program "
        "'models/b.json'; hint: save the program again");
  for (const char* const flat : {"data/aotinductor/a.so", "data/aotinductor/model/a.so"}) {
    CHECK(pt2::kind_of({flat}) == ZipKind::flat_package);
    CHECK(pt2::kind_of({"version", "archive_format", flat}) == ZipKind::flat_package);
  }
  CHECK(pt2::kind_of({"serialized_exported_program.json"}) == ZipKind::old_zip);
  CHECK(pt2::kind_of({"ETRECORD_V0", "et_dialect_graph_module/forward.json"}) == ZipKind::etrecord);
  CHECK(pt2::kind_of({"serialized_state_dict.pt", "version"}) == ZipKind::unfinished);
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
  CHECK(told(std::string("\x1c\0\0\0ET12", 8)).find("this is an ExecuTorch program (.pte)") == 0);
  CHECK(told(std::string("\x1c\0\0\0BP08", 8)).find("this is an ExecuTorch program with test data") == 0);
  CHECK(told(std::string("\x1c\0\0\0FT01", 8)).find("this is a file of ExecuTorch tensors") == 0);
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
