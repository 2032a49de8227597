// Requires the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schemagen/access.h"

namespace schemagen::python {

namespace nb = nanobind;

struct Codecs;
struct KeptFields;

/// A view of a struct, union, list or map, which is either standalone or part of another value.
///
/// A part knows its owner and its place there, and looks up its address again after each structural change.
/// It has at most one live view, because Python has one object. Deleting or replacing a part makes it a
/// standalone value, which its view keeps showing. As in Python, putting a standalone value into another
/// makes it a part; a part is copied.
class View {
 public:
  View(const Access& type, nb::handle self) : type_(&type), owned_(type.make()), self_(self.ptr()) {}
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  ~View();

  const Access& type() const noexcept { return *type_; }
  /// Returns the value that contains this part, or null.
  View* owner() const noexcept { return owner_; }
  void* value();

  static View* of(nb::handle object) noexcept;
  static nb::object of_new(const Access& type, void* value = nullptr);

  nb::object get(std::size_t step);
  /// Of a union, sets another member if it is not the one that is set.
  void set(std::size_t step, nb::handle value);
  void insert(std::size_t index, nb::handle item);
  void set_items(const nb::slice& slice, nb::handle value);
  void erase(std::size_t begin, std::size_t end, std::size_t step = 1);
  void set_entry(nb::handle key, nb::handle value);
  /// Returns the index of a key, or count() if the key is missing.
  std::size_t find(nb::handle key);
  nb::object key_at(std::size_t index);
  void take(View& other);
  /// Makes all later changes of this standalone value throw UsageError, with the message `why`, which must
  /// live as long as the process.
  void end_changes(const char* why) noexcept { why_ended_ = why; }

  /// Prevents changes while it exists, so the value can be read without the GIL.
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

  /// Returns the fields preserved from the file of this standalone value; can be null.
  const std::shared_ptr<const KeptFields>& kept() const noexcept { return kept_; }
  void keep(std::shared_ptr<const KeptFields> kept) noexcept { kept_ = std::move(kept); }
  /// Throws UsageError if `use`, such as "pickle", would lose kept fields here or in the owner. Parts of an
  /// owner whose fields have their own error can be used.
  void require_nothing_kept(const char* use);

 private:
  View(const Access& type, nb::handle self, View& owner, std::size_t step);

  void* changed();
  View& root();
  void check_depth(const Access& type, const void* part);

  class Given;

  /// Returns the value at a step, or null if there is none. `type` receives the type, without any optional.
  void* at(std::size_t step, const Access*& type);
  const Access& type_at(std::size_t step) const;
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
  void* owned_ = nullptr;
  std::shared_ptr<const KeptFields> kept_;
  PyObject* self_ = nullptr;
  View* owner_ = nullptr;
  std::size_t step_ = 0;
  void* address_ = nullptr;
  std::uint64_t looked_up_ = 0;
  std::uint32_t readers_ = 0;
  const char* why_ended_ = nullptr;

  std::vector<View*> parts_;
};

template <ReflectedType::Kind Kind>
struct ViewOf : View {
  static constexpr ReflectedType::Kind kKind = Kind;
};
using StructView = ViewOf<ReflectedType::structure>;
using UnionView = ViewOf<ReflectedType::union_>;
using ListView = ViewOf<ReflectedType::list>;
using MapView = ViewOf<ReflectedType::map>;

nb::object to_python(const Access& type, const void* value);
std::string_view data_of(nb::handle value);
void from_python(const Access& type, void* to, nb::handle value);

struct Class {
  nb::handle made;  // a function that makes a value of an enum; for other types, the class of views
  nb::handle enumeration;
  const Codecs* codecs = nullptr;
  std::vector<std::string> names;
  std::vector<bool> is_required;
};
std::unordered_map<const Access*, Class>& classes();
const Class& class_of(const Access& type);

std::string name_of(const Access& type);

}  // namespace schemagen::python

namespace nanobind::detail {

/// Python code can assign `__class__`, so the class might not match the view.
template <class Of>
struct type_caster<Of, std::enable_if_t<std::is_base_of_v<schemagen::python::View, Of> &&
                                        !std::is_same_v<schemagen::python::View, Of>>>
    : type_caster_base<Of> {
  bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
    if (!type_caster_base<Of>::from_python(source, flags, cleanup)) return false;
    const Of* const view = *this;
    // An object that is not ready is about to get its view.
    return view == nullptr || !inst_ready(source) || view->type().kind == Of::kKind;
  }
};

}  // namespace nanobind::detail
