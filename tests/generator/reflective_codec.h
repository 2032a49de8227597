// evolution_test compares it with generated code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/model.h"
#include "schemagen/base/schema_version.h"
#include "schemagen/base/unknown_fields.h"
#include "schemagen/thrift/wire.h"

namespace schemagen {
struct CompactCodec;
class CompactReader;
class CompactWriter;
class JsonReader;
class JsonSink;
}  // namespace schemagen

namespace schemagen_test {

/// Its type determines the meaning of the parts.
struct Value {
  /// monostate: null and Tuple[()]; bits of a uint64; number of an enum; text of an Any.
  std::variant<std::monostate, bool, std::int64_t, double, std::string> scalar;
  std::vector<Value> items;  // of a list or map; the fields of a struct; the member of a union
  std::vector<Value> keys;
  std::size_t member = 0;
  bool is_null = false;

  std::int64_t integer() const { return std::get<std::int64_t>(scalar); }
  double floating() const { return std::get<double>(scalar); }
  const std::string& text() const { return std::get<std::string>(scalar); }
};

/// All NaNs are equal.
bool operator==(const Value& a, const Value& b);
inline bool operator!=(const Value& a, const Value& b) {
  return !(a == b);
}

class ReflectiveCodec {
 public:
  using Type = generator::Type;
  using LeavesOut = std::function<bool(const generator::Definition& owner, const generator::Field& field)>;

  /// `model` must outlive this, and have complete defaults, as after reading YAML.
  explicit ReflectiveCodec(const generator::Model& model);
  ReflectiveCodec(const ReflectiveCodec&) = delete;
  ReflectiveCodec& operator=(const ReflectiveCodec&) = delete;

  const generator::Model& model() const { return model_; }

  /// Binary data of a value other than a struct or union is a struct with one field. Reading throws
  /// schemagen::DataError.
  std::string to_json(const Type& type, const Value& value, const LeavesOut& leaves_out = {}) const;
  Value from_json(const Type& type, std::string_view text, schemagen::UnknownFields unknown) const;
  std::string to_binary(const Type& type, const Value& value, const LeavesOut& leaves_out = {}) const;
  Value from_binary(const Type& type, std::string_view payload, schemagen::UnknownFields unknown) const;
  std::string to_binary_file(const Type& type, const Value& value, const LeavesOut& leaves_out = {}) const;
  Value from_binary_file(const Type& type, std::string_view file, schemagen::UnknownFields unknown) const;

  Value value_of(const Type& type, const generator::Literal& literal) const;
  Value absent(const generator::Field& field) const;

 private:
  struct Slot;
  struct Source;
  struct JsonOut;

  const generator::Definition* definition(const Type& type) const;
  bool is_left_out(const generator::Definition& owner, const generator::Field& field, const Value& value,
                   const LeavesOut& leaves_out) const;
  Value absent_struct(const generator::Definition& type) const;

  void read(schemagen::JsonReader& in, const Type& type, Value& out) const;
  void read_named(schemagen::JsonReader& in, std::size_t index, Value& out) const;
  Value key_of(schemagen::JsonReader& in, const Type* key, std::size_t at, std::string_view text) const;
  char* write(JsonOut& out, char* at, const Type& type, const Value& value) const;
  char* write_named(JsonOut& out, char* at, std::size_t index, const Value& value) const;
  char* write_key(JsonOut& out, char* at, const Type* key, const Value& value) const;

  static const schemagen::CompactCodec kBinaryCodec;
  static void read_root(schemagen::CompactReader& in, void* slot);
  static void write_root(schemagen::CompactWriter& out, const void* source);
  schemagen::WireType wire(const Type& type) const;
  void read(schemagen::CompactReader& in, schemagen::WireType found, const Type& type, Value& out) const;
  void read_fields(schemagen::CompactReader& in, std::size_t index, Value& out) const;
  void write(schemagen::CompactWriter& out, const Type& type, const Value& value,
             const LeavesOut& leaves_out) const;
  void write_fields(schemagen::CompactWriter& out, std::size_t index, const Value& value,
                    const LeavesOut& leaves_out) const;
  void write_field(schemagen::CompactWriter& out, std::int32_t last_id, std::int32_t id, const Type& type,
                   const Value& value, const LeavesOut& leaves_out) const;

  friend void read_compact(schemagen::CompactReader& in, schemagen::WireType found, Slot& slot);

  const generator::Model& model_;
  schemagen::SchemaIdentity identity_;
  std::vector<std::vector<const generator::Field*>> by_id_;
  std::vector<std::vector<schemagen::CompactField>> compact_fields_;
  std::vector<schemagen::CompactType> compact_types_;
};

}  // namespace schemagen_test
