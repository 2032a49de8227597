// For pt2.torch: makes only plain values, nothing that Python could run.
#include <nanobind/ndarray.h>
#include <nanobind/stl/complex.h>

#include <cstdlib>

#include "program_value.h"
#include "pt2/archive/contents.h"
#include "pt2/archive/pickle/safe_globals.h"
#include "pt2/archive/tensors/tensor_files.h"
#include "pt2/scan/evaluated_program.h"
#include "pt2/scan/pickled_file.h"
#include "pt2/strings/node_metadata.h"
#include "pt2/text/expression.h"
#include "pt2/text/type_names.h"
#include "pt2/weights.h"
#include "schemagen/base/utf8.h"

namespace pt2::python {
namespace {

using schemagen::Access;
using schemagen::DataError;
using TypeKind = schemagen::ReflectedType::Kind;

nb::object checked(PyObject* made) {
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

nb::object python_text(std::string_view text) {
  return checked(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass"));
}

nb::object python_bytes(std::string_view bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}

void set(const nb::object& dict, nb::handle key, nb::handle value) {
  if (PyDict_SetItem(dict.ptr(), key.ptr(), value.ptr()) != 0) throw nb::python_error();
}

/// Structs become named tuples, unions pairs of member name and value, enums numbers.
class NamedTuples {
 public:
  explicit NamedTuples(nb::handle class_of) : class_of_(nb::borrow(class_of)) {}

  nb::object make(const Access& type, void* value) {
    switch (type.kind) {
      case TypeKind::enumeration:
        return checked(PyLong_FromLong(*static_cast<const std::int32_t*>(value)));
      case TypeKind::optional:
        return type.count(value) == 0 ? nb::none() : make(*type.element, type.at(value, 0));
      case TypeKind::list:
        return list(type, value);
      case TypeKind::map:
        return map(type, value);
      case TypeKind::structure:
        return structure(type, value);
      case TypeKind::union_:
        return member(type, value);
      default:
        return schemagen::python::to_python(type, value);
    }
  }

 private:
  struct Names {
    nb::object tuple;
    allocfunc allocate = nullptr;
    std::vector<nb::object> members;
  };

  const Names& names_of(const Access& type) {
    const auto found = names_.find(&type);
    if (found != names_.end()) return found->second;
    Names made;
    nb::list fields;
    for (std::uint32_t i = 0; i < type.type->field_count; ++i) {
      const std::string_view name = type.type->fields[i].name;
      made.members.push_back(checked(PyUnicode_InternFromString(std::string(name).c_str())));
      fields.append(made.members.back());
    }
    if (type.kind == TypeKind::structure) {
      made.tuple = class_of_(python_text(type.type->name), nb::tuple(fields));
      void* const slot = PyType_GetSlot(reinterpret_cast<PyTypeObject*>(made.tuple.ptr()), Py_tp_alloc);
      if (slot == nullptr) throw nb::python_error();
      made.allocate = reinterpret_cast<allocfunc>(slot);
    }
    return names_.emplace(&type, std::move(made)).first->second;
  }

  nb::object list(const Access& type, void* value) {
    const std::size_t count = type.count(value);
    nb::object made = checked(PyList_New(static_cast<Py_ssize_t>(count)));
    for (std::size_t i = 0; i < count; ++i) {
      nb::object item = make(*type.element, type.at(value, i));
      PyList_SetItem(made.ptr(), static_cast<Py_ssize_t>(i), item.release().ptr());
    }
    return made;
  }

  nb::object map(const Access& type, void* value) {
    nb::object made = checked(PyDict_New());
    const std::size_t count = type.count(value);
    for (std::size_t i = 0; i < count; ++i) {
      const nb::object key = make(*type.key, const_cast<void*>(type.key_at(value, i)));
      set(made, key, make(*type.element, type.at(value, i)));
    }
    return made;
  }

  nb::object structure(const Access& type, void* value) {
    const Names& names = names_of(type);
    const std::size_t count = names.members.size();
    nb::object made = checked(
        names.allocate(reinterpret_cast<PyTypeObject*>(names.tuple.ptr()), static_cast<Py_ssize_t>(count)));
    for (std::size_t i = 0; i < count; ++i) {
      nb::object field = make(*type.fields[i], type.at(value, i));
      PyTuple_SetItem(made.ptr(), static_cast<Py_ssize_t>(i), field.release().ptr());
    }
    return made;
  }

  nb::object member(const Access& type, void* value) {
    const std::size_t number = type.count(value);
    if (number == 0) throw DataError("no member of the union " + std::string(type.type->name) + " is set");
    const nb::object content = make(*type.fields[number - 1], type.at(value, number - 1));
    return checked(PyTuple_Pack(2, names_of(type).members[number - 1].ptr(), content.ptr()));
  }

  nb::object class_of_;
  std::unordered_map<const Access*, Names> names_;
};

/// The bytes take no memory until they are written.
nb::object zero_array(std::uint64_t size) {
  const auto count = static_cast<std::size_t>(size);
  void* const bytes = std::calloc(count, 1);
  if (bytes == nullptr) {
    throw DataError("cannot allocate " + std::to_string(size) +
                    " bytes for a tensor whose bytes are not in the archive");
  }
  const nb::capsule owner(bytes, [](void* given) noexcept { std::free(given); });
  return nb::cast(nb::ndarray<nb::array_api, std::uint8_t>(bytes, 1, &count, owner),
                  nb::rv_policy::reference);
}

class TorchTensors {
 public:
  /// `make(bytes, dtype, shape, stride, offset, requires_grad, is_parameter, is_pickled, device)` returns a
  /// tensor. All tensors of a storage get the same `bytes`, unless the archive omits them.
  TorchTensors(SharedFile file, nb::handle make, Checksums checksums)
      : file_(std::move(file)), make_(nb::borrow(make)), checksums_(checksums) {}

  nb::object make(const Tensor& given, bool is_parameter, bool is_pickled) {
    const bool is_swapped = given.storage->order() == ByteOrder::big;
    const Tensor& tensor = is_swapped ? swapped_.emplace_back(contiguous(given, file_->limits())) : given;
    return make_(bytes_of(tensor), std::string(torch_name(tensor.layout.dtype)),
                 nb::tuple(nb::cast(tensor.layout.shape)), nb::tuple(nb::cast(tensor.layout.strides)),
                 tensor.layout.offset, tensor.requires_grad, is_parameter, is_pickled,
                 torch_name(tensor.device));
  }

 private:
  nb::object bytes_of(const Tensor& tensor) {
    if (tensor.is_absent()) return zeros_.emplace_back(zero_array(extent_of(tensor.layout).storage));
    nb::object& array = arrays_[tensor.storage.get()];
    if (!array.is_valid()) {
      kept_.push_back(tensor.storage);
      array = own_array(tensor, checksums_);
    }
    return array;
  }

  SharedFile file_;
  nb::object make_;
  Checksums checksums_;
  std::map<const Storage*, nb::object> arrays_;
  std::vector<std::shared_ptr<const Storage>> kept_;  // keeps the addresses in arrays_ unique
  std::vector<nb::object> zeros_;                     // keeps the ids of the arrays unique
  std::vector<Tensor> swapped_;
};

class PickledValues {
 public:
  PickledValues(PickledTensors& source, TorchTensors& tensors, nb::handle torch)
      : source_(source), pickle_(source.pickle()), tensors_(tensors), torch_(nb::borrow(torch)) {}

  nb::object root() { return value(pickle_.root, 0); }

 private:
  static constexpr unsigned kMostDepth = 200;

  nb::object value(PickleRef ref, unsigned depth) {
    if (depth == kMostDepth) throw DataError("the pickle is recursive or nested too deeply");
    const auto found = made_.find(ref);
    if (found != made_.end()) return found->second;
    nb::object made = make(pickle_[ref], depth + 1);
    made_.emplace(ref, made);
    return made;
  }

  nb::object make(const PickleValue& value, unsigned depth) {
    switch (value.kind) {
      case PickleKind::none:
        return nb::none();
      case PickleKind::boolean:
        return nb::cast(std::get<bool>(value.data));
      case PickleKind::integer:
        return nb::cast(std::get<std::int64_t>(value.data));
      case PickleKind::big_integer:
        return builtin("int").attr("from_bytes")(python_bytes(value.text()), "little",
                                                 nb::arg("signed") = true);
      case PickleKind::floating:
        return nb::cast(std::get<double>(value.data));
      case PickleKind::complex:
        return nb::cast(std::get<std::complex<double>>(value.data));
      case PickleKind::text:
        return python_text(value.text());
      case PickleKind::bytes:
        return python_bytes(value.text());
      case PickleKind::bytearray:
        return builtin("bytearray")(python_bytes(value.text()));
      case PickleKind::list:
        return items(value, depth);
      case PickleKind::tuple:
        return nb::tuple(items(value, depth));
      case PickleKind::size:
        return torch_.attr("Size")(items(value, depth));
      case PickleKind::set:
        return builtin("set")(items(value, depth));
      case PickleKind::dict:
        return entries(builtin("dict")(), value, depth);
      case PickleKind::ordered_dict:
        return entries(nb::module_::import_("collections").attr("OrderedDict")(), value, depth);
      case PickleKind::counter:
        return entries(nb::module_::import_("collections").attr("Counter")(), value, depth);
      case PickleKind::device:
        return torch_.attr("device")(value.text());
      case PickleKind::layout:
      case PickleKind::global:
        return constant_of_torch(value.text());
      case PickleKind::tensor:
        return tensors_.make(source_.tensor_of(value.tensor()), value.tensor().is_parameter, true);
      case PickleKind::call:
        refuse(pickle_[value.items()[0]].text());
      case PickleKind::storage:
        break;
    }
    refuse("a storage");
  }

  [[noreturn]] static void refuse(const std::string& what) {
    throw DataError("the pickle contains " + schemagen::quoted(what) +
                    ", which only Python's pickle can load");
  }

  static nb::object builtin(const char* name) { return nb::module_::import_("builtins").attr(name); }

  nb::list items(const PickleValue& value, unsigned depth) {
    return listed(value.items(), [&](PickleRef item) { return this->value(item, depth); });
  }

  nb::object entries(nb::object made, const PickleValue& value, unsigned depth) {
    const std::vector<PickleRef>& refs = value.items();
    for (std::size_t i = 0; i + 1 < refs.size(); i += 2) {
      made[this->value(refs[i], depth)] = this->value(refs[i + 1], depth);
    }
    return made;
  }

  /// No class or function: `torch.float32`, `torch.strided`.
  nb::object constant_of_torch(const std::string& name) {
    constexpr std::string_view kModule = "torch.";
    if (std::string_view(name).substr(0, kModule.size()) == kModule) {
      const nb::object found = nb::getattr(torch_, name.c_str() + kModule.size(), nb::none());
      const bool is_constant =
          nb::isinstance(found, torch_.attr("dtype")) || nb::isinstance(found, torch_.attr("layout"));
      if (is_constant) return found;
    }
    refuse(name);
  }

  PickledTensors& source_;
  const Pickle& pickle_;
  TorchTensors& tensors_;
  nb::object torch_;
  std::unordered_map<PickleRef, nb::object> made_;
};

/// Throws DataError if torch would evaluate a string, or resolve it to unknown code.
void require_no_code(const ExportedProgram& program, const ProgramFile& file) {
  ScanState state(file.bytes().view().size(), file.limits());
  scan_program(program, "", state);
  for (const Finding& found : state.take()) {
    if (found.severity != Severity::error) continue;
    throw DataError(schemagen::printable(found.message) + " [" + rule_of(found.rule).id + "]");
  }
}

void require_tensors(const std::vector<Weight>& weights) {
  for (const Weight& weight : weights) {
    if (weight.tensor || torchao_for(weight.class_name)) continue;
    throw DataError(
        schemagen::quoted(weight.name) + " is " +
        (weight.class_name.empty() ? "an object" : "a " + schemagen::printable(weight.class_name)) +
        ", which only Python's pickle can load; hint: torch.export.load() loads it, but executes the pickle");
  }
}

/// A pickled tensor with several names becomes one object.
void add_weights(const std::vector<Weight>& weights, const Archive& archive, nb::handle torch,
                 TorchTensors& tensors, const nb::dict& state, const nb::dict& constants) {
  std::map<std::pair<std::string_view, std::uint32_t>, nb::object> pickled;
  for (const Weight& weight : weights) {
    const bool is_parameter = weight.kind == WeightKind::parameter;
    const auto make = [&] {
      if (weight.tensor) return tensors.make(*weight.tensor, is_parameter, weight.pickled);
      // A class of torchao: torch's restricted unpickler accepts it if torchao is imported.
      const MemberBytes bytes = archive.zip.read(*find_record(archive, weight.record));
      try {
        return nb::object(
            torch.attr("load")(nb::module_::import_("io").attr("BytesIO")(python_bytes(bytes.view())),
                               nb::arg("weights_only") = true));
      } catch (nb::python_error& error) {
        if (!error.matches(PyExc_Exception)) throw;
        throw DataError(schemagen::quoted(weight.name) + " is a " + weight.class_name + ", which needs " +
                        *torchao_for(weight.class_name) + "; hint: import torchao first");
      }
    };
    nb::object own;
    nb::object& tensor = weight.pickled_object ? pickled[{weight.record, *weight.pickled_object}] : own;
    if (!tensor.is_valid()) tensor = make();
    set(weight.persistent ? state : constants, python_text(weight.name), tensor);
  }
}

nb::tuple load_for_torch(nb::handle path, const std::optional<std::string>& model, nb::handle torch,
                         nb::handle make_tensor, bool is_mapped, nb::handle callable) {
  const Progress progress(callable);
  const auto file = std::make_shared<const ProgramFile>(open_file(path, progress));
  const Archive* const archive = file->archive();
  if (archive == nullptr) throw DataError("expected an archive with weights, got a bare program");
  LoadOptions options;
  options.model = model;
  options.upgrading = Upgrading::older_minors;
  LoadedProgram loaded;
  std::vector<Weight> weights;
  without_gil([&] {
    loaded = load_program(*file, options);
    require_no_code(loaded.program, *file);
    weights =
        weights_of(*archive, loaded.source.model, loaded.program.graph_module.signature, file->limits());
    append_constants(weights, loaded.constants, "");
  });
  require_tensors(weights);
  TorchTensors tensors(file, make_tensor, is_mapped ? Checksums::ignore : Checksums::verify);
  nb::dict state;
  nb::dict constants;
  add_weights(weights, *archive, torch, tensors, state, constants);
  nb::object inputs = nb::none();
  nb::object reason = nb::none();
  const ZipMember* const member = find_sample_inputs(*archive, find_model(*archive, model));
  if (member != nullptr && member->size != 0) {
    try {
      PickledTensors source(archive->zip, *member, file->limits());
      require_plain_sample_inputs(archive->zip.read(*member).view(), file->limits());
      inputs = PickledValues(source, tensors, torch).root();
    } catch (const DataError& error) {
      reason = python_text(error.what());
    } catch (nb::python_error& error) {  // a list as a key, or an unknown device
      if (!error.matches(PyExc_Exception)) throw;
      reason = nb::str(error.value());
    }
  }
  progress.finish();
  return nb::make_tuple(to_python(std::move(loaded.program)), state, constants, inputs, reason);
}

/// Returns the names and texts of the records that a user added.
nb::dict extra_files(nb::handle path) {
  const ProgramFile file = open_file(path, Progress(nb::none()));
  nb::dict files;
  if (file.archive() == nullptr) return files;
  for (const std::string& record : contents_of(*file.archive()).extra) {
    const std::string name = record.substr(record.find('/') + 1);
    const MemberBytes bytes = file.archive()->zip.read(*find_record(*file.archive(), record));
    if (schemagen::find_bad_utf8(bytes.view()))
      throw DataError("the extra file " + schemagen::quoted(name) + " is not UTF-8");
    set(files, python_text(name), python_text(bytes.view()));
  }
  return files;
}

/// The caller switches the garbage collector off, which would scan all objects repeatedly.
nb::object as_tuples(nb::handle program, nb::handle class_of) {
  const Borrowed<ExportedProgram> read(program);
  return NamedTuples(class_of).make(schemagen::access_of<ExportedProgram>,
                                    const_cast<ExportedProgram*>(&*read));
}

nb::object python_term(const Expression& term) {
  nb::object operands = nb::none();
  if (term.kind == Expression::Kind::call) operands = listed(term.operands, python_term);
  return nb::make_tuple(python_text(term.keyword), python_text(term.text), operands);
}

}  // namespace

void bind_torch(nb::module_& module) {
  def(module, "load_for_torch", load_for_torch);
  def(module, "extra_files", extra_files);
  def(module, "as_tuples", as_tuples);
  def(
      module, "parse_module_stack", +[](const std::string& text) {
        return listed(parse_module_stack(text), [](const ModuleFrame& frame) {
          return nb::make_tuple(frame.key, frame.path, frame.type);
        });
      });
  def(
      module, "parse_expression",
      +[](const std::string& text) { return python_term(parse_expression(text)); });
}

}  // namespace pt2::python
