#include "pt2/scan/scan.h"

#include <catch2/catch.hpp>

#include "toolbox/pt2/scan/scanned.h"

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

TEST_CASE("bytes that are nothing torch is known to load are refused") {
  CHECK_THROWS_AS(pt2::scan_file("nothing"), schemagen::DataError);
  CHECK_THROWS_AS(pt2::scan_file(""), schemagen::DataError);
}
