#include "pt2/scan/scan.h"

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

namespace {

const std::string kData = PT2_SOURCE_DIR "/tests/data/";
const std::string kCall = "cposix\nsystem\n(S'id'\ntR.";
const std::string kPlain = "\x80\x02}.";
const std::string kMagic = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."s;

std::string content_of(const std::string& path) {
  return std::string(pt2::read_file(kData + path).view());
}

std::vector<Entry> records_of(const std::string& path) {
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
std::string package(const std::vector<std::pair<std::string, std::string>>& more) {
  std::vector<Entry> entries = records_of("programs/torch-2.13.0/mlp.pt2");
  for (const auto& [name, content] : more) {
    const auto same = [&, wanted = name](const Entry& entry) { return entry.name == wanted; };
    entries.erase(std::remove_if(entries.begin(), entries.end(), same), entries.end());
    entries.push_back(stored(name, content));
  }
  for (Entry& entry : entries) entry.name = "m/" + entry.name;
  return build(entries);
}

std::string saved_by_torch(const std::string& pickle) {
  return build({stored("archive/data.pkl", pickle), stored("archive/version", "3\n")});
}

std::string config_of(const std::string& path_name, bool use_pickle) {
  return R"({"config": {"w": {"path_name": ")" + path_name + R"(", "is_param": true, "use_pickle": )" +
         (use_pickle ? "true" : "false") + R"(, "tensor_meta": null}}})";
}

/// `RULE record`, without notes.
std::set<std::string> found_in(const std::string& bytes, const schemagen::Limits& limits = {}) {
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

std::string message_in(const std::string& bytes) {
  std::string text;
  for (const Finding& finding : pt2::scan_file(bytes)) text += finding.message + "\n";
  return text;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("files that run code in torch are errors by what they do") {
  const std::pair<const char*, const char*> files[] = {
      {"A01_compiler_string", "SOURCE_CODE data/aotinductor/model/w.wrapper_compile_flags.json"},
      {"A06_zipslip", "RECORD_NAME data/aotinductor/model/../../../../../../../../../../.../MARKER"},
      {"J01_placeholder_name", "NAME_CODE models/model.json"},
      {"J10_expr_attr_globals", "EXPRESSION_CODE models/model.json"},
      {"J16_expr_open_kw", "EXPRESSION_CODE models/model.json"},
      {"J20_guard_call", "GUARD_CODE models/model.json"},
      {"J31_treespec_enum_dlopen", "TREESPEC_CODE models/model.json"},
      {"J44_cdll_as_operator", "TARGET_CODE models/model.json"},
      {"K01_sample_key_bytes", "GUARD_CODE data/sample_inputs/model.pt!archive/data.pkl"},
      {"K02_sample_key_text", "GUARD_CODE data/sample_inputs/model.pt!archive/data.pkl"},
      {"P_w_fault_put_plus", "PICKLE_MALFORMED data/weights/weight_0"},
      {"P_w_seq_magic0_then_P0", "PICKLE_GLOBAL data/weights/weight_0"},
      {"V01_signature_escape", "NAME_CODE models/model.json"},
      {"Z01_eocd_in_comment", "ZIP_TRICK "},
      {"Z03_json_prefix_trailing", "ZIP_TRICK "},
      {"Z20c_folder_case", "NOT_UNDERSTOOD MODELS/model.json"},
  };
  for (const auto& [name, expected] : files) {
    INFO(name);
    CHECK(found_in(content_of("hostile/"s + name + ".pt2")).count(expected) == 1);
  }
}

TEST_CASE("plain models of all releases are not accused") {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kData + "programs")) {
    const std::string path = entry.path().string();
    const std::string extension = entry.path().extension().string();
    if ((extension != ".pt2" && extension != ".json") || path.find("canonical") != path.npos ||
        entry.path().filename() == "about.json") {
      continue;
    }
    INFO(path);
    CHECK(found_in(std::string(pt2::read_file(path).view())) == Found{});
    ++count;
  }
  CHECK(count > 50);
}

TEST_CASE("what torch unpickles is a pickle, whatever it is called") {
  const std::string use_pickle = config_of("weight_7", true);
  const auto pickled = [](const std::string& record) { return "PICKLE_GLOBAL " + record; };
  const std::string config = "data/weights/model_weights_config.json";
  for (const char* const record :
       {"data/weights/model.pt", "data/WEIGHTS/Model.PT", "data/constants/model.pt",
        "data/constants/custom_obj_0", "data/constants/opaque_obj_3", "data/sample_inputs/model.pt"}) {
    INFO(record);
    CHECK(found_in(package({{record, kCall}})).count(pickled(record)) == 1);
  }
  CHECK(found_in(package({{config, use_pickle}, {"data/weights/weight_7", kCall}}))
            .count(pickled("data/weights/weight_7")) == 1);
  CHECK(found_in(package({{config, use_pickle}, {"data/weights/Weight_7", kCall}}))
            .count(pickled("data/weights/Weight_7")) == 1);
  const std::string saved = saved_by_torch(kCall);
  CHECK(found_in(package({{"data/weights/model.pt", saved}}))
            .count(pickled("data/weights/model.pt!archive/data.pkl")) == 1);
}

TEST_CASE("a config points to records anywhere") {
  const std::string config = "data/weights/model_weights_config.json";
  CHECK(found_in(package({{config, config_of("../../extra/x", true)}, {"data/weights/../../extra/x", kCall}}))
            .count("PICKLE_GLOBAL data/weights/../../extra/x") == 1);
  CHECK(found_in(package({{config, config_of("/extra/x", true)}, {"/extra/x", kCall}}))
            .count("PICKLE_GLOBAL /extra/x") == 1);
  CHECK(found_in(package({{"data/constants/model_constants_config.json", config_of("custom_obj_/x", false)},
                          {"data/constants/custom_obj_/x", kCall}}))
            .count("PICKLE_GLOBAL data/constants/custom_obj_/x") == 1);
}

TEST_CASE("a config names records that the archive has, by names that all readers read alike") {
  for (const auto& [config, record] :
       {std::pair<std::string, std::string>("data/weights/more_weights_config.json", "weight_9"),
        std::pair<std::string, std::string>("data/constants/more_constants_config.json", "tensor_9")}) {
    const std::string stored_as = config.substr(0, config.rfind('/') + 1) + record;
    for (const bool use_pickle : {false, true}) {
      INFO(config << use_pickle);
      const auto naming = [&, name = config](const std::string& path_name) {
        return found_in(package({{name, config_of(path_name, use_pickle)}, {stored_as, kPlain}}));
      };
      // torch writes the weights of a model before its program.
      CHECK(naming(record) == (record == "weight_9" ? Found{"NOT_UNDERSTOOD "} : Found{}));
      CHECK(naming("T" + record).count("NOT_UNDERSTOOD " + config) == 1);
      CHECK(naming(record + "x").count("NOT_UNDERSTOOD " + config) == 1);
      for (const char* const control : {"\\u0000x", "\\u0000", "\\n", "\\u001f"}) {
        CHECK(naming(record + control).count("RECORD_NAME " + config) == 1);
      }
    }
  }
  const std::string control = "\\u0001";
  CHECK(found_in(package({{"data/weights/more_weights_config.json", config_of("w" + control, false)},
                          {"data/weights/w\1", kPlain}}))
            .count("RECORD_NAME data/weights/more_weights_config.json") == 1);
}

TEST_CASE("the bytes of tensors and what a user added are not opened") {
  const std::string config = "data/weights/more_weights_config.json";
  CHECK(found_in(package({{config, config_of("weight_9", false)}, {"data/weights/weight_9", kCall}})) ==
        Found{"NOT_UNDERSTOOD "});
  CHECK(found_in(package({{"extra/notes", kCall}})) == Found{});
  CHECK(found_in(package({{"extra/data/aotinductor/model/x", "y"}})) ==
        Found{"SOURCE_CODE extra/data/aotinductor/model/x"});
}

TEST_CASE("all of a compiled model is an error, in any case of its folder") {
  for (const char* const record : {"data/aotinductor/model/a.json", "Data/AOTInductor/model/a.json"}) {
    CHECK(found_in(package({{record, "{}"}})) == Found{"SOURCE_CODE "s + record});
  }
  const std::string elf =
      "\x7f"
      "ELF\2\1\1"s +
      std::string(9, '\0') + "\3\0\x3e\0"s + std::string(44, '\0');
  CHECK(found_in(package({{"data/aotinductor/model/a.so", elf}})) ==
        Found{"NATIVE_CODE data/aotinductor/model/a.so"});
}

TEST_CASE("packages of AOTInductor of torch 2.5 to 2.7, which have no top folder, are code") {
  const std::string elf =
      "\x7f" + "ELF\2\1\1"s + std::string(9, '\0') + "\3\0\x3e\0"s + std::string(44, '\0');
  const auto package_of = [&](const std::string& folder, const std::vector<Entry>& more = {}) {
    std::vector<Entry> entries = {stored("version", "1"), stored("archive_format", "pt2"),
                                  stored(folder + "c.so", elf), stored(folder + "c.cpp", "int x;")};
    entries.insert(entries.end(), more.begin(), more.end());
    return build(entries);
  };
  for (const char* const folder : {"data/aotinductor/", "data/aotinductor/model/"}) {
    const Found code = {"NATIVE_CODE "s + folder + "c.so", "SOURCE_CODE "s + folder + "c.cpp"};
    CHECK(found_in(package_of(folder)) == code);
    Found more = code;
    more.insert({"PICKLE_GLOBAL data/constants/custom_obj_0", "NOT_UNDERSTOOD other"});
    CHECK(found_in(package_of(folder, {stored("data/constants/custom_obj_0", kCall), stored("other", "")})) ==
          more);
    // No other record marks such a package as an archive.
    CHECK(found_in(package_of(folder, {stored("serialized_exported_program.json", "{}")}))
              .count("NOT_UNDERSTOOD ") == 1);
    CHECK(found_in(package_of(folder, {stored("m/archive_format", "pt2")})).count("NOT_UNDERSTOOD ") == 1);
  }
  CHECK(found_in(build({stored("version", "1"), stored("archive_format", "pt2")})).count("NOT_UNDERSTOOD ") ==
        1);
}

TEST_CASE("records that nobody is known to read are errors") {
  CHECK(found_in(package({{"data/weights/stray", "x"}})) == Found{"NOT_UNDERSTOOD data/weights/stray"});
  CHECK(found_in(package({{"data/executorch/m.pte", "x"}})) == Found{"NOT_UNDERSTOOD data/executorch/m.pte"});
  CHECK(found_in(package({{".data/other", "x"}})) == Found{"NOT_UNDERSTOOD .data/other"});
  CHECK(found_in(package({{"byteorder", "__import__"}})) == Found{"NOT_UNDERSTOOD byteorder"});
  CHECK(found_in(package({{"models/other.json", "{}"}})) == Found{"NOT_UNDERSTOOD models/other.json"});
  CHECK(found_in(package({{"data/weights/b_weights_config.json", "{"}})) ==
        Found{"NOT_UNDERSTOOD ", "NOT_UNDERSTOOD data/weights/b_weights_config.json"});
  CHECK(found_in(build({stored("a/b", "c")})) == Found{"NOT_UNDERSTOOD ", "NOT_UNDERSTOOD a/b"});
}

TEST_CASE("an archive of several layouts is scanned as each of them, and reported as not understood") {
  const Found found = found_in(package({{"data.pkl", kCall}, {"data/constants/model.pt", kCall}}));
  CHECK(found.count("NOT_UNDERSTOOD ") == 1);
  CHECK(found.count("PICKLE_GLOBAL m/data.pkl") == 1);
  CHECK(found.count("PICKLE_GLOBAL m/data/constants/model.pt") == 1);
}

TEST_CASE("what is found in sample inputs says what helps") {
  CHECK_THAT(message_in(package({{"data/sample_inputs/model.pt", kCall}})),
             Contains("'posix.system', which torch.load with weights_only rejects; `pt2 harden` drops"));
  CHECK(found_in(package({{"data/sample_inputs/model.pt", ""}})) == Found{});
}

std::string pickled(const std::string& text) {
  return "X" + std::string(1, static_cast<char>(text.size())) + "\0\0\0"s + text;
}

TEST_CASE("keys of sample inputs are plain literals, which torch can write into code") {
  const auto with_pickle = [](const std::string& code) {
    const std::string pickle = "\x80\x02" + code + ".";
    return package({{"data/sample_inputs/model.pt", pickle}, {"data/constants/model.pt", pickle}});
  };
  const std::string bytes = "c_codecs\nencode\n" + pickled("key") + pickled("utf-16-le") + "\x86R";
  const std::string ordered = "ccollections\nOrderedDict\n";
  const std::string rebuild = "ctorch._tensor\n_rebuild_from_type_v2\n";
  const std::string pairs = "]" + pickled("key") + "N\x86" + "a";
  for (const std::string& key :
       {pickled("key"), pickled("über"), "K\1"s, "I01\n"s, "L5L\n"s, "N"s, "\x88"s, "S'key'\n"s, "Vkey\n"s,
        pickled("key") + "q\1" + "0h\1", "F1.5\n"s, ")"s, "G?\xF8\0\0\0\0\0\0"s,
        "K\1" + pickled("a") + "\x86", "(" + pickled("a") + "F-inf\n)\x85t"}) {
    INFO(key);
    CHECK(found_in(with_pickle("}" + key + "Ns")) == Found{});
    CHECK(found_in(with_pickle(ordered + ")R" + "(" + key + "Nu")) == Found{});
  }
  for (const std::string& value : {pickled("it's"), "]" + pickled("\"") + "a", bytes}) {
    CHECK(found_in(with_pickle("}" + pickled("key") + value + "s")) == Found{});
  }
  const Found guard = {"GUARD_CODE data/sample_inputs/model.pt"};
  for (const std::string& key :
       {pickled("\" + open('x') + \""), pickled("it's"), pickled("a\\"), pickled("a\nb"), bytes,
        bytes + "\x85", "(K\1" + bytes + "t", "C\3key"s, "(" + bytes + "\x91", "S'a\\x27'\n"s, "Va\\u0027\n"s,
        "}0" + bytes + "q\1" + "0h\1", "ctorch\nfloat32\n"s, "K\1" + pickled("it's") + "\x86",
        "(K\1)" + pickled("a\"") + "\x85t"}) {
    INFO(key);
    CHECK(found_in(with_pickle("}" + key + "Ns")) == guard);
    CHECK(found_in(with_pickle("}(NN" + key + "Nu")) == guard);
    CHECK(found_in(with_pickle("(" + key + "Nd")) == guard);
    CHECK(found_in(with_pickle("](}" + key + "Nse")) == guard);
  }
  // The keys of a dict from a call are not known.
  CHECK(found_in(with_pickle(ordered + pairs + "\x85R")) == guard);
  CHECK(found_in(with_pickle("(" + ordered + pairs + "o")) == guard);
  CHECK(found_in(with_pickle("(" + pairs + "icollections\nOrderedDict\n")) == guard);
  CHECK(found_in(with_pickle(rebuild + "(" + ordered + ordered + pairs + "\x85}tR")) == guard);
  CHECK(found_in(with_pickle(rebuild + "(" + rebuild + ordered + "(" + ordered + ordered + pairs +
                             "\x85}t}tR")) == guard);
}

TEST_CASE("pickles in old zips are found") {
  std::vector<Entry> entries = records_of("programs/torch-2.4.1/mlp.pt2");
  for (Entry& entry : entries) {
    if (entry.name == "serialized_state_dict.pt") entry.content = saved_by_torch(kCall);
  }
  CHECK(found_in(build(entries)) == Found{"PICKLE_GLOBAL serialized_state_dict.pt!archive/data.pkl"});
  entries.push_back(stored("extra_files/x", kCall));
  entries.push_back(stored("other", ""));
  CHECK(found_in(build(entries)).count("NOT_UNDERSTOOD other") == 1);
}

TEST_CASE("a torch.save file holds only a pickle and storages") {
  const auto with = [](Entry entry) {
    return build({stored("archive/data.pkl", kPlain), stored("archive/data/0", kCall), std::move(entry)});
  };
  CHECK(found_in(with(stored("archive/byteorder", "little"))) == Found{});
  CHECK(found_in(with(stored("archive/Data.PKL2", "x"))) == Found{"NOT_UNDERSTOOD archive/Data.PKL2"});
  CHECK(found_in(with(stored("archive/constants.pkl", "x"))) == Found{"SOURCE_CODE archive/constants.pkl"});
  CHECK(found_in(with(stored("archive/code/a.py", "x"))) == Found{"SOURCE_CODE archive/code/a.py"});
  CHECK(found_in(build({stored("archive/DATA.pkl", kCall)})) == Found{"PICKLE_GLOBAL archive/DATA.pkl"});
  CHECK(found_in(package({{"data/weights/model.pt", build({stored("a/b", "c")})}})) ==
        Found{"NESTED_ARCHIVE data/weights/model.pt"});
}

TEST_CASE("the pickles of torch's legacy format are all looked at, and no bytes of storages are") {
  const std::string legacy = kMagic + "\x80\x02M\xe9\x03." + kPlain + kPlain + "\x80\x02]X\1\0\0\0000a."s;
  const std::string storage = "\x02\0\0\0\0\0\0\0"s + kCall;
  CHECK(found_in(legacy + storage) == Found{});
  CHECK(found_in(kMagic + kCall) == Found{"PICKLE_GLOBAL "});
  CHECK(found_in("L119547037146038801333356L\n." + kCall) == Found{"PICKLE_GLOBAL "});
  CHECK(found_in(kMagic + "\x80\x02M\xe9\x03." + kPlain + kPlain + kCall) == Found{"PICKLE_GLOBAL "});
  CHECK(found_in(kPlain + kCall) == Found{"PICKLE_GLOBAL "});
  CHECK(found_in(kPlain + "rest").count("PICKLE_MALFORMED ") == 1);
}

TEST_CASE("numbers that Python reads and that are not plain break a pickle") {
  for (const char* const number : {"+0", " 7", "1_0", "0x1", "-1", ""}) {
    INFO(number);
    CHECK(found_in(package({{"data/weights/model.pt", "\x80\x02Np"s + number + "\n."}})) ==
          Found{"PICKLE_MALFORMED data/weights/model.pt"});
  }
  CHECK(found_in(package({{"data/weights/model.pt", "\x80\x02Np007\ng7\n0."}})) == Found{});
}

TEST_CASE("what Python would pass over with a frame breaks a pickle") {
  const auto framed = [](const std::string& size, const std::string& rest) {
    return found_in("\x80\x04\x95"s + size + std::string(7, '\0') + rest);
  };
  CHECK(framed("\2", "N.") == Found{});
  CHECK(framed("\1", "N.") == Found{});
  CHECK(framed("\4", "N.XX").count("PICKLE_MALFORMED ") == 1);  // the next pickle begins behind the frame
  CHECK(framed("\3", "\x8c\2xx.") == Found{"PICKLE_MALFORMED "});
  CHECK(framed("\x7f", "N.") == Found{"PICKLE_MALFORMED "});
}

TEST_CASE("tar archives of all dialects are errors") {
  const auto header = [](const std::string& magic, const std::string& checksum,
                         const std::string& name = "pickle") {
    std::string bytes(512, '\0');
    bytes.replace(0, name.size(), name);
    bytes.replace(124, 11, "00000000000").replace(257, magic.size(), magic);
    bytes.replace(148, 8, "        ");
    unsigned sum = 0;
    for (const char c : bytes) sum += static_cast<unsigned char>(c);
    std::string octal;
    for (; sum > 0; sum /= 8) octal.insert(octal.begin(), static_cast<char>('0' + sum % 8));
    std::string field = replaced(checksum, "#", octal);
    field.resize(8, '\0');
    return bytes.replace(148, 8, field) + std::string(1024, '\0');
  };
  for (const char* const checksum : {"#", " #", "+#", "0o#", "00#"}) {
    INFO(checksum);
    CHECK(found_in(header("", checksum)).count("NESTED_ARCHIVE ") == 1);
  }
  CHECK(found_in(header("ustar", "#")).count("NESTED_ARCHIVE ") == 1);
  // torch checks this name before the bytes.
  for (const std::string& name :
       {"{}"s, "[1]"s, " \n{\"a\": 1}"s, "\xef\xbb\xbf{}"s, "\x89PT2\r\n\x1a\n"s, "MZ"s}) {
    INFO(name);
    CHECK(found_in(header("", "#", name)).count("NESTED_ARCHIVE ") == 1);
  }
  CHECK_THROWS_AS(pt2::scan_file("text " + std::string(1024, 'x')), schemagen::DataError);
}

TEST_CASE("a zip archive has one layout") {
  const std::string plain = package({});
  REQUIRE(found_in(plain) == Found{});
  const auto tricks = [](const std::string& bytes) { return found_in(bytes).count("ZIP_TRICK ") == 1; };
  CHECK(tricks("{}" + plain));
  CHECK(tricks(plain + "{}"));
  const std::size_t end = plain.rfind("PK\5\6");
  CHECK(tricks(zip_builder::patched(plain, end + 20, 2, 4) + "text"));
  CHECK(tricks(zip_builder::patched(plain, end + 20, 2, 22) + plain.substr(end)));
  CHECK(tricks(plain.substr(0, end) + "between" + plain.substr(end)));
  const std::size_t entry = plain.find("PK\1\2", plain.rfind("PK\3\4"));  // the first of the outer archive
  CHECK(tricks(zip_builder::patched(plain, entry + 24, 4, 5)));           // a stored member of two sizes
  CHECK(tricks(zip_builder::patched(plain, entry + 8, 2, 1)));            // encrypted
  CHECK(tricks(zip_builder::patched(plain, entry + 10, 2, 12)));          // another method
  CHECK(tricks(zip_builder::patched(plain, 14, 4, 1)));        // another checksum in the local header
  CHECK(tricks(zip_builder::patched(plain, 6, 2, 2048)));      // other flags there
  CHECK(tricks(zip_builder::patched(plain, end + 16, 4, 0)));  // no directory
}

TEST_CASE("names of records lead down and differ in more than case") {
  for (const std::string& name : {"extra/../x"s, "extra//x"s, "extra/./x"s, "extra/a\\b"s, "extra/a\nb"s,
                                  "extra/\x7f"s, "extra/a\0b"s}) {
    INFO(name);
    CHECK(found_in(package({{name, ""}})) == Found{"RECORD_NAME " + name});
  }
  CHECK(found_in(package({{"extra/a", ""}, {"extra/A", ""}})).size() == 1);
  CHECK(found_in(package({{"extra/\xc3\xa4", ""}})) ==
        Found{"RECORD_NAME extra/\xc3\xa4"});  // not said to be UTF-8
  CHECK(found_in(build({stored("C:/archive_format", "pt2")})).count("RECORD_NAME archive_format") == 1);
}

TEST_CASE("what is inflated is bounded for the whole file, and over it is an error") {
  const auto bomb = [](std::size_t size) {
    return deflated("m/data/weights/" + std::to_string(size) + ".pt", std::string(size, 'N'));
  };
  const std::string format = "pt2";
  schemagen::Limits limits;
  limits.memory_bytes = 1 << 20;
  const std::string one = build({stored("m/archive_format", "pt2"), bomb(2 << 20)});
  CHECK(found_in(one, limits) == Found{"NOT_UNDERSTOOD ", "NOT_UNDERSTOOD data/weights/2097152.pt"});
  const std::string several =
      build({stored("m/archive_format", "pt2"), bomb(700000), bomb(700001), bomb(700002)});
  CHECK(found_in(several, limits).count("NOT_UNDERSTOOD data/weights/700002.pt") == 1);
}

TEST_CASE("members that overlap are not looked into again and again") {
  std::string archive = build(
      {stored("m/archive_format", "pt2"), stored("m/data/weights/0.pt", std::string(1 << 20, 'N') + '.')});
  const std::size_t end = archive.rfind("PK\5\6");
  const std::size_t entry = archive.rfind("PK\1\2");
  const std::string copy = archive.substr(entry, end - entry);
  constexpr std::size_t kCopies = 500;
  std::string copies;
  for (std::size_t i = 0; i < kCopies; ++i) copies += copy;
  const std::size_t size = end - archive.rfind("PK\1\2", entry - 1) + copies.size();
  archive.insert(end, copies);
  const std::size_t record = archive.rfind("PK\5\6");
  for (const std::size_t at : {8U, 10U}) archive = zip_builder::patched(archive, record + at, 2, kCopies + 2);
  archive = zip_builder::patched(archive, record + 12, 4, size);
  CHECK_THAT(message_in(archive), Contains("the members together are larger than the file"));
}

TEST_CASE("a program of torch 2.1 is read as it stands, with what is pickled in it") {
  const std::string json = content_of("programs/torch-2.1.2/mlp.json");
  REQUIRE(found_in(json) == Found{});
  const std::string file = saved_by_torch(kCall);
  const auto* const bytes = reinterpret_cast<const schemagen::Bytes::value_type*>(file.data());
  const std::string saved = schemagen::to_base64(schemagen::Bytes(bytes, bytes + file.size()));
  CHECK(found_in(
            replaced(json, R"("example_inputs": null)", R"("example_inputs": [[")" + saved + "\"], {}]")) ==
        Found{"PICKLE_GLOBAL example_inputs!archive/data.pkl"});
  CHECK(found_in(replaced(json, R"("constants": {})", R"("constants": {"c": ")" + saved + "\"}"))
            .count("PICKLE_GLOBAL constants!archive/data.pkl") == 1);
  CHECK(found_in(replaced(json, R"("meta": {)", R"("meta": {}, "meta": {)")) == Found{"NOT_UNDERSTOOD "});
}

TEST_CASE("names are scanned as they were before an upgrade") {
  const std::string json = content_of("programs/torch-2.4.1/effects.json");
  REQUIRE(found_in(json) == Found{});
  CHECK(found_in(replaced(json, "torch._higher_order_ops.effects.with_effects",
                          "torch._higher_order_ops.x.os.with_effects")) == Found{"TARGET_CODE "});
}

TEST_CASE("programs in JSON and in binary are scanned alike") {
  pt2::ExportedProgram program = pt2::load_program(kData + "programs/torch-2.13.0/mlp.json").program;
  CHECK(found_in(pt2::to_pt2b(program)) == Found{});
  program.graph_module.graph.nodes.front().target = "torch.os.system";
  CHECK(found_in(pt2::to_pt2b(program)) == Found{"TARGET_CODE "});
  CHECK(found_in(schemagen::to_json(program)) == Found{"TARGET_CODE "});
  CHECK(found_in("{}") == Found{"NOT_UNDERSTOOD "});
}

TEST_CASE("bytes that are nothing torch is known to load are refused") {
  CHECK_THROWS_AS(pt2::scan_file("nothing"), schemagen::DataError);
  CHECK_THROWS_AS(pt2::scan_file(""), schemagen::DataError);
}
