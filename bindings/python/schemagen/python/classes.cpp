#include <algorithm>
#include <cstdlib>
#include <system_error>

#include <nanobind/stl/string.h>

#include <limits>

#include "schemagen/base/quote.h"
#include "schemagen/python/gil.h"
#include "schemagen/python/module.h"

namespace schemagen::python {
namespace {

nb::object& views_module() {
  static auto* const module = new nb::object();
  return *module;
}

std::unordered_map<PyObject*, const Access*>& types() {
  static auto* const all = new std::unordered_map<PyObject*, const Access*>();
  return *all;
}

const Access& type_of(nb::handle python_class) {
  for (nb::handle base : nb::iter(python_class.attr("__mro__"))) {
    const auto found = types().find(base.ptr());
    if (found != types().end()) return *found->second;
  }
  throw nb::type_error("cannot create a value of a base class; use a class from a schema");
}

nb::bytes written(View& view, KeptFields::Format format, const char* function,
                  Compression compression = Compression::none) {
  const void* const value = view.value();
  const std::shared_ptr<const KeptFields> kept = view.kept();
  const bool fits =
      kept != nullptr &&
      (kept->format == format || (kept->format == KeptFields::binary_file && format == KeptFields::binary));
  if (!fits) view.require_nothing_kept(function);
  std::string bytes;
  {
    const View::Reading reading(view);
    const WithoutGil released;
    const KeptFields::Format written_as = format == KeptFields::pickle ? KeptFields::binary : format;
    bytes = class_of(view.type()).codecs->write[written_as](value, kept.get(), compression);
  }
  return nb::bytes(bytes.data(), bytes.size());
}

UnknownFields unknown_fields_of(std::string_view name) {
  if (name == "error") return UnknownFields::error;
  if (name == "skip_empty") return UnknownFields::skip_empty;
  if (name == "skip") return UnknownFields::skip;
  if (name == "keep") return UnknownFields::keep;
  throw UsageError("unknown_fields: expected 'error', 'skip_empty', 'skip' or 'keep', got " + quoted(name));
}

nb::object read(nb::handle python_class, nb::handle input, std::string_view unknown_fields,
                KeptFields::Format format) {
  const Access& type = type_of(python_class);
  const UnknownFields unknown = unknown_fields_of(unknown_fields);
  const std::string_view bytes = data_of(input);
  nb::object made = View::of_new(type);
  View& view = *View::of(made);
  KeptFields kept{format, {}, {}, nullptr};
  {
    const WithoutGil released;
    class_of(type).codecs->read[format](bytes, unknown, kept, view.value());
  }
  if (!kept.fields.empty()) view.keep(std::make_shared<const KeptFields>(std::move(kept)));
  return made;
}

/// Ready even if this fails, because values put into the view refer to it.
View& made_in(PyObject* object, void* memory) {
  View* const view = new (memory) View(type_of(nb::handle(object).type()), object);
  nb::inst_mark_ready(object);
  return *view;
}

void init_struct(nb::pointer_and_handle<StructView> self, const nb::kwargs& fields) {
  View& view = made_in(self.h.ptr(), self.p);
  const Access& type = view.type();
  const std::vector<std::string>& names = class_of(type).names;
  std::vector<bool> is_missing = class_of(type).is_required;
  for (const auto [key, value] : fields) {
    const std::string name = nb::cast<std::string>(key);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      throw nb::type_error((std::string(type.type->name) + " has no field '" + name + "'").c_str());
    }
    const auto index = static_cast<std::size_t>(found - names.begin());
    is_missing[index] = false;
    view.set(index, value);
  }
  std::string missing;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_missing[i]) missing += (missing.empty() ? "'" : ", '") + names[i] + "'";
  }
  if (!missing.empty()) throw nb::type_error((std::string(type.type->name) + "() lacks " + missing).c_str());
}

void init_union(nb::pointer_and_handle<UnionView> self) {
  made_in(self.h.ptr(), self.p);
}

