#include <everything/json.h>
#include <everything/reflection.h>
#include <pt2/json.h>
#include <pt2/reflection.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "program_files.h"
#include "runtime/schemagen/json/json_parsers.h"
#include "runtime/schemagen/unknown_fields.h"
#include "runtime/test_seed.h"
#include "schemagen/base/reflection.h"

namespace fs = std::filesystem;
using everything::Choice;
using everything::Tree;
using schemagen::JsonReadOptions;
using schemagen::JsonWriteOptions;
using schemagen::ReflectedField;
using schemagen::ReflectedType;
using schemagen::Reflection;
using schemagen::UnknownField;
using schemagen::UnknownFields;

namespace {

template <class T>
struct Kept : PreservedValue<T> {
  explicit Kept(std::string_view text, JsonReadOptions options = {}) {
    options.unknown_fields = UnknownFields::keep;
    options.preserved = &this->fields;
    this->value = read_by_tape<T>(text, options);
  }

  std::string written(JsonWriteOptions options = {}) const {
    options.preserved = &this->fields;
    return schemagen::to_json(this->value, options);
  }
  std::string error() const {
    return error_or_text([&] { return written(); });
  }
};

template <class T>
std::string keeping_error(const std::string& text) {
  std::vector<UnknownField> fields;
  JsonReadOptions options;
  options.unknown_fields = UnknownFields::keep;
  options.preserved = &fields;
  return error_of<T>(text, options);
}

std::string tree(const std::string& name, const std::string& children = "[]",
                 const std::string& choice = "null") {
  return "{\"name\": \"" + name + "\", \"left\": null, \"right\": null, \"children\": " + children +
         ", \"named\": {}, \"choice\": " + choice + "}";
}

/// Has additional fields in structs, and other members in some unions.
class NewerDocument {
 public:
  NewerDocument(const Reflection& schema, std::string_view type, const std::string& text,
                std::mt19937_64& random)
      : schema_(schema), in_(text), random_(random) {
    copy(schema.types[schema.find(type)]);
  }

  const std::string& text() const { return out_; }
  std::size_t added() const { return added_; }

 private:
  bool chance(unsigned percent) { return random_() % 100 < percent; }

  void separate() {
    if (out_.back() != '{' && out_.back() != '[') out_ += ", ";
  }

  void add_field() {
    static const char* const kValues[] = {"null",
                                          "true",
                                          "-7",
                                          "1.50",
                                          "1e-3",
                                          "\"\\u00e9\\n{\"",
                                          "[]",
                                          "{}",
                                          "[[1, []]]",
                                          "\"\"",
                                          "{\"a\": [{\"b\": null}], \"\": {}}"};
    separate();
    out_ += "\"new_" + std::to_string(added_++) + "\": " + kValues[random_() % std::size(kValues)];
  }

  std::size_t end_of(std::size_t at) const {
    std::size_t depth = 0;
    do {
      if (in_[at] == '"') {
        for (++at; in_[at] != '"'; ++at) at += in_[at] == '\\' ? 1 : 0;
      }
      if (in_[at] == '{' || in_[at] == '[') ++depth;
      if (in_[at] == '}' || in_[at] == ']') --depth;
      ++at;
    } while (at < in_.size() &&
             (depth != 0 || std::string_view(",:}]").find(in_[at]) == std::string_view::npos));
    return at;
  }
  std::string_view take(std::size_t end) {
    const std::size_t start = std::exchange(at_, end);
    return std::string_view(in_).substr(start, end - start);
  }

  void copy(const ReflectedType& type) {
    if (type.kind == ReflectedType::optional && in_[at_] != 'n') return copy(schema_.types[type.element]);
    if (type.kind == ReflectedType::union_ && chance(10)) {
      take(end_of(at_));
      out_ += '{';
      add_field();
      out_ += '}';
    } else if (type.kind != ReflectedType::any && (in_[at_] == '{' || in_[at_] == '[')) {
      copy_children(type);
    } else {
      out_ += take(end_of(at_));
    }
  }

  const ReflectedType& child_type(const ReflectedType& type, std::string_view key) const {
    if (type.fields == nullptr) return schema_.types[type.element];
    const ReflectedField* field = type.fields;
    while (field->name != key.substr(1, key.size() - 2)) ++field;
    return schema_.types[field->type];
  }

  void copy_children(const ReflectedType& type) {
    const bool is_object = in_[at_] == '{';
    const auto add_some = [&] {
      while (type.kind == ReflectedType::structure && chance(15)) add_field();
    };
    out_ += take(at_ + 1);
    while (in_[at_] != '}' && in_[at_] != ']') {
      add_some();
      separate();
      std::string_view key;
      if (is_object) {
        out_ += key = take(end_of(at_));
        out_ += take(at_ + 2);
      }
      copy(child_type(type, key));
      if (in_[at_] == ',') at_ += 2;
    }
    add_some();
    out_ += take(at_ + 1);
  }

