#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "program_value.h"
#include "pt2/edit/save_into.h"
#include "pt2/graph/signature.h"
#include "pt2/text/type_names.h"
#include "pt2/weights.h"

namespace pt2::python {
namespace {

using schemagen::DataError;

const Dtype& row_of(ScalarType dtype) {
  if (const Dtype& row = dtype_row(dtype); !row.torch.empty()) return row;
  throw DataError("unknown dtype: number " + std::to_string(static_cast<std::int32_t>(dtype)));
}

std::optional<ScalarType> dtype_of(const nb::dlpack::dtype& dtype) {
  for (const Dtype& row : kDtypes) {
    if (row.dlpack == dtype.code && row.bytes * 8 == dtype.bits && dtype.lanes == 1) return row.value;
  }
  return std::nullopt;
}

struct FileTensor {
  SharedFile file;
  Weight weight;

  const Tensor& tensor() const noexcept { return *weight.tensor; }
};

void require_bytes(const FileTensor& tensor) {
  if (!tensor.tensor().is_absent()) return;
  throw DataError("tensor " + schemagen::quoted(tensor.weight.name) + ": " + why_absent(tensor.tensor()));
}

struct TensorData {
  std::shared_ptr<const void> owner;
  const char* storage = nullptr;
  TensorLayout layout;
  ByteOrder order = ByteOrder::little;
  bool is_own = false;  // the caller may change the elements

  std::size_t element() const { return static_cast<std::size_t>(element_bytes(layout.dtype).value_or(1)); }
  const char* first() const {
    // An empty tensor's offset may be past the end.
    const TensorExtent extent = extent_of(layout);
    return storage + (extent.elements == 0 ? 0 : static_cast<std::size_t>(layout.offset) * element());
  }
};

nb::tuple numbers(const std::vector<std::int64_t>& values, std::size_t times = 1) {
  // Unused strides may be any number, so overflow is harmless.
  return nb::tuple(listed(values, [&](std::int64_t value) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) * times);
  }));
}

/// https://numpy.org/doc/stable/reference/arrays.interface.html
nb::dict array_interface(const TensorData& data) {
  static const char kNothing = 0;
  const Dtype& dtype = row_of(data.layout.dtype);
  const std::string order = data.order == ByteOrder::big ? ">" : "<";
  nb::dict interface;
  interface["version"] = 3;
  interface["typestr"] =
      dtype.numpy.empty() ? "|V" + std::to_string(data.element()) : order + std::string(dtype.numpy);
  interface["shape"] = numbers(data.layout.shape);
  interface["strides"] = numbers(data.layout.strides, data.element());
  const char* const first = data.first();
  interface["data"] =
      nb::make_tuple(reinterpret_cast<std::uintptr_t>(first == nullptr ? &kNothing : first), true);
  return interface;
}

TensorData own_data(const Tensor& tensor, Checksums checksums, const MappedPages& pages) {
  const Storage& storage = *tensor.storage;
  const std::shared_ptr<char> bytes = without_gil([&] {
    const auto read = checksums == Checksums::verify ? storage.read() : storage.read_unverified();
    return pages.own_copy(read->view());
  });
  return {bytes, bytes.get(), tensor.layout, storage.order(), true};
}

TensorData own_data(const FileTensor& tensor, bool is_row_major) {
  require_bytes(tensor);
  if (!is_row_major) return own_data(tensor.tensor(), Checksums::verify, tensor.tensor().storage->pages());
  const Tensor made = without_gil([&] { return contiguous(tensor.tensor(), tensor.file->limits()); });
  return own_data(made, Checksums::verify, made.storage->pages());
}

TensorData lent_data(const FileTensor& tensor, bool is_swapped) {
  require_bytes(tensor);
  const Storage& storage = *tensor.tensor().storage;
  if (is_swapped && storage.order() == ByteOrder::big) return own_data(tensor, true);
  const auto bytes = without_gil([&] { return storage.read(); });
  struct Owner {
    SharedFile file;
    std::shared_ptr<const MemberBytes> bytes;
  };
  return {std::make_shared<const Owner>(Owner{tensor.file, bytes}), bytes->view().data(),
          tensor.tensor().layout, storage.order()};
}

