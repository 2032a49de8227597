// Reads pickles written by torch.save, without executing anything. Accepts the same pickles as
// torch.load(weights_only=True). Source: torch/_weights_only_unpickler.py and torch/_utils.py of torch 2.13.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pt2/types.h"
#include "schemagen/base/limits.h"
#include "schemagen/base/value.h"

namespace pt2 {

/// The index of a value in Pickle::values. Several values can refer to the same value, and a value can even
/// contain itself.
using PickleRef = std::uint32_t;

enum class PickleKind {
  // The comment on each kind gives the type of PickleValue::data.
  none,          // std::monostate
  boolean,       // bool
  integer,       // std::int64_t
  big_integer,   // std::string: an integer of more than 64 bits, in two's complement, little-endian
  floating,      // double
  complex,       // std::complex<double>
  text,          // std::string: UTF-8, possibly with surrogates
  bytes,         // std::string
  bytearray,     // std::string
  list,          // std::vector<PickleRef>: the items
  tuple,         // std::vector<PickleRef>: the items
  size,          // std::vector<PickleRef>: the items of a torch.Size, which are integers
  set,           // std::vector<PickleRef>: the items in order of insertion, possibly with duplicates
  dict,          // std::vector<PickleRef>: keys alternating with their values; string keys are unique
  ordered_dict,  // std::vector<PickleRef>: keys and values, as for `dict`
  counter,       // std::vector<PickleRef>: keys and values, as for `dict`
  device,        // std::string, e.g. `cuda:1`
  layout,        // std::string, e.g. `torch.strided`
  global,        // std::string: a dtype (`torch.float32`), or a class or function in safe_globals.h
  storage,       // PickledStorage
  tensor,        // PickledTensor
  call,          // std::vector<PickleRef>: a global, and the tuple of its arguments. Used for tensors that
                 // are not strided or whose dtype or class the schema lacks; with PickleGlobals::any, also
                 // for other calls
};

/// The storage of a tensor's elements. The bytes are in the record `data/<key>` of the file that contains the
/// pickle. Tensors on the meta device have neither elements nor a record; their storage has no bytes, and its
/// location is `meta`.
struct PickledStorage {
  std::string type;                        // e.g. `torch.FloatStorage` or `torch.storage.UntypedStorage`
  ScalarType dtype = ScalarType::UNKNOWN;  // the elements' dtype; BYTE for an untyped storage
  std::string key;
  std::string location;  // e.g. `cpu` or `cuda:0`
  std::int64_t bytes = 0;
};

/// A strided tensor. All its elements are within its storage.
struct PickledTensor {
  PickleRef storage = 0;
  ScalarType dtype = ScalarType::UNKNOWN;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;  // in elements; never negative
  std::int64_t offset = 0;            // in elements; never negative
  bool requires_grad = false;
  bool is_parameter = false;
  bool is_conjugated = false;  // whether the stored elements must still be conjugated (a lazy view)
  bool is_negated = false;     // whether the stored elements must still be negated
};

struct PickleValue {
  PickleKind kind = PickleKind::none;
  std::variant<std::monostate, bool, std::int64_t, double, std::complex<double>, std::string,
               std::vector<PickleRef>, schemagen::Box<PickledStorage>, schemagen::Box<PickledTensor>>
      data;

  /// These accessors throw std::bad_variant_access for values of other kinds.
  const std::string& text() const { return std::get<std::string>(data); }
  const std::vector<PickleRef>& items() const { return std::get<std::vector<PickleRef>>(data); }
  const PickledStorage& storage() const { return *std::get<schemagen::Box<PickledStorage>>(data); }
  const PickledTensor& tensor() const { return *std::get<schemagen::Box<PickledTensor>>(data); }
};

/// A pickle's content. The attributes of OrderedDicts and the hooks and Python attributes of tensors are
/// dropped.
struct Pickle {
  std::vector<PickleValue> values;
  PickleRef root = 0;

  const PickleValue& operator[](PickleRef ref) const { return values[ref]; }

  /// Returns the number of values, including containers, if each occurrence of a value counts. Returns 2^64 -
  /// 1 if the number is larger or a container contains itself.
  std::uint64_t expanded_size() const;
};

/// The classes and functions that a pickle may name.
enum class PickleGlobals {
  weights_only,  // only those that torch.load(weights_only=True) accepts
  /// All. Calls to globals that torch rejects are kept as data, without state. Nothing is looked up or
  /// called.
  any,
};

/// Reads the pickle at the start of `bytes`, up to its STOP opcode.
///
/// torch.save writes protocol 2. This function accepts the opcodes and globals that
/// torch.load(weights_only=True) accepts, and calls to these globals with their usual arguments. It rejects
/// codecs other than latin-1, ASCII and UTF-8, storage keys that are neither strings nor integers, and calls
/// to tensor and storage classes.
///
/// Limits::depth applies to open marks, Limits::container_items to each container, and Limits::memory_bytes
/// to the whole pickle.
///
/// Throws DataError, with the byte offset, if there is any other opcode or global (the message names the
/// global), if the data is malformed, if a tensor exceeds its storage, or if a limit is exceeded.
Pickle read_pickle(std::string_view bytes, const schemagen::Limits& limits = {},
                   PickleGlobals globals = PickleGlobals::weights_only);

}  // namespace pt2
