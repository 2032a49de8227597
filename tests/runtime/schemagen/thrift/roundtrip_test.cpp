#include <everything/binary.h>
#include <everything/json.h>
#include <pt2/binary.h>
#include <pt2/json.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "program_files.h"
#include "pt2/binary/binary_file.h"
#include "schemagen/base/error.h"

namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> programs() {
  std::vector<fs::path> found;
  for (const fs::path& path : program_files()) {
    const std::string release = path.parent_path().filename().string();
    // Schema 8 begins with torch 2.6.
    bool has_older_schema = false;
    for (const char* older : {"2.1.", "2.2.", "2.3.", "2.4.", "2.5."}) {
      if (release.rfind(std::string("torch-") + older, 0) == 0) has_older_schema = true;
    }
    if (!has_older_schema) found.push_back(path);
  }
  return found;
}

template <class T>
void check_round_trip(const T& value) {
  const std::string json = schemagen::to_json(value);
  const std::string bytes = schemagen::to_binary(value);
  CHECK(schemagen::to_json(schemagen::from_binary<T>(bytes)) == json);
  CHECK(schemagen::to_binary(schemagen::from_binary<T>(bytes)) == bytes);

  schemagen::BinaryWriteOptions sorted;
  sorted.canonical = true;
  schemagen::BinaryReadOptions strict;
  strict.canonical_check = true;
  const std::string canonical = schemagen::to_binary(value, sorted);
  CHECK(canonical.size() == bytes.size());
  CHECK(schemagen::to_binary(schemagen::from_binary<T>(canonical, strict)) == canonical);
  CHECK(schemagen::to_binary(schemagen::from_binary<T>(bytes), sorted) == canonical);
}

template <class T>
void check_read_over(const T& value, T& used) {
  const std::string json = schemagen::to_json(value);
  schemagen::from_binary(schemagen::to_binary(value), used);
  CHECK(schemagen::to_json(used) == json);
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  /// Changes one value, or lengthens or shortens a list or object.
  std::string mutated(const std::string& json) {
    document_.Parse(json.data(), json.size());
    values_.clear();
    collect(document_);
    change(*values_[below(values_.size())]);
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    document_.Accept(writer);
    return buffer.GetString();
  }

 private:
  using Value = rapidjson::Value;

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  void collect(Value& value) {
    values_.push_back(&value);
    if (value.IsArray()) {
      for (auto& item : value.GetArray()) collect(item);
    } else if (value.IsObject()) {
      // C++20 cannot compare these iterators in a range-based loop.
      for (rapidjson::SizeType i = 0; i < value.MemberCount(); ++i) collect((value.MemberBegin() + i)->value);
    }
  }

  void change(Value& value) {
    if (value.IsArray() || value.IsObject()) {
      grow_or_shrink(value);
    } else if (value.IsString()) {
      const std::string text = string();
      value.SetString(text.c_str(), static_cast<rapidjson::SizeType>(text.size()), document_.GetAllocator());
    } else if (value.IsBool()) {
      value.SetBool(!value.GetBool());
    } else if (value.IsInt64()) {
      value.SetInt64(integer());
    } else if (value.IsNumber()) {
      value.SetDouble(floating());
    }
  }

  void grow_or_shrink(Value& value) {
    auto& allocator = document_.GetAllocator();
    if (value.IsArray()) {
      if (value.Empty() || below(3) == 0) {
        value.Clear();
      } else {
        for (std::size_t i = below(20); i > 0; --i) {
          value.PushBack(Value(value[static_cast<rapidjson::SizeType>(below(value.Size()))], allocator),
                         allocator);
        }
      }
    } else if (value.MemberCount() != 0) {
      if (below(3) == 0) {
        value.RemoveMember(value.MemberBegin());
      } else {
        const std::string key = string();
        if (!value.HasMember(key.c_str())) {
          value.AddMember(Value(key.c_str(), allocator), Value(value.MemberBegin()->value, allocator),
                          allocator);
        }
      }
    }
  }

  std::string string() {
    constexpr const char* kParts[] = {
        "a", "Z", " ",    "\"", "\\", "\n", "\x7f", "\xc3\xa9", "\xe2\x98\x83", "\xf0\x9f\x98\x80",
        "0", "{", "name", "/"};
    std::string text;
    for (std::size_t i = below(below(2) == 0 ? 6 : 200); i > 0; --i) text += kParts[below(std::size(kParts))];
    return text;
  }

  std::int64_t integer() {
    const auto bits = static_cast<unsigned>(below(64));
    return static_cast<std::int64_t>(random_() >> bits) * (below(2) == 0 ? 1 : -1);
  }

  double floating() {
    const double values[] = {
        0.0, -0.0, 1e-300, 5e-324, 1.7976931348623157e308, 0.1, static_cast<double>(integer())};
    return values[below(std::size(values))];
  }

  std::mt19937_64 random_;
  rapidjson::Document document_;
  std::vector<Value*> values_;
};

