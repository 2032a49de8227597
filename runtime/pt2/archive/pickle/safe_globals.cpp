#include "pt2/archive/pickle/safe_globals.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "pt2/tables/torchao_globals.h"
#include "pt2/text/type_names.h"
#include "pt2/text/words.h"

namespace pt2 {
namespace {

/// The names of classes, without what they are of, and their dtypes.
constexpr std::pair<std::string_view, std::string_view> kClasses[] = {{"Double", "float64"},
                                                                      {"Float", "float32"},
                                                                      {"Long", "int64"},
                                                                      {"Int", "int32"},
                                                                      {"Short", "int16"},
                                                                      {"Char", "int8"},
                                                                      {"Byte", "uint8"},
                                                                      {"Half", "float16"},
                                                                      {"Bool", "bool"},
                                                                      {"BFloat16", "bfloat16"},
                                                                      {"ComplexDouble", "complex128"},
                                                                      {"ComplexFloat", "complex64"}};

constexpr std::string_view kQuantizedClasses = "QInt8 QUInt8 QUInt4x2 QUInt2x4";

constexpr std::string_view kDtypesOutsideOfTheSchema =
    "qint8 qint32 quint8 quint4x2 quint2x4 bits1x8 bits2x4 bits4x2 bits8 bits16 float4_e2m1fn_x2 int1 int2 "
    "int3 int4 int5 int6 int7 uint1 uint2 uint3 uint4 uint5 uint6 uint7";

constexpr std::string_view kSchemes =
    "per_tensor_affine per_tensor_symmetric per_channel_affine per_channel_symmetric "
    "per_channel_affine_float_qparams";

using SafeGlobalTable = std::map<std::string, SafeGlobal, std::less<>>;

SafeGlobalTable make_safe_globals() {
  SafeGlobalTable table;
  const auto add = [&](std::string_view name, SafeGlobalKind kind, ScalarType dtype, unsigned bytes) {
    const auto row = table.try_emplace(std::string(name)).first;
    row->second = {row->first, kind, dtype, bytes};
  };
  const auto add_value = [&](std::string_view name, SafeGlobalKind kind) {
    add(std::string("torch.").append(name), kind, ScalarType::UNKNOWN, 0);
  };
  add("torch.Tensor", SafeGlobalKind::tensor_class, ScalarType::UNKNOWN, 0);
  add("torch.QInt32Storage", SafeGlobalKind::storage_class, ScalarType::UNKNOWN, 4);
  add("torch.storage.UntypedStorage", SafeGlobalKind::storage_class, ScalarType::BYTE, 1);
  for_each_callable(
      [&](std::string_view name, SafeGlobalKind kind) { add(name, kind, ScalarType::UNKNOWN, 0); });
  for (const auto& [class_name, dtype_name] : kClasses) {
    const ScalarType dtype = *dtype_named(dtype_name);
    const auto bytes = static_cast<unsigned>(*element_bytes(dtype));
    for (const std::string_view module : {"torch.", "torch.cuda.", "torch.sparse.", "torch.cuda.sparse."}) {
      const std::string name = std::string(module).append(class_name);
      const bool is_sparse = module.find("sparse") != module.npos;
      if (!is_sparse) add(name + "Storage", SafeGlobalKind::storage_class, dtype, bytes);
      if (is_complex(dtype) || (is_sparse && dtype == ScalarType::BOOL)) continue;
      add(name + "Tensor", SafeGlobalKind::tensor_class, dtype, bytes);
    }
  }
  for_each_word(kQuantizedClasses, [&](std::string_view name) {
    add("torch." + std::string(name) + "Storage", SafeGlobalKind::storage_class, ScalarType::UNKNOWN, 1);
  });
  for (const Dtype& dtype : kDtypes) {
    if (dtype.value != ScalarType::UNKNOWN) add_value(dtype.torch, SafeGlobalKind::dtype);
  }
  for_each_word(kDtypesOutsideOfTheSchema,
                [&](std::string_view name) { add_value(name, SafeGlobalKind::dtype); });
  for_each_word(kSchemes, [&](std::string_view name) { add_value(name, SafeGlobalKind::scheme); });
  return table;
}

// Python's Lib/_compat_pickle.py, as far as torch uses it. By module; single names first.
struct Renamed {
  std::string_view module;
  std::string_view name;
  std::string_view now;
};

constexpr Renamed kRenamed[] = {
    {"__builtin__", "xrange", "builtins.range"},
    {"__builtin__", "reduce", "functools.reduce"},
    {"__builtin__", "intern", "sys.intern"},
    {"__builtin__", "unichr", "builtins.chr"},
    {"__builtin__", "unicode", "builtins.str"},
    {"__builtin__", "long", "builtins.int"},
    {"__builtin__", "basestring", "builtins.str"},
    {"__builtin__", "", "builtins"},
    {"copy_reg", "", "copyreg"},
    {"exceptions", "StandardError", "builtins.Exception"},
    {"itertools", "izip", "builtins.zip"},
    {"itertools", "imap", "builtins.map"},
    {"itertools", "ifilter", "builtins.filter"},
    {"itertools", "ifilterfalse", "itertools.filterfalse"},
    {"itertools", "izip_longest", "itertools.zip_longest"},
    {"Queue", "", "queue"},
    {"repr", "", "reprlib"},
    {"_abcoll", "", "collections.abc"},
    {"UserDict", "IterableUserDict", "collections.UserDict"},
    {"UserDict", "", "collections"},
    {"UserList", "", "collections"},
    {"UserString", "", "collections"},
    {"whichdb", "", "dbm"},
    {"StringIO", "", "io"},
    {"cStringIO", "", "io"},
};

}  // namespace

const SafeGlobal* find_safe_global(std::string_view name) {
  static const SafeGlobalTable kTable = make_safe_globals();
  const auto found = kTable.find(name);
  return found == kTable.end() ? nullptr : &found->second;
}

std::optional<std::string> torchao_for(std::string_view name) {
  const auto is_before = [](const TorchaoGlobal& global, std::string_view other) {
    return global.name < other;
  };
  const TorchaoGlobal* const found =
      std::lower_bound(std::begin(kTorchaoGlobals), std::end(kTorchaoGlobals), name, is_before);
  if (found == std::end(kTorchaoGlobals) || found->name != name) return std::nullopt;
  const std::string since = "torchao " + std::string(found->since);
  if (found->until == kLastTorchao) return since + " or later";
  return found->until == found->since ? since : since + " to " + std::string(found->until);
}

std::string storage_class(ScalarType dtype) {
  for (const auto& [class_name, dtype_name] : kClasses) {
    if (dtype_name == torch_name(dtype)) return std::string(class_name) + "Storage";
  }
  return "";
}

std::string global_name(std::string_view module, std::string_view name) {
  for (const Renamed& each : kRenamed) {
    if (each.module != module || (!each.name.empty() && each.name != name)) continue;
    if (!each.name.empty()) return std::string(each.now);
    module = each.now;
    break;
  }
  return std::string(module) + "." + std::string(name);
}

}  // namespace pt2