  const Reflection& schema_;
  const std::string& in_;
  std::size_t at_ = 0;
  std::mt19937_64& random_;
  std::string out_;
  std::size_t added_ = 0;
};

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("preserved unknown fields are written back to their places") {
  const std::string text =
      "{\"x\": 1, \"name\": \"a\", \"y\": {\"b\":  [1.50]}, \"z\": \"\\u00e9\", \"left\": null, \"right\": "
      "null, "
      "\"children\": [" +
      tree("b") + ", " + R"({"name": "c", "left": null, "right": null, "children": [], "named": {"k \"": )" +
      tree("d", "[]", R"({"new": []})") +
      R"(}, "choice": {"tree": {"name": "e", "w": null, "left": null, "right": null, "children": [], "named": {}, "choice": null}}})" +
      "], \"named\": {}, \"choice\": null, \"last\": [[]]}";
  const Kept<Tree> kept(text);
  CHECK(kept.paths() == std::vector<std::string>{"x", "y", "z", "children[1].named[\"k \\\"\"].choice.new",
                                                 "children[1].choice.tree.w", "last"});
  CHECK(kept.fields[1].bytes == "{\"b\":  [1.50]}");
  CHECK(kept.written() == text);
}

TEST_CASE("a union with a preserved unknown member is unset") {
  const Kept<Choice> root(R"({"new": {"a": 1}})");
  CHECK(root.value.kind() == Choice::unset);
  CHECK(root.written() == R"({"new": {"a": 1}})");
  const std::string text =
      R"({"flags": [], "blobs": [], "matrix": [], "by_name": {}, "choices": [{"new": 1}, {"int": "i"}, {"newer": 2}], "colors": {"r": 77}, "units": [], "values": []})";
  CHECK(Kept<everything::Containers>(text).written() == text);
}

TEST_CASE("structs without fields preserve unknown fields") {
  CHECK(Kept<everything::Empty>(R"({"x": 1, "y": 2})").written() == R"({"x": 1, "y": 2})");
  const std::string text = tree("a", "[]", R"({"empty": {"x": {}}})");
  CHECK(Kept<Tree>(text).written() == text);
}

TEST_CASE("documents of a newer schema round trip with new fields at every depth") {
  std::mt19937_64 random(test_seed());
  std::size_t added = 0;
  for (const fs::path& path : program_files("programs/torch-2.13.0")) {
    const auto program = schemagen::from_json<pt2::ExportedProgram>(read_file(path));
    const std::string text = schemagen::to_json(program);
    const NewerDocument newer(pt2::kReflection, "ExportedProgram", text, random);
    CAPTURE(path.string());
    const Kept<pt2::ExportedProgram> kept(newer.text());
    CHECK(kept.fields.size() == newer.added());
    CHECK(kept.written() == newer.text());
    added += newer.added();
  }
  CHECK(added > 1000);
}

TEST_CASE("unknown fields are written to their places in a changed value") {
  Kept<Tree> kept(tree(
      "a",
      "[" + tree("b") +
          R"(, {"name": "c", "x": 1, "left": null, "right": null, "children": [], "named": {"p": {"name": "q", "z": 3}, "r": {"name": "s"}}, "choice": null}])"));
  kept.value.children[1].name = "changed";
  kept.value.children[0].children.push_back({});
  kept.value.children[1].named.erase("r");
  CHECK(kept.written().find(R"({"name": "changed", "x": 1, "left": null)") != std::string::npos);
  CHECK(kept.written().find(R"("named": {"p": {"name": "q", "z": 3, "left": null)") != std::string::npos);
}

TEST_CASE("an unknown field comes last if the field before it is omitted") {
  Kept<Tree> kept(R"({"name": "a", "left": null, "x": 1, "choice": null})");
  JsonWriteOptions options;
  options.omit_null_defaults = true;
  CHECK(kept.written(options) == R"({"name": "a", "children": [], "named": {}, "x": 1})");
}

