// Upgrades programs from older schema versions, and downgrades programs to older minor versions.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/types.h"
#include "schemagen/base/limits.h"
#include "schemagen/json/document.h"

namespace schemagen {
class DomValue;
class WalkPath;
}  // namespace schemagen

namespace pt2 {

struct UpgradeStep;

/// Additional steps. The array must outlive this.
struct UpgradeSteps {
  const UpgradeStep* first = nullptr;
  std::size_t count = 0;
};

/// A change made by a step.
struct UpgradeChange {
  SchemaVersion from;  // of the step
  std::string path;    // of the value in the document at that time; may lack its middle
  std::string what;    // for example, "removed unset members"
};

struct UpgradeOptions {
  /// Applied after this library's steps from the same version.
  UpgradeSteps extra_steps;
  /// Whether to report changes. Reports may take as much time and memory as the upgrade itself.
  bool report_changes = false;
};

struct UpgradedDocument {
  std::string text;                    // JSON, in the current version
  std::vector<UpgradeChange> changes;  // in order, if requested
};

/// Reads a constant that is pickled in a document of schema 1; later schemas store constants in the archive.
/// `name` is its name in the new signature, `file` a torch.save file, and `limits` the document's limits with
/// the memory left after parsing. Returns the tensor's metadata. The upgrade reports DataErrors as its own,
/// with the constant's name.
using ReadConstant =
    std::function<TensorMeta(const std::string& name, std::string file, const schemagen::Limits& limits)>;

/// Upgrades a program's document to the current version.
///
/// Applies all steps from the document's version on, oldest first, each to every value of its type. The
/// result is not validated until it is read. Without `read_constant`, pickled constants are an error. Memory:
/// about 40 bytes per value of the document, plus the text.
///
/// Throws DataError if the version is neither readable nor older_release (see version.h). Throws DataError
/// with the path in the document if a value does not match its version's schema or cannot be upgraded.
UpgradedDocument upgrade_document(const schemagen::JsonDocument& document, const UpgradeOptions& options = {},
                                  const ReadConstant& read_constant = {});

/// The state of an upgrade besides the document. All pointers are borrowed.
struct UpgradeNotes {
  std::vector<UpgradeChange>* changes = nullptr;  // null if changes are not reported
  const ReadConstant& read_constant;
  schemagen::Limits limits;
};

/// The arguments of a step besides the value.
class UpgradeContext {
 public:
  UpgradeContext(const SchemaVersion& from, const schemagen::WalkPath& path, const UpgradeNotes& notes)
      : from_(from), path_(path), notes_(notes) {}

  /// Reports a change of the value, or of its member `member`. Steps must report every change. Quote text
  /// from the document in `what` with schemagen::quoted().
  void report(std::string_view what, std::string_view member = {}) const;

  /// Calls ReadConstant. Throws its DataErrors, or DataError if no such function was given.
  TensorMeta read_constant(const std::string& name, std::string file) const;

  /// Rejects the document: always throws DataError.
  [[noreturn]] void fail(std::string reason) const;

 private:
  SchemaVersion from_;
  const schemagen::WalkPath& path_;
  const UpgradeNotes& notes_;
};

/// Upgrades values of one type to the next version.
struct UpgradeStep {
  /// The last version whose documents need the step. It also applies to documents of all older versions.
  SchemaVersion from;
  /// The type's name in the schema of that version.
  std::string_view type;
  /// Changes a value in place, after the values inside it were changed. Must be idempotent, because the
  /// document may have been written between two releases.
  void (*apply)(schemagen::DomValue& value, const UpgradeContext& context);
};

/// A value that an older schema cannot represent.
struct UnsayableValue {
  std::string path;  // of the value in the document
  std::string what;  // for example, "Argument has no member 'as_int_lists'"
};

/// A field that was dropped because the older schema lacks it, and that does not affect the computation.
struct DroppedField {
  std::string name;       // "Node.name"
  std::size_t count = 0;  // number of dropped values that were not null
};

struct DowngradedDocument {
  std::string text;                       // JSON in the older version; empty if there are unsayable values
  std::vector<UnsayableValue> unsayable;  // in document order
  std::vector<DroppedField> dropped;      // in order of first occurrence
};

/// Downgrades a program's document to version `to` of the same major, using the last schema released up to
/// `to`. The document must be valid in the current version or an older minor.
///
/// Fields that the older schema lacks are dropped if they are null, empty or mere hints (DroppedField). Other
/// fields, union members and enum values that it lacks are returned as unsayable. Memory: about 40 bytes per
/// value of the document, plus the text.
///
/// Throws UsageError if no torch release wrote `to` or an earlier minor, or if the document is older than
/// `to`. Throws the DataErrors of document_version(), and DataError with the path if a value does not match
/// the current schema.
DowngradedDocument downgrade_document(const schemagen::JsonDocument& document, const SchemaVersion& to);

}  // namespace pt2
