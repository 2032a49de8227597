#include "pt2/archive/tensors/tensor_files.h"

#include <cstring>
#include <limits>

#include "pt2/archive/pickle/opcodes.h"
#include "pt2/archive/pickle/safe_globals.h"
#include "pt2/archive/pickle/store.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/archive/zip_bytes.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/utf8.h"

namespace pt2 {
namespace {

using Op = PickleOpcode;

/// Writes protocol 2, as torch.save does.
class PickleWriter {
 public:
  PickleWriter() { op(Op::PROTO, 2, 1); }

  /// `operand` is little-endian and `width` bytes wide.
  PickleWriter& op(Op opcode, std::uint64_t operand = 0, unsigned width = 0) {
    bytes_ += static_cast<char>(opcode);
    zip::append_number(bytes_, operand, width);
    return *this;
  }
  PickleWriter& integer(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    if (value >= 0 && value <= std::numeric_limits<std::uint8_t>::max()) return op(Op::BININT1, bits, 1);
    if (value >= std::numeric_limits<std::int32_t>::min() &&
        value <= std::numeric_limits<std::int32_t>::max()) {
      return op(Op::BININT, bits, 4);
    }
    op(Op::LONG1, sizeof bits, 1);
    zip::append_number(bytes_, bits, sizeof bits);
    return *this;
  }
  PickleWriter& boolean(bool value) { return op(value ? Op::NEWTRUE : Op::NEWFALSE); }
  PickleWriter& floating(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    op(Op::BINFLOAT);
    for (int shift = 56; shift >= 0; shift -= 8) bytes_ += static_cast<char>(bits >> shift & 0xFF);
    return *this;
  }
  /// Writes UTF-8 text. Throws UsageError if it exceeds 4 GiB.
  PickleWriter& text(std::string_view text) {
    if (text.size() > std::numeric_limits<std::uint32_t>::max()) {
      throw schemagen::UsageError("a string of " + std::to_string(text.size()) +
                                  " bytes is too long to pickle");
    }
    op(Op::BINUNICODE, text.size(), 4);
    bytes_ += text;
    return *this;
  }
  PickleWriter& global(std::string_view module, std::string_view name) {
    op(Op::GLOBAL).bytes_.append(module).append("\n").append(name).append("\n");
    return *this;
  }

