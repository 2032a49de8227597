#include "pt2/edit/builder.h"

#include "program_value.h"

namespace pt2::python {
namespace {

template <class T>
const T* held_by(const View& view, void* value) {
  return &view.type() == &schemagen::access_of<T> ? static_cast<const T*>(value) : nullptr;
}

template <class T>
bool is_member(nb::handle value) {
  return nb::isinstance(value, schemagen::python::class_of(schemagen::access_of<T>).enumeration);
}

/// Lists may contain themselves.
class Nesting {
 public:
  Nesting() {
    if (Py_EnterRecursiveCall(" in the arguments of an operator") != 0) throw nb::python_error();
  }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  ~Nesting() { Py_LeaveRecursiveCall(); }
};

bool is_number(nb::handle value, const char* kind) {
  return nb::isinstance(value, nb::module_::import_("numbers").attr(kind));
}

std::string shown_value(nb::handle value) {
  return nb::cast<std::string>(nb::repr(value));
}

std::int64_t int64_of(nb::handle number, const std::string& what) {
  const nb::object whole = nb::steal(PyNumber_Index(number.ptr()));
  if (!whole.is_valid()) throw nb::python_error();
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
  if (overflow == 0) return value;
  throw nb::value_error((what + ": " + shown_value(number) + " does not fit into 64 bits").c_str());
}

Operand operand_of(nb::handle value, const std::string& what) {
  if (value.is_none()) return nullptr;
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
  if (nb::isinstance<Value>(value)) return nb::cast<Value>(value);
  if (nb::isinstance<nb::int_>(value)) {
    if (is_member<ScalarType>(value)) return static_cast<ScalarType>(nb::cast<std::int32_t>(value));
    if (is_member<Layout>(value)) return static_cast<Layout>(nb::cast<std::int32_t>(value));
    if (is_member<MemoryFormat>(value)) return static_cast<MemoryFormat>(nb::cast<std::int32_t>(value));
    return int64_of(value, what);
  }
  if (nb::isinstance<nb::float_>(value)) return nb::cast<double>(value);
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
    const Nesting nesting;
    std::vector<Operand> items;
    for (nb::handle item : nb::iter(value)) items.push_back(operand_of(item, what));
    return items;
  }
  if (View* const view = View::of(value)) {
    void* const held = view->value();
    if (const auto* argument = held_by<Argument>(*view, held)) return *argument;
    if (const auto* device = held_by<Device>(*view, held)) return *device;
    if (const auto* graph = held_by<GraphArgument>(*view, held)) return *graph;
  }
  if (is_number(value, "Integral")) return int64_of(value, what);
  if (is_number(value, "Real")) return nb::cast<double>(nb::float_(value));
  const std::string message =
      what +
      ": expected a value of the builder, None, a bool, int, float, str, a list of them, a dtype, "
      "or an Argument, Device or GraphArgument, got " +
      shown_value(value);
  throw nb::type_error(message.c_str());
}

Size size_of(nb::handle size, const std::string& what) {
  if (nb::isinstance<Size>(size)) return nb::cast<Size>(size);
  if (is_number(size, "Integral")) return Size(int64_of(size, what));
  throw nb::type_error((what + ": expected an int or a Size, got " + shown_value(size)).c_str());
}

std::vector<Size> sizes_of(const std::vector<nb::object>& sizes, const std::string& input) {
  std::vector<Size> all;
  for (const nb::object& size : sizes)
    all.push_back(size_of(size, "shape[" + std::to_string(all.size()) + "] of input '" + input + "'"));
  return all;
}

Size other_size(nb::handle size) {
  if (!nb::isinstance<Size>(size) && !is_number(size, "Integral")) throw nb::next_overload();
  return size_of(size, "operand of a Size");
}

std::int64_t int_of(nb::handle number, const std::string& what) {
  if (is_number(number, "Integral")) return int64_of(number, what);
  throw nb::type_error((what + ": expected an int, got " + shown_value(number)).c_str());
}

std::optional<std::int64_t> optional_int(nb::handle number, const std::string& what) {
  return number.is_none() ? std::nullopt : std::optional(int_of(number, what));
}

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

struct CallOperands {
  std::vector<Operand> positional;
  std::vector<NamedOperand> named;
};

/// Errors name the argument.
CallOperands operands_of(const std::string& target, const nb::args& arguments, const nb::kwargs& keywords) {
  const OperatorSet operators = declared_operators();
  const Operator& op = operator_called(target, operators);
  CallOperands operands;
  for (nb::handle argument : arguments) {
    const std::size_t i = operands.positional.size();
    const std::string name =
        i < op.arguments.size() ? "'" + std::string(op.arguments[i].name) + "'" : std::to_string(i + 1);
    operands.positional.push_back(operand_of(argument, "argument " + name + " of " + target));
  }
  for (const auto [key, value] : keywords) {
    std::string name = nb::cast<std::string>(key);
    Operand operand = operand_of(value, "argument '" + name + "' of " + target);
    operands.named.push_back({std::move(name), std::move(operand)});
  }
  return operands;
}

nb::object call(ProgramBuilder& builder, const std::string& target, const nb::args& arguments,
                const nb::kwargs& keywords) {
  std::vector<Value> results = call_operator(builder, target, arguments, keywords);
  if (results.size() == 1) return nb::cast(std::move(results.front()));
  return results.empty() ? nb::none() : nb::cast(std::move(results));
}

}  // namespace