template <class Array>
nb::object array_of(const TensorData& data) {
  const Dtype& row = row_of(data.layout.dtype);
  const nb::dlpack::dtype dtype = {static_cast<std::uint8_t>(row.dlpack),
                                   static_cast<std::uint8_t>(row.bytes * 8), 1};
  const std::vector<std::size_t> shape(data.layout.shape.begin(), data.layout.shape.end());
  const nb::object owner = nb::cast(data);
  // Array's type decides whether the elements may be changed.
  const Array array(const_cast<char*>(data.first()), shape.size(), shape.data(), owner,
                    data.layout.strides.data(), dtype, nb::device::cpu::value);
  return nb::cast(array, nb::rv_policy::reference);
}

nb::object dlpack(const TensorData& data, nb::handle max_version) {
  if (data.order == ByteOrder::big) {
    throw nb::buffer_error(
        "the tensor is big-endian, which DLPack cannot express; request a copy, or call numpy()");
  }
  const nb::object array = data.is_own ? array_of<nb::ndarray<nb::array_api>>(data)
                                       : array_of<nb::ndarray<nb::array_api, nb::ro>>(data);
  return array.attr("__dlpack__")(nb::arg("max_version") = max_version);
}

class OpenFile {
 public:
  OpenFile(nb::handle path, std::optional<std::string> model)
      : file_(std::make_shared<const ProgramFile>(open_file(path))), model_(std::move(model)) {
    if (model_ && file_->archive() != nullptr) find_model(*file_->archive(), model_);
  }

  void close() noexcept { file_.reset(); }
  bool is_closed() const noexcept { return file_ == nullptr; }

  const char* container() const {
    if (file().binary_file() != nullptr) return "pt2b";
    if (file().archive() == nullptr) return "json";
    return file().archive()->container == Container::old_zip ? "old_zip" : "pt2_archive";
  }

  nb::list models() const {
    if (file().archive() == nullptr) return {};
    return listed(file().archive()->models, [](const ArchivedModel& model) { return shown(model.name); });
  }

  /// Returns the program, and the schema version in the file.
  nb::tuple load() const {
    LoadOptions options;
    options.model = model_;
    const SharedFile kept = shared();
    LoadedProgram loaded = without_gil([&] { return load_program(*kept, options); });
    const SchemaVersion stated = loaded.upgraded_from.value_or(loaded.program.schema_version);
    return nb::make_tuple(to_python(std::move(loaded.program)), nb::make_tuple(stated.major, stated.minor));
  }

  std::vector<FileTensor> tensors() const {
    const SharedFile kept = shared();
    if (kept->archive() == nullptr) return {};
    std::vector<Weight> weights = without_gil([&] { return with_parts(load_weights(*kept, model_)); });
    std::vector<FileTensor> all;
    for (Weight& weight : weights) {
      if (weight.tensor) all.push_back({kept, std::move(weight)});
    }
    return all;
  }

 private:
  const ProgramFile& file() const { return *shared(); }
  const SharedFile& shared() const {
    if (file_ == nullptr) throw nb::value_error("the file is closed");
    return file_;
  }

  SharedFile file_;
  std::optional<std::string> model_;
};

std::shared_ptr<const Storage> storage_of_array(const nb::ndarray<nb::ro>& array, const TensorLayout& layout,
                                                const ByteSink& watcher) {
  const std::size_t element = array.itemsize();
  const char* const first = static_cast<const char*>(array.data());
  const MappedPages pages(&watcher);
  if (is_contiguous(layout)) {
    const std::string_view bytes(first, array.size() * element);
    return std::make_shared<const Storage>(MemberBytes(bytes), pages);
  }
  constexpr std::size_t kUntold = std::size_t{1} << 16;
  std::string bytes;
  bytes.reserve(array.size() * element);
  std::vector<std::size_t> at(array.ndim());
  for (std::size_t count = 0; count < array.size(); ++count) {
    if (count % kUntold == 0) watcher({});
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < at.size(); ++i) offset += static_cast<std::int64_t>(at[i]) * array.stride(i);
    bytes.append(first + offset * static_cast<std::int64_t>(element), element);
    for (std::size_t i = at.size(); i-- != 0 && ++at[i] == array.shape(i);) at[i] = 0;
  }
  return std::make_shared<const Storage>(MemberBytes(std::move(bytes)), pages);
}

/// Its name in the signature, and its dtype if DLPack lacks it.
template <class Array>
using Named = std::tuple<std::string, Array, std::optional<std::string>>;
using NamedArray = Named<nb::ndarray<nb::ro>>;

