#include "pt2/archive/tensors/tensor_files.h"

#include <limits>

#include "pt2/archive/about.h"
#include "pt2/archive/file_kind.h"
#include "pt2/archive/zip_bytes.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/quote.h"
#include "schemagen/json/json_writer.h"
#include "schemagen/tree/dom.h"

namespace pt2 {
namespace {

using schemagen::DataError;
using schemagen::DomValue;

constexpr std::string_view kMetadata = "__metadata__";
constexpr unsigned kLengthSize = 8;
constexpr std::size_t kHeaderAlignment = 8;
constexpr std::uint64_t kMaxHeader = 100'000'000;  // the limit of the safetensors package

[[noreturn]] void fail_at(std::string_view name, const std::string& reason) {
  throw DataError("tensor " + schemagen::quoted(name) + ": " + reason);
}

std::string_view dtype_name(const NamedTensor& named) {
  const std::string_view name = dtype_row(named.tensor.layout.dtype).safetensors;
  if (!name.empty()) return name;
  fail_at(named.name, "safetensors does not support complex32 or complex128; write .npz");
}

std::vector<const NamedTensor*> in_file_order(const std::vector<NamedTensor>& tensors) {
  std::vector<const NamedTensor*> order;
  std::set<std::string_view> names;
  for (const NamedTensor& named : tensors) {
    if (named.name == kMetadata || !names.insert(named.name).second) {
      throw schemagen::UsageError("invalid or duplicate name in a safetensors file: " +
                                  schemagen::quoted(named.name));
    }
    order.push_back(&named);
  }
  std::stable_sort(order.begin(), order.end(), [](const NamedTensor* a, const NamedTensor* b) {
    return extent_of(a->tensor.layout).element > extent_of(b->tensor.layout).element;
  });
  return order;
}

std::string header_of(const std::vector<const NamedTensor*>& tensors) {
  schemagen::JsonWriter json;
  json.begin('{').key("__metadata__").begin('{').key("format").string("pt").end('}');
  std::uint64_t at = 0;
  for (const NamedTensor* const named : tensors) {
    json.key(named->name).begin('{').key("dtype").string(dtype_name(*named)).key("shape").begin('[');
    for (const std::int64_t size : named->tensor.layout.shape) json.integer(size);
    json.end(']').key("data_offsets").begin('[').integer(static_cast<std::int64_t>(at));
    at += extent_of(named->tensor.layout).bytes;
    if (at > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
      fail_at(named->name, "the file would exceed 2^63 - 1 bytes");
    json.integer(static_cast<std::int64_t>(at)).end(']').end('}');
  }
  json.end('}');
  std::string header = json.text();
  header.append((kHeaderAlignment - header.size() % kHeaderAlignment) % kHeaderAlignment, ' ');
  return header;
}

std::vector<std::int64_t> numbers_of(const DomValue& value, std::string_view name, const char* what) {
  const DomValue::List* const list = value.list();
  if (list == nullptr) fail_at(name, "expected a list as its " + std::string(what));
  std::vector<std::int64_t> numbers;
  for (const DomValue& item : *list) {
    const std::int64_t number = item.integer().value_or(-1);
    if (number < 0) fail_at(name, "expected non-negative integers in its " + std::string(what));
    numbers.push_back(number);
  }
  return numbers;
}

ScalarType dtype_of(const DomValue& entry, std::string_view name) {
  const std::string_view text = entry["dtype"].text();
  for (const Dtype& row : kDtypes) {
    if (!text.empty() && row.safetensors == text) return row.value;
  }
  fail_at(name, "unknown dtype " + schemagen::quoted(text));
}

NamedTensor read_entry(const DomValue& entry, std::string_view name, std::string_view body,
                       const MappedPages& pages) {
  NamedTensor named;
  named.name = std::string(name);
  TensorLayout& layout = named.tensor.layout;
  layout.dtype = dtype_of(entry, name);
  layout.shape = numbers_of(entry["shape"], name, "shape");
  layout.strides = row_major_strides(layout.shape);
  named.tensor.device.type = "cpu";
  const std::vector<std::int64_t> offsets = numbers_of(entry["data_offsets"], name, "data_offsets");
  if (offsets.size() != 2 || offsets[0] > offsets[1])
    fail_at(name, "expected data_offsets to be [begin, end]");
  const std::uint64_t begin = static_cast<std::uint64_t>(offsets[0]);
  const std::uint64_t size = static_cast<std::uint64_t>(offsets[1]) - begin;
  if (!zip::fits(begin, size, body.size())) fail_at(name, "its bytes extend past the end of the file");
  const std::uint64_t expected = about_tensor(name, [&] { return extent_of(layout); }).bytes;
  if (expected != size) {
    fail_at(name, "expected " + schemagen::counted(expected, "byte") + " for its shape, got " +
                      std::to_string(size));
  }
  named.tensor.storage = std::make_shared<const Storage>(MemberBytes(zip::part(body, begin, size)), pages);
  return named;
}

void require_full(const std::vector<NamedTensor>& tensors, std::string_view body) {
  std::vector<std::pair<std::string_view, std::string_view>> spans;  // bytes, and the tensor's name
  for (const NamedTensor& named : tensors)
    spans.emplace_back(named.tensor.storage->read()->view(), named.name);
  std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.data(), a.first.size()) < std::pair(b.first.data(), b.first.size());
  });
  const char* at = body.data();
  for (const auto& [bytes, name] : spans) {
    if (bytes.data() != at)
      fail_at(name, bytes.data() > at ? "there is a gap before its bytes"
                                      : "its bytes overlap those of the previous tensor");
    at += bytes.size();
  }
  const auto left = body.size() - static_cast<std::size_t>(at - body.data());
  if (left != 0)
    throw DataError("the file has " + schemagen::counted(left, "byte") + " after its last tensor");
}

}  // namespace

void write_safetensors(const std::vector<NamedTensor>& tensors, const ByteSink& out,
                       const schemagen::Limits& limits) {
  const std::vector<const NamedTensor*> order = in_file_order(tensors);
  ElementBudget budget(limits.memory_bytes);
  for (const NamedTensor* const named : order) {
    about_tensor(named->name, [&] { budget.take(named->tensor); });
  }
  const std::string header = header_of(order);
  std::string length;
  zip::append_number(length, header.size(), kLengthSize);
  out(length);
  out(header);
  for (const NamedTensor* const named : order) {
    about_tensor(named->name, [&] { write_row_major(named->tensor, out, limits); });
  }
}

std::vector<NamedTensor> read_safetensors(std::string_view bytes, const MappedPages& pages,
                                          const schemagen::Limits& limits) {
  if (!looks_like_safetensors(bytes)) {
    throw DataError("not a safetensors file: expected a header length and a JSON object of that length");
  }
  const std::uint64_t size = zip::number(bytes, 0, kLengthSize);
  if (size > kMaxHeader) throw DataError(schemagen::too_many_bytes("a header", size, kMaxHeader));
  const schemagen::JsonDocument text(zip::part(bytes, kLengthSize, size), {limits});
  const DomValue header = schemagen::to_dom(text);
  const std::string_view body = bytes.substr(static_cast<std::size_t>(kLengthSize + size));
  std::vector<NamedTensor> tensors;
  std::set<std::string_view> names;
  for (const auto& [key, entry] : *header.object()) {  // an object, because it begins with a brace
    const std::string_view name = key.view();
    if (!names.insert(name).second) fail_at(name, "it appears twice in the header");
    if (name != kMetadata) tensors.push_back(read_entry(entry, name, body, pages));
  }
  require_full(tensors, body);
  return tensors;
}

}  // namespace pt2
