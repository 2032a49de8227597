#include "schemagen/python/view.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <unordered_set>

#include "schemagen/base/error.h"
#include "schemagen/base/json_syntax.h"
#include "schemagen/base/limits.h"
#include "schemagen/python/module.h"

namespace schemagen::python {

namespace {

using Kind = ReflectedType::Kind;

std::uint64_t structure = 1;

/// Structs and unions have fields, and lists and maps can erase items.
bool is_scalar(const Access& type) {
  return type.fields == nullptr && type.erase == nullptr;
}

[[noreturn]] void wrong_type(const Access& type, nb::handle value) {
  const std::string message =
      "expected " + name_of(type) + ", got " + nb::cast<std::string>(nb::str(nb::type_name(value.type())));
  throw nb::type_error(message.c_str());
}

const Access& without_optional(const Access& type) {
  return type.kind == Kind::optional ? *type.element : type;
}

template <class Number>
Number number_from_python(const Access& type, nb::handle value) {
  if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr())) wrong_type(type, value);
  const nb::object number = nb::steal(PyNumber_Index(value.ptr()));
  if (!number.is_valid()) throw nb::python_error();
  Number result{};
  if (!nb::try_cast(number, result)) {
    const std::string message =
        nb::cast<std::string>(nb::str(number)) + " does not fit in " +
        std::to_string(std::numeric_limits<Number>::digits + std::is_signed_v<Number>) +
        (std::is_signed_v<Number> ? " bits" : " unsigned bits");
    throw nb::value_error(message.c_str());
  }
  return result;
}

double float_from_python(const Access& type, nb::handle value) {
  if (PyBool_Check(value.ptr()) || PyUnicode_Check(value.ptr())) wrong_type(type, value);
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    wrong_type(type, value);
  }
  return number;
}

std::string json_from_python(nb::handle value) {
  const nb::object dumps = nb::module_::import_("json").attr("dumps");
  std::string text;
  try {
    text = nb::cast<std::string>(dumps(value, nb::arg("allow_nan") = false));
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_RecursionError)) throw;
  }
  if (const std::string fault = any_fault(text, Limits{}.depth); !fault.empty())
    throw nb::value_error(("the value" + fault).c_str());
  return text;
}

bool is_of_other_enum(const Access& type, nb::handle value) {
  return nb::isinstance(value, nb::module_::import_("enum").attr("Enum")) &&
         !nb::isinstance(value, class_of(type).enumeration);
}

void list_from_python(const Access& type, void* to, nb::handle value) {
  if (PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr()) || !nb::hasattr(value, "__iter__") ||
      nb::hasattr(value, "keys")) {
    wrong_type(type, value);
  }
  std::size_t index = 0;
  for (nb::handle item : nb::iter(value)) {
    const OwnedValue made = make_value(*type.element);
    void* const made_item = made.get();
    from_python(*type.element, made_item, item);
    type.insert(to, index++, &made_item, 1);
  }
}

void map_from_python(const Access& type, void* to, nb::handle value) {
  if (!nb::hasattr(value, "keys")) wrong_type(type, value);
  for (nb::handle key : nb::iter(value.attr("keys")())) {
    const OwnedValue made = make_value(*type.key);
    from_python(*type.key, made.get(), key);
    const std::size_t at = type.find(to, made.get());
    if (at == type.count(to)) type.add(to, made.get());
    from_python(*type.element, type.at(to, at), value[key]);
  }
}

std::size_t depth_of(const Access& type, void* value, std::size_t most) {
  if (type.kind == Kind::optional)
    return type.count(value) == 0 ? 0 : depth_of(*type.element, type.at(value, 0), most);
  if (is_scalar(type)) return 0;
  if (most == 0) return 1;
  std::size_t deepest = 0;
  const std::size_t count = type.kind == Kind::structure ? type.type->field_count : type.count(value);
  const std::size_t first =
      type.kind == Kind::union_ && count != 0 ? count - 1 : 0;  // the member that is set
  for (std::size_t i = first; i < count && deepest < most; ++i) {
    const Access& part = type.fields != nullptr ? *type.fields[i] : *type.element;
    deepest = std::max(deepest, depth_of(part, type.at(value, i), most - 1));
  }
  return deepest + 1;
}

