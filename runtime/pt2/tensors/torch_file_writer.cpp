#include "pt2/tensors/torch_file_writer.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "pt2/archive/zip_writer.h"
#include "pt2/pickle/pickle_writer.h"
#include "pt2/pickle/safe_globals.h"
#include "pt2/text/type_names.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2 {
namespace {

using Op = PickleOpcode;

/// The storages of a file, numbered in the order of the tensors that they come with.
class Storages {
 public:
  explicit Storages(const std::vector<const Weight*>& weights) {
    for (const Weight* const weight : weights) {
      const Tensor& tensor = *weight->tensor;
      const auto [at, is_new] =
          entries_.emplace(tensor.storage.get(), Entry{entries_.size(), tensor.layout.dtype, false});
      if (is_new) in_order_.push_back(weight);
      if (at->second.dtype != tensor.layout.dtype) at->second.has_many_dtypes = true;
    }
  }

  std::size_t number_of(const Tensor& tensor) const { return entry(tensor).number; }
  /// The class that torch.save names; empty: the storage has no class of its dtype, or tensors of many.
  std::string class_of(const Tensor& tensor) const {
    return entry(tensor).has_many_dtypes ? "" : storage_class(tensor.layout.dtype);
  }
  /// One weight of each, in the order of their numbers.
  const std::vector<const Weight*>& in_order() const { return in_order_; }

 private:
  struct Entry {
    std::size_t number;
    ScalarType dtype;
    bool has_many_dtypes;
  };
  const Entry& entry(const Tensor& tensor) const { return entries_.at(tensor.storage.get()); }

  std::map<const Storage*, Entry> entries_;
  std::vector<const Weight*> in_order_;
};

[[noreturn]] void refuse(const Weight& weight, const char* why) {
  throw schemagen::DataError("tensor " + schemagen::quoted(weight.name) + ": " + why);
}

void require_writable(const Weight& weight) {
  if (!weight.tensor) {
    throw schemagen::DataError(schemagen::quoted(weight.name) +
                               " is an object that only a pickle can hold: it cannot be moved");
  }
  if (weight.tensor->is_absent()) refuse(weight, "its bytes are not in the archive");
  if (weight.tensor->storage->order() == ByteOrder::big) refuse(weight, "it is big-endian");
}

void write_tuple(PickleWriter& out, const std::vector<std::int64_t>& numbers) {
  out.op(Op::MARK);
  for (const std::int64_t number : numbers) out.integer(number);
  out.op(Op::TUPLE);
}

/// The `backward_hooks` of tensors: none.
void write_empty_hooks(PickleWriter& out) {
  out.global("collections", "OrderedDict").op(Op::EMPTY_TUPLE).op(Op::REDUCE);
}

void write_storage(PickleWriter& out, const Tensor& tensor, const Storages& storages) {
  const std::string name = storages.class_of(tensor);
  const std::uint64_t element = name.empty() ? 1 : extent_of(tensor.layout).element;
  out.op(Op::MARK).text("storage");
  name.empty() ? out.global("torch.storage", "UntypedStorage") : out.global("torch", name);
  out.text(std::to_string(storages.number_of(tensor))).text(torch_name(tensor.device));
  out.integer(static_cast<std::int64_t>(tensor.storage->size() / element)).op(Op::TUPLE).op(Op::BINPERSID);
}

void write_tensor(PickleWriter& out, const Tensor& tensor, bool requires_grad, const Storages& storages) {
  const bool is_typed = !storages.class_of(tensor).empty();
  out.global("torch._utils", is_typed ? "_rebuild_tensor_v2" : "_rebuild_tensor_v3").op(Op::MARK);
  write_storage(out, tensor, storages);
  out.integer(tensor.layout.offset);
  write_tuple(out, tensor.layout.shape);
  write_tuple(out, tensor.layout.strides);
  out.boolean(requires_grad);
  write_empty_hooks(out);
  if (!is_typed) out.global("torch", torch_name(tensor.layout.dtype));
  out.op(Op::TUPLE).op(Op::REDUCE);
}

std::string pickle_of(const std::vector<const Weight*>& weights, const Storages& storages) {
  PickleWriter out;
  out.op(Op::EMPTY_DICT).op(Op::MARK);
  for (const Weight* const weight : weights) {
    out.text(weight->name);
    const Tensor& tensor = *weight->tensor;
    if (weight->kind != WeightKind::parameter) {
      write_tensor(out, tensor, tensor.requires_grad, storages);
      continue;
    }
    out.global("torch._utils", "_rebuild_parameter").op(Op::MARK);
    write_tensor(out, tensor, false, storages);
    out.boolean(tensor.requires_grad);
    write_empty_hooks(out);
    out.op(Op::TUPLE).op(Op::REDUCE);
  }
  return std::move(out.op(Op::SETITEMS)).take();
}

}  // namespace

void write_torch_file(const std::vector<const Weight*>& weights, const ByteSink& out) {
  for (const Weight* const weight : weights) require_writable(*weight);
  const Storages storages(weights);
  ZipWriter zip(out);
  zip.add("archive/data.pkl", pickle_of(weights, storages));
  zip.add("archive/byteorder", "little");
  for (const Weight* const weight : storages.in_order()) {
    const Storage& storage = *weight->tensor->storage;
    const std::string name = "archive/data/" + std::to_string(storages.number_of(*weight->tensor));
    const ByteSource content = [&](const ByteSink& sink) { storage.copy(sink); };
    zip.add(name, storage.size(), content, storage.crc32());
  }
  zip.add("archive/version", "3\n");
  zip.finish();
}

}  // namespace pt2
