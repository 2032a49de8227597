#include "pt2/archive/tensors/weights.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "pt2/archive/archive.h"
#include "pt2/archive/archive_rewrite.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using schemagen::DataError;

struct Replaced {
  const Weight* weight;
  const Tensor* elements;
};

std::string type_text(const TensorLayout& layout) {
  return std::string(torch_name(layout.dtype)) + shape_text(layout.shape);
}

void require_raw(const Weight& weight) {
  if (!weight.pickled) return;
  throw DataError("tensor " + schemagen::quoted(weight.name) +
                  " is pickled; convert the archive to raw weights with pt2 convert first");
}

/// Pickled parts stay as they are.
void take_parts(const Weight& weight, std::map<std::string_view, const Tensor*>& given,
                const schemagen::Limits& limits) {
  for (const NamedTensor& part : weight.parts) {
    const std::string name = weight.name + "." + part.name;
    const auto found = given.find(name);
    if (found == given.end()) continue;
    const Tensor& theirs = *found->second;
    if (theirs.layout.dtype != part.tensor.layout.dtype || theirs.layout.shape != part.tensor.layout.shape ||
        contiguous_bytes(theirs, limits) != contiguous_bytes(part.tensor, limits)) {
      throw DataError("tensor " + schemagen::quoted(name) +
                      " differs from the archive's, which is part of a " + weight.class_name +
                      " and cannot be replaced");
    }
    given.erase(found);
  }
}

std::map<const ZipMember*, std::vector<Replaced>> matches_of(const Archive& archive,
                                                             const std::vector<Weight>& weights,
                                                             const std::vector<NamedTensor>& tensors,
                                                             const schemagen::Limits& limits) {
  std::map<std::string_view, const Tensor*> by_name;
  for (const NamedTensor& named : tensors) by_name.emplace(named.name, &named.tensor);
  std::map<const ZipMember*, std::vector<Replaced>> matches;
  std::vector<std::string_view> missing;
  for (const Weight& weight : weights) {
    take_parts(weight, by_name, limits);
    if (!weight.tensor) continue;
    require_raw(weight);
    const auto found = by_name.find(weight.name);
    if (weight.tensor->is_on_meta()) {
      if (found == by_name.end()) continue;
      throw DataError("tensor " + schemagen::quoted(weight.name) + ": " + why_absent(*weight.tensor));
    }
    if (found == by_name.end()) {
      missing.push_back(weight.name);
      continue;
    }
    const TensorLayout& theirs = found->second->layout;
    if (theirs.dtype != weight.tensor->layout.dtype || theirs.shape != weight.tensor->layout.shape) {
      throw DataError("tensor " + schemagen::quoted(weight.name) + " is " + type_text(theirs) +
                      " in the weights file, expected " + type_text(weight.tensor->layout));
    }
    matches[find_record(archive, weight.record)].push_back({&weight, found->second});
    by_name.erase(found);
  }
  if (!missing.empty()) throw DataError("the weights file has no " + schemagen::quoted_list(missing));
  if (!by_name.empty()) {
    std::vector<std::string_view> more;
    for (const auto& [name, tensor] : by_name) more.push_back(name);
    throw DataError("the weights file has " + schemagen::quoted_list(more) + ", but the archive does not");
  }
  return matches;
}

std::uint64_t storage_size(const std::vector<Replaced>& matches) {
  std::uint64_t size = matches.front().weight->tensor->storage->size();
  for (const Replaced& match : matches)
    size = std::max(size, extent_of(match.weight->tensor->layout).storage);
  return size;
}

bool fills(const TensorLayout& layout, std::uint64_t size) {
  return is_contiguous(layout) && layout.offset == 0 && extent_of(layout).bytes == size;
}

bool are_storage(const Replaced& match, std::uint64_t size) {
  const Tensor& elements = *match.elements;
  return fills(match.weight->tensor->layout, size) && fills(elements.layout, elements.storage->size()) &&
         elements.storage->size() == size && elements.storage->order() != ByteOrder::big;
}

std::shared_ptr<const Storage> scattered(const std::vector<Replaced>& matches, std::uint64_t size,
                                         const schemagen::Limits& limits) {
  if (size > limits.memory_bytes)
    throw DataError(schemagen::too_many_bytes("a storage", size, limits.memory_bytes));
  std::string bytes(static_cast<std::size_t>(size), '\0');
  for (const Replaced& match : matches) {
    const std::string elements = contiguous_bytes(*match.elements, limits);
    scatter(match.weight->tensor->layout, elements, bytes);
  }
  return std::make_shared<const Storage>(MemberBytes(std::move(bytes)));
}

void require_elements(const Replaced& match, const std::shared_ptr<const Storage>& storage,
                      const schemagen::Limits& limits) {
  Tensor made = *match.weight->tensor;
  made.storage = storage;
  if (contiguous_bytes(made, limits) == contiguous_bytes(*match.elements, limits)) return;
  throw DataError("tensor " + schemagen::quoted(match.weight->name) +
                  " shares elements with another tensor, but their values differ");
}

std::shared_ptr<const Storage> storage_for(const std::vector<Replaced>& matches,
                                           const schemagen::Limits& limits) {
  const std::uint64_t size = storage_size(matches);
  const auto whole = std::find_if(matches.begin(), matches.end(),
                                  [&](const Replaced& match) { return are_storage(match, size); });
  std::shared_ptr<const Storage> storage =
      whole != matches.end() ? whole->elements->storage : scattered(matches, size, limits);
  if (matches.size() > 1) {
    for (const Replaced& match : matches) require_elements(match, storage, limits);
  } else if (whole == matches.end()) {
    require_elements(matches.front(), storage, limits);
  }
  return storage;
}

}  // namespace

void write_stripped(const Archive& archive, const std::vector<Weight>& weights, const ByteSink& out) {
  std::vector<NewMember> changed;
  for (const Weight& weight : weights) {
    if (!weight.tensor) continue;
    require_raw(weight);
    changed.push_back({std::string(find_record(archive, weight.record)->name), ""});
  }
  rewrite_archive(archive, changed, out);
}

void write_attached(const Archive& archive, const std::vector<Weight>& weights,
                    const std::vector<NamedTensor>& tensors, const ByteSink& out,
                    const schemagen::Limits& limits) {
  if (archive.byte_order == ByteOrder::big)
    throw DataError("the archive is big-endian, but the weights file is not");
  const std::map<const ZipMember*, std::vector<Replaced>> matches =
      matches_of(archive, weights, tensors, limits);
  const ReplaceMember replace = [&](const ZipMember& member, ZipWriter& zip) {
    const auto changed = matches.find(&member);
    if (changed == matches.end()) return false;
    const std::shared_ptr<const Storage> storage = storage_for(changed->second, limits);
    zip.add(member.name, storage->size(), [&](const ByteSink& sink) { storage->copy(sink); });
    return true;
  };
  rewrite_archive(archive, replace, out);
}

}  // namespace pt2