/// In a TypeError, names the field `type.step`.
template <class Convert>
auto for_field(const Access& type, std::size_t step, const Convert& convert) {
  try {
    return convert();
  } catch (const nb::builtin_exception& error) {
    if (error.type() != nb::exception_type::type_error) throw;
    throw nb::type_error((name_of(type) + "." + class_of(type).names[step] + ": " + error.what()).c_str());
  }
}

}  // namespace

std::unordered_map<const Access*, Class>& classes() {
  static auto* const all = new std::unordered_map<const Access*, Class>();
  return *all;
}

const Class& class_of(const Access& type) {
  return classes().at(&type);
}

std::string_view data_of(nb::handle value) {
  Py_ssize_t size = 0;
  if (PyUnicode_Check(value.ptr())) {
    const char* const chars = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
    if (chars == nullptr) throw nb::python_error();
    return {chars, static_cast<std::size_t>(size)};
  }
  if (!PyBytes_Check(value.ptr())) throw nb::type_error("expected str or bytes");
  return {PyBytes_AsString(value.ptr()), static_cast<std::size_t>(PyBytes_Size(value.ptr()))};
}

std::string name_of(const Access& type) {
  if (type.type != nullptr) return std::string(type.type->name);
  // In the order of ReflectedType::Kind; the empty ones have other names.
  static constexpr const char* kNames[] = {"bool", "int", "float", "str", "bytes", "()",  "a JSON value",
                                           "",     "",    "",      "",    "",      "",    "int",
                                           "int",  "int", "int",   "int", "int",   "int", "float"};
  static_assert(std::size(kNames) == std::size_t{Kind::float32} + 1);
  switch (type.kind) {
    case Kind::list:
      return "list[" + name_of(*type.element) + "]";
    case Kind::map:
      return "dict[" + name_of(*type.key) + ", " + name_of(*type.element) + "]";
    case Kind::optional:
      return name_of(*type.element) + " | None";
    default:
      return kNames[type.kind];
  }
}

nb::object to_python(const Access& type, const void* value) {
  switch (type.kind) {
    case Kind::boolean:
      return nb::cast(*static_cast<const bool*>(value));
    case Kind::floating:
      return nb::float_(*static_cast<const double*>(value));
    case Kind::float32:
      return nb::float_(double{*static_cast<const float*>(value)});
    case Kind::string: {
      const auto& text = *static_cast<const std::string*>(value);
      return nb::str(text.data(), text.size());
    }
    case Kind::bytes: {
      const auto& data = *static_cast<const Bytes*>(value);
      return nb::bytes(data.data(), data.size());
    }
    case Kind::unit:
      return nb::make_tuple();
    case Kind::any:
      return nb::module_::import_("json").attr("loads")(static_cast<const Json*>(value)->text.c_str());
    default: {
      nb::object number;
      if (!visit_integer(type.kind, value, [&](auto held) { number = nb::int_(held); })) {
        throw std::logic_error("not a scalar");
      }
      return type.kind == Kind::enumeration ? class_of(type).made(number) : number;
    }
  }
}

void from_python(const Access& type, void* to, nb::handle value) {
  PyObject* const object = value.ptr();
  switch (type.kind) {
    case Kind::boolean:
      if (!PyBool_Check(object)) wrong_type(type, value);
      *static_cast<bool*>(to) = object == Py_True;
      return;
    case Kind::floating:
      *static_cast<double*>(to) = float_from_python(type, value);
      return;
    case Kind::float32: {
      const double number = float_from_python(type, value);
      const float narrow = static_cast<float>(number);
      if (std::isinf(narrow) && !std::isinf(number))
        throw nb::value_error("the number does not fit in a float32");
      *static_cast<float*>(to) = narrow;
      return;
    }
    case Kind::string:
      if (!PyUnicode_Check(object)) wrong_type(type, value);
      *static_cast<std::string*>(to) = data_of(value);
      return;
    case Kind::bytes: {
      if (!PyBytes_Check(object) && !PyByteArray_Check(object)) wrong_type(type, value);
      const nb::object data = nb::steal(PyBytes_FromObject(object));
      if (!data.is_valid()) throw nb::python_error();
      const char* const begin = PyBytes_AsString(data.ptr());
      const auto size = static_cast<std::size_t>(PyBytes_Size(data.ptr()));
      static_cast<Bytes*>(to)->assign(begin, begin + size);
      return;
    }
    case Kind::unit:
      if (!PyTuple_Check(object) || PyTuple_Size(object) != 0) wrong_type(type, value);
      return;
    case Kind::any:
      static_cast<Json*>(to)->text = json_from_python(value);
      return;
    case Kind::optional:
      type.emplace(to, value.is_none() ? 0 : 1);
      if (!value.is_none()) from_python(*type.element, type.at(to, 0), value);
      return;
    default:
      break;
  }
  if (type.kind == Kind::enumeration && !PyLong_CheckExact(object) && is_of_other_enum(type, value)) {
    wrong_type(type, value);
  }
  const auto fill = [&](auto old) {
    const auto number = number_from_python<decltype(old)>(type, value);
    std::memcpy(to, &number, sizeof number);
  };
  if (visit_integer(type.kind, to, fill)) return;
  if (View* const view = View::of(value); view != nullptr && &view->type() == &type) {
    if (view->kept() != nullptr) view->require_nothing_kept("a copy within another value");
    type.copy(to, view->value());
  } else if (type.kind == Kind::list) {
    list_from_python(type, to, value);
  } else if (type.kind == Kind::map) {
    map_from_python(type, to, value);
  } else {
    wrong_type(type, value);
  }
}

