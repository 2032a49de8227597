// make_experiments.cpp writes the pairs.
#pragma once

#include <schemagen/binary_file/binary_file.h>
#include <schemagen/json/json.h>

#include <string>
#include <string_view>
#include <vector>

namespace evolution {

enum class Format { json, binary, binary_file };

/// Preserves unknown fields if both formats are the same. Throws schemagen::DataError.
using Transcode = std::string (*)(std::string_view data, Format from, Format to,
                                  schemagen::UnknownFields unknown);

template <class Root>
std::string transcode(std::string_view data, Format from, Format to, schemagen::UnknownFields unknown) {
  std::vector<schemagen::UnknownField> kept;
  schemagen::JsonReadOptions json;
  json.unknown_fields = unknown;
  json.preserved = &kept;
  schemagen::BinaryReadOptions binary;
  binary.unknown_fields = unknown;
  binary.preserved = &kept;
  const auto read = [&] {
    switch (from) {
      case Format::json:
        return schemagen::from_json<Root>(data, json);
      case Format::binary:
        return schemagen::from_binary<Root>(data, binary);
      case Format::binary_file:
        break;
    }
    return schemagen::from_binary_file<Root>(data, binary);
  };
  const Root value = read();
  schemagen::JsonWriteOptions json_out;
  json_out.preserved = &kept;
  schemagen::BinaryFileWriteOptions binary_out;
  binary_out.payload.preserved = &kept;
  switch (to) {
    case Format::json:
      return schemagen::to_json(value, json_out);
    case Format::binary:
      return schemagen::to_binary(value, binary_out.payload);
    case Format::binary_file:
      break;
  }
  return schemagen::to_binary_file(value, binary_out);
}

struct Verdicts {
  std::string_view json_backward;
  std::string_view json_forward;
  std::string_view binary_backward;
  std::string_view binary_forward;
};

struct Schema {
  std::string_view text;
  Transcode transcode;
  std::vector<std::string_view> values;
};

struct Experiment {
  std::string_view edits;
  Schema before;
  Schema after;
  Verdicts there;
  Verdicts back;
  /// Readers may silently misread reassigned enum numbers; JSON base64 for text and null for Any; binary data
  /// of another field with the same id.
  bool hides_in_json;
  bool hides_in_binary;
  bool is_respelled_in_json;  // e.g. names instead of numbers, with the same meaning
};

struct Addition {
  Schema before;
  Schema after;
};

extern const unsigned long long kSeed;
std::vector<Experiment> experiments();
std::vector<Addition> additions();

}  // namespace evolution
