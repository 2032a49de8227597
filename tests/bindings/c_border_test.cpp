#include <everything/binary.h>
#include <everything/json.h>
#include <everything/visit.h>

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "folder.h"
#include "is_writable.h"
#include "pt2.h"
#include "pt2_ids.h"
#include "runtime/failing_allocations.h"
#include "schemagen/c/type.h"

namespace {

const std::string kMlp = PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/mlp.pt2";
constexpr pt2_str kNoText = {nullptr, 0};

std::string text_of(pt2_str text) {
  return text.data == nullptr ? "NULL" : std::string(text.data, text.size);
}

int32_t kind_of(pt2_error* error) {
  const int32_t kind = pt2_error_kind(error);
  pt2_error_free(error);
  return kind;
}

std::string message_of(pt2_error* error) {
  const std::string message = text_of(pt2_error_message(error));
  pt2_error_free(error);
  return message;
}

struct Loaded {
  explicit Loaded(const std::string& path = kMlp) {
    REQUIRE(pt2_file_open(path.c_str(), nullptr, &file) == nullptr);
    REQUIRE(pt2_program_load(file, kNoText, nullptr, &program) == nullptr);
  }
  ~Loaded() {
    pt2_program_free(program);
    pt2_file_free(file);
  }
  pt2_file* file = nullptr;
  pt2_program* program = nullptr;
};

pt2_value graph_of(const pt2_program* program) {
  return schemagen_value_field(
      schemagen_value_field(pt2_program_value(program), PT2_ExportedProgram_graph_module),
      PT2_GraphModule_graph);
}

/// Returns the number of allocations.
int check_every_allocation_of(const std::function<pt2_error*()>& call) {
  int errors = 0;
  for (const long failures : {std::numeric_limits<long>::max(), 1L}) {
    bool have_failed = true;
    for (int successes = 0; have_failed; ++successes) {
      pt2_error* error = nullptr;
      {
        const FailingAllocations failing(successes, failures);
        error = call();
        have_failed = failing.have_failed();
      }
      if (error == nullptr) continue;
      CAPTURE(successes, failures);
      REQUIRE(have_failed);
      REQUIRE(text_of(pt2_error_message(error)) == "out of memory");
      REQUIRE(pt2_error_kind(error) == SCHEMAGEN_ERROR_MEMORY);
      pt2_error_free(error);
      ++errors;
    }
  }
  return errors;
}

}  // namespace

TEST_CASE("the library and the header have the same ABI version") {
  CHECK(pt2_abi_version() == PT2_ABI_VERSION);
  CHECK(text_of(pt2_version()).find('.') != std::string::npos);
}

TEST_CASE("NULL is refused by name where something can fail, and gives nothing elsewhere") {
  pt2_file* file = nullptr;
  pt2_program* program = nullptr;
  pt2_bytes bytes = {nullptr, 0};
  CHECK(message_of(pt2_file_open(nullptr, nullptr, &file)) == "path is NULL");
  CHECK(message_of(pt2_file_open("x.pt2", nullptr, nullptr)) == "out is NULL");
  CHECK(message_of(pt2_file_from_bytes(nullptr, 3, nullptr, &file)) == "data is NULL, but its size is not 0");
  CHECK(kind_of(pt2_file_from_bytes(nullptr, 0, nullptr, &file)) == SCHEMAGEN_ERROR_DATA);
  CHECK(message_of(pt2_program_load(nullptr, kNoText, nullptr, &program)) == "file is NULL");
  CHECK(message_of(pt2_program_to_json(nullptr, nullptr, &bytes)) == "program is NULL");
  CHECK(message_of(pt2_program_hash(nullptr, &bytes)) == "program is NULL");
  CHECK(message_of(pt2_program_canonicalize(nullptr, "normal", false)) == "program is NULL");
  CHECK(message_of(pt2_program_retarget(nullptr, pt2_text("cpu"), kNoText, nullptr)) == "program is NULL");
  CHECK(message_of(pt2_file_strip(nullptr, kNoText, "out.pt2")) == "file is NULL");
  CHECK(message_of(pt2_tensor_copy(nullptr, &bytes)) == "tensor is NULL");
  CHECK(file == nullptr);
  CHECK(program == nullptr);
  CHECK(bytes.data == nullptr);

  CHECK(pt2_file_kind(nullptr) == PT2_FILE_NONE);
  CHECK(pt2_file_model_count(nullptr) == 0);
  CHECK(text_of(pt2_file_model_name(nullptr, 0)).empty());
  CHECK(pt2_weights_at(nullptr, 0) == nullptr);
  CHECK(pt2_weights_find(nullptr, pt2_text("a")) == nullptr);
  CHECK(pt2_tensor_shape(nullptr) == nullptr);
  CHECK(pt2_findings_count(nullptr) == 0);
  CHECK(pt2_finding_offset(nullptr, 0) == -1);
  CHECK(pt2_finding_level(nullptr, 0) == 0);
  CHECK(pt2_tensor_kind(nullptr) == 0);
  CHECK(pt2_error_kind(nullptr) == SCHEMAGEN_ERROR_NONE);
  CHECK(text_of(pt2_error_message(nullptr)).empty());
  CHECK(schemagen_value_kind(pt2_program_value(nullptr)) == SCHEMAGEN_NONE);
  pt2_file_free(nullptr);
  pt2_program_free(nullptr);
  pt2_weights_free(nullptr);
  pt2_tensor_free(nullptr);
  pt2_findings_free(nullptr);
  pt2_error_free(nullptr);
  pt2_bytes_free(nullptr);
  schemagen_document_free(nullptr);
}

TEST_CASE("a value that contains NaN equals the value of the same file read again") {
  const std::string path = PT2_SOURCE_DIR "/tests/data/programs/torch-2.12.1/nonfinite.json";
  const Loaded one(path);
  const Loaded again(path);
  CHECK(schemagen_value_equal(pt2_program_value(one.program), pt2_program_value(again.program)));
}

