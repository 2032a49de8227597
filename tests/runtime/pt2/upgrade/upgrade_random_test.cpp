// Programs of old releases with random faults: they are upgraded or refused, whatever is in them.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/json.h"
#include "pt2/program.h"
#include "runtime/test_seed.h"
#include "schemagen/document/dom.h"
#include "schemagen/document/member.h"
#include "schemagen/value/error.h"

namespace {

namespace fs = std::filesystem;
using rapidjson::Value;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The programs' JSON of all releases before schema 8.
std::vector<std::string> old_programs() {
  std::vector<std::string> texts;
  for (const char* release : {"2.1.2", "2.2.2", "2.4.1", "2.5.1"}) {
    const fs::path folder =
        fs::path(PT2_SOURCE_DIR) / "tests/data/programs" / (std::string("torch-") + release);
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() != ".json" || entry.path().filename() == "about.json") continue;
      texts.push_back(read_file(entry.path()));
    }
  }
  return texts;
}

/// The program in `json`, brought to the head version, as JSON.
std::string upgraded(const std::string& json) {
  pt2::LoadOptions options;
  options.upgrading = pt2::Upgrading::all;
  const pt2::ProgramFile file = pt2::open_program_bytes(pt2::FileBytes(json));
  return schemagen::to_json(pt2::load_program(file, options).program);
}

class Damage {
 public:
  explicit Damage(std::uint64_t seed) : random_(seed) {}

  /// `text` with a few values that are others, gone or there twice.
  std::string damaged(const std::string& text) {
    schemagen::JsonReadOptions options;
    const schemagen::JsonDocument document(text, options);
    rapidjson::Document dom = schemagen::to_dom(document);
    for (std::size_t count = 1 + below(3); count > 0; --count) {
      values_.clear();
      collect(dom);
      change(*values_[below(values_.size())], dom.GetAllocator());
    }
    return schemagen::dom_text(dom);
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  void collect(Value& value) {
    values_.push_back(&value);
    if (value.IsArray()) {
      for (Value& item : value.GetArray()) collect(item);
    }
    for (auto& member : schemagen::DomMembers(value)) collect(member.value);
  }

  void change(Value& value, rapidjson::Document::AllocatorType& allocator) {
    if (value.IsObject() && value.MemberCount() != 0 && below(2) == 0) {
      const auto member = value.MemberBegin() + static_cast<std::ptrdiff_t>(below(value.MemberCount()));
      if (below(3) != 0) {
        value.EraseMember(member);
      } else {
        value.AddMember(Value(member->name, allocator), Value(member->value, allocator), allocator);
      }
      return;
    }
    static constexpr std::string_view kOthers[] = {"null", "true", "7",    "-1.5",       "\"x\"",
                                                   "[]",   "{}",   "[[]]", "{\"a\": {}}"};
    rapidjson::Document other(&allocator);
    const std::string_view text = kOthers[below(std::size(kOthers))];
    other.Parse(text.data(), text.size());
    static_cast<Value&>(other).Swap(value);
  }

  std::mt19937_64 random_;
  std::vector<Value*> values_;
};

}  // namespace

TEST_CASE("an upgraded program is left as it is by another upgrade") {
  for (const std::string& text : old_programs()) {
    const std::string once = upgraded(text);
    CHECK((upgraded(once) == once));
  }
}

TEST_CASE("damaged programs of old releases are upgraded or refused") {
  Damage damage(test_seed());
  std::size_t read = 0;
  std::size_t refused = 0;
  for (const std::string& text : old_programs()) {
    if (text.size() > 60000) continue;  // to be done in time
    for (int i = 0; i < 40; ++i) {
      try {
        upgraded(damage.damaged(text));
        ++read;
      } catch (const schemagen::DataError&) {
        ++refused;
      }
    }
  }
  CHECK(read > 0);
  CHECK(refused > 0);
}
