#include "pt2/archive/file_kind.h"

#include <set>

#include "pt2/archive/record_names.h"
#include "pt2/archive/zip_bytes.h"
#include "pt2/text/affix.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

constexpr const char* kExportModel = "export the model with torch.export.export() and torch.export.save()";
constexpr const char* kExportOriginal =
    "export the original model with torch.export.export() and torch.export.save()";
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

/// Magic number of early torch.save files: 0x1950a86a20f9469cfc6c.
constexpr std::string_view kEarlyTorchSave = {"\x80\2\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19", 14};

// A longer signature precedes its prefixes.
constexpr Start kStarts[] = {
    {0, kEarlyTorchSave, "a torch.save file from before torch 1.6", kExportModel},
    {0, {"\177ELF", 4}, "a shared object (ELF), such as AOTInductor generates", kGiveArchive},
    {0, {"MZ", 2}, "a Windows program or library", kGiveArchive},
    {0, {"\xcf\xfa\xed\xfe", 4}, "a macOS program or library", kGiveArchive},
    {4, {"ET12", 4}, "an ExecuTorch program (.pte)", kExportModel},
    {4, {"BP08", 4}, "an ExecuTorch program with test data (.bpte)", kExportModel},
    {4, {"FT01", 4}, "a file of ExecuTorch tensors (.ptd)", kExportModel},
    {4, {"TFL3", 4}, "a TensorFlow Lite model", kExportModel},
    {0, {"GGUF", 4}, "a GGUF file", kExportCode},
    {0, {"\x93NUMPY", 6}, "a NumPy array", kExportCode},
    {0, {"\x89HDF\r\n\x1a\n", 8}, "an HDF5 file", kExportModel},
    {0, {"\x1f\x8b", 2}, "a gzip-compressed file", kUnpack},
    {0, {"\x28\xb5\x2f\xfd", 4}, "a zstd-compressed file", kUnpack},
    {0, {"BZh", 3}, "a bzip2-compressed file", kUnpack},
    {0, {"\3757zXZ", 5}, "an xz-compressed file", kUnpack},
    {257, {"ustar", 5}, "a tar archive", kUnpack},
    {0, {"version https://git-lfs", 23}, "a Git LFS pointer", "fetch the actual file with git lfs pull"},
};

struct OtherZip {
  ZipKind kind;
  const char* what;
  const char* advice;
};

constexpr const char* kCompiled = "a package of models that AOTInductor compiled, which have no graph";

constexpr OtherZip kOtherZips[] = {
    {ZipKind::compiled_package, kCompiled, kExportModel},
    {ZipKind::flat_package, kCompiled, kExportModel},
    {ZipKind::torch_script, "a TorchScript file (torch.jit.save)", kExportOriginal},
    {ZipKind::torch_save, "a torch.save file (.pt, .pth)", kExportModel},
    {ZipKind::early_export, "a torch.export zip from before torch 2.1",
     "save the program again with torch 2.1 or later"},
    {ZipKind::etrecord, "an ETRecord, in which ExecuTorch keeps what its debugger needs", kExportModel},
    {ZipKind::npz, "a NumPy archive (.npz)", kExportCode},
};

std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

/// Takes a field of a Protocol Buffers message. Returns its number.
std::optional<std::uint64_t> take_field(std::string_view& message) {
  const std::optional<std::uint64_t> key = take_varint(message);
  if (!key || *key >> 3 == 0) return std::nullopt;
  const std::uint64_t wire_type = *key & 7;
  std::optional<std::uint64_t> size;
  if (wire_type == 0 && take_varint(message)) size = 0;
  if (wire_type == 1) size = 8;
  if (wire_type == 2) size = take_varint(message);
  if (wire_type == 5) size = 4;
  if (!size || *size > message.size()) return std::nullopt;
  message.remove_prefix(static_cast<std::size_t>(*size));
  return *key >> 3;
}

/// In onnx.ModelProto, field 1 is the format version, 7 the graph, 8 the operator sets.
bool is_onnx(std::string_view bytes) {
  if (bytes.empty() || bytes.front() != '\x08') return false;
  bool has_graph = false;
  for (int count = 0; count < 10000 && !bytes.empty(); ++count) {
    const std::optional<std::uint64_t> field = take_field(bytes);
    if (!field || *field > 25) return false;
    has_graph = has_graph || *field == 7;
  }
  return has_graph;
}

bool is_pickle(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5 && bytes.back() == '.';
}

/// The records of a PT2 archive, as far as they tell what it is.
class ArchiveRecords {
 public:
  explicit ArchiveRecords(const std::vector<std::string_view>& members) {
    for (const std::string_view member : members) add(record::below_top_folder(member));
  }

  ZipKind kind() const {
    if (!why_unfinished().empty()) return ZipKind::unfinished;
    if (!programs_.empty()) return ZipKind::programs;
    return compiled_.empty() ? ZipKind::other_archive : ZipKind::compiled_package;
  }