TEST_CASE("a cursor gives what the program has, and nothing for what it is not asked rightly") {
  const Loaded mlp;
  const pt2_value program = pt2_program_value(mlp.program);
  CHECK(schemagen_value_kind(program) == SCHEMAGEN_STRUCT);
  CHECK(text_of(schemagen_value_type(program)) == "ExportedProgram");
  const pt2_value nodes = schemagen_value_field(graph_of(mlp.program), PT2_Graph_nodes);
  REQUIRE(schemagen_value_kind(nodes) == SCHEMAGEN_LIST);
  REQUIRE(schemagen_value_size(nodes) > 0);
  const pt2_value node = schemagen_value_item(nodes, 0);
  CHECK(text_of(schemagen_value_string(schemagen_value_field(node, PT2_Node_target))).find("torch.ops.") ==
        0);
  CHECK(schemagen_value_equal(schemagen_value_named(node, "target"),
                              schemagen_value_field(node, PT2_Node_target)));
  const pt2_value argument =
      schemagen_value_named(schemagen_value_item(schemagen_value_field(node, PT2_Node_inputs), 0), "arg");
  CHECK(schemagen_value_kind(argument) == SCHEMAGEN_UNION);
  CHECK(schemagen_value_member_id(argument) == PT2_Argument_as_tensor);
  CHECK(text_of(schemagen_value_member_name(argument)) == "as_tensor");
  const pt2_value versions = schemagen_value_named(program, "opset_version");
  CHECK(schemagen_value_kind(versions) == SCHEMAGEN_MAP);
  CHECK(schemagen_value_int(schemagen_value_get(versions, pt2_text("aten"))) > 0);
  CHECK(text_of(schemagen_value_string(schemagen_value_key(versions, 0))) == "aten");

  const pt2_value none = schemagen_value_item(nodes, 1000000);
  for (const pt2_value& wrong :
       {none, schemagen_value_item(program, 0), schemagen_value_named(nodes, "target"),
        schemagen_value_named(node, "no such field"), schemagen_value_named(node, nullptr),
        schemagen_value_field(node, -1), schemagen_value_member(node), schemagen_value_get(versions, kNoText),
        schemagen_value_get(versions, pt2_str{"aten\0x", 6}),
        schemagen_value_get(versions, pt2_str{nullptr, 4}), schemagen_value_key(nodes, 0)}) {
    CHECK(schemagen_value_kind(wrong) == SCHEMAGEN_NONE);
    CHECK(schemagen_value_size(wrong) == 0);
    CHECK(text_of(schemagen_value_string(wrong)) == "NULL");
    CHECK(schemagen_value_int(wrong) == 0);
    CHECK(schemagen_value_float(wrong) == 0.0);
    CHECK_FALSE(schemagen_value_bool(wrong));
    CHECK(schemagen_value_kind(schemagen_value_item(wrong, 0)) == SCHEMAGEN_NONE);
    CHECK(schemagen_value_equal(wrong, none));
  }
  CHECK(schemagen_value_int(node) == 0);
  CHECK(schemagen_value_member_id(node) == 0);
}

TEST_CASE("options of an older header get defaults; unknown options of a newer header are refused") {
  const Loaded mlp;
  pt2_program* program = nullptr;
  pt2_load_options older = PT2_LOAD_OPTIONS_INIT;
  older.struct_size = 8;
  older.bare_nonfinite = 77;
  older.newer_fields = 1000;
  CHECK(pt2_program_load(mlp.file, kNoText, &older, &program) == nullptr);
  pt2_program_free(program);

  struct {
    pt2_load_options known = PT2_LOAD_OPTIONS_INIT;
    int32_t newer = 0;
    int32_t newest = 0;
  } future;
  future.known.struct_size = sizeof future;
  CHECK(pt2_program_load(mlp.file, kNoText, &future.known, &program) == nullptr);
  pt2_program_free(program);
  future.newest = 1;
  CHECK(message_of(pt2_program_load(mlp.file, kNoText, &future.known, &program)) ==
        "options: expected at most 24 bytes, got 32; hint: use a newer library");
  older.struct_size = 0;
  CHECK(message_of(pt2_program_load(mlp.file, kNoText, &older, &program)) ==
        "struct_size of options is not set");
  future.known.struct_size = sizeof future.known;
  future.known.unknown_fields = 9;
  CHECK(kind_of(pt2_program_load(mlp.file, kNoText, &future.known, &program)) == SCHEMAGEN_ERROR_USAGE);
  CHECK(program == nullptr);
}

TEST_CASE("limits of a file hold for its programs") {
  pt2_file_options options = PT2_FILE_OPTIONS_INIT;
  options.max_depth = 4;
  pt2_file* file = nullptr;
  REQUIRE(pt2_file_open(kMlp.c_str(), &options, &file) == nullptr);
  pt2_program* program = nullptr;
  pt2_error* const error = pt2_program_load(file, kNoText, nullptr, &program);
  CHECK(pt2_error_kind(error) == SCHEMAGEN_ERROR_DATA);
  CHECK(text_of(pt2_error_reason(error)) == "nested more than 4 levels deep");
  CHECK_FALSE(text_of(pt2_error_path(error)).empty());
  CHECK(pt2_error_line(error) == 1);
  CHECK(pt2_error_column(error) > 1);
  pt2_error_free(error);
  pt2_file_free(file);
}

std::string findings_of(const std::string& bytes) {
  pt2_findings* findings = nullptr;
  REQUIRE(pt2_scan_bytes(bytes.data(), bytes.size(), &findings) == nullptr);
  std::string all;
  for (size_t i = 0; i < pt2_findings_count(findings); ++i)
    all += text_of(pt2_finding_message(findings, i)) + "\n";
  pt2_findings_free(findings);
  return all;
}

TEST_CASE("a program that runs code is reported") {
  const std::string hostile = PT2_SOURCE_DIR "/tests/data/hostile/";
  CHECK_THAT(findings_of(content(hostile + "L01_value_self.pt2")),
             Catch::Matchers::Contains("torch's source reads 'self'"));
  CHECK_THAT(findings_of(content(hostile + "L02_format_value.pt2")),
             Catch::Matchers::Contains("torch would format this"));
}

