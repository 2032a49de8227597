#include "evolution/baseline.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "cpp/generate.h"
#include "cpp/output.h"
#include "evolution/process.h"
#include "model/canonical.h"

using generator::Baseline;
using generator::load_baseline;
using generator::load_release;
using generator::normal_form;
using generator::Release;

namespace fs = std::filesystem;

namespace {

/// A folder of its own, gone at the end.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("schemagen_baseline_test_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

std::string schema(const std::string& version) {
  return "name: s\nversion: {" + version +
         "}\nroots: [A]\ntypes:\n  A:\n    kind: struct\n    doc: One.\n    fields:\n"
         "      x: {id: 10, type: str, default: \"a \\\"q\\\"\\\\\\n\xe2\x98\x83?"
         "?/ 0\"}\n";
}

template <typename Load>
std::string error_of(Load load) {
  try {
    load();
  } catch (const generator::InvalidSchema& invalid) {
    return invalid.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a file is one release, with its text and its places") {
  const Folder folder;
  const std::string path = folder.write("any.yaml", schema("major: 3, minor: 4"));
  const Baseline baseline = load_baseline(path);
  CHECK(baseline.earlier.empty());
  CHECK(baseline.newest.file == path);
  CHECK(baseline.newest.text == schema("major: 3, minor: 4"));
  CHECK_FALSE(baseline.newest.in_header);
  CHECK(baseline.newest.model.version_span.line == 2);
}

TEST_CASE("of a folder the newest release is compared, and the others are earlier ones") {
  const Folder folder;
  folder.write("1.9.yaml", schema("major: 1, minor: 9"));
  folder.write("1.10.yaml", schema("major: 1, minor: 10"));
  folder.write("0.30.yaml", schema("major: 0, minor: 30"));
  folder.write("draft.yaml", "not a release");
  folder.write("1.11.txt", "not a release");
  folder.write("01.12.yaml", "not a version");
  const Baseline baseline = load_baseline(folder.path());
  CHECK(spelled(baseline.newest.model.version) == "1.10");
  REQUIRE(baseline.earlier.size() == 2);
  CHECK(spelled(baseline.earlier[0].model.version) == "1.9");
  CHECK(spelled(baseline.earlier[1].model.version) == "0.30");
}

TEST_CASE("a folder must have releases, each of the version that its name says") {
  const Folder folder;
  CHECK(error_of([&] { load_baseline(folder.path()); }) ==
        folder.path() + ": error: there is no schema called <major>.<minor>.yaml in this folder\n");
  const std::string path = folder.write("1.9.yaml", schema("major: 1, minor: 8"));
  CHECK(error_of([&] { load_baseline(folder.path()); }) ==
        path + ": error: this is version 1.8, its name says 1.9\n");
}

TEST_CASE("generated code gives the schema that it was made from, by its header or its source") {
  const Folder folder;
  const Release source = load_release(folder.write("s.yaml", schema("major: 3, minor: 4")));
  write_outputs(generate(source.model, folder.path(), "any::space"));
  for (const char* const name : {"schema_info.h", "schema_info.cpp"}) {
    INFO(name);
    const Release release = load_release(folder.path() + "/" + name);
    CHECK(release.in_header);
    CHECK(release.model.name == "s");
    CHECK(spelled(release.model.version) == "3.4");
    CHECK(normal_form(release.model) == normal_form(source.model));
  }
  const auto none = error_of([&] { load_release(folder.path() + "/types.h"); });
  CHECK(none.find("kSchemaNormalForm is neither here") != std::string::npos);
}

TEST_CASE("a normal form that was edited by hand is refused") {
  const Folder folder;
  const Release source = load_release(folder.write("s.yaml", schema("major: 3, minor: 4")));
  for (const generator::OutputFile& file : generate(source.model, "", "s")) {
    if (file.path != "schema_info.cpp") continue;
    for (const auto& [from, to, message] :
         {std::tuple("10 x string", "20 x string", "another hash than the first line says"),
          {"10 x string", "10 x strin", "unknown type 'strin'"},
          {" 3.4 ", " 3 ", "the first line does not say"}}) {
      INFO(message);
      std::string text = file.text;
      text.replace(text.find(from), std::string_view(from).size(), to);
      const std::string error = error_of([&] { load_release(folder.write("schema_info.cpp", text)); });
      CHECK(error.find(message) != std::string::npos);
    }
  }
}

TEST_CASE("what cannot be read is an error of the system, and a bad schema says what is wrong with it") {
  const Folder folder;
  CHECK_THROWS_AS(load_baseline(folder.path() + "/none.yaml"), std::system_error);
  const std::string error =
      error_of([&] { load_release(folder.write("bad.yaml", "name: s\nversion: {major: 1, minor: 0}\n")); });
  CHECK(error.find("has no 'types'") != std::string::npos);
}

TEST_CASE("a program is run without a shell, with all of its output") {
  const generator::ProcessResult echo = generator::run_process({"echo", "a  b", "$HOME; *"});
  CHECK(echo.exit_code == 0);
  CHECK(echo.out == "a  b $HOME; *\n");
  const generator::ProcessResult both =
      generator::run_process({"sh", "-c", "seq 100000 >&2; seq 100000; cat; exit 3"});
  CHECK(both.exit_code == 3);
  CHECK(both.out == both.err);
  CHECK(both.out.size() == 588895);
  CHECK_THROWS_AS(generator::run_process({"no_such_program_anywhere"}), std::system_error);
}
