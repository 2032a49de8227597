// Programs made from nothing.
#include "pt2/edit/builder.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "program_value.h"

namespace pt2::python {
namespace {

using schemagen::python::View;

template <class T>
const T* held_by(const View& view, void* value) {
  return &view.type() == &schemagen::access_of<T> ? static_cast<const T*>(value) : nullptr;
}

/// Whether `value` is a member of the enum that the schema calls `T`, whose members are numbers of Python
/// too.
template <class T>
bool is_member(nb::handle value) {
  const std::string_view name = schemagen::access_of<T>.type->name;
  return nb::isinstance(value, nb::module_::import_("pt2._pt2").attr(std::string(name).c_str()));
}

/// Lists may hold themselves: Python says then that they are nested too deep.
class Nesting {
 public:
  Nesting() {
    if (Py_EnterRecursiveCall(" in the arguments of an operator") != 0) throw nb::python_error();
  }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  ~Nesting() { Py_LeaveRecursiveCall(); }
};

Operand operand_of(nb::handle value) {
  if (value.is_none()) return nullptr;
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
  if (nb::isinstance<Value>(value)) return nb::cast<Value>(value);
  if (nb::isinstance<nb::int_>(value)) {
    if (is_member<ScalarType>(value)) return static_cast<ScalarType>(nb::cast<std::int32_t>(value));
    if (is_member<Layout>(value)) return static_cast<Layout>(nb::cast<std::int32_t>(value));
    if (is_member<MemoryFormat>(value)) return static_cast<MemoryFormat>(nb::cast<std::int32_t>(value));
    return nb::cast<std::int64_t>(value);
  }
  if (nb::isinstance<nb::float_>(value)) return nb::cast<double>(value);
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
    const Nesting nesting;
    std::vector<Operand> items;
    for (nb::handle item : nb::iter(value)) items.push_back(operand_of(item));
    return items;
  }
  if (View* const view = View::of(value)) {
    void* const held = view->value();
    if (const auto* argument = held_by<Argument>(*view, held)) return *argument;
    if (const auto* device = held_by<Device>(*view, held)) return *device;
    if (const auto* graph = held_by<GraphArgument>(*view, held)) return *graph;
  }
  const std::string message =
      "cannot call an operator with " + nb::cast<std::string>(nb::repr(value)) +
      "; expected a value of the builder, None, a bool, int, float, str, a list of them, a dtype, "
      "or an Argument, Device or GraphArgument";
  throw nb::type_error(message.c_str());
}

Size size_of(nb::handle size) {
  if (nb::isinstance<Size>(size)) return nb::cast<Size>(size);
  return Size(nb::cast<std::int64_t>(size));
}

std::vector<Size> sizes_of(const std::vector<nb::object>& sizes) {
  std::vector<Size> all;
  for (const nb::object& size : sizes) all.push_back(size_of(size));
  return all;
}

/// A tensor of that type whose bytes are elsewhere.
Tensor tensor_without_bytes(std::int32_t dtype, const std::vector<std::int64_t>& shape, bool requires_grad) {
  Tensor tensor;
  tensor.layout.dtype = static_cast<ScalarType>(dtype);
  tensor.layout.shape = shape;
  tensor.layout.strides = row_major_strides(shape);
  tensor.device.type = "cpu";
  tensor.requires_grad = requires_grad;
  tensor.storage = std::make_shared<const Storage>(MemberBytes(std::string()));
  return tensor;
}

nb::object call(ProgramBuilder& builder, const std::string& target, const nb::args& arguments,
                const nb::kwargs& keywords) {
  std::vector<Operand> positional;
  for (nb::handle argument : arguments) positional.push_back(operand_of(argument));
  std::vector<NamedOperand> named;
  for (const auto [name, value] : keywords) named.push_back({nb::cast<std::string>(name), operand_of(value)});
  std::vector<Value> results = builder.call_all(target, positional, named);
  if (results.size() == 1) return nb::cast(std::move(results.front()));
  return results.empty() ? nb::none() : nb::cast(std::move(results));
}

}  // namespace

void bind_builder(nb::module_& module) {
  nb::class_<Value>(module, "Value").def_ro("name", &Value::name).def("__repr__", [](const Value& value) {
    return "Value(" + value.name + ")";
  });
  nb::class_<Size>(module, "Size")
      .def("__repr__", &Size::srepr)
      .def("__add__", [](const Size& a, nb::handle b) { return a + size_of(b); })
      .def("__radd__", [](const Size& a, nb::handle b) { return size_of(b) + a; })
      .def("__sub__", [](const Size& a, nb::handle b) { return a - size_of(b); })
      .def("__rsub__", [](const Size& a, nb::handle b) { return size_of(b) - a; })
      .def("__mul__", [](const Size& a, nb::handle b) { return a * size_of(b); })
      .def("__rmul__", [](const Size& a, nb::handle b) { return size_of(b) * a; })
      .def("__floordiv__", [](const Size& a, nb::handle b) { return floor_div(a, size_of(b)); });
  nb::class_<ProgramBuilder>(module, "ProgramBuilder")
      .def(nb::init<>())
      .def("symbol", &ProgramBuilder::symbol, nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none())
      .def("input",
           [](ProgramBuilder& builder, const std::string& name, std::int32_t dtype,
              const std::vector<nb::object>& sizes) {
             return builder.input(name, TensorType(static_cast<ScalarType>(dtype), sizes_of(sizes)));
           })
      .def("weight",
           [](ProgramBuilder& builder, const std::string& kind, const std::string& name, std::int32_t dtype,
              const std::vector<std::int64_t>& shape, bool requires_grad, bool persistent) {
             const Tensor tensor = tensor_without_bytes(dtype, shape, requires_grad);
             if (kind == "parameter") return builder.parameter(name, tensor);
             return kind == "buffer" ? builder.buffer(name, tensor, persistent)
                                     : builder.constant(name, tensor);
           })
      .def("call", call)
      .def(
          "output", [](ProgramBuilder& builder, nb::handle value) { builder.output(operand_of(value)); },
          nb::arg().none())
      .def("finish", [](ProgramBuilder& builder) { return to_python(builder.finish().program); });
}

}  // namespace pt2::python