std::vector<NamedArray> arrays_of(const std::vector<Named<nb::object>>& given) {
  std::vector<NamedArray> arrays;
  for (const auto& [name, object, dtype] : given) {
    nb::ndarray<nb::ro> array;
    if (!nb::try_cast(object, array) || !dtype_of(array.dtype())) {
      const nb::object own = nb::getattr(object, "dtype", object.type());
      const std::string text = nb::cast<std::string>(nb::str(own));
      throw nb::type_error(
          ("tensors['" + name + "']: expected an array with a torch dtype, got " + text).c_str());
    }
    arrays.emplace_back(name, std::move(array), dtype);
  }
  return arrays;
}

/// The tensor has the array's strides.
Tensor tensor_of_array(const std::string& name, const nb::ndarray<nb::ro>& array,
                       const std::optional<std::string>& dtype_name) {
  if (array.device_type() != nb::device::cpu::value)
    throw nb::value_error(("tensors['" + name + "']: it is not in CPU memory; copy it to the CPU").c_str());
  Tensor tensor;
  tensor.layout.dtype = dtype_name ? dtype_named(*dtype_name).value() : dtype_of(array.dtype()).value();
  for (std::size_t i = 0; i < array.ndim(); ++i) {
    tensor.layout.shape.push_back(static_cast<std::int64_t>(array.shape(i)));
    tensor.layout.strides.push_back(array.stride(i));
  }
  tensor.device.type = "cpu";
  return tensor;
}

using Numbers = std::vector<std::int64_t>;
/// Address, size in bytes and, unless row-major, sizes and strides.
using StorageKey = std::tuple<const void*, std::uint64_t, Numbers, Numbers>;

StorageKey storage_key(const nb::ndarray<nb::ro>& array, const TensorLayout& layout) {
  const bool is_plain = is_contiguous(layout);
  return {array.data(), array.size() * array.itemsize(), is_plain ? Numbers() : layout.shape,
          is_plain ? Numbers() : layout.strides};
}

std::vector<NamedTensor> tensors_of_arrays(const std::vector<NamedArray>& arrays, const Progress& progress,
                                           const ByteSink& watcher) {
  std::vector<NamedTensor> tensors;
  std::map<StorageKey, std::shared_ptr<const Storage>> storages;
  for (const auto& [name, array, dtype] : arrays) {
    Tensor tensor = tensor_of_array(name, array, dtype);
    // One storage for an array with several names.
    std::shared_ptr<const Storage>& storage = storages[storage_key(array, tensor.layout)];
    if (storage == nullptr || array.size() == 0) {
      progress.expect(2 * array.size() * array.itemsize());  // twice, for the checksum
      storage = storage_of_array(array, tensor.layout, watcher);
    }
    tensor.storage = storage;
    tensor.layout.strides = row_major_strides(tensor.layout.shape);
    tensors.push_back({name, std::move(tensor)});
  }
  return tensors;
}

void take_from_graph(std::vector<NamedTensor>& tensors, const ExportedProgram& program) {
  const ExportGraphSignature signature(program.graph_module.signature);
  for (NamedTensor& named : tensors) {
    const std::string* const input = signature.input_of_target(named.name);
    const TensorMeta* const meta =
        input == nullptr ? nullptr : program.graph_module.graph.tensor_values.find(*input);
    if (meta == nullptr) continue;
    named.tensor.device = meta->device;
    named.tensor.requires_grad = meta->requires_grad;
  }
}

void save_file(nb::handle program, nb::handle path, nb::handle like,
               const std::vector<Named<nb::object>>& given, nb::handle callable) {
  const Borrowed<ExportedProgram> saved(program);
  const std::shared_ptr<const LoadedProgram> kept = loaded_program(*View::of(program));
  const std::string to = path_of(path);
  const std::vector<NamedArray> arrays = arrays_of(given);
  const Progress progress(callable);
  const ByteSink watcher = progress.watcher();
  std::vector<NamedTensor> tensors = tensors_of_arrays(arrays, progress, watcher);
  std::optional<ProgramFile> source;
  if (!like.is_none()) source.emplace(open_file(like, progress));
  without_gil([&] {
    const bool is_archive = format_of_name(to) == FileFormat::archive;
    const bool has_kept = kept != nullptr && tensors.empty();
    if (is_archive) take_from_graph(tensors, *saved);
    if (!has_kept && !(is_archive && source)) {
      return save_program(*saved, to, is_archive ? SaveOptions::with_tensors(tensors) : SaveOptions());
    }
    LoadedProgram loaded;
    if (has_kept) loaded = *kept;
    loaded.program = *saved;
    if (is_archive && source) return save_into(*source, loaded, to, tensors);
    save_program(loaded, to);
  });
  progress.finish();
}

