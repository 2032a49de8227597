#include <everything/binary.h>
#include <everything/json.h>
#include <everything/visit.h>
#include <schemagen/base/limits.h>
#include <schemagen/base/quote.h>
#include <schemagen/binary_file/binary_file.h>
#include <schemagen/thrift/reader.h>
#include <schemagen/thrift/writer.h>

#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "runtime/random_value.h"
#include "runtime/schemagen/json/json_parsers.h"
#include "runtime/test_seed.h"
#include "thrown.h"

using everything::Choice;
using everything::Preset;
using everything::Tree;
using schemagen::BinaryReadOptions;
using schemagen::BinaryWriteOptions;
using schemagen::CompactWire;
using schemagen::CompactWriter;
using schemagen::DataError;
using schemagen::JsonReadOptions;
using schemagen::JsonWriteOptions;
using schemagen::Limits;

namespace {

/// In JSON, null must be written unless it is the default, which the tables do not say.
template <class Field, class Member, class T>
bool is_omissible(Field field, const Member& member, const T& value) {
  static const T kDefaults;
  const schemagen::CompactField* const known = compact_type(&value).find(field.id);
  return known->presence == schemagen::Presence::defaulted && member == Field::of(kDefaults);
}

class SparseJson {
 public:
  template <class T>
  std::string text(const T& value) {
    if constexpr (schemagen::kIsReflectedStruct<T> || schemagen::kIsReflectedUnion<T>) {
      return fields(value);
    } else {
      return schemagen::to_json(value);
    }
  }
  std::string text(const std::vector<bool>& value) { return schemagen::to_json(value); }
  std::string text(const schemagen::Bytes& value) { return schemagen::to_json(value); }
  std::string text(const schemagen::ByteList& value) { return schemagen::to_json(value); }
  template <class T>
  std::string text(const schemagen::Box<T>& value) {
    return text(*value);
  }
  template <class T>
  std::string text(const std::optional<T>& value) {
    return value ? text(*value) : "null";
  }
  template <class T>
  std::string text(const std::vector<T>& value) {
    std::string json;
    for (const T& item : value) json += (json.empty() ? "" : ", ") + text(item);
    return "[" + json + "]";
  }
  template <class T, class Key>
  std::string text(const schemagen::Map<T, Key>& value) {
    std::string json;
    for (const auto& [key, item] : value) {
      schemagen::JsonSink sink;
      const char* const end = schemagen::detail::write_key<Key>(sink, sink.value_room(nullptr), key);
      json += (json.empty() ? "" : ", ") + std::string(sink.view(end)) + ": " + text(item);
    }
    return "{" + json + "}";
  }

 private:
  template <class T>
  std::string fields(const T& value) {
    std::string json;
    schemagen::visit(value, [&](auto field, const auto& member) {
      if constexpr (schemagen::kIsReflectedStruct<T>) {
        if (is_omissible(field, member, value)) return;
      }
      json += (json.empty() ? "\"" : ", \"") + std::string(field.name) + "\": " + text(member);
    });
    return "{" + json + "}";
  }
};

/// In the schema's order, which need not be that of the ids.
class SparseCompact {
 public:
  explicit SparseCompact(CompactWriter& out) : out_(out) {}

  template <class T>
  void write(const T& value) {
    if constexpr (schemagen::kIsReflectedStruct<T> || schemagen::kIsReflectedUnion<T>) {
      fields(value);
    } else {
      write_compact(out_, value);
    }
  }
  void write(const std::vector<bool>& value) { write_compact(out_, value); }
  void write(const schemagen::Bytes& value) { write_compact(out_, value); }
  void write(const schemagen::ByteList& value) { write_compact(out_, value); }
  template <class T>
  void write(const schemagen::Box<T>& value) {
    write(*value);
  }
  template <class T>
  void write(const std::vector<T>& value) {
    out_.list(value.size(), CompactWire<T>::type);
    for (const T& item : value) write(item);
  }
  template <class T, class Key>
  void write(const schemagen::Map<T, Key>& value) {
    out_.map(value.size(), CompactWire<Key>::type, CompactWire<T>::type);
    for (const auto& [key, item] : value) {
      write_compact(out_, static_cast<const Key&>(key));
      write(item);
    }
  }

 private:
  template <class T>
  void fields(const T& value) {
    std::int32_t last_id = 0;
    schemagen::visit(value, [&](auto field, const auto& member) {
      if constexpr (schemagen::kIsReflectedStruct<T>) {
        if (is_omissible(field, member, value)) return;
      }
      if (write_field(last_id, field.id, member)) last_id = field.id;
    });
    out_.byte(0);
  }
  template <class T>
  bool write_field(std::int32_t last_id, std::int32_t id, const T& value) {
    out_.header(last_id, id, CompactWire<T>::type);
    write(value);
    return true;
  }
  template <class T>
  bool write_field(std::int32_t last_id, std::int32_t id, const std::optional<T>& value) {
    return value && write_field(last_id, id, *value);
  }
  bool write_field(std::int32_t last_id, std::int32_t id, bool value) {
    out_.header(last_id, id, value ? schemagen::WireType::true_ : schemagen::WireType::false_);
    return true;
  }

