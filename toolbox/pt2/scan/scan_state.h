#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "pt2/findings/finding.h"
#include "pt2/scan/zip_layout.h"
#include "schemagen/base/error.h"

namespace pt2 {

class ScanState {
 public:
  /// Limits decompressed data to 128 MiB on all levels together. Limits the memory for data that is read at
  /// once to 512 MiB, or 6 times the file's size if that is more, and to `limits.memory_bytes`.
  ScanState(std::size_t file_bytes, const schemagen::Limits& limits);

  void add(RuleId rule, std::string_view record, std::string what, std::string message,
           std::optional<std::size_t> position = std::nullopt);

  /// Adds a finding if `read` throws a DataError.
  template <class Read>
  void attempt(RuleId rule, std::string_view record, const char* what, const Read& read) {
    try {
      read();
    } catch (const schemagen::DataError& error) {
      add_unreadable(rule, record, what, error);
    }
  }

  /// Appends `advice` to findings made during `scan`, except notes.
  template <class Scan>
  void advise(std::string_view advice, const Scan& scan) {
    const std::size_t first = findings_.size();
    scan();
    for (std::size_t i = first; i < findings_.size(); ++i) {
      if (findings_[i].severity != Severity::note) findings_[i].message += advice;
    }
  }

  std::optional<MemberBytes> read_member(const ZipLayout& archive, const ZipMember& member,
                                         std::string_view record);

  const schemagen::Limits& limits() const { return limits_; }

  std::vector<Finding> take() { return std::move(findings_); }

 private:
  void add_unreadable(RuleId rule, std::string_view record, const char* what,
                      const schemagen::DataError& error);

  schemagen::Limits limits_;
  schemagen::MemoryBudget reading_;  // limits repeated reads of overlapping members
  schemagen::MemoryBudget inflating_;
  std::map<RuleId, std::size_t> counts_;
  std::vector<Finding> findings_;
};

std::string nested_record(std::string_view outer, std::string_view inner);

std::string file_of(std::string_view record);

}  // namespace pt2
