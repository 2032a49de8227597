#include "pt2/upgrade/lift_constants.h"

#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pt2/json.h"
#include "schemagen/base/base64.h"
#include "schemagen/base/error.h"
#include "schemagen/base/map.h"
#include "schemagen/base/quote.h"
#include "schemagen/tree/dom.h"

namespace pt2::from_1 {
namespace {

using schemagen::DomMember;
using schemagen::DomValue;

constexpr const char* kEmpty = "removed 'constants', which is empty";

DomValue read_meta(const std::string& name, std::string_view base64, const UpgradeContext& context) {
  const std::string constant = "the constant " + schemagen::quoted(name);
  const std::optional<schemagen::Bytes> bytes = schemagen::from_base64(base64);
  if (!bytes) context.fail(constant + ": expected a torch.save file encoded as base64");
  try {
    std::string file(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    return schemagen::parse_dom(schemagen::to_json(context.read_constant(name, std::move(file)))).value();
  } catch (const schemagen::DataError& error) {
    context.fail(constant + ", pickled in the program: " + error.what());
  }
}

}  // namespace

std::size_t lift_constants(DomValue& graph, std::size_t position, const UpgradeContext& context) {
  const DomValue constants = graph.take("constants");
  if (constants.object() == nullptr) return 0;
  if (constants.object()->empty()) return context.report(kEmpty, "graph"), 0;
  DomValue* const found = graph.find("tensor_values");
  DomValue::Object* const values = found == nullptr ? nullptr : found->object();
  if (values == nullptr) context.fail("expected a graph with 'tensor_values'");
  schemagen::Set names;
  for (const DomMember& value : *values) names.insert(value.name.view());
  DomValue::List inputs;
  for (const auto& [key, saved] : *constants.object()) {
    const std::string name(key.view());
    const std::string constant = "the constant " + schemagen::quoted(name);
    if (!names.insert(name)) context.fail(constant + " has the same name as another value");
    values->push_back({key, read_meta(name, saved.text(), context)});
    inputs.push_back(DomValue::object_of("as_tensor", DomValue::object_of("name", name)));
    context.report("turned " + constant + " into an input, and moved its pickled tensor to the archive",
                   "graph");
  }
  const std::size_t count = inputs.size();
  DomValue::List& all = *graph.find("inputs")->list();
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(position), std::make_move_iterator(inputs.begin()),
             std::make_move_iterator(inputs.end()));
  return count;
}

void drop_constants_of_subgraph(DomValue& argument, const UpgradeContext& context) {
  DomValue* const graph = argument.find("graph");
  if (graph == nullptr) return;
  const DomValue constants = graph->take("constants");
  if (constants.object() == nullptr) return;
  if (constants.object()->empty()) return context.report(kEmpty, "graph");
  std::vector<std::string_view> names;
  for (const DomMember& constant : *constants.object()) names.push_back(constant.name.view());
  context.fail(
      "a subgraph has the constants " + schemagen::quoted_list(names) +
      ", but later versions allow them only in the top-level graph; export the model again with torch 2.6 or "
      "later");
}

}  // namespace pt2::from_1
