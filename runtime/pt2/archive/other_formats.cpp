#include "pt2/archive/other_formats.h"

#include <algorithm>
#include <cstdint>

#include "pt2/archive/zip_bytes.h"
#include "pt2/text/affix.h"

namespace pt2 {
namespace {

constexpr const char* kExportModel = "export the model with torch.export.export() and torch.export.save()";
constexpr const char* kExportCode =
    "it contains tensors, but no graph; export the model with torch.export.export() and "
    "torch.export.save()";

std::string not_a_program(std::string_view what, std::string_view advice) {
  return "this is " + std::string(what) + ", not an exported program: " + std::string(advice);
}

struct Start {
  std::size_t offset;
  std::string_view bytes;
  const char* what;
  const char* advice;
};

constexpr const char* kGiveArchive = "pass the .pt2 package that contains it";
constexpr const char* kUnpack = "unpack it first";

// A longer signature precedes its prefixes.
constexpr Start kStarts[] = {
    // Magic number of early torch.save files: 0x1950a86a20f9469cfc6c.
    {0,
     {"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 14},
     "a torch.save file from before torch 1.6",
     kExportModel},
    {0,
     {"\x7f"
      "ELF",
      4},
     "a shared object (ELF), such as AOTInductor generates",
     kGiveArchive},
    {0, {"MZ", 2}, "a Windows program or library", kGiveArchive},
    {0, {"\xcf\xfa\xed\xfe", 4}, "a macOS program or library", kGiveArchive},
    {4, {"ET12", 4}, "an ExecuTorch program (.pte)", kExportModel},
    {4, {"TFL3", 4}, "a TensorFlow Lite model", kExportModel},
    {0, {"GGUF", 4}, "a GGUF file", kExportCode},
    {0, {"\x93NUMPY", 6}, "a NumPy array", kExportCode},
    {0, {"\x89HDF\r\n\x1a\n", 8}, "an HDF5 file", kExportModel},
    {0, {"\x1f\x8b", 2}, "a gzip-compressed file", kUnpack},
    {0, {"\x28\xb5\x2f\xfd", 4}, "a zstd-compressed file", kUnpack},
    {0, {"BZh", 3}, "a bzip2-compressed file", kUnpack},
    {0,
     {"\xfd"
      "7zXZ",
      5},
     "an xz-compressed file",
     kUnpack},
    {257, {"ustar", 5}, "a tar archive", kUnpack},
    {0, {"version https://git-lfs", 23}, "a Git LFS pointer", "fetch the actual file with git lfs pull"},
};

class ProtoFields {
 public:
  explicit ProtoFields(std::string_view bytes) : rest_(bytes) {}

  std::optional<std::uint64_t> next() {
    if (rest_.empty()) return 0;
    const std::optional<std::uint64_t> key = varint();
    if (!key || *key >> 3 == 0) return std::nullopt;
    std::optional<std::uint64_t> size = 0;
    switch (*key & 7) {
      case 0:
        if (!varint()) return std::nullopt;
        break;
      case 1:
        size = 8;
        break;
      case 2:
        size = varint();
        break;
      case 5:
        size = 4;
        break;
      default:
        return std::nullopt;
    }
    if (!size || *size > rest_.size()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(*size));
    return *key >> 3;
  }

 private:
  std::optional<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }

  std::string_view rest_;
};

/// In onnx.ModelProto, field 1 is the format version, 7 the graph, 8 the operator sets.
bool is_onnx(std::string_view bytes) {
  if (bytes.empty() || bytes.front() != '\x08') return false;
  bool has_graph = false;
  ProtoFields fields(bytes);
  for (int count = 0; count < 10000; ++count) {
    const std::optional<std::uint64_t> field = fields.next();
    if (!field) return false;
    if (*field == 0) return has_graph;
    if (*field > 25) return false;
    has_graph = has_graph || *field == 7;
  }
  return has_graph;
}

bool is_pickle(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5 && bytes.back() == '.';
}

bool has_member(const ZipReader& zip, std::string_view file) {
  return std::any_of(zip.members().begin(), zip.members().end(), [&](const ZipMember& member) {
    return member.name.substr(member.name.find('/') + 1) == file;
  });
}

}  // namespace

bool looks_like_safetensors(std::string_view bytes) {
  if (bytes.size() < 10) return false;
  const std::uint64_t size = zip::number(bytes, 0, 8);
  return size >= 2 && zip::fits(8, size, bytes.size()) && bytes[8] == '{';
}

std::optional<std::string> other_format(std::string_view bytes) {
  for (const Start& start : kStarts) {
    // Text does not contain zeros, which precede signatures inside a file.
    const std::string_view before = bytes.substr(0, start.offset);
    if (!before.empty() && before.find('\0') == before.npos) continue;
    if (zip::has_signature(bytes, start.offset, start.bytes)) return not_a_program(start.what, start.advice);
  }
  if (looks_like_safetensors(bytes)) return not_a_program("a safetensors file", kExportCode);
  if (is_onnx(bytes)) {
    return not_a_program("an ONNX model",
                         "export the original model with torch.export.export() and "
                         "torch.export.save()");
  }
  if (is_pickle(bytes)) return not_a_program("a Python pickle", kExportModel);
  return std::nullopt;
}

std::optional<std::string> other_format(const ZipReader& zip) {
  if (has_member(zip, "constants.pkl")) {
    return not_a_program("a TorchScript file (torch.jit.save)",
                         "export the original model with "
                         "torch.export.export() and torch.export.save()");
  }
  if (has_member(zip, "data.pkl")) return not_a_program("a torch.save file (.pt, .pth)", kExportModel);
  if (has_member(zip, "graph_module.json")) {
    return not_a_program("a torch.export zip from before torch 2.1",
                         "save the program again with torch 2.1 or later");
  }
  const std::vector<ZipMember>& members = zip.members();
  const bool is_npz =
      !members.empty() && std::all_of(members.begin(), members.end(),
                                      [](const ZipMember& member) { return ends_with(member.name, ".npy"); });
  if (is_npz) return not_a_program("a NumPy archive (.npz)", kExportCode);
  return std::nullopt;
}

}  // namespace pt2
