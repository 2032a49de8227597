#include "pt2/text/python_name.h"

#include <string>

#include "pt2/text/affix.h"
#include "pt2/text/numbers.h"
#include "pt2/text/words.h"
#include "schemagen/base/utf8.h"

namespace pt2 {
namespace {

using schemagen::is_digit;

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

bool may_be_identifier(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return schemagen::is_name_char(c) || !is_ascii(c);
  });
}

// The dir() of torch's modules in torch 2.13; torch_code_test.py checks them.

constexpr std::string_view kModuleAttributes =
    "T_destination _apply _backward_hooks _backward_pre_hooks _buffers _call_impl _compiled_call_impl "
    "_forward_hooks _forward_hooks_always_called _forward_hooks_with_kwargs _forward_pre_hooks "
    "_forward_pre_hooks_with_kwargs _get_backward_hooks _get_backward_pre_hooks _get_name "
    "_is_full_backward_hook _load_from_state_dict _load_state_dict_post_hooks _load_state_dict_pre_hooks "
    "_maybe_warn_non_full_backward_hook _modules _named_members _non_persistent_buffers_set _parameters "
    "_register_load_state_dict_pre_hook _register_state_dict_hook _replicate_for_data_parallel "
    "_save_to_state_dict _slow_forward _state_dict_hooks _state_dict_pre_hooks _version _wrapped_call_impl "
    "add_module apply bfloat16 buffers call_super_init children compile cpu cuda double dump_patches eval "
    "extra_repr float forward get_buffer get_extra_state get_parameter get_submodule half ipu "
    "load_state_dict modules mtia named_buffers named_children named_modules named_parameters parameters "
    "register_backward_hook register_buffer register_forward_hook register_forward_pre_hook "
    "register_full_backward_hook register_full_backward_pre_hook register_load_state_dict_post_hook "
    "register_load_state_dict_pre_hook register_module register_parameter register_state_dict_post_hook "
    "register_state_dict_pre_hook requires_grad_ set_extra_state set_submodule share_memory state_dict to "
    "to_empty train training type xpu zero_grad";

constexpr std::string_view kGraphModuleMethods =
    "_deepcopy_init _recompile_submodules _register_create_node_hook _register_deepcopy_hook "
    "_register_erase_node_hook _register_replace_node_hook _set_replace_hook _unregister_create_node_hook "
    "_unregister_deepcopy_hook _unregister_erase_node_hook _unregister_replace_node_hook _wrapped_call "
    "add_submodule delete_all_unused_submodules delete_submodule print_readable recompile to_folder";

/// Submodules may have children with these names: `encoder.graph`.
constexpr std::string_view kGraphModuleFields =
    "_boxed_call _code _create_node_hooks _deepcopy_hooks _erase_node_hooks _graph _guards_fn _in_spec "
    "_lineno_map _out_spec _prologue_start _replace_hooks _tracer_cls _tracer_extras code graph meta "
    "range_constraints shape_env validate_inputs";

/// From functions and classes, in strict export.
constexpr std::string_view kWaysToModules =
    "__closure__ __defaults__ __dict__ __func__ __kwdefaults__ __origin__ __self__ __wrapped__";

/// The ASCII text that `literal` means in quotes in source code. nullopt for a syntax error and for non-ASCII
/// text, which names no attribute.
std::optional<std::string> unescaped(std::string_view literal) {
  std::string text;
  while (!literal.empty()) {
    if (literal[0] != '\\') {
      text += literal[0];
      literal.remove_prefix(1);
      continue;
    }
    const char kind = literal.size() > 1 ? literal[1] : '\0';
    std::string_view digits;
    int base = 16;
    if (kind == 'x') digits = literal.substr(2, 2);
    if (kind == 'u') digits = literal.substr(2, 4);
    if (kind == 'U') digits = literal.substr(2, 8);
    if (kind >= '0' && kind <= '7') {
      const std::string_view rest = literal.substr(1, 3);
      digits = rest.substr(0, rest.find_first_not_of("01234567"));
      base = 8;
    }
    const auto point = integer_of_text<std::uint32_t>(digits, base);
    if (!point || *point >= 0x80) return std::nullopt;
    text += static_cast<char>(*point);
    literal.remove_prefix(static_cast<std::size_t>(digits.data() - literal.data()) + digits.size());
  }
  return text;
}

