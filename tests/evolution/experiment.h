// Two schemas, one an edit of the other, what `schemagen diff` says about them, and the codecs
// that were generated from both. make_experiments.cpp writes them.
#pragma once

#include <schemagen/binary_file/binary_file.h>
#include <schemagen/json/json.h>

#include <string>
#include <string_view>
#include <vector>

namespace evolution {

enum class Format { json, binary, binary_file };

/// Reads a value of a schema's root from data of one format and writes it in another; in the same one, what
/// was kept is put back. Errors: schemagen::DataError.
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

/// Whether data can be read, as diff has it: `yes`, `depends` or `no`.
struct Verdicts {
  std::string_view json_backward;
  std::string_view json_forward;
  std::string_view binary_backward;
  std::string_view binary_forward;
};

struct Schema {
  std::string_view text;
  Transcode transcode;
  std::vector<std::string_view> values;  // JSON of its root
};

struct Experiment {
  std::string_view edits;
  Schema before;
  Schema after;
  Verdicts there;  // of before -> after
  Verdicts back;   // of after -> before
  /// Readers may take data for something else without a sign of it: numbers of an enum whose members have
  /// others now; in JSON, base64 for text and null for Any; in binary, a field for another one with its id.
  bool hides_in_json;
  bool hides_in_binary;
  bool is_respelled_in_json;  // values are written in another way, with the same meaning: names for numbers
};

/// A schema, and a made-up newer one that only adds to it.
struct Addition {
  Schema before;
  Schema after;
};

/// The seed of the experiments.
extern const unsigned long long kSeed;
std::vector<Experiment> experiments();
/// Of random schemas and, last, of PyTorch's.
std::vector<Addition> additions();

}  // namespace evolution