template <class T>
std::size_t check_mutations(const std::string& json, std::size_t rounds, unsigned seed) {
  Mutator mutator(seed);
  std::size_t accepted = 0;
  std::string current = json;
  T used{};
  for (std::size_t i = 0; i < rounds; ++i) {
    const std::string next = mutator.mutated(current);
    T value;
    try {
      value = schemagen::from_json<T>(next);
    } catch (const schemagen::DataError&) {
      continue;
    }
    ++accepted;
    check_round_trip(value);
    check_read_over(value, used);
    current = next.size() < 20000 ? next : json;
  }
  return accepted;
}

}  // namespace

TEST_CASE("programs of all releases round trip") {
  const std::vector<fs::path> paths = programs();
  REQUIRE(paths.size() > 50);
  for (const fs::path& path : paths) {
    CAPTURE(path.string());
    schemagen::JsonReadOptions options;
    options.bare_nonfinite = true;
    const auto program = schemagen::from_json<pt2::ExportedProgram>(read_file(path), options);
    check_round_trip(program);
    for (const auto compression : {pt2::Compression::none, pt2::Compression::zstd}) {
      if (compression == pt2::Compression::zstd && !schemagen::has_zstd()) continue;
      pt2::BinaryFileWriteOptions write;
      write.compression = compression;
      CHECK(schemagen::to_json(pt2::from_pt2b<pt2::ExportedProgram>(pt2::to_pt2b(program, write))) ==
            schemagen::to_json(program));
    }
  }
}

TEST_CASE("values of every type round trip") {
  const std::string scalars =
      R"({"flag": true, "count": 5, "ratio": 1.5, "label": "x", "blob": "AP8=", "nothing": [],
          "anything": {"a": [1, "\u00e9", null]}, "color": 2, "maybe": 7, "maybe_default": 10})";
  const std::string containers =
      R"({"flags": [true, false, true], "blobs": ["", "AA=="], "matrix": [[], [1.5, -0.0], ["NaN", "Infinity"]],
          "by_name": {"b": [{"x": 1}, {}], "a": []}, "choices": [{"nothing": []}, {"kind": 3}, {"flags": [false]},
          {"anything": 1.50}, {"empty": {}}, {"blob": "AAEC"}], "colors": {"z": 0, "a": -7}, "units": [[], []],
          "values": [null, "\u2603", [1, 2]]})";
  const std::string tree =
      R"({"name": "r", "left": {"name": "l", "children": [{"name": "c", "choice": {"get": "g"}}]},
          "named": {"b": {"name": "x"}, "a": {"name": "y", "right": {"name": "z"}}},
          "choice": {"tree": {"name": "t", "choice": {"color": 9}}}})";
  CHECK(check_mutations<everything::Scalars>(scalars, 1000, 1) > 300);
  CHECK(check_mutations<everything::Containers>(containers, 1000, 2) > 300);
  CHECK(check_mutations<everything::Tree>(tree, 1000, 3) > 300);
  CHECK(check_mutations<everything::Awkward>(R"({"class": 1, "Empty": {}, "old": 3})", 300, 4) > 100);
}
