// Programs for an older torch: in an older minor version of the schema, where that can say them.
// All functions may be called from several threads at once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pt2/types.h"
#include "schemagen/json/document.h"

namespace pt2 {

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
/// about 16 bytes for each value of the document, and the text. Errors: UsageError, if no version of torch
/// released `to` or an earlier minor, or the document is older than `to`; DataError of document_version(), or
/// with the path, if a value is not what the head's schema says.
DowngradedDocument downgrade_document(const schemagen::JsonDocument& document, const SchemaVersion& to);

}  // namespace pt2