  CompactWriter& out_;
};

template <class T>
std::string sparse_binary(const T& value) {
  const BinaryWriteOptions options;
  CompactWriter out(compact_type(&value), options);
  SparseCompact(out).write(value);
  return std::string(out.view());
}

std::string file_of(const schemagen::CompactType& type, const std::string& payload) {
  schemagen::BinaryFileHeader header;
  header.schema_major = static_cast<std::uint32_t>(type.schema->version.major);
  header.schema_minor = static_cast<std::uint32_t>(type.schema->version.minor);
  header.schema_id = type.schema->id;
  header.root = std::string(type.schema->name) + "." + std::string(type.name);
  return schemagen::seal(schemagen::kAnySchema, header, payload, schemagen::Compression::none);
}

template <class T>
struct Reader {
  std::string name;
  std::function<T(const Limits& limits)> read;
};

template <class Options, class T, class Read>
void add_reader(std::vector<Reader<T>>& readers, const std::string& name, Read read) {
  readers.push_back({name, [read](const Limits& limits) {
                       Options options;
                       options.limits = limits;
                       return read(options);
                     }});
}

template <class T>
T value_or_error(schemagen::Result<T> result) {
  if (!result) throw DataError(result.failure().what());
  return *std::move(result);
}

template <class T>
void add_json_readers(std::vector<Reader<T>>& readers, const std::string& json) {
  using Options = JsonReadOptions;
  add_reader<Options>(readers, "from_json",
                      [=](const Options& options) { return schemagen::from_json<T>(json, options); });
  add_reader<Options>(readers, "from_json into a value", [=](const Options& options) {
    T value = RandomValue(test_seed()).make<T>();
    schemagen::from_json(json, value, options);
    return value;
  });
  add_reader<Options>(readers, "try_from_json", [=](const Options& options) {
    return value_or_error(schemagen::try_from_json<T>(json, options));
  });
  add_reader<Options>(readers, "a document",
                      [=](const Options& options) { return read_by_tape<T>(json, options); });
  add_reader<Options>(readers, "a document with other limits", [=](const Options& options) {
    return schemagen::from_json<T>(schemagen::JsonDocument(json, {}), options);
  });
}

template <class T>
void add_binary_readers(std::vector<Reader<T>>& readers, const std::string& payload) {
  using Options = BinaryReadOptions;
  add_reader<Options>(readers, "from_binary",
                      [=](const Options& options) { return schemagen::from_binary<T>(payload, options); });
  add_reader<Options>(readers, "from_binary into a value", [=](const Options& options) {
    T value = RandomValue(test_seed()).make<T>();
    schemagen::from_binary(payload, value, options);
    return value;
  });
  add_reader<Options>(readers, "try_from_binary", [=](const Options& options) {
    return value_or_error(schemagen::try_from_binary<T>(payload, options));
  });
  const std::string file = file_of(compact_type(static_cast<const T*>(nullptr)), payload);
  add_reader<Options>(readers, "from_binary_file",
                      [=](const Options& options) { return schemagen::from_binary_file<T>(file, options); });
}

template <class T>
std::vector<Reader<T>> readers_of(const T& value) {
  std::vector<Reader<T>> readers;
  for (const std::string& json : {schemagen::to_json(value), SparseJson().text(value)}) {
    add_json_readers(readers, json);
  }
  for (const std::string& payload : {schemagen::to_binary(value), sparse_binary(value)}) {
    add_binary_readers(readers, payload);
  }
  return readers;
}

template <class T>
void check_plain(const Limits& limits, const T& value, bool is_within) {
  JsonReadOptions options;
  options.limits = limits;
  for (const std::string& json : {schemagen::to_json(value), SparseJson().text(value)}) {
    const std::optional<T> plain = schemagen::from_plain_json<T>(json, options);
    CHECK((!plain || (is_within && *plain == value)));
  }
}

template <class T>
std::vector<bool> written(const T& value, const Limits& limits) {
  JsonWriteOptions json;
  json.limits = limits;
  JsonWriteOptions indented = json;
  indented.indent = 1;
  BinaryWriteOptions binary;
  binary.limits = limits;
  BinaryWriteOptions canonical = binary;
  canonical.canonical = true;
  schemagen::BinaryFileWriteOptions file;
  file.payload = binary;
  std::vector<bool> writes;
  for (const auto& written :
       {schemagen::try_to_json(value, json), schemagen::try_to_json(value, indented),
        schemagen::try_to_binary(value, binary), schemagen::try_to_binary(value, canonical),
        schemagen::try_to_binary_file(value, file)}) {
    writes.push_back(static_cast<bool>(written));
  }
  return writes;
}

template <class T>
void check_by(const Limits& limits, const T& value, const std::vector<Reader<T>>& readers) {
  CAPTURE(limits.depth, limits.container_items, limits.string_bytes, SparseJson().text(value));
  const std::vector<bool> is_written = written(value, limits);
  const bool is_within = is_written.front();
  CHECK(is_written == std::vector<bool>(is_written.size(), is_within));
  check_plain(limits, value, is_within);
  for (const Reader<T>& reader : readers) {
    CAPTURE(reader.name);
    bool is_read = true;
    std::string error;
    try {
      const T read = reader.read(limits);
      CHECK(read == value);
    } catch (const DataError& fault) {
      is_read = false;
      error = fault.what();
    }
    CAPTURE(error);
    CHECK(is_read == is_within);
  }
}

template <class T>
void check_all_limits(std::size_t values) {
  for (std::size_t i = 0; i < values; ++i) {
    const T value = RandomValue(test_seed() + i).make<T>();
    if (!schemagen::try_to_json(value)) continue;  // has an unset union
    const std::vector<Reader<T>> readers = readers_of(value);
    for (std::size_t limit = 0; limit < 36; ++limit) {
      Limits limits;
      if (limit < 16) {
        limits.depth = limit;
        check_by(limits, value, readers);
      }
      limits = {};
      if (limit < 6) {
        limits.container_items = limit;
        check_by(limits, value, readers);
      }
      limits = {};
      limits.string_bytes = limit;
      check_by(limits, value, readers);
    }
  }
}

/// One in the other, without fields that have defaults.
std::string nested_json(std::size_t levels) {
  std::string text;
  for (std::size_t i = 1; i < levels; ++i) text += R"({"name": "", "left": )";
  return text + R"({"name": ""})" + std::string(levels - 1, '}');
}

std::string nested_binary(std::size_t levels) {
  std::string payload;
  for (std::size_t i = 1; i < levels; ++i) payload += std::string("\x18\0\x1c", 3);
  return payload + std::string("\x18\0", 2) + std::string(levels, '\0');
}

}  // namespace