template <class Of>
nb::tuple as_state(nb::pointer_and_handle<Of> self) {
  const nb::object make = nb::module_::import_("copyreg").attr("__newobj__");
  return nb::make_tuple(make, nb::make_tuple(self.h.type()), self.h.attr("__getstate__")());
}

template <class Of>
void set_state(nb::pointer_and_handle<Of> self, const nb::bytes& state) {
  View& view = made_in(self.h.ptr(), self.p);
  KeptFields kept{KeptFields::binary, {}, {}, nullptr};
  const auto from_binary = class_of(view.type()).codecs->read[KeptFields::binary];
  from_binary({state.c_str(), state.size()}, UnknownFields::error, kept, view.value());
}

nb::object kind_of(View& view) {
  const std::size_t number = view.count();
  if (number == 0) return nb::none();
  return nb::cast(class_of(view.type()).names[number - 1]);
}

nb::object held_by(View& view) {
  const std::size_t number = view.count();
  return number == 0 ? nb::none() : view.get(number - 1);
}

void hold(View& view, nb::handle value) {
  const std::size_t number = view.count();
  if (number == 0)
    throw nb::value_error("no member is set; hint: create a union with a member, e.g. Argument.as_int(3)");
  view.set(number - 1, value);
}

nb::object copy_of(View& view) {
  nb::object made = View::of_new(view.type());
  view.type().copy(View::of(made)->value(), view.value());
  View::of(made)->keep(view.kept());
  return made;
}

bool are_equal(View& view, nb::handle other) {
  View* const second = View::of(other);
  if (second != nullptr) {
    return &view.type() == &second->type() && view.type().is_same(view.value(), second->value());
  }
  if (view.type().kind != ReflectedType::list && view.type().kind != ReflectedType::map) return false;
  try {
    const nb::object made = View::of_new(view.type());
    from_python(view.type(), View::of(made)->value(), other);
    return are_equal(view, made);
  } catch (const nb::builtin_exception&) {
    return false;
  } catch (nb::python_error&) {
    return false;
  }
}

std::size_t place(View& view, Py_ssize_t index) {
  const auto size = static_cast<Py_ssize_t>(view.count());
  if (index < 0) index += size;
  if (index < 0 || index >= size) throw nb::index_error("list index out of range");
  return static_cast<std::size_t>(index);
}

nb::object items_of(View& view, const nb::slice& slice) {
  const auto [start, stop, step, size] = slice.compute(view.count());
  nb::list items;
  for (std::size_t i = 0; i < size; ++i)
    items.append(view.get(static_cast<std::size_t>(start + static_cast<Py_ssize_t>(i) * step)));
  return items;
}

void erase_items(View& view, const nb::slice& slice) {
  const auto [start, stop, step, size] = slice.compute(view.count());
  if (size == 0) return;
  const Py_ssize_t last = start + static_cast<Py_ssize_t>(size - 1) * step;
  view.erase(static_cast<std::size_t>(std::min(start, last)),
             static_cast<std::size_t>(std::max(start, last)) + 1, static_cast<std::size_t>(std::abs(step)));
}

std::size_t entry_of(View& view, nb::handle key) {
  const std::size_t index = view.find(key);
  if (index != view.count()) return index;
  PyErr_SetObject(PyExc_KeyError, nb::make_tuple(key).ptr());  // a bare tuple would become the arguments
  throw nb::python_error();
}

/// As in Python, sees changes of a list, and fails if entries of a map are added or removed.
struct Iterator {
  nb::object container;
  std::size_t count;
  std::size_t next = 0;
};

template <class Of>
Iterator iterator_of(nb::pointer_and_handle<Of> self) {
  return {nb::borrow(self.h), self.p->count()};
}

