#include <rapidjson/document.h>
#include <schemagen/base/error.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "evolution/experiment.h"
#include "front/resolve.h"
#include "generator/reflective_codec.h"
#include "program_files.h"

using evolution::Experiment;
using evolution::Format;
using evolution::kSeed;
using evolution::Schema;
using schemagen::UnknownFields;

namespace fs = std::filesystem;

namespace {

bool agree(const rapidjson::Value& a, const rapidjson::Value& b) {
  if (a.IsObject() && b.IsObject()) {
    for (const auto& member : a.GetObject()) {
      const auto other = b.FindMember(member.name);
      if (other != b.MemberEnd() && !agree(member.value, other->value)) return false;
    }
    return true;
  }
  if (!a.IsArray() || !b.IsArray()) return a == b;
  if (a.Size() != b.Size()) return false;
  for (rapidjson::SizeType i = 0; i < a.Size(); ++i) {
    if (!agree(a[i], b[i])) return false;
  }
  return true;
}

bool agree(const std::string& a, const std::string& b) {
  rapidjson::Document first;
  rapidjson::Document second;
  first.Parse(a.data(), a.size());
  second.Parse(b.data(), b.size());
  REQUIRE_FALSE(first.HasParseError());
  REQUIRE_FALSE(second.HasParseError());
  return agree(first, second);
}

struct Outcome {
  bool is_read = false;
  bool comes_back = false;
  bool agrees = false;
  std::string error;

  bool is_kept() const { return is_read && comes_back && agrees; }
};

Outcome pass(const Schema& writer, const Schema& reader, std::string_view value, Format format,
             UnknownFields unknown) {
  const std::string original = writer.transcode(value, Format::json, Format::json, UnknownFields::error);
  const std::string data = writer.transcode(original, Format::json, format, UnknownFields::error);
  Outcome outcome;
  try {
    const std::string there = reader.transcode(data, format, format, unknown);
    outcome.is_read = true;
    outcome.agrees = agree(original, reader.transcode(data, format, Format::json, unknown));
    outcome.comes_back = writer.transcode(there, format, Format::json, UnknownFields::skip) == original;
  } catch (const schemagen::DataError& error) {
    outcome.error = error.what();
  }
  return outcome;
}

struct Flow {
  std::string_view name;
  std::string_view verdict;
  const Schema& writer;
  const Schema& reader;
  Format format;
  UnknownFields unknown;
  bool hides;
  bool is_respelled;
  std::string_view way_back;
};

void check_always(const Flow& flow) {
  for (const std::string_view value : flow.writer.values) {
    const Outcome outcome = pass(flow.writer, flow.reader, value, flow.format, flow.unknown);
    INFO(value << "\n" << outcome.error);
    CHECK(outcome.is_read);
    if (flow.is_respelled) continue;
    // An int16 reader accepts binary int8 data, but not vice versa.
    if (flow.way_back != "no") CHECK(outcome.comes_back);
    // Binary data has no names, so renamed fields, and bytes for a str, are not noticed.
    if (flow.format == Format::json) CHECK(outcome.agrees);
  }
}

bool some_is_lost(const Flow& flow) {
  for (const std::string_view value : flow.writer.values) {
    if (!pass(flow.writer, flow.reader, value, flow.format, flow.unknown).is_kept()) return true;
  }
  return false;
}

bool some_is_read(const Flow& flow) {
  for (const std::string_view value : flow.writer.values) {
    if (pass(flow.writer, flow.reader, value, flow.format, UnknownFields::skip).is_read) return true;
  }
  return false;
}

void check(const Flow& flow) {
  INFO(flow.name << ": " << flow.verdict);
  if (flow.verdict == "yes") check_always(flow);
  if (flow.verdict == "no" && !flow.hides) CHECK(some_is_lost(flow));
  if (flow.verdict == "depends") CHECK(some_is_read(flow));
}

/// Readers are strict about older data, and skip empty unknown fields of newer data.
void check(const Schema& before, const Schema& after, const evolution::Verdicts& verdicts,
           const Experiment& experiment) {
  constexpr UnknownFields kStrict = UnknownFields::error;
  constexpr UnknownFields kOfNewer = UnknownFields::skip_empty;
  const bool in_json = experiment.hides_in_json;
  const bool in_binary = experiment.hides_in_binary;
  const bool is_respelled = experiment.is_respelled_in_json;
  check({"new reads old JSON", verdicts.json_backward, before, after, Format::json, kStrict, in_json,
         is_respelled, verdicts.json_forward});
  check({"old reads new JSON", verdicts.json_forward, after, before, Format::json, kOfNewer, in_json,
         is_respelled, verdicts.json_backward});
  check({"new reads old binary", verdicts.binary_backward, before, after, Format::binary, kStrict, in_binary,
         false, verdicts.binary_forward});
  check({"old reads new binary", verdicts.binary_forward, after, before, Format::binary, kOfNewer, in_binary,
         false, verdicts.binary_backward});
}

generator::Model model_of(const Schema& schema) {
  generator::Diagnostics diagnostics("s.yaml", std::string(schema.text));
  auto model = generator::load_model(diagnostics, {});
  REQUIRE(model);
  return *std::move(model);
}

std::string transcode_by_model(const generator::Model& model, std::string_view data, Format from, Format to,
                               UnknownFields unknown) {
  const schemagen_test::ReflectiveCodec codec(model);
  const generator::Type root{generator::Type::Kind::named, {}, model.roots.front()};
  const schemagen_test::Value value = from == Format::json     ? codec.from_json(root, data, unknown)
                                      : from == Format::binary ? codec.from_binary(root, data, unknown)
                                                               : codec.from_binary_file(root, data, unknown);
  if (to == Format::json) return codec.to_json(root, value);
  return to == Format::binary ? codec.to_binary(root, value) : codec.to_binary_file(root, value);
}

template <class Run>
std::optional<std::string> unless_refused(Run run) {
  try {
    return run();
  } catch (const schemagen::DataError&) {
    return std::nullopt;
  }
}

bool check_alike(const Schema& reader, const generator::Model& model, std::string_view data, Format from,
                 Format to, UnknownFields unknown) {
  const auto compiled = unless_refused([&] { return reader.transcode(data, from, to, unknown); });
  INFO(static_cast<int>(from) << " to " << static_cast<int>(to) << ", unknown " << static_cast<int>(unknown));
  CHECK(unless_refused([&] { return transcode_by_model(model, data, from, to, unknown); }) == compiled);
  return !compiled;
}

}  // namespace

