// Upgrades programs from older schema versions, and downgrades programs to older versions.
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

/// An array of additional upgrade steps. The array must outlive this object.
struct UpgradeSteps {
  const UpgradeStep* first = nullptr;
  std::size_t count = 0;
};

/// A change that an upgrade step made.
struct UpgradeChange {
  SchemaVersion from;  // the version that the step upgrades from
  /// The value's path when the step ran; the middle of a long path is elided.
  std::string path;
  std::string what;  // for example, "removed unset members"
};

struct UpgradeOptions {
  /// Additional steps. For each version, they run after this library's steps.
  UpgradeSteps extra_steps;
  /// Whether to report changes. Reporting can take as much time and memory as the upgrade itself.
  bool report_changes = false;
};

struct UpgradedDocument {
  std::string text;                    // JSON, in the current version
  std::vector<UpgradeChange> changes;  // in the order they were made, if requested
};

/// Reads a constant that is pickled inside a document with schema 1, and returns the tensor's metadata.
/// (Later schemas store constants in the archive.) `name` is the constant's name in the new signature, and
/// `file` holds the contents of a torch.save file. `limits` are the document's limits, with memory_bytes
/// reduced to what is left after parsing. If the function throws a DataError, the upgrade adds the constant's
/// name and rethrows it.
using ReadConstant =
    std::function<TensorMeta(const std::string& name, std::string file, const schemagen::Limits& limits)>;

/// Upgrades a program's document to the current version.
///
/// Applies all steps from the document's version onwards, oldest first. Each step is applied to every value
/// of its type. Does not validate the result; reading it does. Without `read_constant`, a pickled constant is
/// an error. Needs about 40 bytes of memory per value in the document, plus the text.
///
/// Throws DataError if the version is neither `readable` nor `older_release` (see version.h). Throws
/// DataError with the path in the document if a value does not match the schema of the document's version or
/// cannot be upgraded.
UpgradedDocument upgrade_document(const schemagen::JsonDocument& document, const UpgradeOptions& options = {},
                                  const ReadConstant& read_constant = {});

/// The state of an upgrade, without the document. It owns none of the objects that it refers to.
struct UpgradeNotes {
  std::vector<UpgradeChange>* changes = nullptr;  // null if changes are not reported
  const ReadConstant& read_constant;
  schemagen::Limits limits;
};

/// The context that a step receives in addition to the value.
class UpgradeContext {
 public:
  UpgradeContext(const SchemaVersion& from, const schemagen::WalkPath& path, const UpgradeNotes& notes)
      : from_(from), path_(path), notes_(notes) {}

  /// Reports a change to the value or, if `member` is not empty, to that member. Steps must report every
  /// change. If `what` contains text from the document, quote that text with schemagen::quoted().
  void report(std::string_view what, std::string_view member = {}) const;

  /// Calls the upgrade's ReadConstant function. Throws whatever that function throws, or DataError if there
  /// is no function.
  TensorMeta read_constant(const std::string& name, std::string file) const;

  /// Rejects the document by throwing DataError.
  [[noreturn]] void fail(std::string reason) const;

 private:
  SchemaVersion from_;
  const schemagen::WalkPath& path_;
  const UpgradeNotes& notes_;
};

/// A step that upgrades values of one type to the next version.
struct UpgradeStep {
  /// The last version whose documents need the step. The step also applies to documents of all older
  /// versions.
  SchemaVersion from;
  /// The name of the type in the schema of version `from`.
  std::string_view type;
  /// Changes a value in place. The values that it contains have already been changed. The function must be
  /// idempotent because a torch build between two releases could have written the document.
  void (*apply)(schemagen::DomValue& value, const UpgradeContext& context);
};

/// A value that the older schema cannot represent.
struct UnsupportedValue {
  std::string path;  // the value's path in the document
  std::string what;  // for example, "Argument has no member 'as_int_lists'"
};

/// A field that was dropped because the older schema lacks it. Dropping it does not change what the program
/// computes.
struct DroppedField {
  std::string name;       // the type and field, e.g. "Node.name"
  std::size_t count = 0;  // how many of the dropped values were not null
};

struct DowngradedDocument {
  std::string text;  // JSON in the older version; empty if there are unsupported values
  std::vector<UnsupportedValue> unsupported;  // in document order
  std::vector<DroppedField> dropped;          // in order of first occurrence
};

/// Downgrades a program's document to version `to`, which may have an older major version if there are steps
/// to it (downgrade_steps.cpp). The target schema is the latest released schema that is not newer than `to`.
/// The document must be valid in the current version or in an older minor version.
///
/// Fields that the older schema lacks are dropped if they are null, empty or mere hints; see DroppedField.
/// Other fields, union members and enum values that the older schema lacks are returned in `unsupported`.
/// Needs about 40 bytes of memory per value in the document, plus the text.
///
/// Throws UsageError if no torch release wrote `to` or an earlier minor version, or if the document is older
/// than `to`. Throws DataError with the path if a value does not match the current schema. Throws DataError
/// if document_version() does.
DowngradedDocument downgrade_document(const schemagen::JsonDocument& document, const SchemaVersion& to);

}  // namespace pt2