nb::object next_of(Iterator& iterator) {
  View& view = *View::of(iterator.container);
  const bool is_map = view.type().kind == ReflectedType::map;
  if (is_map && view.count() != iterator.count)
    throw std::runtime_error("dictionary changed size during iteration");
  if (iterator.next < view.count()) {
    const std::size_t index = iterator.next++;
    return is_map ? view.key_at(index) : view.get(index);
  }
  iterator.next = std::numeric_limits<std::size_t>::max();  // for good, even if items are added
  PyErr_SetNone(PyExc_StopIteration);                       // a C++ exception would take longer than the loop
  return {};
}

template <class Of, class Plain>
nb::tuple as_plain(nb::pointer_and_handle<Of> self) {
  const nb::handle type = Plain().type();
  return nb::make_tuple(type, nb::make_tuple(type(self.h)));
}

std::string cut_repr(nb::handle value) {
  constexpr std::size_t kMost = 60;
  const auto first = [](nb::handle all) { return all[nb::slice(kMost)]; };
  const bool is_text = PyUnicode_Check(value.ptr());
  if ((is_text || PyBytes_Check(value.ptr())) && nb::len(value) > kMost) {
    return nb::cast<std::string>(nb::repr(first(value))) + "… (" + std::to_string(nb::len(value)) +
           (is_text ? " characters)" : " bytes)");
  }
  const nb::str text = nb::repr(value);
  if (nb::len(text) <= kMost + 2) return nb::cast<std::string>(text);
  return nb::cast<std::string>(first(text)) + "…";
}

std::string short_repr(View& view) {
  constexpr std::size_t kMost = 4;
  const auto shown = [](nb::handle value) {
    View* const part = View::of(value);
    const bool is_cut =
        part != nullptr && value.type().attr("__repr__").is(nb::type<View>().attr("__repr__"));
    return is_cut ? name_of(part->type()) + "(...)" : cut_repr(value);
  };
  const Access& type = view.type();
  std::string text;
  switch (type.kind) {
    case ReflectedType::union_: {
      const nb::object kind = kind_of(view);
      if (kind.is_none()) return name_of(type) + "()";
      const nb::object held = held_by(view);
      return name_of(type) + "." + nb::cast<std::string>(kind) + "(" +
             (View::of(held) == nullptr ? cut_repr(held) : nb::cast<std::string>(nb::repr(held))) + ")";
    }
    case ReflectedType::structure:
      for (std::size_t i = 0; i < type.type->field_count && i < kMost; ++i) {
        text += (i == 0 ? "" : ", ") + class_of(type).names[i] + "=" + shown(view.get(i));
      }
      return name_of(type) + "(" + text + (type.type->field_count > kMost ? ", ...)" : ")");
    case ReflectedType::map:
      for (std::size_t i = 0; i < view.count() && i < kMost; ++i) {
        text += (i == 0 ? "" : ", ") + cut_repr(view.key_at(i)) + ": " + shown(view.get(i));
      }
      return "{" + text + (view.count() > kMost ? ", ...}" : "}");
    default:
      for (std::size_t i = 0; i < view.count() && i < kMost; ++i)
        text += (i == 0 ? "" : ", ") + shown(view.get(i));
      return "[" + text + (view.count() > kMost ? ", ...]" : "]");
  }
}

void set_classes_of_parts(const Access& type) {
  const nb::object& views = views_module();
  if (type.kind == ReflectedType::list) classes()[&type].made = views.attr("List").ptr();
  if (type.kind == ReflectedType::map) classes()[&type].made = views.attr("Map").ptr();
  if (type.element != nullptr) set_classes_of_parts(*type.element);
}

nb::object field_property(const Access& type, std::size_t index, const char* doc) {
  // Python may call it for another type.
  const auto checked = [&type](StructView& view) -> View& {
    if (&view.type() == &type) return view;
    throw nb::type_error(("expected " + name_of(type) + ", got " + name_of(view.type())).c_str());
  };
  const nb::object get =
      nb::cpp_function([checked, index](StructView& view) { return checked(view).get(index); });
  const nb::object set = nb::cpp_function(
      [checked, index](StructView& view, nb::handle value) { checked(view).set(index, value); }, nb::arg(),
      nb::arg().none());
  return nb::handle(reinterpret_cast<PyObject*>(&PyProperty_Type))(get, set, nb::none(), doc);
}

