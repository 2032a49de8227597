// What the parts of scan_file() share: what was found, and what may still be spent on the file. For one
// thread at a time.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/archive/zip.h"
#include "pt2/findings/finding.h"
#include "pt2/scan/zip_layout.h"
#include "schemagen/base/error.h"
#include "schemagen/base/limits.h"

namespace pt2 {

class ScanState {
 public:
  /// `file_bytes` is the size of the whole file. What is inflated, at all levels together, may be 128 MiB;
  /// what is read at once takes memory of up to 512 MiB, of larger files 6 times their size, and never more
  /// than `limits.memory_bytes`.
  ScanState(std::size_t file_bytes, const schemagen::Limits& limits);

  /// Keeps at most 1000 findings of a rule.
  void add(RuleId rule, std::string_view record, std::string what, std::string message,
           std::optional<std::size_t> position = std::nullopt);

  /// Adds that what `what` calls it cannot be read, with the path, reason and byte of `error`.
  void add_unreadable(RuleId rule, std::string_view record, const char* what,
                      const schemagen::DataError& error);

  /// Adds `advice` to the messages of what is found while `scan` runs, but for notes.
  template <class Scan>
  void advise(std::string_view advice, const Scan& scan) {
    const std::size_t first = findings_.size();
    scan();
    for (std::size_t i = first; i < findings_.size(); ++i) {
      if (findings_[i].severity != Severity::note) findings_[i].message += advice;
    }
  }

  /// The content of a member of `archive`, whose record is named in findings; nullopt: it cannot be had,
  /// which is found.
  std::optional<MemberBytes> read_member(const ZipLayout& archive, const ZipMember& member,
                                         std::string_view record);

  /// For what is read of the file as it stands.
  const schemagen::Limits& limits() const { return limits_; }

  std::vector<Finding> take() { return std::move(findings_); }

 private:
  schemagen::Limits limits_;
  schemagen::MemoryBudget reading_;  // members that overlap would be looked at again and again
  schemagen::MemoryBudget inflating_;
  std::map<RuleId, std::size_t> counts_;
  std::vector<Finding> findings_;
};

/// `outer!inner`; where there is no outer one, the inner.
std::string nested_record(std::string_view outer, std::string_view inner);

/// The last part of a record's name.
std::string file_of(std::string_view record);

}  // namespace pt2
