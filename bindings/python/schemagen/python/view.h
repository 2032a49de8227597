// Values of a schema as Python sees them: a view is a place in a value, never a copy. Everything here is
// called with the GIL held.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "schemagen/access.h"

namespace schemagen::python {

namespace nb = nanobind;

struct Codecs;

/// A struct, union, list or map, either on its own or as a part of another one.
///
/// A part knows its owner and its place there, from which its address follows; addresses are looked up again
/// after any change of structure. Of one part there is one view while any lives, as there is one object in
/// Python. What is taken out of its owner (deleted, replaced) becomes a value on its own, so that a view
/// shows what it always showed. What is on its own and is put into another value becomes a part of it, as
/// objects in Python do; what is a part already is copied.
class View {
 public:
  /// On its own, of a new value. `self`: the object that it is in.
  View(const Access& type, nb::handle self) : type_(&type), owned_(type.make()), self_(self.ptr()) {}
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  ~View();

  const Access& type() const noexcept { return *type_; }
  void* value();

  /// The view of `object`; null if it is none.
  static View* of(nb::handle object) noexcept;
  /// A new value of `type`, to which `value` is moved if it is not null.
  static nb::object of_new(const Access& type, void* value = nullptr);

  /// A field, a union's member or an item by its place, as Python has it.
  nb::object get(std::size_t step);
  /// Replaces a field or an item.
  void set(std::size_t step, nb::handle value);
  /// Of a union: sets its member by its place.
  void set_member(std::size_t member, nb::handle value);
  /// Of a list: puts an item in before `index`.
  void insert(std::size_t index, nb::handle item);
  /// Of a list: replaces the items of a slice by those of `value`, all or none.
  void set_items(const nb::slice& slice, nb::handle value);
  /// Of a list or map: removes each `step`-th item from `begin` up to `end`.
  void erase(std::size_t begin, std::size_t end, std::size_t step = 1);
  /// Of a map.
  void set_entry(nb::handle key, nb::handle value);
  /// Of a map: the place of a key, or count() if it is not there.
  std::size_t find(nb::handle key);
  nb::object key_at(std::size_t index);
  /// Replaces the value as a whole by that of `other`, which is empty after it.
  void take(View& other);

  /// While one lives, the value may be read without the GIL: changes are refused. Errors: std::runtime_error,
  /// where `view` is being changed as a whole.
  class Reading {
   public:
    explicit Reading(View& view);
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
    ~Reading() { --root_->readers_; }

   private:
    View* root_;
  };

  std::size_t count() { return type_->count(value()); }

 private:
  View(const Access& type, nb::handle self, View& owner, std::size_t step);

  /// The value, to be changed. Errors: std::runtime_error, where another thread reads it.
  void* changed();
  View& root();
  void check_depth(const Access& type, const void* part);

  class Given;

  /// A field, member or item and its type, without its optional; null: it has no value.
  void* at(std::size_t step, const Access*& type);
  const Access& type_at(std::size_t step) const;
  /// Where the view of a part is found: of a union there is one.
  std::size_t slot_of(std::size_t step) const noexcept { return type_->emplace != nullptr ? 0 : step; }
  View* part_at(std::size_t step) const noexcept;
  nb::object known_at(std::size_t step);
  void link(View& owner, std::size_t step);
  void unlink() noexcept;
  void adopt(View& owner, std::size_t step);
  bool can_adopt(const View& other);
  void replace(std::size_t step, Given& given);
  void insert_all(std::size_t index, std::list<Given>& given);
  void detach(std::size_t step);
  void renumber(std::size_t from);

  const Access* type_;
  void* owned_ = nullptr;     // of a value on its own
  PyObject* self_ = nullptr;  // borrowed
  View* owner_ = nullptr;     // of a part; held by a reference
  std::size_t step_ = 0;
  void* address_ = nullptr;  // of a part, as of `looked_up_`
  std::uint64_t looked_up_ = 0;
  std::uint32_t readers_ = 0;  // of a value on its own

  std::vector<View*> parts_;  // by their places; null: no view of that one lives
};

// The classes that Python has: a view is of one of these, which add nothing to it.
struct StructView : View {
  static constexpr ReflectedType::Kind kKind = ReflectedType::structure;
};
struct UnionView : View {
  static constexpr ReflectedType::Kind kKind = ReflectedType::union_;
};
struct ListView : View {
  static constexpr ReflectedType::Kind kKind = ReflectedType::list;
};
struct MapView : View {
  static constexpr ReflectedType::Kind kKind = ReflectedType::map;
};

/// A value as Python's own (numbers, text), or as a part of `owner` at `step`.
nb::object to_python(const Access& type, const void* value);
/// A text or bytes. Errors: TypeError.
std::string_view data_of(nb::handle value);
/// Fills a value from Python's. Errors: TypeError, ValueError, that begin with where it is.
void from_python(const Access& type, void* to, nb::handle value);

/// What Python has for a type.
struct Class {
  nb::handle made;                 // what is called to make one, of an enum; else the class of its views
  nb::handle enumeration;          // of enums
  const Codecs* codecs = nullptr;  // of structs and unions
  std::vector<std::string> names;  // of fields and members, as attributes
};
/// All classes: they live as long as the process.
std::unordered_map<const Access*, Class>& classes();
const Class& class_of(const Access& type);

/// The schema's name of a type, or "list", "dict", "int" and so on.
std::string name_of(const Access& type);

}  // namespace schemagen::python

namespace nanobind::detail {

/// An object may be of another class than its view: Python lets `__class__` be assigned.
template <class Of>
struct type_caster<Of, std::enable_if_t<std::is_base_of_v<schemagen::python::View, Of> &&
                                        !std::is_same_v<schemagen::python::View, Of>>>
    : type_caster_base<Of> {
  bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
    if (!type_caster_base<Of>::from_python(source, flags, cleanup)) return false;
    const Of* const view = *this;
    // What is not ready is about to be made in it.
    return view == nullptr || !inst_ready(source) || view->type().kind == Of::kKind;
  }
};

}  // namespace nanobind::detail
