#include "pt2/nodes/list_items.h"

#include <algorithm>
#include <initializer_list>
#include <type_traits>
#include <utility>

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

template <class T>
T list_item(Argument& item) {
  T made{};
  schemagen::visit(item, [&](auto, auto& member) {
    using Member = std::decay_t<decltype(member)>;
    constexpr bool kIsHeld = schemagen::kIsReflectedUnion<T> && std::is_constructible_v<T, Member>;
    if constexpr (kIsHeld || std::is_same_v<T, Member>) made = std::move(member);
  });
  return made;
}

template <Argument::Kind List>
bool make_list(std::vector<Argument>& items, std::initializer_list<Argument::Kind> kinds, Argument& list) {
  const bool fit = std::all_of(items.begin(), items.end(), [&](const Argument& item) {
    return std::find(kinds.begin(), kinds.end(), item.kind()) != kinds.end();
  });
  if (!fit) return false;
  auto& members = list.emplace<List>();
  using Item = typename std::decay_t<decltype(members)>::value_type;
  for (Argument& item : items) members.push_back(list_item<Item>(item));
  return true;
}

}  // namespace

std::optional<std::vector<Argument>> items_of(const Argument& argument) {
  std::optional<std::vector<Argument>> found;
  schemagen::visit(argument, [&](auto, const auto& member) { found = items(member); });
  return found;
}

Argument list_of_items(std::vector<Argument> items, bool are_optional) {
  using A = Argument;
  Argument list;
  static_cast<void>(make_list<A::as_bools>(items, {A::as_bool}, list) ||
                    make_list<A::as_ints>(items, {A::as_int}, list) ||
                    make_list<A::as_floats>(items, {A::as_float}, list) ||
                    make_list<A::as_strings>(items, {A::as_string}, list) ||
                    make_list<A::as_sym_ints>(items, {A::as_int, A::as_sym_int}, list) ||
                    make_list<A::as_sym_floats>(items, {A::as_float, A::as_sym_float}, list) ||
                    make_list<A::as_sym_bools>(items, {A::as_bool, A::as_sym_bool}, list) ||
                    (!are_optional && make_list<A::as_tensors>(items, {A::as_tensor}, list)) ||
                    make_list<A::as_optional_tensors>(items, {A::as_tensor, A::as_none}, list) ||
                    make_list<A::as_nested_tensors>(items, {A::as_tensors}, list) ||
                    make_list<A::as_int_lists>(items, {A::as_ints}, list) ||
                    make_list<A::as_float_lists>(items, {A::as_floats}, list));
  return list;
}

Argument without_wrapper(const Argument& argument) {
  Argument found;
  schemagen::visit(argument, [&](auto, const auto& member) {
    if constexpr (schemagen::kIsReflectedUnion<std::decay_t<decltype(member)>>) found = item_of(member);
  });
  return found.kind() == Argument::unset ? argument : found;
}

}  // namespace pt2
