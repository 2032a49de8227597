#include "pt2/nodes/resolved_name.h"

#include <algorithm>
#include <string>

#include "pt2/operators/higher_order.h"
#include "pt2/operators/operators.h"
#include "pt2/text/affix.h"
#include "pt2/text/python_name.h"
#include "pt2/text/words.h"

namespace pt2 {
namespace {

/// torch 2.1's name of a higher-order operator (`map_impl`), or `namespace.name.overload`. Not unknown
/// higher-order operators, which may do anything with their arguments.
bool is_in_ops(std::string_view name) {
  if (!is_plain_path(name)) return false;
  constexpr std::string_view kHigherOrder = "higher_order.";
  constexpr std::string_view kMethodsOfOps =
      "_dir import_module load_library loaded_libraries _higher_order_op_namespace";
  constexpr std::string_view kAttributesOfNamespaces = "_dir name";
  const auto dots = std::count(name.begin(), name.end(), '.');
  if (dots == 0)
    return find_operator(std::string(kOperatorPrefix).append(kHigherOrder).append(name)) != nullptr;
  if (starts_with(name, kHigherOrder))
    return find_operator(std::string(kOperatorPrefix).append(name)) != nullptr;
  const std::string_view rest = name.substr(name.find('.') + 1);
  return dots <= 2 && !has_word(kMethodsOfOps, name.substr(0, name.find('.'))) &&
         !has_word(kAttributesOfNamespaces, rest.substr(0, rest.find('.')));
}

/// Operators that no exporter writes: they read or write a file whose name they are given, or make a tensor
/// that reaches beyond its memory.
bool is_harmful(std::string_view target) {
  constexpr std::string_view kHarmful =
      "aten._reshape_alias aten._reshape_alias_copy aten.from_file aten.save debugprims.load_tensor "
      "inductor._alloc_from_pool inductor._reinterpret_tensor inductor.resize_storage_bytes_";
  if (!starts_with(target, kOperatorPrefix)) return false;
  target.remove_prefix(kOperatorPrefix.size());
  const std::size_t overload = target.find('.', target.find('.') + 1);
  return has_word(kHarmful, target.substr(0, overload));
}

/// A user's extension turns `namespace:name` into an operator.
bool is_of_extension(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon != name.npos && is_identifier(name.substr(0, colon)) && is_plain_path(name.substr(colon + 1));
}

/// A path out of the package can load a library: `torch.nn.functional.torch.ctypes.cdll.x`.
bool is_imported_module(std::string_view part) {
  constexpr std::string_view kImported =
      "_C _VF cdll classes oledll ops pydll windll _collections abc ast base64 builtins collections "
      "contextlib copy copyreg ctypes dataclasses dist enum functools fx hashlib heapq importlib inspect "
      "itertools json keyword logging math nccl np numbers numpy nx operator os pickle pprint random re "
      "shutil sympy sys textwrap threading time tnp torch traceback types typing unittest warnings weakref";
  return has_word(kImported, part);
}

/// torch resolves these by getattr, but only stores the object as metadata.
bool is_of_source_package(std::string_view name) {
  constexpr std::string_view kPackages =
      "torch._dynamo.variables. torch._functorch. torch._higher_order_ops. torch.ao.nn. torch.nn.";
  std::string_view package;
  for_each_word(kPackages,
                [&](std::string_view each) { package = starts_with(name, each) ? each : package; });
  if (package.empty()) return false;
  for (std::string_view rest = name.substr(package.size());;) {
    const std::size_t dot = rest.find('.');
    if (is_imported_module(rest.substr(0, dot))) return false;
    if (dot == rest.npos) return true;
    rest.remove_prefix(dot + 1);
  }
}

/// Models call their members, which have no side effects.
bool is_module_of_torch(std::string_view module) {
  constexpr std::string_view kModules =
      "torch torch.Tensor torch._C._fft torch._C._linalg torch._C._nested torch._C._nn torch._C._sparse "
      "torch._C._special torch._VF torch._tensor torch.amp.autocast_mode torch.autograd.grad_mode torch.fft "
      "torch.functional torch.linalg torch.nested torch.nn torch.signal.windows torch.sparse torch.special "
      "torch.utils.checkpoint";
  return has_word(kModules, module);
}

/// For `torchvision.models.resnet.ResNet`, torch searches itself for `models.resnet.ResNet`, and finds
/// nothing.
bool is_of_other_package(std::string_view name) {
  constexpr std::string_view kMissing = "models transforms datasets pipelines prototype modules";
  const std::size_t dot = name.find('.');
  if (dot == name.npos || name.substr(0, dot) == "torch" || !is_plain_path(name)) return false;
  name.remove_prefix(dot + 1);
  constexpr std::string_view kOwnOps = "ops.";
  if (starts_with(name, kOwnOps)) return is_in_ops(name.substr(kOwnOps.size()));
  return has_word(kMissing, name.substr(0, name.find('.')));
}

}  // namespace

bool is_resolved_by_torch(std::string_view target) {
  return starts_with(target, "torch") || starts_with(target, "_operator") || starts_with(target, "math") ||
         starts_with(target, "#");
}

bool is_operator_name(std::string_view target) {
  if (is_harmful(target)) return false;
  // _call_custom_autograd_function_in_pre_dispatch calls the function that its first argument names.
  if (find_operator(target) != nullptr || !defined_higher_order(target).empty()) return true;
  if (starts_with(target, kOperatorPrefix)) return is_in_ops(target.substr(kOperatorPrefix.size()));
  if (starts_with(target, "#")) return is_of_extension(target.substr(1));
  // math has only functions of numbers.
  constexpr std::string_view kMath = "math.";
  const std::string_view function = target.substr(std::min(kMath.size(), target.size()));
  return starts_with(target, kMath) && is_identifier(function) && !starts_with(function, "_");
}

bool is_source_name(std::string_view name) {
  if (is_operator_name(name) || is_of_other_package(name)) return true;
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos || !is_plain_path(name)) return false;
  const std::string_view module = name.substr(0, dot);
  return is_of_source_package(name) || is_module_of_torch(module) || module == "_operator";
}

}  // namespace pt2