/// The class of values with this member set, from 1; unset for 0. Created on first use: schemas have many.
struct Member {
  const Access* type;
  std::size_t number;
  const char* name;
  const char* doc;
};

std::unordered_map<PyObject*, Member>& member_classes() {
  static auto* const all = new std::unordered_map<PyObject*, Member>();
  return *all;
}

bool has_member_set(nb::handle member_class, nb::handle value) {
  const Member& member = member_classes().at(member_class.ptr());
  View* const view = View::of(value);
  return view != nullptr && &view->type() == member.type && view->count() == member.number;
}

nb::object& class_of_members() {
  static auto* const made = new nb::object();
  if (!made->is_valid()) {
    nb::dict names;
    names["__module__"] = views_module().attr("__name__");
    names["__instancecheck__"] = nb::cpp_function(has_member_set, nb::is_method(), nb::arg("value").none());
    const nb::handle type(reinterpret_cast<PyObject*>(&PyType_Type));
    *made = type("Member", nb::make_tuple(type), names);
  }
  return *made;
}

nb::object constructor_of(const Member& member) {
  const Access& type = *member.type;
  if (member.number == 0) {
    return nb::cpp_function([&type](nb::handle) { return View::of_new(type); }, nb::arg("cls"), member.doc);
  }
  return nb::cpp_function(
      [&type, index = member.number - 1](nb::handle, nb::handle value) {
        nb::object made = View::of_new(type);
        View::of(made)->set(index, value);
        return made;
      },
      nb::arg("cls"), nb::arg("value").none(), member.doc);
}

nb::object class_of_member(const Member& member, nb::handle, nb::handle) {
  const nb::handle of_union = class_of(*member.type).made;
  nb::dict names;
  names["__new__"] = constructor_of(member);
  names["__match_args__"] = member.number == 0 ? nb::make_tuple() : nb::make_tuple("value");
  names["__slots__"] = nb::make_tuple();
  names["__doc__"] = member.doc;
  names["__module__"] = of_union.attr("__module__");
  names["__qualname__"] = nb::cast<std::string>(of_union.attr("__qualname__")) + "." + member.name;
  const nb::object made = class_of_members()(member.name, nb::make_tuple(), names);
  member_classes()[made.ptr()] = member;
  of_union.attr(member.name) = made;
  return made;
}

PyObject* data_error = nullptr;
PyObject* base_error = nullptr;

void raise(const DataError& error) {
  const nb::object made = nb::handle(data_error)(error.what());
  made.attr("reason") = error.reason();
  made.attr("path") = error.path();
  made.attr("file") = nb::none();
  made.attr("line") = error.place().line == 0 ? nb::none() : nb::cast(error.place().line);
  made.attr("column") = error.place().line == 0 ? nb::none() : nb::cast(error.place().column);
  PyErr_SetObject(data_error, made.ptr());
}

/// Takes the number, because this module's C library, and so its errno, may not be Python's.
void raise(const FileIoError& error) {
  const std::string reason = std::generic_category().message(error.error_number());
  PyObject* const path = PyUnicode_DecodeFSDefault(error.path().c_str());
  if (path == nullptr) return;
  const nb::tuple arguments = nb::make_tuple(error.error_number(), reason, nb::steal(path));
  PyErr_SetObject(PyExc_OSError, arguments.ptr());
}

