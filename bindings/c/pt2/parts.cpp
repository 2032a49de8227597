#include "pt2/handles.h"

#include "pt2/archive/tensors/read_plan.h"
#include "pt2/scan/scan.h"

struct pt2_parts {
  pt2::FileParts parts;
};

namespace pt2::c {
namespace {

std::vector<ByteRange> next_of(const FileParts& parts, std::int32_t purpose, std::string_view record) {
  switch (purpose) {
    case PT2_TO_OPEN:
      return ranges_to_open(parts);
    case PT2_TO_SCAN:
      return ranges_to_scan(parts);
    case PT2_TO_READ:
      return ranges_to_read(parts, record, RecordPart::all);
    case PT2_TO_LOCATE:
      return ranges_to_read(parts, record, RecordPart::header);
    default:
      throw schemagen::UsageError("unknown purpose " + std::to_string(purpose));
  }
}

enum class Second { end, size };

std::string json_of(const std::vector<ByteRange>& ranges, Second second) {
  std::string json;
  for (const ByteRange& range : ranges) {
    const std::uint64_t number = second == Second::end ? range.end : range.end - range.begin;
    json += json.empty() ? "[" : ", ";
    json += "[" + std::to_string(range.begin) + ", " + std::to_string(number) + "]";
  }
  return json.empty() ? "[]" : json + "]";
}

}  // namespace
}  // namespace pt2::c

using namespace pt2::c;

extern "C" {

pt2_error* pt2_parts_not_scanned(const void* data, size_t size, pt2_bytes* out) {
  return given(out,
               [&] { return json_of(pt2::parts_not_scanned(view_of(data, size, "data")), Second::size); });
}

pt2_error* pt2_parts_new(uint64_t size, pt2_parts** out) {
  return made(out, [&] { return std::make_unique<pt2_parts>(pt2_parts{pt2::FileParts(size)}); });
}

pt2_error* pt2_parts_add(pt2_parts* parts, uint64_t offset, size_t size, void** out) {
  return guarded([&] {
    require(out, "out");
    *out = nullptr;
    require(parts, "parts");
    *out = parts->parts.add(offset, size);
  });
}

pt2_error* pt2_parts_next(const pt2_parts* parts, int32_t purpose, pt2_str record, pt2_bytes* out) {
  return given(out, [&] {
    require(parts, "parts");
    return json_of(next_of(parts->parts, purpose, optional_of(record, "record").value_or("")), Second::end);
  });
}

pt2_error* pt2_parts_open(const pt2_parts* parts, const pt2_file_options* options, pt2_file** out) {
  return made(out, [&] {
    require(parts, "parts");
    return file_of(pt2::FileBytes::borrowed(parts->parts), options);
  });
}

pt2_error* pt2_parts_scan(const pt2_parts* parts, pt2_findings** out) {
  return made(out, [&] {
    require(parts, "parts");
    return std::make_unique<pt2_findings>(pt2_findings{pt2::scan_file(pt2::SparseBytes(parts->parts))});
  });
}

void pt2_parts_free(pt2_parts* parts) {
  delete parts;
}

}  // extern "C"
