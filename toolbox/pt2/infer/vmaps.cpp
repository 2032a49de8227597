#include "pt2/infer/vmaps.h"

#include <string>
#include <string_view>

#include "pt2/infer/rules.h"
#include "pt2/text/affix.h"

namespace pt2 {

void Vmaps::follow(const Node& node, const Operator* op, const Graph& graph, const Bindings& hints,
                   SizeTexts& texts) {
  constexpr std::string_view kTransforms = "torch._functorch.predispatch.";
  if (op == nullptr || !starts_with(node.target, kTransforms)) return;
  const std::string name = node.target.substr(kTransforms.size());
  const InferredCall call(node, *op, graph, hints, texts);
  if (name == "_vmap_increment_nesting") {
    batches_.push_back(call.size("batch_size"));
  } else if (batches_.empty()) {
    return;
  } else if (name == "_vmap_decrement_nesting") {
    batches_.pop_back();
  } else if (name == "_remove_batch_dim") {
    require_sizes(call, "batch_size", {call.size("batch_size")}, {batches_.back()});
  } else if (name == "_add_batch_dim") {
    const TensorType self = call.tensor("self");
    std::vector<Size> sizes = self.sizes;
    if (!sizes.empty()) sizes[call.dim("batch_dim", sizes.size())] = batches_.back();
    require_sizes(call, "self", self.sizes, sizes);
  }
}

}  // namespace pt2