void bind_errors(nb::module_& module) {
  const std::string within = nb::cast<std::string>(module.attr("__name__")) + ".";
  const auto make = [&](const char* name, const nb::tuple& bases, const char* doc) {
    PyObject* const made = PyErr_NewExceptionWithDoc((within + name).c_str(), doc, bases.ptr(), nullptr);
    if (made == nullptr) throw nb::python_error();
    module.attr(name) = nb::handle(made);
    return made;
  };
  base_error =
      make("Error", nb::make_tuple(nb::handle(PyExc_Exception)), "The base of all errors of this library.");
  data_error = make(
      "DataError", nb::make_tuple(nb::handle(base_error), nb::handle(PyExc_ValueError)),
      "Invalid data. `reason` says what is wrong, and `path` says where. `line` and `column` count from 1, "
      "and are None unless the data is JSON. `file` is the name of the file, if one was read.");
  nb::register_exception_translator([](const std::exception_ptr& caught, void*) {
    if (caught == nullptr) outlive_python();  // nanobind caught something that is not an exception
    try {
      std::rethrow_exception(caught);
    } catch (const DataError& error) {
      raise(error);
    } catch (const FileIoError& error) {
      raise(error);
    } catch (const IoError& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    } catch (const UsageError& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const Error& error) {
      PyErr_SetString(base_error, error.what());
    }
  });
}

}  // namespace