template <class Check>
bool all_parts(std::string_view text, const Check& check) {
  for (bool is_first = true;; is_first = false) {
    const std::size_t dot = text.find('.');
    if (!check(text.substr(0, dot), is_first)) return false;
    if (dot == text.npos) return true;
    text.remove_prefix(dot + 1);
  }
}

template <class IsTaken>
bool is_pasted_as_it_is(std::string_view part, const IsTaken& is_taken) {
  if (is_identifier(part)) return !is_taken(part);
  if (is_unicode_identifier(part)) return true;
  if (may_be_identifier(part)) return false;
  if (part.find_first_of(std::string_view("\"\n\r\0", 4)) != part.npos || ends_with(part, "\\")) return false;
  // Does not support \N{...}.
  if (part.find("\\N{") != part.npos) return false;
  const std::optional<std::string> name = unescaped(part);
  return !name || !is_taken(*name);
}

/// Whether torch.fx names the node that reads `target` `self`: `Self`, `SELF`, but not `seLf`, which becomes
/// `se_lf` (_snake_case in torch/fx/graph.py).
bool is_self_in_snake_case(std::string_view target) {
  constexpr std::string_view kSelf = "self";
  if (target.size() != kSelf.size()) return false;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const bool is_upper = target[i] == kSelf[i] - 'a' + 'A';
    if (target[i] != kSelf[i] && (!is_upper || (i > 0 && target[i - 1] == kSelf[i - 1]))) return false;
  }
  return true;
}

}  // namespace

bool is_unicode_identifier(std::string_view text) {
  return may_be_identifier(text) && is_nfkc(text);
}

bool is_keyword(std::string_view text) {
  constexpr std::string_view kKeywords =
      "False None True and as assert async await break class continue def del elif else except finally for "
      "from global if import in is lambda nonlocal not or pass raise return try while with yield";
  return has_word(kKeywords, text);
}

bool is_value_name(std::string_view text) {
  return is_identifier(text) && !is_keyword(text) && text != "self";
}

bool is_special_name(std::string_view text) {
  return starts_with(text, "__") && ends_with(text, "__");
}

bool is_plain_path(std::string_view text) {
  return all_parts(text,
                   [](std::string_view name, bool) { return is_identifier(name) && !is_special_name(name); });
}

bool is_quotable(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    return (is_ascii(c) && c < ' ') || c == '\x7F' || c == '"' || c == '\'' || c == '\\';
  });
}

bool is_weight_name(std::string_view text) {
  return !is_self_in_snake_case(text) && all_parts(text, [](std::string_view part, bool is_first) {
    return is_pasted_as_it_is(part, [&](std::string_view name) {
      return is_special_name(name) || has_word(kModuleAttributes, name) ||
             has_word(kGraphModuleMethods, name) || (is_first && has_word(kGraphModuleFields, name));
    });
  });
}

bool is_module_path(std::string_view text) {
  return all_parts(text, [](std::string_view part, bool) {
    return !is_self_in_snake_case(part) && is_pasted_as_it_is(part, [](std::string_view name) {
      return (is_special_name(name) && !has_word(kWaysToModules, name)) ||
             has_word(kGraphModuleMethods, name);
    });
  });
}

bool is_graph_name(std::string_view text) {
  return is_value_name(text) && !is_special_name(text) && !has_word(kModuleAttributes, text) &&
         !has_word(kGraphModuleMethods, text) && !has_word(kGraphModuleFields, text);
}

}  // namespace pt2
