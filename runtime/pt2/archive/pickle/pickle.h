// Reads pickles written by torch.save without executing anything. Accepts what torch.load(weights_only=True)
// accepts. Source: torch/_weights_only_unpickler.py and torch/_utils.py of torch 2.13.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pt2/types.h"
#include "schemagen/base/limits.h"
#include "schemagen/base/value.h"

namespace pt2 {

/// The index of a value in its pickle. A value can occur in several places, and can even contain itself.
using PickleRef = std::uint32_t;

enum class PickleKind {
  // The comment on each kind gives the type of PickleValue::data.
  none,          // std::monostate
  boolean,       // bool
  integer,       // std::int64_t
  big_integer,   // std::string: more than 64 bits, two's complement, little-endian
  floating,      // double
  complex,       // std::complex<double>
  text,          // std::string, UTF-8 that may contain surrogates
  bytes,         // std::string
  bytearray,     // std::string
  list,          // std::vector<PickleRef>: the items
  tuple,         // likewise
  size,          // likewise: torch.Size, integers
  set,           // likewise, in order of insertion, possibly with duplicates
  dict,          // std::vector<PickleRef>: a key, its value, a key, ...; string keys are unique
  ordered_dict,  // likewise
  counter,       // likewise
  device,        // std::string: `cuda:1`
  layout,        // std::string: `torch.strided`
  global,        // std::string: a dtype (`torch.float32`), class or function in safe_globals.h
  storage,       // PickledStorage
  tensor,        // PickledTensor
  call,          // std::vector<PickleRef>: a global, and the tuple of its arguments. Used for tensors that
                 // are not strided or whose dtype or class the schema lacks; with PickleGlobals::any, also
                 // for other calls
};

/// The storage of a tensor's elements: a record `data/<key>` in the file that contains the pickle. Tensors on
/// the meta device have neither elements nor a record; their storage has no bytes and the location `meta`.
struct PickledStorage {
  std::string type;                        // `torch.FloatStorage`, `torch.storage.UntypedStorage`
  ScalarType dtype = ScalarType::UNKNOWN;  // of its elements; BYTE if untyped
  std::string key;
  std::string location;  // `cpu`, `cuda:0`
  std::int64_t bytes = 0;
};

/// A strided tensor. All of its elements lie within its storage.
struct PickledTensor {
  PickleRef storage = 0;
  ScalarType dtype = ScalarType::UNKNOWN;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;  // in elements, not negative
  std::int64_t offset = 0;            // likewise
  bool requires_grad = false;
  bool is_parameter = false;
  bool is_conjugated = false;  // whether torch conjugates the elements lazily
  bool is_negated = false;
};

struct PickleValue {
  PickleKind kind = PickleKind::none;
  std::variant<std::monostate, bool, std::int64_t, double, std::complex<double>, std::string,
               std::vector<PickleRef>, schemagen::Box<PickledStorage>, schemagen::Box<PickledTensor>>
      data;

  /// The accessors throw std::bad_variant_access for values of other kinds.
  const std::string& text() const { return std::get<std::string>(data); }
  const std::vector<PickleRef>& items() const { return std::get<std::vector<PickleRef>>(data); }
  const PickledStorage& storage() const { return *std::get<schemagen::Box<PickledStorage>>(data); }
  const PickledTensor& tensor() const { return *std::get<schemagen::Box<PickledTensor>>(data); }
};

/// The content of a pickle. Attributes of OrderedDicts, and hooks and Python attributes of tensors, are
/// dropped.
struct Pickle {
  std::vector<PickleValue> values;
  PickleRef root = 0;

  const PickleValue& operator[](PickleRef ref) const { return values[ref]; }

  /// Returns the value for a string key of a dict, or null.
  const PickleValue* find(const PickleValue& dict, std::string_view key) const;
};

/// The classes and functions that a pickle may name.
enum class PickleGlobals {
  weights_only,  // those that torch.load(weights_only=True) accepts
  any,           // all; calls of others are kept as data without their state, and none is looked up
};

/// Reads the pickle at the start of `bytes`, up to its STOP.
///
/// Accepts the opcodes and globals of protocol 2, which torch.save writes, that weights_only accepts, and
/// calls with their usual arguments. Rejects codecs other than latin-1, ASCII and UTF-8, storage keys that
/// are neither strings nor integers, and calls of tensor and storage classes. Limits: depth for open marks,
/// container_items for each container, memory_bytes in total. Throws DataError with the byte offset for any
/// other global (which it names) or opcode, for malformed data, for a tensor that exceeds its storage, and
/// for an exceeded limit.
Pickle read_pickle(std::string_view bytes, const schemagen::Limits& limits = {},
                   PickleGlobals globals = PickleGlobals::weights_only);

}  // namespace pt2