TEST_CASE("unknown fields without a place are errors with their path and a hint") {
  const std::string advice =
      "; hint: remove the field from the preserved fields to write the value without it";
  Kept<Tree> kept(tree("a", "[" + tree("b", "[]", R"({"new": 1})") + "]").insert(1, "\"x\": 1, "));
  REQUIRE(kept.fields.size() == 2);
  SECTION("in a list of another length") {
    kept.value.children.push_back({});
    CHECK(kept.error() ==
          "children[0].choice.new: cannot write the unknown field back: its list had 1 item when it was "
          "read, but has 2 items now" +
              advice);
  }
  SECTION("in removed values") {
    kept.value.children[0].choice.reset();
    CHECK(kept.error() ==
          "children[0].choice.new: cannot write the unknown field back: its parent no longer exists" +
              advice);
    kept.fields.pop_back();
    CHECK(kept.written().substr(0, 22) == R"({"x": 1, "name": "a", )");
  }
  SECTION("in a union that has a member") {
    kept.value.children[0].choice->emplace<Choice::int_>();
    CHECK(
        kept.error() ==
        "children[0].choice.new: cannot write the unknown field back: a member of the union is already set" +
            advice);
  }
  SECTION("a second member of a union") {
    kept.fields.push_back(kept.fields[1]);
    kept.fields[2].name = "other";
    CHECK(kept.error() ==
          "children[0].choice.other: cannot write the unknown field back: a member of the union is already "
          "set" +
              advice);
  }
  SECTION("a field of a struct in a union") {
    kept.fields[1].is_member = false;
    CHECK(kept.error() ==
          "children[0].choice.new: cannot write the unknown field back: it is not a union member, but its "
          "parent is an unset union" +
              advice);
  }
  SECTION("of the name of another one, or of a field of the schema") {
    kept.fields.push_back(kept.fields[0]);
    CHECK(kept.error() ==
          "x: cannot write the unknown field back: another preserved field has the same name" + advice);
    kept.fields.pop_back();
    kept.fields[0].name = "left";
    CHECK(kept.error() ==
          "left: cannot write the unknown field back: the value already has a field with this name" + advice);
  }
  SECTION("that are not JSON") {
    for (const char* const broken : {"", "[", "1 2", "{\"a\"}", "\"\x01\"", "NaN"}) {
      kept.fields[0].bytes = broken;
      CHECK(kept.error() ==
            "x: cannot write the unknown field back: it is not JSON or is nested too deeply" + advice);
    }
  }
  SECTION("of binary data") {
    kept.fields[0].id = 95;
    CHECK(kept.error() ==
          "#95: cannot write the unknown field back: it is binary, but the output is JSON" + advice);
  }
}

TEST_CASE("an unset union without a preserved member is an error") {
  Kept<Tree> kept(tree("a", "[" + tree("b", "[]", R"({"new": 1})") + "]").insert(1, "\"x\": 1, "));
  kept.fields.pop_back();
  CHECK(kept.error() == "children[0].choice: cannot write an unset union");
  kept.fields.clear();
  CHECK(kept.error() == "children[0].choice: cannot write an unset union");
}

TEST_CASE("preserved values are checked like skipped ones") {
  JsonReadOptions skip;
  skip.unknown_fields = UnknownFields::skip;
  for (const char* const broken :
       {R"({"name": "a", "x": [1 2]})", R"({"name": "a", "x": "\ud800"})",
        "{\"name\": \"a\", \"x\": \"\xff\"}", R"({"name": "a", "x": 1, "x": 2})",
        R"({"name": "a", "x": {"a": 1, "a": 2}, "y": tru})", R"({"x": 1})",
        R"({"name": "a", "choice": {"x": 1, "y": 2}})", R"({"name": "a", "choice": {}})"}) {
    CAPTURE(broken);
    CHECK(keeping_error<Tree>(broken) == error_of<Tree>(broken, skip));
  }
}

TEST_CASE("bare NaN and infinities cannot be preserved") {
  JsonReadOptions options;
  options.bare_nonfinite = true;
  std::vector<UnknownField> fields;
  options.unknown_fields = UnknownFields::keep;
  options.preserved = &fields;
  CHECK(error_of<Tree>(R"({"name": "a", "x": [NaN]})", options) ==
        "x[0]: cannot preserve a bare NaN or Infinity (line 1, column 21)");
}

TEST_CASE("limits hold for preserved fields, on reading and writing") {
  const std::string text = tree("a").insert(1, R"("x": [[[["long enough"]]]], )");
  JsonReadOptions small;
  small.limits.string_bytes = 18;
  std::vector<UnknownField> fields;
  small.unknown_fields = UnknownFields::keep;
  small.preserved = &fields;
  CHECK(error_of<Tree>(text, small) == "x: a value of 21 bytes, over the limit of 18 (line 1, column 7)");
  const Kept<Tree> kept(text);
  JsonWriteOptions options;
  options.limits.depth = 4;
  CHECK_THROWS_WITH(kept.written(options), Catch::Contains("nested too deep"));
  options.limits.depth = 5;
  CHECK(kept.written(options) == text);
  options.limits.input_bytes = text.size() - 1;
  CHECK_THROWS_WITH(kept.written(options), Catch::Contains("a document of"));
}

TEST_CASE("preserving unknown fields requires a place for them") {
  JsonReadOptions options;
  options.unknown_fields = UnknownFields::keep;
  CHECK_THROWS_WITH(schemagen::from_json<Tree>(tree("a"), options),
                    "UnknownFields::keep requires `preserved`, which receives the unknown fields");
}

TEST_CASE("preserving and writing back take linear time") {
  std::string text = R"({"name": "", "left": null, "right": null, "children": [)";
  for (int i = 0; i < 20000; ++i) {
    text += std::string(i == 0 ? "" : ", ") + tree("n").insert(1, "\"new\": 1, ");
  }
  text += "]";
  for (int i = 0; i < 20000; ++i) text += ", \"new" + std::to_string(i) + "\": null";
  text += R"(, "named": {}, "choice": null})";
  const auto start = std::chrono::steady_clock::now();
  CHECK(Kept<Tree>(text).written() == text);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}