void bind_tensors(nb::module_& module) {
  nb::class_<FileTensor> made(module, "FileTensor");
  const auto property = [&made](const char* name, const char* doc, const auto& get) {
    made.def_prop_ro(name, get, doc);
  };
  property("name", "The tensor's name in the model, e.g. \"layer.weight\".",
           [](const FileTensor& tensor) { return shown(tensor.weight.name); });
  property("kind", "\"parameter\", \"buffer\" or \"constant\".",
           [](const FileTensor& tensor) { return std::string(name_of(tensor.weight.kind)); });
  property("dtype", "The dtype's name in torch, e.g. \"float32\".",
           [](const FileTensor& tensor) { return std::string(torch_name(tensor.tensor().layout.dtype)); });
  property("device",
           "The tensor's device in the program, e.g. \"cpu\" or \"cuda:0\". Data read from the file is "
           "always in CPU memory.",
           [](const FileTensor& tensor) { return torch_name(tensor.tensor().device); });
  property("shape", "The size of each dimension.",
           [](const FileTensor& tensor) { return numbers(tensor.tensor().layout.shape); });
  property("stride", "The stride of each dimension, in elements. The stride of an expanded dimension is 0.",
           [](const FileTensor& tensor) { return numbers(tensor.tensor().layout.strides); });
  property("offset",
           "The offset of the first element in the storage, in elements. Tensors can share a storage.",
           [](const FileTensor& tensor) { return tensor.tensor().layout.offset; });
  property("nbytes", "The size in bytes of a contiguous array with all elements.",
           [](const FileTensor& tensor) { return extent_of(tensor.tensor().layout).bytes; });
  made.def(nb::init<const FileTensor&>())
      .def_prop_ro("_record", [](const FileTensor& tensor) { return shown(tensor.weight.record); })
      .def("_lent_data", lent_data, nb::arg("swap"))
      .def("_own_data", nb::overload_cast<const FileTensor&, bool>(own_data), nb::arg("is_row_major"));
}

}  // namespace

nb::object own_array(const Tensor& tensor, Checksums checksums) {
  Tensor whole = tensor;
  whole.layout = {ScalarType::BYTE, {static_cast<std::int64_t>(tensor.storage->size())}, {1}, 0};
  // What is verified must not change with the file.
  const MappedPages pages = checksums == Checksums::verify ? MappedPages() : tensor.storage->pages();
  return array_of<nb::ndarray<nb::array_api>>(own_data(whole, checksums, pages));
}

void bind_files(nb::module_& module) {
  nb::list dtypes;
  for (const Dtype& row : kDtypes) {
    if (row.kind == DtypeKind::unknown) continue;
    dtypes.append(
        nb::make_tuple(static_cast<std::int32_t>(row.value), std::string(row.torch), !row.numpy.empty()));
  }
  module.attr("dtypes") = dtypes;
  nb::class_<TensorData>(module, "TensorData")
      .def_prop_ro("__array_interface__", array_interface)
      .def("__dlpack__", dlpack, nb::kw_only(), nb::arg("max_version") = nb::none());
  bind_tensors(module);
  nb::class_<OpenFile>(module, "OpenFile")
      .def(nb::init<nb::handle, std::optional<std::string>>(), nb::arg("path").none(),
           nb::arg("model").none())
      .def("close", &OpenFile::close)
      .def_prop_ro("closed", &OpenFile::is_closed)
      .def_prop_ro("container", &OpenFile::container,
                   "The format of the file: \"pt2_archive\" (torch 2.8 and later), \"old_zip\" (torch up to "
                   "2.7), \"json\" or \"pt2b\".")
      .def_prop_ro("models", &OpenFile::models, "The names of an archive's models, in order.")
      .def("_load_program", &OpenFile::load)
      .def("_read_tensors", &OpenFile::tensors);
  def(module, "save_file", save_file);
}

}  // namespace pt2::python
