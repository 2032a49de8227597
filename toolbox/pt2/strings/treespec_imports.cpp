#include "pt2/strings/treespec_imports.h"

#include "pt2/text/json_text.h"
#include "pt2/text/words.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using schemagen::JsonReader;
using schemagen::JsonTape;

constexpr std::string_view kKnownEnums =
    "http:HTTPStatus torch.ao.quantization.quant_type:QuantType torch.serialization:LoadEndianness";

constexpr std::string_view kKnownFactories =
    "builtins.bool builtins.bytes builtins.complex builtins.dict builtins.float builtins.frozenset "
    "builtins.int builtins.list builtins.set builtins.str builtins.tuple collections.Counter "
    "collections.OrderedDict collections.deque torch.Tensor";

void require_known(std::string_view known, const std::string& name, const char* what) {
  if (has_word(known, name)) return;
  throw schemagen::DataError(std::string("torch would import ") + what + " " + schemagen::quoted(name));
}

void check_context_value(JsonReader& in);

/// An object's keys, in any order, determine its import.
void check_object(JsonReader& in) {
  bool is_enum = false;
  bool has_factory = false;
  std::string enum_name;
  std::string factory[2];
  schemagen::JsonEntries entries(in);
  while (const auto key = entries.next()) {
    const bool is_module = *key == "default_factory_module";
    const bool is_factory = is_module || *key == "default_factory_name";
    is_enum = is_enum || *key == "__enum__";
    has_factory = has_factory || is_factory;
    const bool is_fqn = *key == "fqn";
    if (in.tag() != JsonTape::kString || !(is_factory || is_fqn)) {
      check_context_value(in);
    } else {
      (is_fqn ? enum_name : factory[is_module ? 0 : 1]) = in.string();
    }
  }
  if (is_enum) require_known(kKnownEnums, enum_name, "the enum");
  if (has_factory) require_known(kKnownFactories, factory[0] + "." + factory[1], "the factory");
}

void check_context_value(JsonReader& in) {
  if (in.tag() == JsonTape::kObject) return check_object(in);
  if (in.tag() == JsonTape::kBare) return static_cast<void>(in.floating());
  if (in.tag() != JsonTape::kArray) return static_cast<void>(in.raw());
  for (schemagen::JsonItems items(in); items.next();) check_context_value(in);
}

}  // namespace

void check_imports(const TreeSpec& spec) {
  read_json_text(spec.context.text, [](JsonReader& in) {
    if (in.tag() != JsonTape::kString) return check_context_value(in);
    const std::string text(in.string());
    // Contexts other than JSON contain no object unless they have a curly bracket.
    if (text.find('{') != text.npos) read_json_text(text, check_context_value);
  });
  for (const TreeSpec& child : spec.children) check_imports(child);
}

}  // namespace pt2