View::View(const Access& type, nb::handle self, View& owner, std::size_t step)
    : type_(&type), self_(self.ptr()) {
  link(owner, step);
}

View::~View() {
  unlink();
  if (owned_ != nullptr) type_->destroy(owned_);
}

View* View::part_at(std::size_t step) const noexcept {
  const std::size_t slot = slot_of(step);
  return slot < parts_.size() ? parts_[slot] : nullptr;
}

void View::link(View& owner, std::size_t step) {
  const std::size_t slot = owner.slot_of(step);
  if (slot >= owner.parts_.size()) owner.parts_.resize(slot + 1);
  owner.parts_[slot] = this;
  Py_INCREF(owner.self_);
  owner_ = &owner;
  step_ = step;
}

void View::unlink() noexcept {
  if (owner_ == nullptr) return;
  owner_->parts_[owner_->slot_of(step_)] = nullptr;
  PyObject* const owner = owner_->self_;
  owner_ = nullptr;
  Py_DECREF(owner);
}

View* View::of(nb::handle object) noexcept {
  View* view = nullptr;
  return nb::try_cast(object, view) ? view : nullptr;
}

void* View::value() {
  if (owned_ != nullptr) return owned_;
  if (looked_up_ == structure) return address_;
  void* at = owner_->type_->at(owner_->value(), step_);
  const Access& held = owner_->type_at(step_);
  if (held.kind == Kind::optional) at = held.at(at, 0);
  address_ = at;
  looked_up_ = structure;
  return at;
}

View& View::root() {
  View* top = this;
  while (top->owner_ != nullptr) top = top->owner_;
  return *top;
}

void View::require_nothing_kept(const char* use) {
  const KeptFields* const kept = root().kept_.get();
  if (kept == nullptr || (kept->loss != nullptr && owner_ != nullptr)) return;
  if (kept->loss != nullptr) throw UsageError(kept->loss);
  throw UsageError(
      name_of(root().type()) + ": " + use +
      " would lose its unknown fields; hint: write the value in the format that it was read from, or "
      "call drop_unknown()");
}

void* View::changed() {
  if (root().why_ended_ != nullptr) throw UsageError(root().why_ended_);
  if (root().readers_ != 0)
    throw std::runtime_error(
        "cannot change a value while it is being read; hint: change it afterwards, or change a copy");
  return value();
}

View::Reading::Reading(View& view) : root_(&view.root()) {
  ++root_->readers_;
}

/// Deeper values cannot be copied or written.
void View::check_depth(const Access& type, const void* part) {
  constexpr std::size_t kMost = Limits{}.depth;
  std::size_t depth = 1;
  for (const View* view = this; view->owner_ != nullptr; view = view->owner_) ++depth;
  if (depth + depth_of(type, const_cast<void*>(part), kMost) > kMost)
    throw nb::value_error(too_deep(Limits{}).c_str());
}

const Access& View::type_at(std::size_t step) const {
  return type_->fields != nullptr ? *type_->fields[step] : *type_->element;
}

nb::object View::of_new(const Access& type, void* value) {
  nb::object made = nb::inst_alloc(class_of(type).made);
  View* const view = new (nb::inst_ptr<View>(made)) View(type, made);
  nb::inst_mark_ready(made);
  if (value != nullptr) type.move(view->owned_, value);
  return made;
}