TEST_CASE("random values are read by the limits by which they are written, and only by those") {
  check_all_limits<everything::Scalars>(6);
  check_all_limits<everything::Containers>(6);
  check_all_limits<Tree>(10);
  check_all_limits<everything::Keyed>(6);
  check_all_limits<everything::Numbers>(3);
  check_all_limits<Preset>(2);
  check_all_limits<Choice>(10);
}

TEST_CASE("values that consist of defaults are read by the limits by which they are written") {
  const Preset preset;
  const std::vector<Reader<Preset>> readers = readers_of(preset);
  for (std::size_t limit = 0; limit < 12; ++limit) {
    Limits limits;
    limits.depth = limit;
    check_by(limits, preset, readers);
    limits = {};
    limits.container_items = limit;
    check_by(limits, preset, readers);
    limits = {};
    limits.string_bytes = limit;
    check_by(limits, preset, readers);
  }
}

TEST_CASE("at the default limit, 255 trees are read whose lists are absent, and 256 are not") {
  std::vector<Reader<Tree>> readers;
  add_json_readers(readers, nested_json(255));
  add_binary_readers(readers, nested_binary(255));
  for (const Reader<Tree>& reader : readers) {
    CAPTURE(reader.name);
    CHECK(written(reader.read({}), {}) == std::vector<bool>(5, true));
  }
  std::string path;
  for (int i = 0; i < 255; ++i) path += "left.";
  const std::string error = schemagen::shortened(path + "children") +
                            ": nested more than 256 levels deep, counting the defaults of absent fields";
  CHECK(error_of<Tree>(nested_json(256), JsonReadOptions()) == error + " (line 1, column 1)");
  CHECK(error_of<DataError>([] { schemagen::from_binary<Tree>(nested_binary(256)); }) == error + " (byte 0)");
  CHECK(error_of<DataError>([] {
          schemagen::from_binary_file<Tree>(
              file_of(compact_type(static_cast<const Tree*>(nullptr)), nested_binary(256)));
        }) == error + " (byte 0)");
}

