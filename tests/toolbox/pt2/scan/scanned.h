// Archives with one part that is not plain, and what scan_file() finds in them.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/archive/file.h"
#include "pt2/binary/binary_file.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "pt2/scan/scan.h"
#include "runtime/pt2/archive/zip_builder.h"
#include "schemagen/base/base64.h"
#include "schemagen/base/error.h"

using Catch::Contains;
using namespace std::string_literals;
using pt2::Finding;
using pt2::RuleId;
using zip_builder::build;
using zip_builder::deflated;
using zip_builder::Entry;
using zip_builder::stored;

inline const std::string kData = PT2_SOURCE_DIR "/tests/data/";
inline const std::string kCall = "cposix\nsystem\n(S'id'\ntR.";
inline const std::string kPlain = "\x80\x02}.";
inline const std::string kMagic = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."s;

inline std::string content_of(const std::string& path) {
  return std::string(pt2::read_file(kData + path).view());
}

inline std::vector<Entry> records_of(const std::string& path) {
  const pt2::FileBytes bytes = pt2::read_file(kData + path);
  const pt2::ZipReader zip(bytes.view());
  std::vector<Entry> records;
  for (const pt2::ZipMember& member : zip.members()) {
    const std::string name(member.name);
    records.push_back(stored(name.substr(name.find('/') + 1), std::string(zip.read(member).view())));
  }
  return records;
}

/// Of torch 2.13; records in `more` replace those of the same name.
inline std::string package(const std::vector<std::pair<std::string, std::string>>& more) {
  std::vector<Entry> entries = records_of("programs/torch-2.13.0/mlp.pt2");
  for (const auto& [name, content] : more) {
    const auto same = [&, wanted = name](const Entry& entry) { return entry.name == wanted; };
    entries.erase(std::remove_if(entries.begin(), entries.end(), same), entries.end());
    entries.push_back(stored(name, content));
  }
  for (Entry& entry : entries) entry.name = "m/" + entry.name;
  return build(entries);
}

inline std::string saved_by_torch(const std::string& pickle) {
  return build({stored("archive/data.pkl", pickle), stored("archive/version", "3\n")});
}

inline std::string config_of(const std::string& path_name, bool use_pickle) {
  return R"({"config": {"w": {"path_name": ")" + path_name + R"(", "is_param": true, "use_pickle": )" +
         (use_pickle ? "true" : "false") + R"(, "tensor_meta": null}}})";
}

/// `RULE record`, without notes.
inline std::set<std::string> found_in(const std::string& bytes, const schemagen::Limits& limits = {}) {
  std::set<std::string> found;
  for (const Finding& finding : pt2::scan_file(bytes, limits)) {
    const pt2::Rule& rule = pt2::rule_of(finding.rule);
    CHECK(rule.found_by != pt2::FoundBy::verify);
    CHECK(finding.severity == rule.severity);
    if (finding.severity == pt2::Severity::note) continue;
    found.insert(std::string(rule.id) + " " + finding.record);
  }
  return found;
}

using Found = std::set<std::string>;

inline std::string message_in(const std::string& bytes) {
  std::string text;
  for (const Finding& finding : pt2::scan_file(bytes)) text += finding.message + "\n";
  return text;
}

inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}
