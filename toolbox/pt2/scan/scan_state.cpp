#include "pt2/scan/scan_state.h"

#include "pt2/archive/inflate.h"
#include "pt2/archive/zip_bytes.h"
#include "schemagen/base/quote.h"

namespace pt2 {

constexpr std::size_t kMaxInflated = std::size_t{128} << 20;

ScanState::ScanState(std::size_t file_bytes, const schemagen::Limits& limits)
    : limits_(limits.for_file(file_bytes)),
      reading_(2 * file_bytes + kMaxInflated),  // a torch.save file is read inside its archive and separately
      inflating_(std::min(kMaxInflated, limits.memory_bytes)) {}

void ScanState::add(RuleId rule, std::string_view record, std::string what, std::string message,
                    std::optional<std::size_t> position) {
  constexpr std::size_t kMaxFindings = 1000;
  if (counts_[rule]++ >= kMaxFindings) return;
  findings_.push_back({rule, rule_of(rule).severity, "", std::move(message), std::string(record),
                       std::move(what), schemagen::Place{position}});
}

void ScanState::add_unreadable(RuleId rule, std::string_view record, const char* what,
                               const schemagen::DataError& error) {
  const std::string path = error.path().empty() ? "" : schemagen::shortened(error.path()) + ": ";
  add(rule, record, file_of(record), std::string(what) + ": " + path + error.reason(), error.place().offset);
}

std::optional<MemberBytes> ScanState::read_member(const ZipLayout& archive, const ZipMember& member,
                                                  std::string_view record) {
  const SparseBytes found = packed_member(archive.bytes, member);
  if (found.size() != member.compressed_size || (member.flags & zip::kEncryptedBits) != 0) {
    return std::nullopt;  // reported by its layout
  }
  if (!reading_.take(found.most_bytes(), 1)) {
    add(RuleId::not_understood, record, file_of(record),
        "not scanned: the members together are larger than the file");
    return std::nullopt;
  }
  const std::string_view packed = found.whole();
  if (member.method == zip::kStored) return MemberBytes(packed);
  if (member.method != zip::kDeflated) return std::nullopt;
  if (member.size > inflating_.left()) {
    add(RuleId::not_understood, record, file_of(record),
        "not scanned: the record decompresses to " + std::to_string(member.size) +
            " bytes, but the limit for this file leaves only " + std::to_string(inflating_.left()));
    return std::nullopt;
  }
  inflating_.take(static_cast<std::size_t>(member.size), 1);
  std::string bytes;
  bytes.reserve(
      static_cast<std::size_t>(std::min<std::uint64_t>(member.size, packed.size() * kMaxInflateRatio)));
  const std::string fault =
      inflate(packed, member.size, [&](std::string_view inflated) { bytes.append(inflated); });
  if (!fault.empty()) add(RuleId::zip_trick, record, file_of(record), fault);
  return MemberBytes(std::move(bytes));
}

std::string nested_record(std::string_view outer, std::string_view inner) {
  return (outer.empty() ? "" : std::string(outer) + "!") + std::string(inner);
}

std::string file_of(std::string_view record) {
  const std::size_t begin = record.find_last_of("/!");
  return std::string(record.substr(begin + 1));  // npos + 1 is 0
}

}  // namespace pt2