  std::string take() && {
    op(Op::STOP);
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

class Storages {
 public:
  void add(const Tensor& tensor) {
    if (tensor.is_on_meta()) return;
    const auto [at, is_new] =
        entries_.emplace(tensor.storage.get(), Entry{entries_.size(), tensor.layout.dtype, false});
    if (is_new) in_order_.push_back(tensor.storage);
    if (at->second.dtype != tensor.layout.dtype) at->second.has_many_dtypes = true;
  }

  std::size_t number_of(const Tensor& tensor) const { return entry(tensor).number; }
  /// Empty if torch.save has none, or the storage holds several dtypes.
  std::string class_of(const Tensor& tensor) const {
    return entry(tensor).has_many_dtypes ? "" : storage_class(tensor.layout.dtype);
  }
  const std::vector<std::shared_ptr<const Storage>>& in_order() const { return in_order_; }

 private:
  struct Entry {
    std::size_t number;
    ScalarType dtype;
    bool has_many_dtypes;
  };
  const Entry& entry(const Tensor& tensor) const { return entries_.at(tensor.storage.get()); }

  std::map<const Storage*, Entry> entries_;
  std::vector<std::shared_ptr<const Storage>> in_order_;
};

[[noreturn]] void refuse(const Weight& weight, const std::string& why) {
  throw schemagen::DataError("tensor " + schemagen::quoted(weight.name) + ": " + why);
}

void require_writable(const Weight& weight) {
  if (!weight.tensor) {
    throw schemagen::DataError(schemagen::quoted(weight.name) +
                               " is an object and can only be pickled, so it cannot be copied");
  }
  const Tensor& tensor = *weight.tensor;
  if (tensor.is_absent() && !tensor.is_on_meta()) refuse(weight, why_absent(tensor));
  if (weight.tensor->storage->order() == ByteOrder::big) refuse(weight, "it is big-endian");
}

void write_tuple(PickleWriter& out, const std::vector<std::int64_t>& numbers) {
  out.op(Op::MARK);
  for (const std::int64_t number : numbers) out.integer(number);
  out.op(Op::TUPLE);
}

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

void write_on_meta(PickleWriter& out, const Tensor& tensor, bool requires_grad) {
  out.global("torch._utils", "_rebuild_meta_tensor_no_storage").op(Op::MARK);
  out.global("torch", torch_name(tensor.layout.dtype));
  write_tuple(out, tensor.layout.shape);
  write_tuple(out, tensor.layout.strides);
  out.boolean(requires_grad).op(Op::TUPLE).op(Op::REDUCE);
}

void write_tensor(PickleWriter& out, const Tensor& tensor, bool requires_grad, const Storages& storages) {
  if (tensor.is_on_meta()) return write_on_meta(out, tensor, requires_grad);
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

/// The wrapped tensor requires no gradient itself.
void write_tensor_or_parameter(PickleWriter& out, const Tensor& tensor, bool is_parameter,
                               const Storages& storages) {
  if (!is_parameter) return write_tensor(out, tensor, tensor.requires_grad, storages);
  out.global("torch._utils", "_rebuild_parameter").op(Op::MARK);
  write_tensor(out, tensor, false, storages);
  out.boolean(tensor.requires_grad);
  write_empty_hooks(out);
  out.op(Op::TUPLE).op(Op::REDUCE);
}

std::string pickle_of(const std::vector<const Weight*>& weights, const Storages& storages) {
  PickleWriter out;
  out.op(Op::EMPTY_DICT).op(Op::MARK);
  for (const Weight* const weight : weights) {
    out.text(weight->name);
    write_tensor_or_parameter(out, *weight->tensor, weight->kind == WeightKind::parameter, storages);
  }
  return std::move(out.op(Op::SETITEMS)).take();
}

class ValueWriter {
 public:
  ValueWriter(PickledTensors& source, const schemagen::Limits& limits, const ChangeTensor& change)
      : source_(source), pickle_(source.pickle()), limits_(limits) {
    for (PickleRef ref = 0; ref < pickle_.values.size(); ++ref) {
      if (pickle_[ref].kind != PickleKind::tensor) continue;
      Tensor tensor = tensor_of(pickle_[ref].tensor());
      if (change) tensor = change(std::move(tensor), tensors_.size());
      storages_.add(tensors_.emplace(ref, std::move(tensor)).first->second);
    }
    write(pickle_.root);
  }

  const Storages& storages() const { return storages_; }
  std::string take() && { return std::move(out_).take(); }

 private:
  Tensor tensor_of(const PickledTensor& pickled) const {
    Tensor tensor = source_.tensor_of(pickled);
    if (tensor.storage->order() == ByteOrder::big) throw schemagen::DataError("a tensor is big-endian");
    return tensor;
  }

  void write(PickleRef ref) {
    if (depth_ == limits_.depth) throw schemagen::DataError(schemagen::too_deep(limits_));
    ++depth_;
    written_.count(ref) != 0 ? static_cast<void>(out_.op(Op::LONG_BINGET, ref, sizeof ref)) : write_new(ref);
    --depth_;
  }

  void write_new(PickleRef ref) {
    const PickleValue& value = pickle_[ref];
    switch (value.kind) {
      case PickleKind::none:
        return static_cast<void>(out_.op(Op::NONE));
      case PickleKind::boolean:
        return static_cast<void>(out_.boolean(std::get<bool>(value.data)));
      case PickleKind::integer:
        return static_cast<void>(out_.integer(std::get<std::int64_t>(value.data)));
      case PickleKind::floating:
        return static_cast<void>(out_.floating(std::get<double>(value.data)));
      case PickleKind::text:
        if (schemagen::find_bad_utf8(value.text()))
          throw schemagen::DataError("a string has a lone surrogate");
        return static_cast<void>(out_.text(value.text()));
      case PickleKind::list:
        return write_container(ref, Op::EMPTY_LIST, Op::APPENDS);
      case PickleKind::dict:
        return write_container(ref, Op::EMPTY_DICT, Op::SETITEMS);
      case PickleKind::tuple:
        write_items(value.items());
        out_.op(Op::TUPLE);
        break;
      case PickleKind::size:
        out_.global("torch", "Size").op(Op::MARK);
        write_items(value.items());
        out_.op(Op::TUPLE).op(Op::TUPLE).op(Op::REDUCE);
        break;
      case PickleKind::tensor:
        write_tensor_or_parameter(out_, tensors_.at(ref), value.tensor().is_parameter, storages_);
        break;
      default:
        throw schemagen::DataError(std::string("cannot write a pickle that contains ") +
                                   described(value.kind));
    }
    remember(ref);
  }

  /// Memoized while it is empty, because it may contain itself.
  void write_container(PickleRef ref, Op empty, Op add_items) {
    out_.op(empty);
    remember(ref);
    write_items(pickle_[ref].items());
    out_.op(add_items);
  }

  void write_items(const std::vector<PickleRef>& items) {
    out_.op(Op::MARK);
    for (const PickleRef item : items) write(item);
  }

  void remember(PickleRef ref) {
    out_.op(Op::LONG_BINPUT, ref, sizeof ref);
    written_.insert(ref);
  }

  PickledTensors& source_;
  const Pickle& pickle_;
  const schemagen::Limits& limits_;
  std::map<PickleRef, Tensor> tensors_;
  Storages storages_;
  std::set<PickleRef> written_;
  std::size_t depth_ = 0;
  PickleWriter out_;
};

void write_records(const std::string& pickle, const Storages& storages, const ByteSink& out) {
  ZipWriter zip(out);
  zip.add("archive/data.pkl", pickle);
  zip.add("archive/byteorder", "little");
  std::size_t number = 0;
  for (const std::shared_ptr<const Storage>& storage : storages.in_order()) {
    const ByteSource content = [&](const ByteSink& sink) { storage->copy(sink); };
    zip.add("archive/data/" + std::to_string(number++), storage->size(), content, storage->crc32());
  }
  zip.add("archive/version", "3\n");
  zip.finish();
}

}  // namespace

void write_torch_file(const std::vector<const Weight*>& weights, const ByteSink& out) {
  Storages storages;
  for (const Weight* const weight : weights) {
    require_writable(*weight);
    storages.add(*weight->tensor);
  }
  write_records(pickle_of(weights, storages), storages, out);
}

void write_torch_file(PickledTensors& source, const schemagen::Limits& limits, const ByteSink& out,
                      const ChangeTensor& change) {
  ValueWriter values(source, limits, change);
  const Storages storages = values.storages();
  write_records(std::move(values).take(), storages, out);
}

}  // namespace pt2
