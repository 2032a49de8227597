#include "pt2/nodes/list_items.h"

#include <string>

#include "pt2/visit.h"

namespace pt2 {
namespace {

Argument item_of(bool item) {
  return Argument::of<Argument::as_bool>(item);
}
Argument item_of(const std::string& item) {
  return Argument::of<Argument::as_string>(item);
}
Argument item_of(const OptionalTensorArgument& item) {
  const auto* const tensor = item.get_if<OptionalTensorArgument::as_tensor>();
  return tensor != nullptr ? Argument(*tensor) : Argument::of<Argument::as_none>(true);
}
template <class T>
Argument item_of(const T& item) {
  Argument argument = T(item);
  if constexpr (schemagen::kIsReflectedUnion<T>) {  // symbolic
    schemagen::visit(item, [&](auto field, const auto& member) {
      if constexpr (decltype(field)::name != "as_name") argument = item_of(member);
    });
  }
  return argument;
}

template <class T>
std::optional<std::vector<Argument>> items(const T&) {
  return std::nullopt;
}
template <class T>
std::optional<std::vector<Argument>> items(const std::vector<T>& list) {
  std::vector<Argument> items;
  items.reserve(list.size());
  for (const T& item : list) items.push_back(item_of(item));
  return items;
}

}  // namespace

std::optional<std::vector<Argument>> items_of(const Argument& argument) {
  std::optional<std::vector<Argument>> found;
  schemagen::visit(argument, [&](auto, const auto& member) { found = items(member); });
  return found;
}

}  // namespace pt2