TEST_CASE("of a borrowed archive, only tensors that are asked for need their data") {
  std::string bytes = content(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/mlp.pt2");
  const std::string whole = findings_of(bytes);
  pt2_bytes parts = {nullptr, 0};
  REQUIRE(pt2_parts_not_scanned(bytes.data(), bytes.size(), &parts) == nullptr);
  size_t offset = 0, size = 0, count = 0;
  int read = 0;
  for (const char* at = parts.data + 1; std::sscanf(at, "[%zu, %zu]%n", &offset, &size, &read) == 2;) {
    REQUIRE(offset + size <= bytes.size());
    bytes.replace(offset, size, size, '\xAA');
    at += read;
    if (*at == ',') at += 2;
    ++count;
  }
  pt2_bytes_free(&parts);
  CHECK(count == 6);
  CHECK(findings_of(bytes) == whole);

  pt2_file* file = nullptr;
  pt2_program* program = nullptr;
  pt2_weights* weights = nullptr;
  pt2_findings* findings = nullptr;
  REQUIRE(pt2_file_borrow(bytes.data(), bytes.size(), nullptr, &file) == nullptr);
  REQUIRE(pt2_program_load(file, kNoText, nullptr, &program) == nullptr);
  REQUIRE(pt2_weights_load(file, kNoText, &weights) == nullptr);
  REQUIRE(pt2_program_verify(program, file, &findings) == nullptr);
  CHECK(pt2_findings_count(findings) == 0);
  const pt2_tensor* const tensor = pt2_weights_find(weights, pt2_text("l1.weight"));
  CHECK(message_of(pt2_tensor_copy(tensor, &parts)).find("CRC-32 mismatch") != std::string::npos);
  pt2_findings_free(findings);
  pt2_weights_free(weights);
  pt2_program_free(program);
  pt2_file_free(file);

  CHECK(message_of(pt2_file_borrow(nullptr, 3, nullptr, &file)) == "data is NULL, but its size is not 0");
  CHECK(message_of(pt2_parts_not_scanned(nullptr, 3, &parts)) == "data is NULL, but its size is not 0");
  REQUIRE(pt2_parts_not_scanned("{}", 2, &parts) == nullptr);
  CHECK(std::string_view(parts.data, parts.size) == "[]");
  pt2_bytes_free(&parts);
}

TEST_CASE("a version that int32_t does not hold is given as the greatest") {
  std::string json = content(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/mlp.json");
  const std::string minor = R"("minor": )";
  REQUIRE(json.find(minor) != std::string::npos);
  json.insert(json.find(minor) + minor.size(), "429496729");
  pt2_file* file = nullptr;
  pt2_program* program = nullptr;
  int32_t numbers[2] = {};
  REQUIRE(pt2_file_from_bytes(json.data(), json.size(), nullptr, &file) == nullptr);
  REQUIRE(pt2_program_load(file, kNoText, nullptr, &program) == nullptr);
  pt2_program_version(program, &numbers[0], &numbers[1]);
  CHECK(numbers[0] == 8);
  CHECK(numbers[1] == std::numeric_limits<int32_t>::max());
  pt2_program_free(program);
  pt2_file_free(file);
}

/// Each nested graph adds seven levels of JSON.
std::string nested_program(int graphs) {
  std::string json = content(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/mlp.json");
  const std::string before =
      R"({"inputs": [], "outputs": [], "nodes": [{"target": "t", "inputs": [{"name": "a", "arg": {"as_graph": )"
      R"({"name": "n", "graph": )";
  const std::string after =
      R"(}}, "kind": 1}], "outputs": [], "metadata": {}, "is_hop_single_tensor_return": null, "name": null}], )"
      R"("tensor_values": {}, "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": false, )"
      R"("custom_obj_values": {}, "sym_float_values": {}})";
  const std::string key = R"({"graph_module": {"graph": )";
  REQUIRE(json.find(key) == 0);
  const size_t begin = key.size();
  const size_t end = json.find(R"(, "signature": )");
  std::string graph = json.substr(begin, end - begin);
  for (int i = 0; i < graphs; ++i) graph = before + graph + after;
  return json.replace(begin, end - begin, graph);
}

TEST_CASE("as deep as values may nest, they are written again; and that is bounded, as the stack is") {
  const std::string json = nested_program(138);
  pt2_file_options options = PT2_FILE_OPTIONS_INIT;
  options.max_depth = 1000;
  pt2_file* file = nullptr;
  pt2_program* program = nullptr;
  pt2_findings* findings = nullptr;
  pt2_bytes text = {nullptr, 0};
  REQUIRE(pt2_file_from_bytes(json.data(), json.size(), &options, &file) == nullptr);
  REQUIRE(pt2_program_load(file, kNoText, nullptr, &program) == nullptr);
  REQUIRE(pt2_program_to_json(program, nullptr, &text) == nullptr);
  CHECK(std::string_view(text.data, text.size) == json);
  pt2_bytes_free(&text);
  REQUIRE(pt2_program_to_pt2b(program, nullptr, &text) == nullptr);
  pt2_bytes_free(&text);
  REQUIRE(pt2_program_downgrade(program, 8, 20, &text, nullptr) == nullptr);
  pt2_bytes_free(&text);
  REQUIRE(pt2_program_text(program, &text) == nullptr);
  pt2_bytes_free(&text);
  REQUIRE(pt2_program_verify(program, file, &findings) == nullptr);
  pt2_findings_free(findings);
  CHECK(pt2_program_canonicalize(program, "normal", true) == nullptr);
  pt2_program_free(program);
  pt2_file_free(file);

  const std::string refused = "max_depth: expected at most 1000, got 1001";
  options.max_depth = 1001;
  CHECK(message_of(pt2_file_from_bytes(json.data(), json.size(), &options, &file)) == refused);
  std::string trees = R"({"name": "n"})";
  for (int i = 0; i < 900; ++i) trees = R"({"name": "n", "left": )" + trees + "}";
  const schemagen_type* const type = schemagen::c::type_of<everything::Tree>();
  schemagen_document* tree = nullptr;
  schemagen_read_options reading = SCHEMAGEN_READ_OPTIONS_INIT;
  reading.max_depth = 1001;
  CHECK(message_of(schemagen_document_from_json(type, trees.data(), trees.size(), &reading, &tree)) ==
        refused);
  reading.max_depth = 1000;
  REQUIRE(schemagen_document_from_json(type, trees.data(), trees.size(), &reading, &tree) == nullptr);
  CHECK(schemagen_document_to_binary(tree, nullptr, &text) == nullptr);
  schemagen_bytes_free(&text);
  CHECK(schemagen_document_to_json(tree, nullptr, &text) == nullptr);
  schemagen_bytes_free(&text);
  schemagen_document_free(tree);
}

TEST_CASE("names come and go with bytes of zero in them") {
  const Loaded mlp;
  const std::string with_zero("a\0b", 3);
  const pt2_str name = {with_zero.data(), with_zero.size()};
  pt2_program* program = nullptr;
  CHECK(kind_of(pt2_program_load(mlp.file, name, nullptr, &program)) == SCHEMAGEN_ERROR_USAGE);
  const float numbers[] = {1, 2};
  const int64_t shape[] = {2};
  pt2_tensor* tensor = nullptr;
  REQUIRE(pt2_tensor_new(name, PT2_ScalarType_FLOAT, shape, 1, numbers, sizeof numbers, &tensor) == nullptr);
  CHECK(text_of(pt2_tensor_name(tensor)) == with_zero);
  pt2_str data;
  REQUIRE(pt2_tensor_data(tensor, &data) == nullptr);
  REQUIRE(data.size == sizeof numbers);
  CHECK(std::memcmp(data.data, numbers, sizeof numbers) == 0);
  pt2_tensor_free(tensor);
  CHECK(kind_of(pt2_tensor_new(name, PT2_ScalarType_FLOAT, shape, 1, numbers, 4, &tensor)) ==
        SCHEMAGEN_ERROR_DATA);
  CHECK(kind_of(pt2_tensor_new(name, 99, shape, 1, numbers, 8, &tensor)) == SCHEMAGEN_ERROR_DATA);
  CHECK(tensor == nullptr);
  CHECK(message_of(pt2_program_retype(mlp.program, 99, nullptr, 0)) ==
        "expected float16, bfloat16, float32 or float64, got dtype 99");
  const pt2_str value = pt2_text("linear");
  const pt2_str no_utf8 = pt2_text("\xff");
  CHECK(kind_of(pt2_program_rename(mlp.program, &value, &no_utf8, 1)) == SCHEMAGEN_ERROR_USAGE);
  CHECK(kind_of(pt2_program_rename(mlp.program, &value, &name, 1)) == SCHEMAGEN_ERROR_USAGE);
}

TEST_CASE("a program that cannot be changed is as it was, and so are its cursors") {
  const Loaded mlp;
  const pt2_value graph = graph_of(mlp.program);
  pt2_bytes before = {nullptr, 0};
  pt2_bytes after = {nullptr, 0};
  REQUIRE(pt2_program_to_json(mlp.program, nullptr, &before) == nullptr);
  CHECK(kind_of(pt2_program_canonicalize(mlp.program, "no form", false)) == SCHEMAGEN_ERROR_USAGE);
  CHECK(kind_of(pt2_program_slim(mlp.program, nullptr)) == SCHEMAGEN_ERROR_USAGE);
  CHECK(kind_of(pt2_program_retarget(mlp.program, pt2_text("no device"), kNoText, nullptr)) ==
        SCHEMAGEN_ERROR_USAGE);
  CHECK(schemagen_value_kind(graph) == SCHEMAGEN_STRUCT);
  REQUIRE(pt2_program_to_json(mlp.program, nullptr, &after) == nullptr);
  CHECK(std::string_view(before.data, before.size) == std::string_view(after.data, after.size));
  CHECK(before.data[before.size] == '\0');
  pt2_bytes_free(&before);
  pt2_bytes_free(&after);
  CHECK(after.data == nullptr);
}

TEST_CASE("C functions change a program as the library does") {
  const Loaded mlp;
  pt2_bytes text = {nullptr, 0};
  size_t devices = 0;
  REQUIRE(pt2_program_retarget(mlp.program, pt2_text("cuda:1"), kNoText, &devices) == nullptr);
  CHECK(devices > 0);
  REQUIRE(pt2_program_slim(mlp.program, "metadata") == nullptr);
  REQUIRE(pt2_program_canonicalize(mlp.program, "normal", true) == nullptr);
  REQUIRE(pt2_program_retype(mlp.program, PT2_ScalarType_BFLOAT16, nullptr, 0) == nullptr);
  REQUIRE(pt2_program_text(mlp.program, &text) == nullptr);
  CHECK(std::string_view(text.data).find("bf16") != std::string_view::npos);
  pt2_bytes_free(&text);
  REQUIRE(pt2_program_upgrade(mlp.program, &text) == nullptr);
  CHECK(std::string(text.data) == "[]");
  pt2_bytes_free(&text);
  pt2_bytes dropped = {nullptr, 0};
  REQUIRE(pt2_program_downgrade(mlp.program, 8, 14, &text, &dropped) == nullptr);
  CHECK(std::string_view(text.data).find("\"minor\": 14") != std::string_view::npos);
  CHECK(dropped.data[0] == '{');
  pt2_bytes_free(&text);
  pt2_bytes_free(&dropped);
  CHECK(kind_of(pt2_program_downgrade(mlp.program, 9, 0, &text, nullptr)) == SCHEMAGEN_ERROR_USAGE);
}

/// Each node has an unknown field with its operator as value, which loading preserves.
pt2_program* program_with_kept_fields() {
  std::string json = content(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/mlp.json");
  const std::string before = R"({"target": ")";
  int count = 0;
  for (size_t at = 0; (at = json.find(before, at)) != std::string::npos; ++count) {
    const size_t begin = at + before.size();
    const std::string target = json.substr(begin, json.find('"', begin) - begin);
    const std::string field = R"("newer": ")" + target + R"(", )";
    json.insert(at + 1, field);
    at += 1 + field.size() + before.size();
  }
  REQUIRE(count == 5);
  pt2_file* file = nullptr;
  pt2_program* program = nullptr;
  pt2_load_options options = PT2_LOAD_OPTIONS_INIT;
  options.unknown_fields = SCHEMAGEN_FIELDS_KEEP;
  REQUIRE(pt2_file_from_bytes(json.data(), json.size(), nullptr, &file) == nullptr);
  REQUIRE(pt2_program_load(file, kNoText, &options, &program) == nullptr);
  pt2_file_free(file);
  return program;
}

TEST_CASE("a program with kept fields is not changed where these would come to lie elsewhere") {
  const Folder folder;
  const Loaded mlp;
  const std::string path = folder / "out.pt2";
  const pt2_str linear = pt2_text("linear");
  const pt2_str relu = pt2_text("relu");
  pt2_program* const program = program_with_kept_fields();
  pt2_program* part = nullptr;
  pt2_bytes text = {nullptr, 0};
  const std::string refused =
      "cannot change a program with preserved unknown fields; hint: save it unchanged, or "
      "load it with SCHEMAGEN_FIELDS_SKIP";
  CHECK(message_of(pt2_program_canonicalize(program, "normal", true)) == refused);
  CHECK(message_of(pt2_program_slim(program, "unused")) == refused);
  CHECK(message_of(pt2_program_rename(program, &linear, &relu, 1)) == refused);
  CHECK(message_of(pt2_program_retype(program, PT2_ScalarType_HALF, nullptr, 0)) == refused);
  CHECK(message_of(pt2_program_upgrade(program, nullptr)) == refused);
  CHECK(message_of(pt2_program_downgrade(program, 8, 14, &text, nullptr)) == refused);
  CHECK(message_of(pt2_program_extract(program, &linear, 1, &relu, 1, &part)) == refused);
  CHECK(message_of(pt2_file_save_part(mlp.file, kNoText, program, path.c_str())) == refused);
  CHECK(pt2_program_retarget(program, pt2_text("cuda:1"), kNoText, nullptr) == nullptr);
  REQUIRE(pt2_program_to_json(program, nullptr, &text) == nullptr);
  CHECK(std::string_view(text.data).find(
            R"({"newer": "torch.ops.aten.relu.default", "target": "torch.ops.aten.relu)") !=
        std::string_view::npos);
  pt2_bytes_free(&text);
  pt2_program_free(program);
}

TEST_CASE("a program loaded without metadata can be inspected but not written") {
  const Folder folder;
  const std::string pickled = PT2_SOURCE_DIR "/tests/data/programs/torch-2.8.0/mlp.pt2";
  const std::string path = folder / "out.pt2";
  const std::string json = folder / "out.json";
  const pt2_str linear = pt2_text("linear");
  const pt2_str relu = pt2_text("relu");
  pt2_load_options options = PT2_LOAD_OPTIONS_INIT;
  options.without_metadata = 1;
  for (const std::string& source : {kMlp, pickled}) {
    CAPTURE(source);
    pt2_file* file = nullptr;
    pt2_program* program = nullptr;
    pt2_program* part = nullptr;
    pt2_bytes text = {nullptr, 0};
    REQUIRE(pt2_file_open(source.c_str(), nullptr, &file) == nullptr);
    REQUIRE(pt2_program_load(file, kNoText, &options, &program) == nullptr);
    REQUIRE(pt2_program_extract(program, &linear, 1, &relu, 1, &part) == nullptr);
    REQUIRE(pt2_program_text(part, &text) == nullptr);
    pt2_bytes_free(&text);
    REQUIRE(pt2_program_canonicalize(program, "names", true) == nullptr);
    for (const pt2_program* const incomplete : {program, part}) {
      CHECK(kind_of(pt2_program_to_json(incomplete, nullptr, &text)) == SCHEMAGEN_ERROR_USAGE);
      CHECK(kind_of(pt2_program_to_pt2b(incomplete, nullptr, &text)) == SCHEMAGEN_ERROR_USAGE);
      CHECK(kind_of(pt2_program_save(incomplete, json.c_str(), nullptr, nullptr)) == SCHEMAGEN_ERROR_USAGE);
      CHECK(kind_of(pt2_program_save(incomplete, path.c_str(), file, nullptr)) == SCHEMAGEN_ERROR_USAGE);
      CHECK(kind_of(pt2_program_downgrade(incomplete, 8, 14, &text, nullptr)) == SCHEMAGEN_ERROR_USAGE);
      CHECK(message_of(pt2_file_save_part(file, kNoText, incomplete, path.c_str())) ==
            "the program was loaded without the metadata of its nodes; hint: load it with metadata to write "
            "it");
    }
    CHECK(folder.count() == 0);
    pt2_program_free(part);
    pt2_program_free(program);
    pt2_file_free(file);
  }
}

TEST_CASE("archives are written without weights, with others, and without what could run") {
  const Folder folder;
  const Loaded mlp;
  const std::string stripped = folder / "stripped.pt2";
  const std::string tensors = folder / "tensors.safetensors";
  const std::string attached = folder / "attached.pt2";
  pt2_weights* weights = nullptr;
  pt2_weights* read = nullptr;
  REQUIRE(pt2_weights_load(mlp.file, kNoText, &weights) == nullptr);
  REQUIRE(pt2_weights_save(weights, tensors.c_str()) == nullptr);
  REQUIRE(pt2_file_strip(mlp.file, kNoText, stripped.c_str()) == nullptr);
  REQUIRE(pt2_weights_read(tensors.c_str(), weights, &read) == nullptr);
  std::vector<const pt2_tensor*> all;
  for (size_t i = 0; i < pt2_weights_count(read); ++i) all.push_back(pt2_weights_at(read, i));
  pt2_file* bare = nullptr;
  REQUIRE(pt2_file_open(stripped.c_str(), nullptr, &bare) == nullptr);
  REQUIRE(pt2_file_attach(bare, kNoText, all.data(), all.size(), attached.c_str()) == nullptr);
  CHECK(kind_of(pt2_file_attach(bare, kNoText, all.data(), all.size() - 1, attached.c_str())) ==
        SCHEMAGEN_ERROR_DATA);
  pt2_file* whole = nullptr;
  pt2_weights* again = nullptr;
  REQUIRE(pt2_file_open(attached.c_str(), nullptr, &whole) == nullptr);
  REQUIRE(pt2_weights_load(whole, kNoText, &again) == nullptr);
  pt2_file_free(whole);
  REQUIRE(pt2_weights_count(again) == pt2_weights_count(weights));
  for (size_t i = 0; i < pt2_weights_count(again); ++i) {
    pt2_str a, b;
    REQUIRE(pt2_tensor_data(pt2_weights_at(weights, i), &a) == nullptr);
    REQUIRE(pt2_tensor_data(pt2_weights_find(again, pt2_tensor_name(pt2_weights_at(weights, i))), &b) ==
            nullptr);
    CHECK(text_of(a) == text_of(b));
  }
  pt2_weights_free(again);
  pt2_weights_free(read);
  pt2_weights_free(weights);
  pt2_file_free(bare);
  const std::string hardened = folder / "hardened.pt2";
  pt2_bytes left_out = {nullptr, 0};
  REQUIRE(pt2_file_harden(mlp.file, kNoText, false, hardened.c_str(), &left_out) == nullptr);
  CHECK(left_out.data[0] == '[');
  pt2_bytes_free(&left_out);
  pt2_findings* findings = nullptr;
  REQUIRE(pt2_scan(hardened.c_str(), &findings) == nullptr);
  for (size_t i = 0; i < pt2_findings_count(findings); ++i) {
    CHECK(pt2_finding_level(findings, i) == PT2_FINDING_NOTE);
    CHECK(pt2_rule_explanation(pt2_finding_rule(findings, i)).data != nullptr);
  }
  pt2_findings_free(findings);
}

TEST_CASE("the elements that a file lends cannot be changed, before and after others are read") {
  const Folder folder;
  const Loaded mlp;
  pt2_weights* weights = nullptr;
  REQUIRE(pt2_weights_load(mlp.file, kNoText, &weights) == nullptr);
  REQUIRE(pt2_weights_count(weights) > 1);
  for (int round = 0; round < 2; ++round) {
    for (size_t i = 0; i < pt2_weights_count(weights); ++i) {
      pt2_str lent;
      REQUIRE(pt2_tensor_data(pt2_weights_at(weights, i), &lent) == nullptr);
      CHECK_FALSE(is_writable(lent.data));
      CHECK_FALSE(is_writable(lent.data + lent.size - 1));
      pt2_bytes copy = {nullptr, 0};
      REQUIRE(pt2_tensor_copy(pt2_weights_at(weights, i), &copy) == nullptr);
      CHECK(text_of(lent) == std::string(copy.data, copy.size));
      std::memset(copy.data, 'x', copy.size);
      pt2_bytes_free(&copy);
    }
    REQUIRE(pt2_program_save(mlp.program, (folder / "copy.pt2").c_str(), mlp.file, nullptr) == nullptr);
    pt2_findings* findings = nullptr;
    REQUIRE(pt2_program_verify(mlp.program, mlp.file, &findings) == nullptr);
    pt2_findings_free(findings);
  }
  pt2_weights_free(weights);
}

TEST_CASE("a part is cut out, and saved with its weights") {
  const Folder folder;
  const Loaded mlp;
  const pt2_str inputs[] = {pt2_text("linear")};
  const pt2_str outputs[] = {pt2_text("relu")};
  pt2_program* part = nullptr;
  CHECK(kind_of(pt2_program_extract(mlp.program, inputs, 1, nullptr, 0, &part)) == SCHEMAGEN_ERROR_USAGE);
  CHECK(part == nullptr);
  REQUIRE(pt2_program_extract(mlp.program, inputs, 1, outputs, 1, &part) == nullptr);
  CHECK(schemagen_value_size(schemagen_value_field(graph_of(part), PT2_Graph_nodes)) == 1);
  const std::string path = folder / "part.pt2";
  REQUIRE(pt2_file_save_part(mlp.file, kNoText, part, path.c_str()) == nullptr);
  pt2_program_free(part);
  const Loaded saved(path);
  pt2_findings* findings = nullptr;
  REQUIRE(pt2_program_verify(saved.program, saved.file, &findings) == nullptr);
  CHECK(pt2_findings_count(findings) == 0);
  pt2_findings_free(findings);
}

TEST_CASE("a part is of the model, and of the version, that its program is of") {
  const pt2_str linear = pt2_text("linear");
  const pt2_str relu = pt2_text("relu");
  const Folder folder;
  const std::string path = folder / "multi.pt2";
  pt2_file* file = nullptr;
  pt2_program* program = nullptr;
  pt2_program* part = nullptr;
  REQUIRE(pt2_file_open(PT2_SOURCE_DIR "/tests/data/packages/multi.pt2", nullptr, &file) == nullptr);
  REQUIRE(pt2_program_load(file, pt2_text("b"), nullptr, &program) == nullptr);
  REQUIRE(pt2_program_extract(program, &linear, 1, &relu, 1, &part) == nullptr);
  CHECK(text_of(pt2_program_model(part)) == "b");
  CHECK(pt2_program_save(part, path.c_str(), file, nullptr) == nullptr);
  pt2_program_free(part);
  pt2_program_free(program);
  pt2_file_free(file);

  const Loaded old(PT2_SOURCE_DIR "/tests/data/programs/torch-2.4.1/mlp.json");
  int32_t major = 0;
  REQUIRE(pt2_program_extract(old.program, &linear, 1, &relu, 1, &part) == nullptr);
  pt2_program_upgraded_from(part, &major, nullptr);
  CHECK(major == 5);
  pt2_program_free(part);
}

bool aborts(const std::function<void()>& use) {
  const pid_t child = fork();
  if (child == 0) {
    std::fclose(stderr);
    std::signal(SIGABRT, SIG_DFL);
    use();
    std::_Exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

TEST_CASE(
    "libraries with assertions abort where a cursor outlives its program, or what it was before a change") {
  pt2_file* file = nullptr;
  pt2_program* program = nullptr;
  REQUIRE(pt2_file_open(kMlp.c_str(), nullptr, &file) == nullptr);
  REQUIRE(pt2_program_load(file, kNoText, nullptr, &program) == nullptr);
  const pt2_value before = pt2_program_value(program);
  CHECK(schemagen_value_kind(before) == SCHEMAGEN_STRUCT);
  REQUIRE(pt2_program_slim(program, "metadata") == nullptr);
  const pt2_value after = pt2_program_value(program);
  const bool has_assertions = after.life != 0;
  if (has_assertions) CHECK(aborts([&] { schemagen_value_kind(before); }));
  CHECK_FALSE(aborts([&] { schemagen_value_kind(after); }));
  pt2_program_free(program);
  pt2_file_free(file);
  if (has_assertions) CHECK(aborts([&] { schemagen_value_named(after, "graph_module"); }));
}

template <class Handle, class Call>
std::function<pt2_error*()> making(void (*free)(Handle*), const Call& call) {
  return [=] {
    Handle* made = nullptr;
    pt2_error* const error = call(&made);
    if (error != nullptr && made != nullptr) std::abort();  // CHECK would allocate
    free(made);
    return error;
  };
}

template <class Call>
std::function<pt2_error*()> giving(const Call& call) {
  return [=] {
    pt2_bytes text = {nullptr, 0};
    pt2_error* const error = call(&text);
    if (error != nullptr && text.data != nullptr) std::abort();
    pt2_bytes_free(&text);
    return error;
  };
}

TEST_CASE("running out of memory at any allocation is reported, and nothing leaks") {
  const Folder folder;
  const Loaded mlp;
  const pt2_program* const program = mlp.program;
  const std::string data = PT2_SOURCE_DIR "/tests/data/";
  const std::string json = data + "programs/torch-2.13.0/mlp.json";
  const std::string compressed = data + "packages/int8_weights.pt2";
  const std::string packed = folder / "packed.pt2b";
  const std::string arrays = folder / "arrays.npz";
  const std::string tensors = folder / "tensors.safetensors";
  const std::string out_json = folder / "out.json";
  const std::string out_pt2b = folder / "out.pt2b";
  const std::string out_pt2 = folder / "out.pt2";
  pt2_weights* weights = nullptr;
  REQUIRE(pt2_program_save(program, packed.c_str(), nullptr, nullptr) == nullptr);
  REQUIRE(pt2_weights_load(mlp.file, kNoText, &weights) == nullptr);
  REQUIRE(pt2_weights_save(weights, arrays.c_str()) == nullptr);
  REQUIRE(pt2_weights_save(weights, tensors.c_str()) == nullptr);
  std::vector<const pt2_tensor*> all;
  for (size_t i = 0; i < pt2_weights_count(weights); ++i) all.push_back(pt2_weights_at(weights, i));
  const pt2_str linear = pt2_text("linear");
  const pt2_str relu = pt2_text("relu");
  const pt2_str names[] = {linear, relu};
  const pt2_str swapped[] = {relu, linear};
  pt2_program* part = nullptr;
  REQUIRE(pt2_program_extract(program, &linear, 1, &relu, 1, &part) == nullptr);
  pt2_program* changing = nullptr;
  REQUIRE(pt2_program_copy(program, &changing) == nullptr);
  const int64_t shape[] = {4};
  const float numbers[4] = {};
  const std::string text_of_tree =
      R"({"name": "a long name for which memory is needed", "children": [{"name": "c"}]})";
  const schemagen_type* const tree_type = schemagen::c::type_of<everything::Tree>();
  schemagen_document* tree = nullptr;
  schemagen_bytes binary_tree = {nullptr, 0};
  REQUIRE(schemagen_document_from_json(tree_type, text_of_tree.data(), text_of_tree.size(), nullptr, &tree) ==
          nullptr);
  REQUIRE(schemagen_document_to_binary(tree, nullptr, &binary_tree) == nullptr);
  const auto load = [](const std::string& path) {
    return making(pt2_program_free, [&path](pt2_program** out) {
      pt2_file* file = nullptr;
      pt2_error* error = pt2_file_open(path.c_str(), nullptr, &file);
      if (error == nullptr) error = pt2_program_load(file, kNoText, nullptr, out);
      pt2_file_free(file);
      return error;
    });
  };
  const auto save = [&](const std::string& path) {
    return [&] { return pt2_program_save(program, path.c_str(), mlp.file, nullptr); };
  };
  const auto read = [&](const std::string& path) {
    return making(pt2_weights_free,
                  [&](pt2_weights** out) { return pt2_weights_read(path.c_str(), weights, out); });
  };
  const auto slim = [&](const char* what) { return [=] { return pt2_program_slim(changing, what); }; };
  const auto bring_to = [&](const char* form) {
    return [=] { return pt2_program_canonicalize(changing, form, false); };
  };
  const std::pair<const char*, std::function<pt2_error*()>> calls[] = {
      {"load JSON", load(json)},
      {"load a compressed member", load(compressed)},
      {"load a binary file", load(packed)},
      {"copy", making(pt2_program_free, [&](auto out) { return pt2_program_copy(program, out); })},
      {"to_json", giving([&](auto out) { return pt2_program_to_json(program, nullptr, out); })},
      {"to_pt2b", giving([&](auto out) { return pt2_program_to_pt2b(program, nullptr, out); })},
      {"save JSON", save(out_json)},
      {"save a binary file", save(out_pt2b)},
      {"save an archive", save(out_pt2)},
      {"weights_load",
       making(pt2_weights_free, [&](auto out) { return pt2_weights_load(mlp.file, kNoText, out); })},
      {"read an npz", read(arrays)},
      {"read safetensors", read(tensors)},
      {"save an npz", [&] { return pt2_weights_save(weights, arrays.c_str()); }},
      {"save safetensors", [&] { return pt2_weights_save(weights, tensors.c_str()); }},
      {"tensor_new", making(pt2_tensor_free,
                            [&](auto out) {
                              return pt2_tensor_new(pt2_text("a long name for which memory is needed"),
                                                    PT2_ScalarType_FLOAT, shape, 1, numbers, sizeof numbers,
                                                    out);
                            })},
      {"tensor_data", making(pt2_weights_free,
                             [&](pt2_weights** out) {
                               pt2_error* error = pt2_weights_load(mlp.file, kNoText, out);
                               pt2_str elements;
                               if (error == nullptr) {
                                 error = pt2_tensor_data(pt2_weights_at(*out, 0), &elements);
                                 if (error != nullptr) pt2_weights_free(std::exchange(*out, nullptr));
                               }
                               return error;
                             })},
      {"tensor_copy", giving([&](auto out) { return pt2_tensor_copy(all.front(), out); })},
      {"verify",
       making(pt2_findings_free, [&](auto out) { return pt2_program_verify(program, mlp.file, out); })},
      {"scan", making(pt2_findings_free, [&](auto out) { return pt2_scan(kMlp.c_str(), out); })},
      {"upgrade", giving([&](auto out) { return pt2_program_upgrade(changing, out); })},
      {"downgrade", giving([&](auto out) {
         pt2_bytes dropped = {nullptr, 0};
         pt2_error* const error = pt2_program_downgrade(program, 8, 14, out, &dropped);
         if (error != nullptr && dropped.data != nullptr) std::abort();
         pt2_bytes_free(&dropped);
         return error;
       })},
      {"rename", [&] { return pt2_program_rename(changing, names, swapped, 2); }},
      {"retarget", [&] { return pt2_program_retarget(changing, pt2_text("cuda:1"), kNoText, nullptr); }},
      {"retype", [&] { return pt2_program_retype(changing, PT2_ScalarType_HALF, &linear, 1); }},
      {"extract", making(pt2_program_free,
                         [&](auto out) { return pt2_program_extract(program, &linear, 1, &relu, 1, out); })},
      {"canonicalize torch", bring_to("torch")},
      {"slim stack-traces", slim("stack-traces")},
      {"slim metadata", slim("metadata")},
      {"slim unused", slim("unused")},
      {"slim names", slim("names")},
      {"canonicalize names", bring_to("names")},
      {"canonicalize normal", bring_to("normal")},
      {"save_part", [&] { return pt2_file_save_part(mlp.file, kNoText, part, out_pt2.c_str()); }},
      {"file_retype",
       [&] { return pt2_file_retype(mlp.file, kNoText, PT2_ScalarType_HALF, nullptr, 0, out_pt2.c_str()); }},
      {"strip", [&] { return pt2_file_strip(mlp.file, kNoText, out_pt2.c_str()); }},
      {"attach", [&] { return pt2_file_attach(mlp.file, kNoText, all.data(), all.size(), out_pt2.c_str()); }},
      {"harden",
       giving([&](auto out) { return pt2_file_harden(mlp.file, kNoText, true, out_pt2.c_str(), out); })},
      {"hash", giving([&](auto out) { return pt2_program_hash(program, out); })},
      {"diff", giving([&](auto out) { return pt2_program_diff(program, program, out); })},
      {"info", giving([&](auto out) { return pt2_info(mlp.file, program, pt2_text("mlp"), out); })},
      {"info of a file", giving([&](auto out) { return pt2_info(mlp.file, nullptr, pt2_text("mlp"), out); })},
      {"stats",
       giving([&](auto out) { return pt2_program_stats(program, "node", nullptr, nullptr, 0, out); })},
      {"operators", giving([&](auto out) { return pt2_program_operators(program, "2.6", out); })},
      {"signature", giving([&](auto out) { return pt2_program_signature(program, out); })},
      {"text", giving([&](auto out) { return pt2_program_text(program, out); })},
      {"page", giving([&](auto out) { return pt2_program_page(program, pt2_text("mlp"), nullptr, out); })},
      {"page of costs", giving([&](auto out) { return pt2_program_page_costs(program, out); })},
      {"page of differences",
       giving([&](auto out) { return pt2_program_page_differences(program, program, out); })},
      {"document_from_json", making(schemagen_document_free,
                                    [&](auto out) {
                                      return schemagen_document_from_json(tree_type, text_of_tree.data(),
                                                                          text_of_tree.size(), nullptr, out);
                                    })},
      {"document_from_binary", making(schemagen_document_free,
                                      [&](auto out) {
                                        return schemagen_document_from_binary(tree_type, binary_tree.data,
                                                                              binary_tree.size, nullptr, out);
                                      })},
      {"document_to_json", giving([&](auto out) { return schemagen_document_to_json(tree, nullptr, out); })},
      {"document_to_binary",
       giving([&](auto out) { return schemagen_document_to_binary(tree, nullptr, out); })},
  };
  for (const auto& [name, call] : calls) {
    CAPTURE(name);
    CHECK(check_every_allocation_of(call) > 0);
  }
  CHECK(folder.count() == 6);
  const pt2_value versions = schemagen_value_named(pt2_program_value(program), "opset_version");
  {
    const FailingAllocations failing(0);
    const int64_t aten = schemagen_value_int(schemagen_value_get(versions, pt2_text("aten")));
    if (aten == 0) std::abort();
  }
  schemagen_bytes_free(&binary_tree);
  schemagen_document_free(tree);
  pt2_program_free(changing);
  pt2_program_free(part);
  pt2_weights_free(weights);
}

TEST_CASE("threads look at one program at once") {
  const Loaded mlp;
  std::vector<std::thread> threads;
  std::vector<std::string> hashes(4);
  for (std::string& hash : hashes) {
    threads.emplace_back([&] {
      pt2_bytes text = {nullptr, 0};
      if (pt2_program_hash(mlp.program, &text) != nullptr) return;
      hash = text.data;
      pt2_bytes_free(&text);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& hash : hashes) CHECK(hash == hashes.front());
  CHECK(hashes.front().find("sha256:") == 0);
}

TEST_CASE("documents of any schema are read, walked and written") {
  const schemagen_type* const type = schemagen::c::type_of<everything::Tree>();
  const std::string json =
      R"({"name": "a", "left": {"name": "l"}, "children": [{"name": "c"}], "named": {"k": {"name": "n"}}})";
  schemagen_document* tree = nullptr;
  REQUIRE(schemagen_document_from_json(type, json.data(), json.size(), nullptr, &tree) == nullptr);
  const schemagen_value root = schemagen_document_value(tree);
  CHECK(text_of(schemagen_value_type(root)) == "Tree");
  const schemagen_value child = schemagen_value_item(schemagen_value_named(root, "children"), 0);
  CHECK(text_of(schemagen_value_string(schemagen_value_named(child, "name"))) == "c");
  const schemagen_value left = schemagen_value_named(root, "left");
  CHECK(text_of(schemagen_value_string(schemagen_value_named(left, "name"))) == "l");
  CHECK(schemagen_value_kind(schemagen_value_named(left, "left")) == SCHEMAGEN_NULL);
  const schemagen_value named = schemagen_value_named(root, "named");
  CHECK(schemagen_value_kind(schemagen_value_get(named, schemagen_text("k"))) == SCHEMAGEN_STRUCT);

  schemagen_bytes binary = {nullptr, 0};
  schemagen_document* again = nullptr;
  REQUIRE(schemagen_document_to_binary(tree, nullptr, &binary) == nullptr);
  REQUIRE(schemagen_document_from_binary(type, binary.data, binary.size, nullptr, &again) == nullptr);
  CHECK(schemagen_value_equal(root, schemagen_document_value(again)));
  schemagen_bytes text = {nullptr, 0};
  REQUIRE(schemagen_document_to_json(again, nullptr, &text) == nullptr);
  CHECK(std::string_view(text.data, text.size) ==
        schemagen::to_json(schemagen::from_json<everything::Tree>(json)));
  schemagen_bytes_free(&text);
  schemagen_bytes_free(&binary);
  schemagen_document_free(again);
  schemagen_document_free(tree);
  schemagen_error* const error = schemagen_document_from_json(type, "{\"name\": 1}", 11, nullptr, &tree);
  CHECK(schemagen_error_kind(error) == SCHEMAGEN_ERROR_DATA);
  CHECK(text_of(schemagen_error_path(error)) == "name");
  schemagen_error_free(error);
  CHECK(tree == nullptr);
}
