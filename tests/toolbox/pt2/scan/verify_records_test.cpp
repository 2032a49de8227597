#include "pt2/scan/verify_records.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "pt2/archive/archive.h"
#include "runtime/pt2/archive/zip_builder.h"

using zip_builder::stored;

TEST_CASE("an archive has what torch asks for, and no folders that it takes for models") {
  const std::vector<std::pair<std::string, std::string>> complete = {
      {"archive_format", "pt2"},
      {"archive_version", "0"},
      {".data/version", "6\n"},
      {"models/m.json", "{}"},
      {"data/sample_inputs/m.pt", ""},
      {"data/weights/m_weights_config.json", R"({"config": {}})"},
      {"data/constants/m_constants_config.json", R"({"config": {}})"},
  };
  using Records = std::vector<std::pair<std::string, std::string>>;
  const auto messages = [](const Records& records) {
    std::vector<zip_builder::Entry> entries;
    for (const auto& [name, content] : records) entries.push_back(stored("top/" + name, content));
    const std::string bytes = zip_builder::build(entries);
    const pt2::Archive archive = pt2::open_archive(bytes);
    std::vector<std::string> texts;
    for (const pt2::Finding& finding : pt2::verify_records(archive, "m")) {
      CHECK(finding.rule == pt2::RuleId::archive_record);
      texts.push_back(finding.message);
    }
    return texts;
  };
  const auto with = [&](const std::string& name, const std::string& content) {
    Records records = complete;
    for (auto& record : records) {
      if (record.first == name) record.second = content;
    }
    if (records == complete) records.emplace_back(name, content);
    return messages(records);
  };
  CHECK(messages(complete) == std::vector<std::string>{});
  for (std::size_t i = 0; i < complete.size(); ++i) {
    if (complete[i].first == "models/m.json" || complete[i].first == "archive_format") continue;
    Records records = complete;
    records.erase(records.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(messages(records) == std::vector<std::string>{"the archive has no record '" + complete[i].first +
                                                        "', which torch requires"});
  }
  CHECK(with("archive_format", "pt2\n") ==
        std::vector<std::string>{"expected the record 'archive_format' to contain exactly 'pt2'"});
  CHECK(with("archive_version", "0\n") ==
        std::vector<std::string>{"expected the record 'archive_version' to contain exactly '0'"});
  for (const std::string folder : {"models/", "models/sub/", "data/aotinductor/", "data/aotinductor/m/"}) {
    CHECK(with(folder, "") ==
          std::vector<std::string>{"torch mistakes the folder entry '" + folder + "' for a model"});
  }
  for (const char* const folder : {"", "data/", "data/weights/", "data/constants/", "data/sample_inputs/",
                                   "extra/", ".data/", "Models/"}) {
    INFO(folder);
    CHECK(with(folder, "") == std::vector<std::string>{});
  }
}