TEST_CASE("a reflective codec writes the bytes of compiled ones, and refuses what they refuse") {
  int refused = 0;
  int read = 0;
  for (const Experiment& experiment : evolution::experiments()) {
    INFO("seed " << kSeed << ", " << experiment.edits << "\n"
                 << experiment.before.text << "---\n"
                 << experiment.after.text);
    const generator::Model models[] = {model_of(experiment.before), model_of(experiment.after)};
    const Schema* const schemas[] = {&experiment.before, &experiment.after};
    for (const int writer : {0, 1}) {
      for (const std::string_view value : schemas[writer]->values) {
        INFO(value);
        for (const Format format : {Format::json, Format::binary, Format::binary_file}) {
          CHECK_FALSE(check_alike(*schemas[writer], models[writer], value, Format::json, format,
                                  UnknownFields::error));
          const std::string data =
              schemas[writer]->transcode(value, Format::json, format, UnknownFields::error);
          for (const auto unknown : {UnknownFields::error, UnknownFields::skip_empty, UnknownFields::skip}) {
            const int reader = 1 - writer;
            const bool is_refused = check_alike(*schemas[reader], models[reader], data, format,
                                                format == Format::json ? Format::binary : format, unknown);
            ++(is_refused ? refused : read);
          }
        }
      }
    }
  }
  CHECK(refused > 1000);
  CHECK(read > 1000);
}

TEST_CASE("each codec reads what it writes, in all formats") {
  for (const Experiment& experiment : evolution::experiments()) {
    for (const Schema* schema : {&experiment.before, &experiment.after}) {
      INFO("seed " << kSeed << ", " << experiment.edits << "\n" << schema->text);
      REQUIRE_FALSE(schema->values.empty());
      for (const std::string_view value : schema->values) {
        INFO(value);
        for (const Format format : {Format::json, Format::binary, Format::binary_file}) {
          const Outcome outcome = pass(*schema, *schema, value, format, UnknownFields::error);
          INFO(outcome.error);
          CHECK(outcome.is_kept());
        }
      }
    }
  }
}

TEST_CASE("what diff says about an edit is what happens when codecs read each other's data") {
  for (const Experiment& experiment : evolution::experiments()) {
    INFO("seed " << kSeed << ", " << experiment.edits << "\n"
                 << experiment.before.text << "---\n"
                 << experiment.after.text);
    {
      INFO("there");
      check(experiment.before, experiment.after, experiment.there, experiment);
    }
    INFO("back");
    check(experiment.after, experiment.before, experiment.back, experiment);
  }
}

TEST_CASE("the experiments have every verdict in every flow") {
  for (const auto verdict_of :
       {&evolution::Verdicts::json_backward, &evolution::Verdicts::json_forward,
        &evolution::Verdicts::binary_backward, &evolution::Verdicts::binary_forward}) {
    for (const std::string_view verdict : {"yes", "depends", "no"}) {
      int count = 0;
      for (const Experiment& experiment : evolution::experiments()) {
        count += experiment.there.*verdict_of == verdict ? 1 : 0;
      }
      INFO(verdict);
      CHECK(count > 0);
    }
  }
}

TEST_CASE("what a newer schema adds comes back byte for byte from a reader that keeps it, in both formats") {
  for (const evolution::Addition& addition : evolution::additions()) {
    INFO("seed " << kSeed << "\n" << addition.after.text);
    REQUIRE_FALSE(addition.after.values.empty());
    for (const std::string_view value : addition.after.values) {
      INFO(value);
      for (const Format format : {Format::json, Format::binary}) {
        const std::string data = addition.after.transcode(value, Format::json, format, UnknownFields::error);
        CHECK(addition.before.transcode(data, format, format, UnknownFields::keep) == data);
        CHECK_THROWS_AS(addition.before.transcode(data, format, format, UnknownFields::error),
                        schemagen::DataError);
      }
    }
  }
}

TEST_CASE("programs of a made-up newer minor come back byte for byte, in both formats") {
  const evolution::Addition programs = evolution::additions().back();
  std::size_t count = 0;
  for (const fs::path& path : program_files("programs/torch-2.13.0")) {
    INFO(path.string());
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (const Format format : {Format::json, Format::binary}) {
      const std::string data = programs.after.transcode(text, Format::json, format, UnknownFields::error);
      CHECK(programs.before.transcode(data, format, format, UnknownFields::keep) == data);
    }
    ++count;
  }
  CHECK(count > 15);
}
