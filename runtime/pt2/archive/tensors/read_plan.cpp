#include "pt2/archive/tensors/read_plan.h"

#include "pt2/archive/contents.h"
#include "pt2/archive/record_names.h"
#include "pt2/archive/tensors/payloads.h"
#include "pt2/archive/tensors/tensor_files.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/archive/zip_bytes.h"
#include "pt2/text/affix.h"

namespace pt2 {
namespace {

constexpr std::uint64_t kMostFields = 512;  // bytes of a local header's extra fields; torch pads by less

bool is_read_to_open(std::string_view name) {
  const std::string_view record = record::below_top_folder(name);
  const bool is_program = starts_with(record, record::kModels) && ends_with(record, record::kJson);
  return is_program || record == record::kFormat || record == record::kVersion ||
         record == record::kByteOrder || record == record::kOldVersion || name == record::kOldProgram ||
         ends_with(record, record::kConfig);
}

/// The torch.save files of tensors; null for one that is missing.
std::vector<const ZipMember*> pickles_of(const Archive& archive, const schemagen::Limits& limits) {
  std::vector<const ZipMember*> pickles;
  for (const ArchivedModel& model : archive.models) {
    for (const PayloadPart part : kPayloadParts) {
      if (const auto record = find_pickled_payload(archive, part, model.name))
        pickles.push_back(find_record(archive, *record));
    }
    for (const PayloadTable& table : payload_tables(archive, model.name, limits)) {
      for (const auto& [name, payload] : table.config.config) {
        if (!payload.use_pickle || is_object_payload(payload)) continue;
        pickles.push_back(find_record(archive, table.folder + payload.path_name));
      }
    }
  }
  return pickles;
}

void add_pickle(const Archive& archive, const ZipMember& member, const schemagen::Limits& limits,
                std::uint64_t least, WantedRanges& wanted) {
  try {
    PickledTensors(archive.zip, member, limits, PickleGlobals::any);
  } catch (const MissingBytes& missing) {
    const ByteRange space = archive.zip.space_of(member);
    space.end - space.begin > 2 * least ? wanted.add(missing) : wanted.add(space);
  } catch (const schemagen::DataError&) {
    // reported when it is read
  }
}

void add_to_open(const FileParts& parts, const schemagen::Limits& limits, WantedRanges& wanted) {
  const SparseBytes bytes(parts);
  if (!looks_like_zip(bytes)) return wanted.add({0, parts.size()});
  const ZipReader zip(bytes, limits);
  for (const ZipMember& member : zip.members()) {
    if (is_read_to_open(member.name)) wanted.add(zip.space_of(member));
  }
  if (!wanted.empty()) return;
  const Archive archive = open_archive(bytes, limits);
  for (const ZipMember* const member : pickles_of(archive, limits)) {
    if (member != nullptr) add_pickle(archive, *member, limits, parts.least(), wanted);
  }
  if (!archive.models.empty()) return;
  for (const CompiledModel& model : compiled_models(archive, limits))
    compiled_weights_of(archive, model.name, limits);
}

}  // namespace

void WantedRanges::add(ByteRange range) {
  range.end = std::min(range.end, parts_->size());
  if (range.begin < range.end && !parts_->has(range)) ranges_.push_back(range);
}

void WantedRanges::add(const MissingBytes& missing) {
  const ByteRange& range = missing.range();
  add({range.begin - std::min(range.begin, parts_->least()), range.end + parts_->least() / 16});
}

void WantedRanges::add_all_except(const std::vector<ByteRange>& left_out) {
  std::uint64_t begin = 0;
  for (const ByteRange& range : left_out) {
    add({begin, range.begin});
    begin = range.end;
  }
  add({begin, parts_->size()});
}

std::vector<ByteRange> WantedRanges::take() {
  std::sort(ranges_.begin(), ranges_.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  std::vector<ByteRange> merged;
  for (const ByteRange& range : ranges_) {
    if (!merged.empty() && range.begin <= merged.back().end + parts_->least()) {
      merged.back().end = std::max(merged.back().end, range.end);
    } else {
      merged.push_back(range);
    }
  }
  ranges_.clear();
  return merged;
}

std::vector<ByteRange> ranges_to_open(const FileParts& parts, const schemagen::Limits& limits) {
  WantedRanges wanted(parts);
  const std::uint64_t size = parts.size();
  if (size <= 2 * parts.least()) {
    wanted.add({0, size});
    return wanted.take();
  }
  wanted.add({0, std::max<std::uint64_t>(parts.least() / 16, 4)});
  wanted.add({zip::begin_of_end(size), size});
  try {
    if (wanted.empty()) add_to_open(parts, limits, wanted);
  } catch (const MissingBytes& missing) {
    wanted.add(missing);
  } catch (const schemagen::DataError&) {
    // opening reports it, without any other bytes
  }
  return wanted.take();
}

std::vector<ByteRange> ranges_to_read(const FileParts& parts, std::string_view record, RecordPart part,
                                      const schemagen::Limits& limits) {
  WantedRanges wanted(parts);
  const ZipReader zip(SparseBytes(parts), limits);
  for (const ZipMember& member : zip.members()) {
    if (member.name != record && record::below_top_folder(member.name) != record) continue;
    ByteRange space = zip.space_of(member);
    if (part == RecordPart::header) {
      space.end = std::min(space.end, space.begin + zip::kLocalHeaderSize + member.name.size() + kMostFields);
    }
    wanted.add(space);
  }
  return wanted.take();
}

std::vector<ByteRange> probable_tensors(const FileParts& parts, const schemagen::Limits& limits) {
  constexpr std::uint64_t kDescriptor = 24;
  const ZipDirectory directory = read_zip_directory(SparseBytes(parts), limits);
  std::vector<const ZipMember*> members;
  for (const ZipMember& member : directory.members) members.push_back(&member);
  std::sort(members.begin(), members.end(),
            [](const ZipMember* a, const ZipMember* b) { return a->header_offset < b->header_offset; });
  std::vector<ByteRange> tensors;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const ZipMember& member = *members[i];
    const std::uint64_t next = i + 1 < members.size() ? members[i + 1]->header_offset : directory.offset;
    const std::uint64_t header = member.header_offset + zip::kLocalHeaderSize + member.name.size();
    const bool is_tensor = member.name.find(record::kWeights) != std::string_view::npos ||
                           member.name.find(record::kConstants) != std::string_view::npos;
    if (!is_tensor || member.method != zip::kStored || ends_with(member.name, record::kJson)) continue;
    if (next > directory.offset || member.compressed_size >= next || header > next - member.compressed_size)
      continue;
    const std::uint64_t begin = header + kMostFields;
    const std::uint64_t end = std::min(header + member.compressed_size, next - kDescriptor);
    if (begin < end && end - begin > 2 * parts.least()) tensors.push_back({begin, end});
  }
  return tensors;
}

}  // namespace pt2
