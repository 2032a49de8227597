// Programs of older versions, brought to the head version step by step. upgrade_step.h says what a step is.
// All functions may be called from several threads at once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pt2/tensors/tensor.h"
#include "pt2/types.h"
#include "schemagen/json/document.h"

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
  /// Tensors that the document had in it, pickled, by their names in the signature that it now has: schema 1
  /// had constants in its graph. Later ones have them in the archive around the program.
  std::vector<NamedTensor> constants;
};

/// A program's document in the head version.
///
/// All steps from the document's version on are applied, those from older versions first, each to every value
/// of its type, wherever it stands. The result is not checked yet: reading it does that.
/// Memory: about 16 bytes for each value of the document, the text, and constants,
/// which have fewer bytes than the document.
/// Errors: DataError, if the version is not readable or older_release (see version.h), or with the path in
/// the document, if a value is not what its version's schema says, or cannot be brought to the next version.
UpgradedDocument upgrade_document(const schemagen::JsonDocument& document,
                                  const UpgradeOptions& options = {});

}  // namespace pt2
