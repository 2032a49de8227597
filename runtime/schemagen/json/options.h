// How JSON is read, and what the reader reports. Several threads may read the same object at
// once.
#pragma once

#include <cstddef>
#include <vector>

#include "schemagen/json/backend.h"
#include "schemagen/value/kept_fields.h"
#include "schemagen/value/left_out.h"
#include "schemagen/value/limits.h"
#include "schemagen/value/unknown_fields.h"

namespace schemagen {

struct JsonWriteOptions {
  Limits limits;
  /// Leaves out fields that are null and whose default is null, as torch up to 2.6 did.
  bool omit_null_defaults = false;
  /// What is put back into the value, which a reader kept of its JSON; null: nothing. See
  /// JsonReadOptions::kept.
  const std::vector<KeptField>* kept = nullptr;
};

/// Who is told how far a reader has come in a text, to give back the memory of what is behind it.
struct TextProgress {
  void (*passed)(void* context, std::size_t bytes) = nullptr;  // from the text's start; null: nobody is told
  void* context = nullptr;
};

/// How a document is read. By default strictly.
struct JsonReadOptions {
  Limits limits;
  UnknownFields unknown_fields = UnknownFields::error;
  /// Takes the bare tokens NaN, Infinity and -Infinity, which JSON lacks but Python writes.
  bool bare_nonfinite = false;
  /// Which library parses what is not plain, see from_plain_json(); `rapidjson`: all.
  JsonBackend backend = JsonBackend::automatic;
  /// How many bytes past the text may be read; with 64 or more the text is not copied first.
  std::size_t readable_after = 0;
  /// Fields whose values are passed over and stay at their defaults. They must still be there where they are
  /// required, and be JSON; what is in them is not looked at.
  std::vector<FieldName> leave_out;
  /// Gets those fields of `leave_out` that the document has, if it is set; nothing if reading fails.
  std::vector<FieldName>* left_out = nullptr;
  /// Is told from time to time; of what is passed, only an error or UnknownFields::keep makes bytes be read
  /// again.
  TextProgress progress;
  /// Gets what was skipped, if it is set, in the order of the document; nothing if reading fails.
  std::vector<SkippedField>* skipped = nullptr;
  /// Gets what UnknownFields::keep keeps, which needs it, in the order of the document; nothing if reading
  /// fails. The members of unions that are kept leave these unset.
  std::vector<KeptField>* kept = nullptr;
};

}  // namespace schemagen
