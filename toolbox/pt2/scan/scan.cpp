#include "pt2/scan/scan.h"

#include "pt2/archive/file_kind.h"
#include "pt2/archive/record_names.h"
#include "pt2/archive/tensors/read_plan.h"
#include "pt2/binary/binary_file.h"
#include "pt2/json.h"
#include "pt2/scan/evaluated_program.h"
#include "pt2/scan/file_magic.h"
#include "pt2/scan/pickled_file.h"
#include "pt2/scan/record_roles.h"
#include "pt2/text/affix.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/text_file.h"

namespace pt2 {
namespace {

constexpr std::uint64_t kMaxLayoutText = 256;

struct ScannedRecord {
  const ZipMember* member;
  std::string name;
  RecordRole role;
};

std::optional<PayloadConfig> read_config(std::string_view json, std::string_view record, ScanState& state) {
  std::optional<PayloadConfig> config;
  schemagen::JsonReadOptions options;
  options.limits = state.limits();
  state.attempt(RuleId::not_understood, record, "not a readable tensor config",
                [&] { config = schemagen::from_json<PayloadConfig>(json, options); });
  return config;
}

/// A loadable archive has every record that its configs name. torch reads names up to the first NUL
/// (`tensor_0\0x` is `tensor_0`), and no writer uses control characters.
void require_pointed(const PointedRecord& pointed, bool is_there, std::string_view config, ScanState& state) {
  const bool has_control = std::any_of(pointed.record.begin(), pointed.record.end(),
                                       [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  if (has_control) {
    state.add(RuleId::record_name, config, pointed.record,
              "the config names the record " + schemagen::quoted(pointed.record) +
                  ", but the name contains a control character: torch reads names only up to the first NUL");
  } else if (!is_there) {
    state.add(
        RuleId::not_understood, config, pointed.record,
        "the config names the record " + schemagen::quoted(pointed.record) + ", which is not in the archive");
  }
}

/// If two configs conflict, pickle wins.
void apply_configs(const ZipLayout& archive, std::vector<ScannedRecord>& records, ScanState& state) {
  std::multimap<std::string, ScannedRecord*> by_name;
  for (ScannedRecord& record : records) by_name.emplace(folded(record.name), &record);
  for (const ScannedRecord& config : records) {
    if (config.role != RecordRole::payload_config) continue;
    const std::optional<MemberBytes> json = state.read_member(archive, *config.member, config.name);
    const auto payloads = json ? read_config(json->view(), config.name, state) : std::nullopt;
    if (!payloads) continue;
    const bool is_of_weights = starts_with(folded(config.name), record::kWeights);
    const PayloadPart part = is_of_weights ? PayloadPart::weights : PayloadPart::constants;
    for (const PointedRecord& pointed : records_of(*payloads, part)) {
      const auto [first, last] = by_name.equal_range(folded(pointed.record));
      require_pointed(pointed, first != last, config.name, state);
      for (auto it = first; it != last; ++it) {
        RecordRole& role = it->second->role;
        if (role == RecordRole::unlisted_payload || pointed.role == RecordRole::pickle) role = pointed.role;
      }
    }
  }
}

std::vector<ScannedRecord> list_records(const ZipLayout& archive, ArchiveLayout layout, ScanState& state) {
  std::vector<ScannedRecord> records;
  for (const ZipMember& member : archive.members) {
    if (ends_with(member.name, "/") && member.size == 0) continue;  // some zip tools write folders as entries
    const std::string_view name = record_in(layout, member.name);
    records.push_back({&member, std::string(name), role_by_name(layout, name)});
  }
  apply_configs(archive, records, state);
  return records;
}

/// torch writes a word, a number or a hash; other text is for an unknown reader.
constexpr std::string_view kLettersOfWords = "0123456789abcdefghijklmnopqrstuvwxyz.\n";

void scan_layout_record(const ZipLayout& archive, const ScannedRecord& record, ScanState& state) {
  const auto content = record.member->size > kMaxLayoutText
                           ? std::nullopt
                           : state.read_member(archive, *record.member, record.name);
  if (content && content->view().find_first_not_of(kLettersOfWords) == std::string_view::npos) return;
  state.add(RuleId::not_understood, record.name, file_of(record.name), "expected a single short word");
}

void scan_compiled(const ZipLayout& archive, const ScannedRecord& record, ScanState& state) {
  const std::string_view native = native_code(packed_member(archive.bytes, *record.member).whole());
  const std::string part = "part of a compiled model";
  if (!native.empty()) {
    state.add(RuleId::native_code, record.name, file_of(record.name),
              "this is " + std::string(native) + ", " + part + ", which torch loads and runs");
  } else {
    state.add(RuleId::source_code, record.name, file_of(record.name),
              "torch compiles and runs this " + part + ", or uses it in a compiler command");
  }
}

void scan_sample_inputs(const ZipLayout& archive, const ScannedRecord& record, ScanState& state) {
  const auto content = state.read_member(archive, *record.member, record.name);
  if (!content || content->view().empty()) return;
  state.advise("; `pt2 harden` drops sample inputs",
               [&] { scan_pickled_file(content->view(), record.name, state, PickledFor::sample_inputs); });
}

void scan_record(const ZipLayout& archive, const ScannedRecord& record, ScanState& state) {
  switch (record.role) {
    case RecordRole::layout:
      return scan_layout_record(archive, record, state);
    case RecordRole::program:
      if (const auto json = state.read_member(archive, *record.member, record.name)) {
        scan_program_json(json->view(), record.name, state);
      }
      return;
    case RecordRole::pickle:
      if (const auto content = state.read_member(archive, *record.member, record.name)) {
        scan_pickled_file(content->view(), record.name, state);
      }
      return;
    case RecordRole::sample_inputs:
      return scan_sample_inputs(archive, record, state);
    case RecordRole::compiled:
      return scan_compiled(archive, record, state);
    case RecordRole::unlisted_payload:
      state.add(RuleId::not_understood, record.name, file_of(record.name),
                "the record is in a folder of tensors, but no config names it");
      return;
    case RecordRole::unknown:
      state.add(RuleId::not_understood, record.name, file_of(record.name),
                "unknown record: torch does not read it");
      return;
    case RecordRole::payload_config:
    case RecordRole::raw_tensor:
    case RecordRole::extra:
      return;
  }
}

/// torch uses the first member's folder, but finds some records anywhere.
void require_one_folder(const ZipLayout& archive, ArchiveLayout layout, ScanState& state) {
  if (layout != ArchiveLayout::pt2_archive && layout != ArchiveLayout::torch_file) return;
  const std::string_view first = archive.members.front().name;
  const std::string_view folder = first.substr(0, first.find('/') + 1);
  for (const ZipMember& member : archive.members) {
    if (!folder.empty() && starts_with(member.name, folder)) continue;
    state.add(RuleId::not_understood, record_in(layout, member.name), std::string(member.name),
              "the member " + schemagen::quoted(member.name) + " is not in the first member's folder, " +
                  schemagen::quoted(folder));
  }
}

void scan_archive(const ZipLayout& archive, ScanState& state) {
  const std::vector<std::string_view> names = names_of(archive.members);
  const ArchiveLayout layout = layout_of(names);
  for (const ZipTrick& trick : archive.tricks) {
    state.add(trick.rule, trick.rule == RuleId::record_name ? record_in(layout, trick.what) : "", trick.what,
              trick.message, static_cast<std::size_t>(trick.position));
  }
  if (layout == ArchiveLayout::unknown) {
    state.add(RuleId::not_understood, "", "",
              "expected a zip archive with exactly one of the layouts of torch.export and torch.save");
  }
  if (kind_of(names) == ZipKind::unfinished) state.add(RuleId::not_understood, "", "", why_no_program(names));
  require_one_folder(archive, layout, state);
  if (layout == ArchiveLayout::torch_file) return scan_torch_file(archive, "", state);
  for (const ScannedRecord& record : list_records(archive, layout, state))
    scan_record(archive, record, state);
}

void scan_zip(const SparseBytes& bytes, ScanState& state) {
  state.attempt(RuleId::zip_trick, "", "not a readable zip archive",
                [&] { scan_archive(lay_out_zip(bytes, state.limits()), state); });
}

void scan_binary(std::string_view bytes, ScanState& state) {
  schemagen::BinaryReadOptions options;
  options.limits = state.limits();
  state.attempt(RuleId::not_understood, "", "not a readable program",
                [&] { scan_program(from_pt2b<ExportedProgram>(bytes, options), "", state); });
}

bool begins_as_json(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != bytes.npos && (bytes[first] == '{' || bytes[first] == '[');
}

}  // namespace

std::vector<Finding> scan_file(const SparseBytes& file, const schemagen::Limits& limits) {
  ScanState state(file.most_bytes(), limits);
  if (looks_like_zip(file)) {
    scan_zip(file, state);
    return state.take();
  }
  const std::string_view bytes = file.whole();
  const std::string_view native = native_code(bytes);
  const bool is_binary = looks_like(kPt2b, bytes);
  const bool has_zip = ends_like_zip(bytes);
  // torch.load recognizes a tar by its first checksum. A V7 file begins with a member's name, which can look
  // like anything.
  const bool is_tar = looks_like_tar(bytes);
  const std::string_view text = schemagen::without_byte_order_mark(bytes);
  const bool is_json = begins_as_json(text);
  if (has_zip) scan_zip(bytes, state);
  if (!native.empty()) state.add(RuleId::native_code, "", "", "this is " + std::string(native));
  if (!is_tar && is_binary) {
    scan_binary(bytes, state);
  } else if (!is_tar && is_json) {
    scan_program_json(text, "", state);
  } else if (is_tar || begins_with_pickle(bytes, state.limits())) {
    scan_pickled_file(bytes, "", state);
  } else if (!has_zip && native.empty()) {
    schemagen::plain_text(bytes);
    throw schemagen::DataError(
        "not a file that torch is known to load: expected an archive, a pickle, or a program in JSON or "
        "binary");
  }
  return state.take();
}

std::vector<ByteRange> parts_not_scanned(const SparseBytes& bytes, const schemagen::Limits& limits) {
  std::vector<ByteRange> parts;
  try {
    const ZipLayout archive = lay_out_zip(bytes, limits);
    if (!archive.tricks.empty() || layout_of(names_of(archive.members)) != ArchiveLayout::pt2_archive)
      return {};
    ScanState state(bytes.most_bytes(), limits);
    for (const ScannedRecord& record : list_records(archive, ArchiveLayout::pt2_archive, state)) {
      if (record.role != RecordRole::raw_tensor) continue;
      const SparseBytes packed = packed_member(archive.bytes, *record.member);
      parts.push_back({packed.begin(), packed.begin() + packed.size()});
    }
  } catch (const schemagen::DataError&) {
    return {};
  }
  std::sort(parts.begin(), parts.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  return parts;
}

std::vector<ByteRange> ranges_to_scan(const FileParts& parts, const schemagen::Limits& limits) {
  WantedRanges wanted(parts);
  try {
    wanted.add_all_except(parts_not_scanned(SparseBytes(parts), limits));
  } catch (const MissingBytes&) {
    try {
      wanted.add_all_except(probable_tensors(parts, limits));
      if (wanted.empty()) wanted.add({0, parts.size()});  // not laid out as torch does
    } catch (const MissingBytes& missing) {
      wanted.add(missing);
    } catch (const schemagen::DataError&) {
      wanted.add({0, parts.size()});
    }
  }
  return wanted.take();
}

}  // namespace pt2