void* View::at(std::size_t step, const Access*& type) {
  void* const whole = value();
  const bool is_container = type_->fields == nullptr;
  if (is_container && step >= type_->count(whole)) throw nb::index_error("list index out of range");
  type = &type_at(step);
  void* const found = type_->at(whole, step);
  if (type->kind != Kind::optional) return found;
  const Access& optional = *type;
  type = type->element;
  return optional.count(found) == 0 ? nullptr : optional.at(found, 0);
}

/// Python code may ask again for an object that is being destroyed, which does not count.
nb::object View::known_at(std::size_t step) {
  View* const known = part_at(step);
  if (known == nullptr) return {};
  if (Py_REFCNT(known->self_) != 0) return nb::borrow(known->self_);
  known->unlink();
  return {};
}

nb::object View::get(std::size_t step) {
  const Access* type = nullptr;
  const void* const found = at(step, type);
  if (found == nullptr) return nb::none();
  if (is_scalar(*type)) return to_python(*type, found);
  if (nb::object known = known_at(step); known.is_valid()) return known;
  // Allocate first: Python may run code that changes this.
  nb::object made = nb::inst_alloc(class_of(*type).made);
  if (type_->kind == Kind::union_ && type_->count(value()) != step + 1) return nb::none();
  void* const address = at(step, type);
  if (address == nullptr) return nb::none();
  if (nb::object known = known_at(step); known.is_valid()) return known;
  View* const view = new (nb::inst_ptr<View>(made)) View(*type, made, *this, step);
  view->address_ = address;
  view->looked_up_ = structure;
  nb::inst_mark_ready(made);
  return made;
}

/// A value must not become a part of itself.
bool View::can_adopt(const View& other) {
  return other.owned_ != nullptr && other.readers_ == 0 && &root() != &other;
}

class View::Given {
 public:
  /// Python code may change any value, including `into`.
  Given(const Access& type, View& into, nb::handle value) : type_(type), made_(make_value(type)) {
    View* const view = is_scalar(without_optional(type)) ? nullptr : View::of(value);
    if (view != nullptr && view->type_ == &without_optional(type)) {
      view_ = view;
      if (view->kept_ != nullptr) view->require_nothing_kept("a place within another value");
      if (view->owner_ != &into) into.check_depth(*view->type_, view->value());
    } else {
      from_python(type, made_.get(), value);
      into.check_depth(type, made_.get());
    }
  }

  /// Adopts a view if possible and not yet in `adopted`, or copies its value. No Python code may run between
  /// here and the insertion. Call before creating the place, which a copied value may contain.
  void settle(View& into, std::unordered_set<View*>* adopted = nullptr) {
    if (view_ == nullptr) return;
    const bool can_adopt = into.can_adopt(*view_) && (adopted == nullptr || adopted->insert(view_).second);
    if (!can_adopt) copy();
  }

  bool is_part(const View& owner, std::size_t step) const {
    return view_ != nullptr && view_->owner_ == &owner && view_->step_ == step;
  }
  void* taken() {
    if (view_ != nullptr) {
      void* to = made_.get();
      if (type_.kind == Kind::optional) {
        type_.emplace(to, 1);
        to = type_.at(to, 0);
      }
      view_->type_->move(to, view_->owned_);
    }
    return made_.get();
  }
  void adopt_into(View& owner, std::size_t step) const {
    if (view_ != nullptr) view_->adopt(owner, step);
  }

 private:
  void copy() {
    from_python(type_, made_.get(), view_->self_);
    view_ = nullptr;
  }

  const Access& type_;
  OwnedValue made_;
  View* view_ = nullptr;
};

void View::adopt(View& owner, std::size_t step) {
  type_->destroy(owned_);
  owned_ = nullptr;
  link(owner, step);
}

void View::replace(std::size_t step, Given& given) {
  if (given.is_part(*this, step)) return;
  if (type_->kind == Kind::list && type_->element->kind == Kind::boolean) {  // items have no address
    void* const flag = given.taken();
    type_->erase(value(), step, step + 1, 1);
    return type_->insert(value(), step, &flag, 1);
  }
  given.settle(*this);
  const Access& type = type_at(step);
  if (!is_scalar(without_optional(type))) {
    detach(step);
    ++structure;
  }
  type.move(type_->at(value(), step), given.taken());
  given.adopt_into(*this, step);
}

