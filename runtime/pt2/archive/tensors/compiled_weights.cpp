#include "pt2/archive/tensors/weights.h"

#include <map>
#include <optional>
#include <utility>

#include "pt2/archive/record_names.h"
#include "pt2/archive/tensors/tensor_files.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "schemagen/json/document.h"
#include "schemagen/tree/dom.h"

namespace pt2 {
namespace {

using schemagen::DataError;
using schemagen::DomValue;

class WeightFiles {
 public:
  WeightFiles(const Archive& archive, const schemagen::Limits& limits) : archive_(archive), limits_(limits) {}

  const std::pair<Tensor, bool>& open(const std::string& record) {
    const auto known = tensors_.find(record);
    if (known != tensors_.end()) return known->second;
    const ZipMember* const member = find_record(archive_, record);
    if (member == nullptr) throw DataError("the archive has no record " + schemagen::quoted(record));
    PickledTensors file(archive_.zip, *member, limits_);
    const PickleValue& root = file.file().pickle[file.file().pickle.root];
    if (root.kind != PickleKind::tensor)
      throw DataError("record " + schemagen::quoted(record) + " does not contain a strided tensor");
    return tensors_.emplace(record, std::pair(file.tensor_of(root.tensor()), root.tensor().is_parameter))
        .first->second;
  }

 private:
  const Archive& archive_;
  const schemagen::Limits& limits_;
  std::map<std::string, std::pair<Tensor, bool>> tensors_;
};

std::vector<std::int64_t> numbers_of(const DomValue& value) {
  if (value.list() == nullptr) throw DataError("expected lists of sizes and strides");
  std::vector<std::int64_t> numbers;
  for (const DomValue& item : *value.list()) {
    const std::optional<std::int64_t> number = item.integer();
    if (!number) throw DataError("expected integers as sizes and strides");
    numbers.push_back(*number);
  }
  return numbers;
}

Weight read_entry(WeightFiles& files, std::string_view name, const DomValue& entry) {
  const DomValue::List* const found = entry.list();
  if (found == nullptr || found->size() != 4 || !(*found)[0].is_string() || !(*found)[3].is_integer()) {
    throw DataError("expected [file, shape, strides, offset]");
  }
  const DomValue::List& parts = *found;
  Weight weight;
  weight.name = std::string(name);
  weight.record = std::string(record::kWeights).append(parts[0].text());
  const auto& [whole, is_parameter] = files.open(weight.record);
  weight.kind = is_parameter ? WeightKind::parameter : WeightKind::constant;
  weight.persistent = is_parameter;
  weight.pickled = true;
  weight.tensor = whole;
  weight.tensor->layout = {whole.layout.dtype, numbers_of(parts[1]), numbers_of(parts[2]),
                           *parts[3].integer()};
  check_tensor(*weight.tensor);
  return weight;
}

}  // namespace

std::vector<Weight> compiled_weights_of(const Archive& archive, std::string_view model,
                                        const schemagen::Limits& limits) {
  std::vector<Weight> weights;
  const std::string record = record::joined(record::kAotInductor, model, "/weights_config.json");
  const ZipMember* const member = find_record(archive, record);
  if (member == nullptr) return weights;
  try {
    const MemberBytes json = archive.zip.read(*member);
    schemagen::JsonReadOptions options;
    options.limits = limits;
    const schemagen::JsonDocument document(json.view(), options);
    const DomValue config = schemagen::to_dom(document);
    if (config.object() == nullptr) throw DataError("expected an object");
    WeightFiles files(archive, limits);
    for (const auto& [key, entry] : *config.object()) {
      const std::string_view name = key.view();
      try {
        weights.push_back(read_entry(files, name, entry));
      } catch (const DataError& error) {
        throw DataError("tensor " + schemagen::quoted(name) + ": " + error.what());
      }
    }
  } catch (const DataError& error) {
    throw DataError("record " + schemagen::quoted(record) + ": " + error.what());
  }
  return weights;
}

}  // namespace pt2