void bind_values(nb::module_& module) {
  // Other modules, such as torch's, may hold values until the process ends.
  nb::set_leak_warnings(false);
  views_module() = module;
  bind_errors(module);
  nb::class_<View>(module, "View", "A value or a part of another value. Changing the part changes the whole.")
      .def("__eq__", are_equal, nb::arg("other").none(), nb::is_operator(),
           "Returns whether `other` has the same type and an equal value. NaN equals NaN, and the order of "
           "maps is irrelevant.")
      .def("__copy__", copy_of, "Returns a standalone copy, including all parts.")
      .def(
          "__deepcopy__", [](View& view, nb::handle) { return copy_of(view); }, "Same as __copy__().")
      .def("__repr__", short_repr, "Returns the start of the value as text.")
      .attr("__hash__") = nb::none();
  const nb::object class_method = nb::module_::import_("builtins").attr("classmethod");
  const auto add_codecs = [&](auto& made) {
    using Of = typename std::remove_reference_t<decltype(made)>::Type;
    made.def(
            "to_json", [](Of& view) { return written(view, KeptFields::json, "to_json()"); },
            "Returns the value as JSON bytes. Raises DataError if it cannot be written.")
        .def(
            "to_binary", [](Of& view) { return written(view, KeptFields::binary, "to_binary()"); },
            "Returns the value as a Thrift Compact payload. Raises DataError if it cannot be written.")
        .def(
            "to_binary_file",
            [](Of& view, bool compressed) {
              return written(view, KeptFields::binary_file, "to_binary_file()",
                             compressed ? Compression::zstd : Compression::none);
            },
            nb::kw_only(), nb::arg("compressed") = false,
            "Returns a binary file with the value, the type's name, the schema's version and a checksum. "
            "Raises DataError if the value cannot be written.")
        .def(
            "drop_unknown", [](Of& view) { view.keep(nullptr); },
            "Discards the unknown fields that were read with the value.")
        .def("__getstate__", [](Of& view) { return written(view, KeptFields::pickle, "pickle"); })
        .def("__setstate__", set_state<Of>)
        .def("__reduce__", as_state<Of>);
    const auto add_reader = [&](const char* name, KeptFields::Format format, const char* doc) {
      made.attr(name) = class_method(nb::cpp_function(
          [format](nb::handle python_class, nb::handle data, const std::string& unknown_fields) {
            return read(python_class, data, unknown_fields, format);
          },
          nb::arg("cls"), nb::arg("data"), nb::kw_only(), nb::arg("unknown_fields") = "error", doc));
    };
    add_reader(
        "from_json", KeptFields::json,
        "Returns the value in JSON text, a str or bytes. Raises DataError. Fields that the schema lacks are "
        "errors by default. unknown_fields: \"skip_empty\" skips them if they are empty; \"skip\" always "
        "skips them; \"keep\" preserves them: the same format writes them back, and anything that would lose "
        "them raises ValueError until drop_unknown() is called.");
    add_reader("from_binary", KeptFields::binary,
               "Returns the value in a Thrift Compact payload. Raises DataError. `unknown_fields` as in "
               "from_json().");
    add_reader(
        "from_binary_file", KeptFields::binary_file,
        "Returns the value in a file written by to_binary_file() with any minor version of the schema. "
        "Raises DataError. `unknown_fields` as in from_json(), but empty fields from a later minor version "
        "are always skipped.");
  };
  nb::class_<StructView, View> structs(module, "Struct", "A value with one attribute per field.");
  structs.def("__init__", init_struct, "Creates a value; absent fields get their defaults.");
  add_codecs(structs);
  nb::class_<UnionView, View> unions(
      module, "Union",
      "A union, of which at most one member is set. Create it with that member: `Argument.as_int(3)`.");
  unions.def("__init__", init_union, "Creates an unset union.")
      .def_prop_ro(
          "kind", [](UnionView& view) { return kind_of(view); },
          "The name of the member that is set, or None.")
      .def_prop_rw(
          "value", [](UnionView& view) { return held_by(view); },
          [](UnionView& view, nb::handle value) { hold(view, value); }, nb::for_setter(nb::arg().none()),
          "The value of the member that is set, or None. Setting it raises ValueError if no member is set.");
  add_codecs(unions);
  nb::class_<Member>(module, "MemberAttribute", "The class of one member of a union.")
      .def("__get__", class_of_member, nb::arg().none(), nb::arg().none());
  nb::class_<Iterator>(module, "Iterator", "Iterates over the items of a List or the keys of a Map.")
      .def("__iter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__next__", next_of);
  nb::class_<ListView, View>(module, "List", "A list within a value, with the methods of list.")
      .def("__len__", [](ListView& view) { return view.count(); })
      .def("__getitem__", [](ListView& view, Py_ssize_t index) { return view.get(place(view, index)); })
      .def("__getitem__", [](ListView& view, const nb::slice& slice) { return items_of(view, slice); })
      .def(
          "__setitem__",
          [](ListView& view, Py_ssize_t index, nb::handle value) { view.set(place(view, index), value); },
          nb::arg(), nb::arg().none())
      .def("__setitem__",
           [](ListView& view, const nb::slice& slice, nb::handle value) { view.set_items(slice, value); })
      .def("__delitem__",
           [](ListView& view, Py_ssize_t index) {
             const std::size_t at = place(view, index);
             view.erase(at, at + 1);
           })
      .def("__delitem__", [](ListView& view, const nb::slice& slice) { erase_items(view, slice); })
      .def("__iter__", iterator_of<ListView>)
      .def(
          "insert",
          [](ListView& view, Py_ssize_t index, nb::handle value) {
            const auto size = static_cast<Py_ssize_t>(view.count());
            if (index < 0) index = index + size < 0 ? 0 : index + size;
            view.insert(static_cast<std::size_t>(index > size ? size : index), value);
          },
          nb::arg(), nb::arg().none(),
          "Inserts an item before `index`. An item that is part of another value is copied.")
      .def(
          "append", [](ListView& view, nb::handle value) { view.insert(view.count(), value); },
          nb::arg().none(), "Appends an item. An item that is part of another value is copied.")
      .def(
          "clear", [](ListView& view) { view.erase(0, view.count()); }, "Removes all items.")
      .def(
          "copy", [](ListView& view) { return copy_of(view); },
          "Returns a standalone copy, including all items.")
      .def("__add__",
           [](nb::pointer_and_handle<ListView> self, nb::handle items) {
             nb::list all(nb::borrow(self.h));
             all.attr("extend")(items);
             return all;
           })
      .def("__reduce__", as_plain<ListView, nb::list>);
  nb::class_<MapView, View>(module, "Map",
                            "A map within a value, with the methods of dict, in insertion order.")
      .def("__len__", [](MapView& view) { return view.count(); })
      .def(
          "__getitem__", [](MapView& view, nb::handle key) { return view.get(entry_of(view, key)); },
          nb::arg().none())
      .def(
          "__setitem__", [](MapView& view, nb::handle key, nb::handle value) { view.set_entry(key, value); },
          nb::arg(), nb::arg().none())
      .def(
          "__delitem__",
          [](MapView& view, nb::handle key) {
            const std::size_t at = entry_of(view, key);
            view.erase(at, at + 1);
          },
          nb::arg().none())
      .def("__iter__", iterator_of<MapView>)
      .def(
          "clear", [](MapView& view) { view.erase(0, view.count()); }, "Removes all entries.")
      .def(
          "copy", [](MapView& view) { return copy_of(view); },
          "Returns a standalone copy, including all values.")
      .def("__reduce__", as_plain<MapView, nb::dict>);
  // collections.abc has all other methods of lists and dicts.
  const nb::object abc = nb::module_::import_("collections.abc");
  for (const char* const pair : {"List", "Map"}) {
    const nb::object made = module.attr(pair);
    const nb::object base = abc.attr(std::string_view(pair) == "List" ? "MutableSequence" : "MutableMapping");
    for (nb::handle owner : nb::iter(base.attr("__mro__"))) {
      if (owner.ptr() == reinterpret_cast<PyObject*>(&PyBaseObject_Type)) continue;
      for (nb::handle name : nb::iter(owner.attr("__dict__"))) {
        const std::string text = nb::cast<std::string>(name);
        const bool is_method = text == "__contains__" || text == "__reversed__" || text == "__iadd__" ||
                               text == "_MutableMapping__marker" ||  // used by pop()
                               text[0] != '_';
        if (!is_method || nb::hasattr(made, name)) continue;
        made.attr(name) = owner.attr("__dict__")[name];
      }
    }
    base.attr("register")(made);
  }
}

