// Programs of older versions, brought to the head version step by step. upgrade_step.h says what a step is.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

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
  std::string path;    // of the value in the document as it then was; empty: the whole document
  std::string what;    // such as "a list of one tensor becomes a tensor"
};

struct UpgradeOptions {
  /// Applied after those of this library that are from the same version.
  UpgradeSteps extra_steps;
  /// Gets every change, if it is set, in the order in which they were made.
  std::vector<UpgradeChange>* changes = nullptr;
};

/// The text of a program's document in the head version.
///
/// All steps from the document's version on are applied, those from older versions first, each to every value
/// of its type, wherever it stands. The result is not checked yet: reading it does that.
/// Memory: about 16 bytes for each value of the document, and the text.
/// Errors: DataError, if the version is not readable or older_release (see version.h), or with the path in
/// the document, if a value is not what its version's schema says, or cannot be brought to the next version.
std::string upgrade_document(const schemagen::JsonDocument& document, const UpgradeOptions& options = {});

}  // namespace pt2