std::vector<Value> call_operator(GraphBuilder& builder, const std::string& target, const nb::args& arguments,
                                 const nb::kwargs& keywords) {
  const CallOperands operands = operands_of(target, arguments, keywords);
  return builder.call_all(target, operands.positional, operands.named);
}

void bind_builder(nb::module_& module) {
  nb::class_<Value>(module, "Value").def_ro("name", &Value::name).def("__repr__", [](const Value& value) {
    return "Value(" + value.name + ")";
  });
  nb::class_<Size> size(module, "Size");
  size.def("__repr__", &Size::srepr);
  const auto add_operator = [&size](const char* name, Size (*apply)(const Size& self, const Size& other)) {
    size.def(
        name, [apply](const Size& self, nb::handle other) { return apply(self, other_size(other)); },
        nb::is_operator());
  };
  add_operator("__add__", [](const Size& self, const Size& other) { return self + other; });
  add_operator("__radd__", [](const Size& self, const Size& other) { return other + self; });
  add_operator("__sub__", [](const Size& self, const Size& other) { return self - other; });
  add_operator("__rsub__", [](const Size& self, const Size& other) { return other - self; });
  add_operator("__mul__", [](const Size& self, const Size& other) { return self * other; });
  add_operator("__rmul__", [](const Size& self, const Size& other) { return other * self; });
  add_operator("__floordiv__", [](const Size& self, const Size& other) { return floor_div(self, other); });
  nb::class_<ProgramBuilder>(module, "ProgramBuilder")
      .def("__init__", [](ProgramBuilder* self) { new (self) ProgramBuilder(declared_operators()); })
      .def(
          "symbol",
          [](ProgramBuilder& builder, const std::string& name, nb::handle min, nb::handle max,
             nb::handle example) {
            return builder.symbol(name, int_of(min, "min"), optional_int(max, "max"),
                                  optional_int(example, "example"));
          },
          nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg().none())
      .def("input",
           [](ProgramBuilder& builder, const std::string& name, std::int32_t dtype,
              const std::vector<nb::object>& sizes) {
             return builder.input(name, TensorType(static_cast<ScalarType>(dtype), sizes_of(sizes, name)));
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
          "output",
          [](ProgramBuilder& builder, nb::handle value) { builder.output(operand_of(value, "output")); },
          nb::arg().none())
      .def("finish", [](ProgramBuilder& builder) { return to_python(builder.finish().program); });
  nb::class_<PatternBuilder>(module, "PatternBuilder")
      .def("__init__", [](PatternBuilder* self) { new (self) PatternBuilder(declared_operators()); })
      .def("any", &PatternBuilder::any)
      .def("call",
           [](PatternBuilder& builder, const std::string& target, const std::vector<std::string>& names,
              bool takes_rest, const nb::args& arguments, const nb::kwargs& keywords) {
             CallOperands operands = operands_of(target, arguments, keywords);
             return builder.call(target, operands.positional, std::move(operands.named), names, takes_rest);
           })
      .def("output",
           [](PatternBuilder& builder, nb::handle value) { builder.output(operand_of(value, "output")); })
      .def("graph", [](PatternBuilder& builder) { return to_python(builder.graph()); });
}

}  // namespace pt2::python