void bind_enum(nb::module_& module, const Access& type, const char* name, const char* doc,
               const char* const* names) {
  nb::dict values;
  for (std::uint32_t i = 0; i < type.type->field_count; ++i) values[names[i]] = type.type->fields[i].id;
  const nb::object made = nb::module_::import_("enum").attr("IntEnum")(name, values);
  made.attr("__doc__") = doc;
  made.attr("__module__") = module.attr("__name__");
  const nb::object members = made.attr("_value2member_map_");
  const nb::object of_number =
      nb::cpp_function([members](nb::handle number) { return members.attr("get")(number, number); });
  Class& bound = classes()[&type];
  bound.made = of_number.inc_ref();
  bound.enumeration = made.inc_ref();
  module.attr(name) = made;
}

void bind_type(nb::module_& module, const Access& type, const Codecs& codecs, const char* name,
               const char* doc, const FieldText* fields) {
  const bool is_union = type.kind == ReflectedType::union_;
  Class& bound = classes()[&type];
  bound.codecs = &codecs;
  nb::dict members;
  for (std::uint32_t i = 0; i < type.type->field_count; ++i) {
    set_classes_of_parts(*type.fields[i]);
    members[fields[i].name] = is_union ? nb::cast(Member{&type, i + 1, fields[i].name, fields[i].doc})
                                       : field_property(type, i, fields[i].doc);
    bound.names.emplace_back(fields[i].name);
    bound.is_required.push_back(fields[i].is_required);
  }
  if (is_union) members["Unset"] = nb::cast(Member{&type, 0, "Unset", "No member is set."});
  if (!is_union) {
    nb::list match;
    for (const std::string& field : bound.names) match.append(field);
    members["__match_args__"] = nb::tuple(match);
  }
  members["__slots__"] = nb::make_tuple();
  members["__doc__"] = doc;
  members["__module__"] = module.attr("__name__");
  const nb::object base = views_module().attr(is_union ? "Union" : "Struct");
  const nb::object made = base.type()(name, nb::make_tuple(base), members);
  if (is_union) made.attr("Member") = made;  // for annotations: any of the members
  types()[made.ptr()] = &type;
  bound.made = made.inc_ref();
  module.attr(name) = made;
}

void set_class(const nb::object& python_class) {
  classes().at(&type_of(python_class)).made = python_class.inc_ref();
}

}  // namespace schemagen::python
