// What brings a document from one version of the schema to the next. It is given RapidJSON's values: whoever
// writes steps needs that library's headers. Steps may be called from several threads at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pt2/tensors/tensor.h"
#include "pt2/types.h"
#include "pt2/upgrade/upgrade.h"
#include "schemagen/document/rapidjson_document.h"
#include "schemagen/document/walk.h"
#include "schemagen/value/limits.h"

namespace pt2 {

/// What steps leave beside the document.
struct UpgradeNotes {
  std::vector<UpgradeChange>* changes = nullptr;  // null: they are not reported
  std::vector<NamedTensor> constants;
  schemagen::Limits limits;
};

/// What a step is given beside the value.
class UpgradeContext {
 public:
  UpgradeContext(const SchemaVersion& from, const schemagen::WalkPath& path,
                 rapidjson::Document::AllocatorType& allocator, UpgradeNotes& notes)
      : from_(from), path_(path), allocator_(allocator), notes_(notes) {}

  /// For what is added to the document.
  rapidjson::Document::AllocatorType& allocator() const noexcept { return allocator_; }

  /// Reports a change of the value, or of its member called `member`. Every change has to be reported. What
  /// `what` has of the document must be quoted, see schemagen::quoted().
  void report(std::string_view what, std::string_view member = {}) const;

  /// Takes a tensor that was in the document, see UpgradedDocument::constants.
  void keep_constant(NamedTensor constant) const;

  /// Those of the document, with what its parsed form leaves of its memory.
  const schemagen::Limits& limits() const noexcept { return notes_.limits; }

  /// Refuses the document. Errors: DataError, always.
  [[noreturn]] void fail(std::string reason) const;

 private:
  SchemaVersion from_;
  const schemagen::WalkPath& path_;
  rapidjson::Document::AllocatorType& allocator_;
  UpgradeNotes& notes_;
};

/// Brings values of one type to the next version.
struct UpgradeStep {
  /// The last version whose documents need it: it is applied to them and to all older ones.
  SchemaVersion from;
  /// Name of the type in the schema of that version.
  std::string_view type;
  /// Changes a value in place; what is in it has been changed already. Must be idempotent: a document may
  /// have been written between two releases.
  void (*apply)(rapidjson::Value& value, const UpgradeContext& context);
};

}  // namespace pt2
