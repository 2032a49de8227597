#include "pt2/report/weights_diff.h"

#include <cmath>
#include <locale>
#include <sstream>

#include "pt2/text/literal.h"
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

std::string largest_text(const char* before, std::optional<double> number) {
  if (!number) return "";
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(3);
  text << before << *number;
  return text.str();
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

/// The elements that differ.
struct OtherElements {
  std::uint64_t count = 0;
  std::optional<double> largest_absolute;
  std::optional<double> largest_relative;

  void add(double a, double b) {
    const double difference = std::abs(a - b);
    if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(difference)) return;
    largest_absolute = std::max(largest_absolute.value_or(0), difference);
    if (a != 0) largest_relative = std::max(largest_relative.value_or(0), difference / std::abs(a));
  }
};

/// For the same dtype and shape. Copies strided tensors.
OtherElements other_elements(const Tensor& a, const Tensor& b) {
  OtherElements others;
  if (a.is_on_meta()) return others;
  const std::size_t element = static_cast<std::size_t>(extent_of(a.layout).element);
  const DecodeElement decode = decoder_of(a.layout.dtype);
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
  std::size_t at = 0;
  bool differs = false;
  std::string of_b(element, 0);  // an element can begin in one part and end in the next
  write_row_major(b, [&](std::string_view part) {
    const std::string_view other = bytes.substr(at, part.size());
    if (part == other && !differs && at % element == 0 && part.size() % element == 0) {
      at += part.size();
    } else {
      for (const char byte : part) {
        differs = differs || byte != bytes[at];
        of_b[at % element] = byte;
        if (++at % element != 0 || !differs) continue;
        ++others.count;
        if (decode != nullptr) others.add(decode(bytes.data() + at - element), decode(of_b.data()));
        differs = false;
      }
    }
    whole.storage->pages().release(other);
  });
  return others;
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
        const OtherElements others_of = other_elements(*weight.tensor, *other->tensor);
        if (others_of.count != 0) {
          differences.push_back(difference_of(&weight, other));
          Difference& difference = differences.back();
          difference.largest_absolute = others_of.largest_absolute;
          difference.largest_relative = others_of.largest_relative;
          difference.details.push_back(std::to_string(others_of.count) + " of " +
                                       std::to_string(extent_of(weight.tensor->layout).elements) +
                                       " elements differ" +
                                       largest_text(", by up to ", others_of.largest_absolute) +
                                       largest_text(", relative ", others_of.largest_relative));
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