TEST_CASE("values of any depth are read by the limits by which they are written") {
  for (const std::size_t levels : {60u, 63u, 64u, 65u, 66u, 128u, 129u, 191u, 192u, 193u}) {
    const Tree tree = schemagen::from_json<Tree>(nested_json(levels));
    const std::vector<Reader<Tree>> readers = readers_of(tree);
    for (const std::size_t depth : {levels - 1, levels, levels + 1, levels + 2, levels + 63, levels + 64}) {
      Limits limits;
      limits.depth = depth;
      check_by(limits, tree, readers);
    }
  }
}

TEST_CASE("messages say that a limit is exceeded with the defaults") {
  Limits limits;
  limits.container_items = 1;
  const std::string items = "flags: 2 items, over the limit of 1, counting the defaults of absent fields";
  JsonReadOptions json;
  json.limits = limits;
  CHECK(error_of<Preset>("{}", json) == items + " (line 1, column 1)");
  BinaryReadOptions binary;
  binary.limits = limits;
  const std::string payload(1, '\0');
  CHECK(error_of<DataError>([&] { schemagen::from_binary<Preset>(payload, binary); }) == items + " (byte 0)");
  json.limits = {};
  json.limits.string_bytes = 4;
  CHECK(error_of<Preset>("{}", json) ==
        "style.tags[0]: a string of 5 bytes, over the limit of 4, counting the defaults of absent fields "
        "(line 1, column 1)");
}

TEST_CASE("a document is held to the limits it is read by, not only to those it was parsed by") {
  const std::string text = nested_json(3);
  const schemagen::JsonDocument document(text, {});
  JsonReadOptions options;
  options.limits.depth = 2;
  CHECK(error_of<DataError>([&] { schemagen::from_json<Tree>(document, options); }) ==
        "nested more than 2 levels deep (line 1, column 1)");
}

TEST_CASE("an Any counts with the levels around it") {
  Choice choice;
  choice.emplace<Choice::anything>(schemagen::Json{"[[1]]"});
  BinaryWriteOptions writing;
  writing.limits.depth = 3;
  const std::string payload = schemagen::to_binary(choice, writing);
  BinaryReadOptions reading;
  reading.limits.depth = 3;
  CHECK(schemagen::from_binary<Choice>(payload, reading) == choice);
  writing.limits.depth = 2;
  CHECK(error_of<DataError>([&] { schemagen::to_binary(choice, writing); }) ==
        "anything: the text of an Any is not JSON or is nested too deeply");
  reading.limits.depth = 2;
  CHECK(error_of<DataError>([&] { schemagen::from_binary<Choice>(payload, reading); }) ==
        "anything: the string is not JSON or is nested too deeply (byte 1)");
}

TEST_CASE("an unknown field is preserved only if its name can be written") {
  std::vector<schemagen::UnknownField> preserved;
  JsonReadOptions options;
  options.unknown_fields = schemagen::UnknownFields::keep;
  options.preserved = &preserved;
  options.limits.string_bytes = 5;
  const Tree tree = schemagen::from_json<Tree>(R"({"name": "", "added": 1})", options);
  JsonWriteOptions writing;
  writing.limits = options.limits;
  writing.preserved = &preserved;
  CHECK(schemagen::to_json(tree, writing).find(R"("added": 1)") != std::string::npos);
  CHECK(error_of<DataError>([&] { schemagen::from_json<Tree>(R"({"name": "", "adding": 1})", options); }) ==
        "adding: a string of 6 bytes, over the limit of 5 (line 1, column 14)");
}

TEST_CASE("a union that was skipped does not keep a deep value from being read") {
  const std::string text = R"({"choice": {"added": 1}, "name": "", "left": )" + nested_json(250) + "}";
  JsonReadOptions options;
  options.unknown_fields = schemagen::UnknownFields::skip;
  CHECK(read_by_tape<Tree>(text, options).choice == Choice());
}

TEST_CASE("checking the defaults takes as much of the memory limit as the text of the value") {
  std::string styles = "{}";
  for (int i = 0; i < 1000; ++i) styles += ", {}";
  const std::string text = R"({"styles": [)" + styles + "]}";
  const auto least_memory = [&](JsonReadOptions options) {
    std::size_t too_little = 0;
    std::size_t enough = std::size_t{1} << 20;
    while (enough - too_little > 1) {
      options.limits.memory_bytes = too_little + (enough - too_little) / 2;
      const auto read = schemagen::try_from_json<Preset>(text, options);
      (read ? enough : too_little) = options.limits.memory_bytes;
      if (!read) CHECK(read.failure().reason() == schemagen::too_much_memory(options.limits));
    }
    return enough;
  };
  JsonReadOptions options;
  const std::size_t unchecked = least_memory(options);
  options.limits.string_bytes = 1000;  // so small that defaults may exceed it
  const std::string written = schemagen::to_json(schemagen::from_json<Preset>(text));
  CHECK(least_memory(options) == unchecked + written.size());
}