void View::set(std::size_t step, nb::handle value) {
  const auto convert = [&] { return Given(type_at(step), *this, value); };
  Given given = type_->fields == nullptr ? convert() : for_field(*type_, step, convert);
  void* const whole = changed();
  if (type_->fields == nullptr && step >= type_->count(whole))
    throw nb::index_error("list index out of range");
  if (type_->kind == Kind::union_ && type_->count(whole) != step + 1) {
    given.settle(*this);
    detach(step);
    type_->emplace(whole, step + 1);
    ++structure;
  }
  replace(step, given);
}

void View::insert_all(std::size_t index, std::list<Given>& given) {
  std::unordered_set<View*> adopted;
  for (Given& each : given) each.settle(*this, &adopted);
  std::vector<void*> items;
  for (Given& each : given) items.push_back(each.taken());
  type_->insert(value(), index, items.data(), items.size());
  ++structure;
  if (index < parts_.size()) {
    parts_.insert(parts_.begin() + static_cast<std::ptrdiff_t>(index), items.size(), nullptr);
    renumber(index);
  }
  for (const Given& each : given) each.adopt_into(*this, index++);
}

void View::insert(std::size_t index, nb::handle item) {
  std::list<Given> given;
  given.emplace_back(*type_->element, *this, item);
  const std::size_t count = type_->count(changed());
  insert_all(index < count ? index : count, given);
}

void View::set_items(const nb::slice& slice, nb::handle value) {
  const nb::list items(nb::borrow(value));
  std::list<Given> given;
  for (nb::handle item : items) given.emplace_back(*type_->element, *this, item);
  const auto [start, stop, step, count] = slice.compute(type_->count(changed()));
  const auto begin = static_cast<std::size_t>(start);
  if (step == 1) {
    erase(begin, begin + count);
    return insert_all(begin, given);
  }
  if (given.size() != count) {
    throw nb::value_error(("attempt to assign sequence of size " + std::to_string(given.size()) +
                           " to extended slice of size " + std::to_string(count))
                              .c_str());
  }
  Py_ssize_t at = start;
  for (Given& each : given) {
    replace(static_cast<std::size_t>(at), each);
    at += step;
  }
}

void View::erase(std::size_t begin, std::size_t end, std::size_t step) {
  if (begin >= end) return;
  void* const whole = changed();
  if (end > type_->count(whole)) throw nb::index_error("list index out of range");
  for (std::size_t i = begin; i < end && i < parts_.size(); i += step) detach(i);
  type_->erase(whole, begin, end, step);
  ++structure;
  if (begin < parts_.size()) {
    detail::erase_each(parts_, begin, end, step);
    renumber(begin);
  }
}

void View::set_entry(nb::handle key, nb::handle value) {
  const OwnedValue made = make_value(*type_->key);
  from_python(*type_->key, made.get(), key);
  Given given(*type_->element, *this, value);
  void* const whole = changed();
  const std::size_t index = type_->find(whole, made.get());
  if (index == type_->count(whole)) {
    given.settle(*this);
    type_->add(whole, made.get());
  }
  ++structure;
  replace(index, given);
}

std::size_t View::find(nb::handle key) {
  const OwnedValue made = make_value(*type_->key);
  try {
    from_python(*type_->key, made.get(), key);
  } catch (const nb::builtin_exception&) {
    return count();
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_UnicodeError)) throw;
    return count();
  }
  return type_->find(value(), made.get());
}

nb::object View::key_at(std::size_t index) {
  return to_python(*type_->key, type_->key_at(value(), index));
}

void View::detach(std::size_t step) {
  View* const part = part_at(step);
  if (part == nullptr) return;
  void* const own = part->type_->make();
  part->type_->move(own, part->value());
  part->unlink();
  part->owned_ = own;
  ++structure;
}

void View::renumber(std::size_t from) {
  for (std::size_t step = from; step < parts_.size(); ++step) {
    if (parts_[step] != nullptr) parts_[step]->step_ = step;
  }
}

void View::take(View& other) {
  void* const whole = changed();
  for (std::size_t step = 0; step < parts_.size(); ++step) {
    View* const part = part_at(step);
    detach(step);
    if (part != nullptr)
      part->end_changes("this value was taken from one that has been replaced: take it again");
  }
  type_->move(whole, other.changed());
  ++structure;
}

}  // namespace schemagen::python
