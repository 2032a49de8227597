// Programs of other versions: older ones brought to the head version step by step, and the head's to an
// older minor, where that can say them.
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

/// Steps of a caller, to be applied beside those of this library. They are borrowed.
struct UpgradeSteps {
  const UpgradeStep* first = nullptr;
  std::size_t count = 0;
};

/// One thing that a step did.
struct UpgradeChange {
  SchemaVersion from;  // the version of the step
  std::string path;    // of the value in the document as it then was, a long one without its middle; empty:
                       // the whole document
  std::string what;    // such as "a list of one tensor becomes a tensor"
};

struct UpgradeOptions {
  /// Applied after those of this library that are from the same version.
  UpgradeSteps extra_steps;
  /// Whether changes are reported. They may take as much time and memory as the upgrade itself.
  bool report_changes = false;
};

struct UpgradedDocument {
  std::string text;                    // JSON, in the head version
  std::vector<UpgradeChange> changes;  // if they are reported, in the order in which they were made
};

/// Reads a constant that a document of schema 1 has pickled in it; later ones have them in the archive around
/// the program. It gets the constant's name in the signature that the program comes to have, a file of
/// torch.save, and the document's limits, with what its parsed form leaves of its memory. Returns what the
/// file says of its tensor. Its DataErrors become those of the upgrade, with the constant's name.
using ReadConstant =
    std::function<TensorMeta(const std::string& name, std::string file, const schemagen::Limits& limits)>;

/// A program's document in the head version.
///
/// All steps from the document's version on are applied, those from older versions first, each to every value
/// of its type, wherever it stands. The result is not checked yet: reading it does that.
/// Without `read_constant`, a document with pickled constants is an error.
/// Memory: about 40 bytes for each value of the document, and the text.
/// Errors: DataError, if the version is not readable or older_release (see version.h), or with the path in
/// the document, if a value is not what its version's schema says, or cannot be brought to the next version.
UpgradedDocument upgrade_document(const schemagen::JsonDocument& document, const UpgradeOptions& options = {},
                                  const ReadConstant& read_constant = {});

/// What an upgrade has beside the document. All is borrowed.
struct UpgradeNotes {
  std::vector<UpgradeChange>* changes = nullptr;  // null: they are not reported
  const ReadConstant& read_constant;
  schemagen::Limits limits;
};

/// What a step is given beside the value.
class UpgradeContext {
 public:
  UpgradeContext(const SchemaVersion& from, const schemagen::WalkPath& path, const UpgradeNotes& notes)
      : from_(from), path_(path), notes_(notes) {}

  /// Reports a change of the value, or of its member called `member`. Every change has to be reported. What
  /// `what` has of the document must be quoted, see schemagen::quoted().
  void report(std::string_view what, std::string_view member = {}) const;

  /// Hands a constant that the document has pickled to whoever wants the upgrade, see ReadConstant.
  /// Errors: DataError of that, or if there is nobody to read it.
  TensorMeta read_constant(const std::string& name, std::string file) const;

  /// Refuses the document. Errors: DataError, always.
  [[noreturn]] void fail(std::string reason) const;

 private:
  SchemaVersion from_;
  const schemagen::WalkPath& path_;
  const UpgradeNotes& notes_;
};

/// Brings values of one type to the next version.
struct UpgradeStep {
  /// The last version whose documents need it: it is applied to them and to all older ones.
  SchemaVersion from;
  /// Name of the type in the schema of that version.
  std::string_view type;
  /// Changes a value in place; what is in it has been changed already. Must be idempotent: a document may
  /// have been written between two releases.
  void (*apply)(schemagen::DomValue& value, const UpgradeContext& context);
};

/// A value that an older schema cannot say.
struct UnsayableValue {
  std::string path;  // of the value in the document
  std::string what;  // such as "Argument has no member 'as_int_lists'"
};

/// A field that an older schema does not have, and whose values change nothing that a program computes.
struct DroppedField {
  std::string name;       // "Node.name"
  std::size_t count = 0;  // of values that were not null
};

struct DowngradedDocument {
  std::string text;  // JSON in the older version; empty, if there are values that it cannot say
  std::vector<UnsayableValue> unsayable;  // in the order of the document
  std::vector<DroppedField> dropped;      // in the order in which they were met first
};

/// A program's document, which is valid in the head version or in an older minor of its major, in version
/// `to` of the same major: its schema is the last one released up to there. What is new since then is left
/// out where it is null, empty, or one of the few fields that only repeat or hint (DroppedField); all else
/// that the older schema does not have is unsayable: fields, members of unions, values of enums. Memory:
/// about 40 bytes for each value of the document, and the text. Errors: UsageError, if no version of torch
/// released `to` or an earlier minor, or the document is older than `to`; DataError of document_version(), or
/// with the path, if a value is not what the head's schema says.
DowngradedDocument downgrade_document(const schemagen::JsonDocument& document, const SchemaVersion& to);

}  // namespace pt2