  /// torch.export.save() writes a model's tensors, then its program, then its sample inputs. If it fails, it
  /// still completes the zip archive. Empty if it did not fail.
  std::string why_unfinished() const {
    if (programs_.empty() && compiled_.empty()) {
      if (has_others_) return {};
      return has_tensors_ ? "it has tensors, but no program ('models/*.json')" : "it has no model";
    }
    for (const std::string_view name : described_) {
      if (programs_.count(name) != 0 || compiled_.count(name) != 0) continue;
      return "it has records of the model " + schemagen::quoted(name) + ", but no program " +
             schemagen::quoted(record::joined(record::kModels, name, record::kJson));
    }
    return {};
  }

 private:
  using Names = std::set<std::string_view>;

  void add(std::string_view record) {
    const auto add_name = [&](Names& names, std::string_view folder, std::string_view suffix) {
      if (!starts_with(record, folder) || !ends_with(record, suffix)) return;
      if (record.size() <= folder.size() + suffix.size()) return;
      names.insert(record.substr(folder.size(), record.size() - folder.size() - suffix.size()));
    };
    const auto is_in = [&](std::string_view folder) { return starts_with(record, folder); };
    add_name(programs_, record::kModels, record::kJson);
    add_name(described_, record::kSampleInputs, record::kPickle);
    add_name(described_, record::kWeights, record::kWeightsConfig);
    add_name(described_, record::kWeights, record::kOldWeightsConfig);
    if (is_in(record::kAotInductor)) {
      const std::string_view rest = record.substr(record::kAotInductor.size());
      compiled_.insert(rest.substr(0, rest.find('/')));
    }
    has_tensors_ = has_tensors_ || is_in(record::kWeights) || is_in(record::kConstants);
    has_others_ = has_others_ || is_in(record::kExtra) || is_in(record::kExecuTorch);
  }

  Names programs_;
  Names compiled_;
  Names described_;
  bool has_tensors_ = false;
  bool has_others_ = false;
};

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
  if (is_onnx(bytes)) return not_a_program("an ONNX model", kExportOriginal);
  if (is_pickle(bytes)) return not_a_program("a Python pickle", kExportModel);
  return std::nullopt;
}

std::vector<std::string_view> names_of(const std::vector<ZipMember>& members) {
  std::vector<std::string_view> names;
  for (const ZipMember& member : members) names.push_back(member.name);
  return names;
}

std::vector<std::string_view> top_folders(const std::vector<std::string_view>& members) {
  std::vector<std::string_view> folders;
  for (const std::string_view member : members) {
    const std::size_t slash = member.find('/');
    if (slash == 0 || slash == member.npos || member.substr(slash + 1) != record::kFormat) continue;
    folders.push_back(member.substr(0, slash));
  }
  return folders;
}

ZipKind kind_of(const std::vector<std::string_view>& members) {
  const auto has = [&](const auto& is) { return std::any_of(members.begin(), members.end(), is); };
  const auto has_member = [&](std::string_view name) {
    return has([&](std::string_view member) { return member == name; });
  };
  const auto has_start = [&](std::string_view start) {
    return has([&](std::string_view member) { return starts_with(member, start); });
  };
  const auto has_in_folder = [&](std::string_view file) {
    return has([&](std::string_view member) { return record::below_top_folder(member) == file; });
  };
  if (has_member(record::kOldProgram)) return ZipKind::old_zip;
  if (!top_folders(members).empty()) return ArchiveRecords(members).kind();
  if (has_start(record::kAotInductor)) return ZipKind::flat_package;
  if (has_member("ETRECORD_V0")) return ZipKind::etrecord;
  if (has_in_folder("constants.pkl")) return ZipKind::torch_script;
  if (has_in_folder("data.pkl")) return ZipKind::torch_save;
  if (has_in_folder("graph_module.json")) return ZipKind::early_export;
  if (has_start(record::kOldStateDict)) return ZipKind::unfinished;
  const bool has_others = has([](std::string_view member) { return !ends_with(member, ".npy"); });
  return members.empty() || has_others ? ZipKind::other : ZipKind::npz;
}

std::string why_no_program(const std::vector<std::string_view>& members) {
  const ZipKind kind = kind_of(members);
  for (const OtherZip& other : kOtherZips) {
    if (other.kind == kind) return not_a_program(other.what, other.advice);
  }
  if (kind == ZipKind::unfinished) {
    const std::string why = !top_folders(members).empty() ? ArchiveRecords(members).why_unfinished()
                                                          : "it has weights, but no program";
    return "torch.export.save() did not finish this archive: " + why + "; hint: save the program again";
  }
  if (kind == ZipKind::other_archive)
    return "the archive has no exported program: missing member 'models/*.json'";
  return "the zip archive has no exported program: expected '<folder>/archive_format' (PT2 archive) or "
         "'serialized_exported_program.json' (torch.export up to 2.7), found " +
         (members.empty() ? "no members" : schemagen::quoted_list(members));
}

}  // namespace pt2
