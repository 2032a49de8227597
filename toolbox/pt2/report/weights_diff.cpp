#include "pt2/report/weights_diff.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "pt2/strings/argument_text.h"
#include "pt2/text/literal.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

std::string shown(const Weight& weight) {
  std::string text = std::string(name_of(weight.kind)) + " " + printable(weight.name);
  if (!weight.class_name.empty()) return text + ": " + printable(weight.class_name);
  if (!weight.tensor) return text;
  const Tensor& tensor = *weight.tensor;
  return text + ": " + tensor_type_text(meta_of(tensor));
}

Difference difference_of(const Weight* a, const Weight* b) {
  Difference difference;
  difference.kind = a == nullptr   ? Difference::Kind::added
                    : b == nullptr ? Difference::Kind::removed
                                   : Difference::Kind::changed;
  difference.part = "weights";
  if (a != nullptr) difference.before = shown(*a);
  if (b != nullptr) difference.after = shown(*b);
  return difference;
}

/// For the same dtype and shape. Copies strided tensors.
std::uint64_t count_other_elements(const Tensor& a, const Tensor& b) {
  const std::size_t element = static_cast<std::size_t>(extent_of(a.layout).element);
  if (a.is_on_meta()) return 0;
  for (const Tensor* const tensor : {&a, &b}) {
    if (tensor->is_absent()) throw schemagen::DataError(why_absent(*tensor));
  }
  const bool is_in_order = is_contiguous(a.layout) && a.storage->order() != ByteOrder::big;
  const Tensor whole = is_in_order ? a : contiguous(a);
  check_tensor(whole);
  const std::shared_ptr<const MemberBytes> storage = whole.storage->read();
  const TensorExtent extent = extent_of(whole.layout);
  const std::string_view bytes =
      storage->view().substr(static_cast<std::size_t>(extent.storage - extent.bytes));
  std::uint64_t count = 0;
  std::size_t at = 0;
  bool differs = false;
  write_row_major(b, [&](std::string_view part) {
    const std::string_view other = bytes.substr(at, part.size());
    if (part == other && !differs) {
      at += part.size();
    } else {
      for (const char byte : part) {
        differs = differs || byte != bytes[at];
        if (++at % element != 0) continue;
        count += differs ? 1 : 0;
        differs = false;
      }
    }
    whole.storage->pages().release(other);
  });
  return count;
}

bool is_same_type(const Weight& a, const Weight& b) {
  if (a.kind != b.kind || a.persistent != b.persistent || a.tensor.has_value() != b.tensor.has_value() ||
      a.class_name != b.class_name) {
    return false;
  }
  return !a.tensor || (a.tensor->layout.dtype == b.tensor->layout.dtype &&
                       a.tensor->layout.shape == b.tensor->layout.shape &&
                       a.tensor->is_on_meta() == b.tensor->is_on_meta());
}

}  // namespace

std::vector<Difference> diff_weights(const std::vector<Weight>& a, const std::vector<Weight>& b) {
  std::map<std::string_view, const Weight*> others;
  for (const Weight& weight : b) others.emplace(weight.name, &weight);
  ElementBudget budget;
  std::vector<Difference> differences;
  for (const Weight& weight : a) {
    const auto found = others.find(weight.name);
    const Weight* const other = found == others.end() ? nullptr : found->second;
    if (other == nullptr || !is_same_type(weight, *other)) {
      differences.push_back(difference_of(&weight, other));
    } else if (weight.tensor) {
      try {
        budget.take(*weight.tensor);
        budget.take(*other->tensor);
        const std::uint64_t count = count_other_elements(*weight.tensor, *other->tensor);
        if (count != 0) {
          differences.push_back(difference_of(&weight, other));
          differences.back().details.push_back(std::to_string(count) + " of " +
                                               std::to_string(extent_of(weight.tensor->layout).elements) +
                                               " elements differ");
        }
      } catch (const schemagen::DataError& error) {
        throw schemagen::DataError("tensor " + schemagen::quoted(weight.name) + ": " + error.what());
      }
    }
    if (found != others.end()) others.erase(found);
  }
  for (const Weight& weight : b) {
    if (others.count(weight.name) != 0) differences.push_back(difference_of(nullptr, &weight));
  }
  return differences;
}

}  // namespace pt2
