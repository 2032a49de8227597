#include "pt2/edit/retype.h"

#include <limits>
#include <set>

#include "pt2/archive/tensors/tensor.h"
#include "pt2/edit/graph.h"
#include "pt2/edit/kept_names.h"
#include "pt2/edit/torch_conventions.h"
#include "pt2/graph/signature.h"
#include "pt2/infer/infer.h"
#include "pt2/nodes/arguments.h"
#include "pt2/nodes/modules.h"
#include "pt2/operators/operator_schema.h"
#include "pt2/text/affix.h"
#include "pt2/text/join.h"
#include "pt2/text/type_names.h"
#include "pt2/text/words.h"
#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

constexpr std::string_view kCast = "torch.ops.aten._to_copy.default";
constexpr std::string_view kAssertion = "torch.ops.aten._assert_tensor_metadata.default";
constexpr std::string_view kBitCast = "torch.ops.aten.view.dtype";
constexpr std::string_view kCastingBody = "torch.ops.higher_order.wrap_with_autocast";
constexpr std::string_view kWhere = "torch.ops.aten.where.";
/// torch decomposes matrices only in 32 bits and more. The linalg functions below do without that.
constexpr std::string_view kNarrowMatrices =
    "linalg__powsum linalg_cross linalg_diagonal linalg_matmul linalg_matrix_exp linalg_multi_dot "
    "linalg_vecdot linalg_vector_norm";
/// Other functions that torch 2.13 implements for 16 bits on neither CPU nor CUDA.
constexpr std::string_view kWideFunctions =
    "_ctc_loss _lu_with_info _pdist_forward cholesky cholesky_inverse cholesky_solve ctc_loss det geqrf "
    "histogram histogramdd inverse logdet lu_solve nanquantile nuclear_norm ormqr pdist pinverse qr quantile "
    "slogdet special_airy_ai special_erfcx special_log_ndtr special_ndtri special_zeta svd triangular_solve";
constexpr std::string_view kWidePrefixes =
    "special_bessel_ special_chebyshev_ special_hermite_ special_laguerre_ special_legendre_ "
    "special_modified_ special_scaled_ special_shifted_ special_spherical_";
constexpr std::string_view kAtenPrefix = "torch.ops.aten.";
/// These require one float dtype, which their schemas do not say.
constexpr std::string_view kQuantization = "torch.ops.quantized_decomposed.";

/// torch rejects values outside the dtype's range; models fill masks with float32's minimum.
constexpr std::string_view kBounded = "value fill_value s min max min_val max_val padding_value";

double greatest(ScalarType dtype) {
  if (dtype == ScalarType::HALF) return 65504.0;
  if (dtype == ScalarType::BFLOAT16) return 0x1.fep127;
  return dtype == ScalarType::FLOAT ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
}

class Refusals {
 public:
  void add(const Node& node, const std::string& why) {
    const std::string* const result = first_name(node.outputs);
    names_.push_back(node.name ? *node.name : result != nullptr ? *result : "");
    texts_.push_back(schemagen::quoted(names_.back()) + " (" + node.target + "): " + why);
  }

  const std::vector<std::string>& names() const { return names_; }

  void require_none(ScalarType to) const {
    if (names_.empty()) return;
    throw schemagen::UsageError(
        "cannot retype " + schemagen::counted(names_.size(), "node") + " to " + std::string(torch_name(to)) +
        ": " + users_text(texts_, "; ") +
        "; hint: keep these nodes, which then compute as before: " + join_texts(names_, ","));
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::string> texts_;
};

struct RetypedGraph {
  explicit RetypedGraph(Graph& retyped, const Autocast& within)
      : graph(retyped), autocast(within), names(retyped), hints(hints_of(retyped)) {
    for (const auto& [name, meta] : graph.tensor_values) before.insert(name, meta.dtype);
  }

  ScalarType dtype(const std::string& name) const {
    const TensorMeta* const meta = graph.tensor_values.find(name);
    return meta == nullptr ? ScalarType::UNKNOWN : meta->dtype;
  }

  Graph& graph;
  const Autocast autocast;
  FreshNames names;
  const Bindings hints;
  SizeTexts texts;
  schemagen::Map<ScalarType> before;
  schemagen::Map<bool> stays;
  schemagen::Map<std::string> casts;
  std::vector<Node> nodes;
};

class Retyping {
 public:
  /// `left`: names of more nodes to keep.
  Retyping(ExportedProgram& program, const DtypeChange& change, const std::set<std::string>& left,
           const OperatorSet& operators)
      : program_(program), to_(change.to), kept_(change.keep), left_(left), operators_(operators) {
    for (const Node& node : program.graph_module.graph.nodes) {
      has_names_ = has_names_ || node.name;
      for (const NamedArgument& input : node.inputs) has_kinds_ = has_kinds_ || input.kind;
    }
  }

  Retyped run() {
    RetypedGraph retyped(program_.graph_module.graph, {});
    retype_inputs(retyped);
    retype_nodes(retyped);
    kept_.require_all_used();
    retype_outputs(retyped);
    return std::move(done_);
  }
  const Refusals& refusals() const { return refusals_; }

 private:
  bool changes(ScalarType dtype) const { return is_convertible(dtype) && dtype != to_; }

  void set_dtype(TensorMeta& meta, ScalarType dtype) {
    if (meta.dtype == dtype) return;
    meta.dtype = dtype;
    ++done_.changed;
  }

  void retype_inputs(RetypedGraph& retyped) {
    for (const InputSpec& spec : program_.graph_module.signature.input_specs) {
      const auto parts = parts_of(spec);
      TensorMeta* const meta =
          parts.name == nullptr ? nullptr : retyped.graph.tensor_values.find(*parts.name);
      if (meta == nullptr) continue;
      const bool is_weight = parts.target != nullptr && !is_users(spec.kind());
      bool is_kept = kept_.has(*parts.name);
      if (is_weight && kept_.has_path(*parts.target)) is_kept = true;
      if (is_users(spec.kind())) done_.keeps_input.push_back(is_kept);
      if (is_kept) retyped.stays.try_emplace(*parts.name);
      if (is_kept || !changes(meta->dtype)) continue;
      if (is_weight) done_.weights.push_back(*parts.target);
      set_dtype(*meta, to_);
    }
  }

  void retype_outputs(RetypedGraph& retyped) {
    const GraphSignature& signature = program_.graph_module.signature;
    Substitutes substitutes;
    const ExportGraphSignature view(signature);
    for (const auto& parts : view.outputs()) {
      if (parts.name == nullptr || !is_mutation(parts.kind)) continue;
      const std::string* const input =
          parts.target_is_input ? parts.target : view.input_of_target(*parts.target);
      if (input == nullptr) continue;
      const ScalarType wanted = retyped.dtype(*input);
      if (is_convertible(wanted) && is_convertible(retyped.dtype(*parts.name)) &&
          retyped.dtype(*parts.name) != wanted) {
        substitutes.insert(*parts.name, cast_of(retyped, *parts.name, wanted, Node()));
      }
      retyped.stays.try_emplace(*parts.name);
    }
    finish(retyped, substitutes);
  }

  void finish(RetypedGraph& retyped, Substitutes& casts) {
    for_each_name(retyped.graph.outputs, [&](const std::string& name) {
      if (retyped.stays.contains(name) || !changes(retyped.dtype(name))) return;
      casts.insert(name, cast_of(retyped, name, to_, Node()));
    });
    replace_output_uses(program_, retyped.graph, casts);
    retyped.graph.nodes = std::move(retyped.nodes);
  }

  void retype_nodes(RetypedGraph& retyped) {
    std::vector<Node> nodes = std::move(retyped.graph.nodes);
    retyped.nodes.reserve(nodes.size());
    for (Node& node : nodes) {
      is_kept(node) ? keep(node, retyped) : retype(node, retyped);
      retyped.nodes.push_back(std::move(node));
    }
  }

  bool retype_subgraph(Graph& graph, const Autocast& autocast) {
    const std::size_t before = done_.changed + done_.casts;
    RetypedGraph retyped(graph, autocast);
    for_each_name(graph.inputs, [&](const std::string& name) {
      TensorMeta* const meta = graph.tensor_values.find(name);
      if (meta != nullptr && changes(meta->dtype)) set_dtype(*meta, to_);
    });
    retype_nodes(retyped);
    Substitutes casts;
    finish(retyped, casts);
    return done_.changed + done_.casts != before;
  }

  bool is_kept(const Node& node) {
    const auto has = [&](const std::string& name) { return kept_.has(name) || left_.count(name) != 0; };
    bool found = node.name && has(*node.name);
    for_each_name(node.outputs, [&](const std::string& name) { found = has(name) || found; });
    if (kept_.empty()) return found;
    for (const ModuleFrame& frame : module_frames(node)) {
      if (!is_placeholder(frame)) found = kept_.has_path(module_path(frame)) || found;
    }
    return found;
  }

  void keep(Node& node, RetypedGraph& retyped) {
    cast_inputs(node, retyped, [&](const std::string& name) {
      const ScalarType* const before = retyped.before.find(name);
      return before == nullptr ? retyped.dtype(name) : *before;
    });
    for_each_name(node.outputs, [&](const std::string& name) { retyped.stays.try_emplace(name); });
  }

  void retype(Node& node, RetypedGraph& retyped) {
    if (node.target == kAssertion) return retype_assertion(node, retyped);
    bool changed = retype_arguments(node);
    for_each_subgraph(node, [&](GraphArgument& subgraph) {
      changed = retype_subgraph(*subgraph.graph, autocast_within(node, retyped.autocast)) || changed;
    });
    std::vector<ScalarType> given;
    for_each_name(node.inputs, [&](const std::string& name) {
      const ScalarType* const before = retyped.before.find(name);
      if (before == nullptr) return;
      given.push_back(*before);
      changed = changed || changes(*before);
    });
    cast_inputs(node, retyped, [&](const std::string&) { return to_; });
    if (changed) retype_results(node, retyped, given);
    ask_for_dtype(node, retyped);
    bound_literals(node, retyped);
  }

  void retype_assertion(Node& node, const RetypedGraph& retyped) {
    const auto* const tensor =
        node.inputs.empty() ? nullptr : node.inputs[0].arg.get_if<Argument::as_tensor>();
    if (tensor == nullptr) return;
    const ScalarType now = retyped.dtype(tensor->name);
    for (NamedArgument& input : node.inputs) {
      ScalarType* const dtype = input.arg.get_if<Argument::as_scalar_type>();
      if (dtype == nullptr || *dtype == now || !is_convertible(*dtype) || !is_convertible(now)) continue;
      *dtype = now;
      ++done_.changed;
    }
  }

  bool retype_arguments(Node& node) {
    bool changed = false;
    for (NamedArgument& input : node.inputs) {
      ScalarType* const dtype = input.arg.get_if<Argument::as_scalar_type>();
      if (dtype == nullptr || !changes(*dtype)) continue;
      *dtype = to_;
      ++done_.changed;
      changed = true;
    }
    // torch.autocast casts only to 16 bits.
    if (changed && node.target == kCastingBody && to_ == ScalarType::FLOAT && node.inputs.size() > 2) {
      if (bool* const enabled = node.inputs[2].arg.get_if<Argument::as_bool>()) *enabled = false;
    }
    return changed;
  }

  template <class Wanted>
  void cast_inputs(Node& node, RetypedGraph& retyped, const Wanted& wanted) {
    const Operator* const op = operators_.find(node.target);
    bool writes = op == nullptr;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      NamedArgument& input = node.inputs[i];
      const bool is_written = op != nullptr && writes_to(*op, input.name, i);
      writes = writes || is_written;
      Substitutes substitutes;
      for_each_name(input, [&](const std::string& name) {
        const ScalarType now = retyped.dtype(name);
        const ScalarType dtype = is_convertible(now) ? wanted(name) : now;
        if (dtype == now) return;
        if (is_written) {
          return refusals_.add(node, "it writes to " + schemagen::quoted(name) + ", which is " +
                                         std::string(torch_name(now)) + " and cannot be replaced by a copy");
        }
        substitutes.insert(name, cast_of(retyped, name, dtype, node));
      });
      substitute(substitutes, input.arg);
    }
    if (writes) retyped.casts = {};
  }

  static bool writes_to(const Operator& op, const std::string& name, std::size_t input) {
    const std::size_t position = name.empty() ? input : argument_position(op, name);
    if (position >= op.arguments.size()) return false;
    const OperatorArgument& argument = op.arguments[position];
    return argument.may_be_written || (argument.alias && argument.alias->is_write);
  }

  Argument cast_of(RetypedGraph& retyped, const std::string& name, ScalarType dtype, const Node& user) {
    const auto [made, is_new] = retyped.casts.try_emplace(name + "." + std::string(short_name(dtype)));
    if (is_new) {
      *made = retyped.names.take(node_name_of(kCast));
      retyped.nodes.push_back(cast_node(name, *made, dtype, user));
      const Node& node = retyped.nodes.back();
      const auto types =
          infer_results(node, *find_operator(kCast), retyped.graph, retyped.hints, {}, &retyped.texts);
      retyped.graph.tensor_values.insert(*made, std::get<TensorType>(types->front()).meta(retyped.hints));
      ++done_.casts;
    }
    return Argument(TensorArgument{*made});
  }

  Node cast_node(const std::string& name, const std::string& result, ScalarType dtype,
                 const Node& user) const {
    Node node;
    node.target = kCast;
    const auto kind = [&](ArgumentKind given) { return has_kinds_ ? std::optional(given) : std::nullopt; };
    node.inputs.push_back({"self", Argument(TensorArgument{name}), kind(ArgumentKind::POSITIONAL)});
    node.inputs.push_back({"dtype", Argument(dtype), kind(ArgumentKind::KEYWORD)});
    node.outputs.push_back(Argument(TensorArgument{result}));
    if (has_names_) node.name = result;
    if (const std::string* const stack = user.metadata.find("nn_module_stack"))
      node.metadata.insert("nn_module_stack", *stack);
    return node;
  }

  /// `given`: the inputs' old dtypes.
  void retype_results(Node& node, RetypedGraph& retyped, const std::vector<ScalarType>& given) {
    const auto is_real_or_complex = [&](const std::string& name) {
      return is_convertible(retyped.dtype(name)) || is_complex(retyped.dtype(name));
    };
    const Operator* const op = operators_.find(node.target);
    if (op == nullptr) return refusals_.add(node, "the operator is unknown");
    if (starts_with(node.target, kQuantization)) return refusals_.add(node, "it quantizes");
    if (is_of_wide_floats(node, *op, retyped)) {
      return refusals_.add(node, "torch does not implement it for " + std::string(torch_name(to_)));
    }
    if (node.target == kBitCast) return refusals_.add(node, "it reinterprets bits");
    if (!names_any(node.outputs, is_real_or_complex)) return;
    std::optional<std::vector<ValueType>> types;
    try {
      types = infer_results(node, *op, retyped.graph, retyped.hints, retyped.autocast, &retyped.texts);
    } catch (const schemagen::DataError& error) {
      const std::optional<std::vector<ScalarType>> same = dtypes_as_before(node, *op, retyped, given);
      return same ? set_results(node, retyped, *same) : refusals_.add(node, error.what());
    }
    if (!types) return refusals_.add(node, "its result types are unknown");
    std::vector<ScalarType> dtypes;
    for (const ValueType& type : *types) {
      if (const auto* const tensor = std::get_if<TensorType>(&type)) dtypes.push_back(tensor->dtype);
      if (const auto* const tensors = std::get_if<std::vector<TensorType>>(&type)) {
        for (const TensorType& tensor : *tensors) dtypes.push_back(tensor.dtype);
      }
    }
    set_results(node, retyped, dtypes);
  }

  /// The results' dtypes if each float is of an input's dtype, and if inference fails in float32 as well:
  /// then it cannot prove a fact about sizes, which torch checked, and which do not change.
  std::optional<std::vector<ScalarType>> dtypes_as_before(const Node& node, const Operator& op,
                                                          RetypedGraph& retyped,
                                                          const std::vector<ScalarType>& given) const {
    std::vector<ScalarType> dtypes;
    bool is_known = true;
    for_each_name(node.outputs, [&](const std::string& name) {
      const ScalarType dtype = retyped.dtype(name);
      const bool is_float = is_convertible(dtype);
      is_known = is_known && (!is_float || std::find(given.begin(), given.end(), dtype) != given.end());
      if (retyped.graph.tensor_values.contains(name)) dtypes.push_back(is_float ? to_ : dtype);
    });
    if (!is_known) return std::nullopt;
    std::vector<std::pair<TensorMeta*, ScalarType>> changed;
    for_each_name(node.inputs, [&](const std::string& name) {
      TensorMeta* const meta = retyped.graph.tensor_values.find(name);
      if (meta == nullptr || !is_convertible(meta->dtype)) return;
      changed.emplace_back(meta, std::exchange(meta->dtype, ScalarType::FLOAT));
    });
    try {
      infer_results(node, op, retyped.graph, retyped.hints, retyped.autocast, &retyped.texts);
      is_known = false;
    } catch (const schemagen::DataError&) {
    }
    for (auto change = changed.rbegin(); change != changed.rend(); ++change)
      change->first->dtype = change->second;
    return is_known ? std::optional(dtypes) : std::nullopt;
  }

  bool is_of_wide_floats(const Node& node, const Operator& op, const RetypedGraph& retyped) const {
    if (element_bytes(to_) != 2 || !starts_with(node.target, kAtenPrefix)) return false;
    const std::string name = node_name_of(node.target);
    if (name == "linalg_norm" || name == "linalg_matrix_norm") {
      return needs_singular_values(NodeArguments(node, op), retyped);
    }
    if (name == "linalg_matrix_power" || name == "matrix_power") {
      const auto* const power = NodeArguments(node, op).at("n").value().get_if<Argument::as_int>();
      return power != nullptr && *power < 0;
    }
    if (starts_with(name, "linalg_") || starts_with(name, "_linalg_")) {
      return !has_word(kNarrowMatrices, name);
    }
    bool is_wide = has_word(kWideFunctions, name);
    for_each_word(kWidePrefixes,
                  [&](std::string_view wide) { is_wide = is_wide || starts_with(name, wide); });
    return is_wide;
  }

  /// Whether it is a matrix norm of order 2, -2 or 'nuc'.
  static bool needs_singular_values(const NodeArguments& arguments, const RetypedGraph& retyped) {
    const Argument& order = arguments.at("ord").value();
    if (const std::string* const name = order.get_if<Argument::as_string>()) return *name == "nuc";
    const auto* const whole = order.get_if<Argument::as_int>();
    const auto* const number = order.get_if<Argument::as_float>();
    const double value = whole != nullptr ? static_cast<double>(*whole) : number != nullptr ? *number : 0;
    if (value != 2 && value != -2) return false;
    const auto* const dims = arguments.at("dim").value().get_if<Argument::as_ints>();
    const TensorMeta* const self = retyped.graph.tensor_values.find(arguments.tensor("self"));
    constexpr std::size_t kMatrixDims = 2;
    return (dims != nullptr ? dims->size() : self != nullptr ? self->sizes.size() : 0) == kMatrixDims;
  }

  void set_results(const Node& node, RetypedGraph& retyped, const std::vector<ScalarType>& dtypes) {
    std::size_t at = 0;
    bool makes_complex = false;
    for_each_name(node.outputs, [&](const std::string& name) {
      TensorMeta* const meta = retyped.graph.tensor_values.find(name);
      if (meta == nullptr || at == dtypes.size()) return;
      const ScalarType dtype = dtypes[at++];
      makes_complex = makes_complex || is_complex(dtype);
      if (is_convertible(meta->dtype) || is_complex(meta->dtype)) set_dtype(*meta, dtype);
    });
    const auto is_given = [&](const std::string& name) { return is_complex(retyped.dtype(name)); };
    if (makes_complex && element_bytes(to_) == 2 && !names_any(node.inputs, is_given)) {
      refusals_.add(node, "torch does not create complex tensors from " + std::string(torch_name(to_)));
    }
  }

  /// Floats would get the default dtype.
  void ask_for_dtype(Node& node, RetypedGraph& retyped) {
    const std::string* const result = first_name(node.outputs);
    const Operator* const op = operators_.find(node.target);
    if (result == nullptr || op == nullptr || op->returns.size() != 1 || !changes(retyped.dtype(*result)))
      return;
    const std::size_t position = argument_position(*op, "dtype");
    if (op->kind != OperatorKind::overload || position == op->arguments.size()) return;
    for (const NamedArgument& input : node.inputs) {
      if (input.name == "dtype" && !input.arg.is<Argument::as_none>()) return;
    }
    Graph alone;
    alone.nodes.push_back(std::move(node));
    set_argument(alone, 0, "dtype", Argument::of<Argument::as_scalar_type>(to_), operators_);
    node = std::move(alone.nodes.front());
    set_dtype(*retyped.graph.tensor_values.find(*result), to_);
  }

  void bound_literals(Node& node, const RetypedGraph& retyped) const {
    const std::string* const result = first_name(node.outputs);
    if (result == nullptr || retyped.dtype(*result) != to_) return;
    const double most = greatest(to_);
    for (NamedArgument& input : node.inputs) {
      double* const literal = input.arg.get_if<Argument::as_float>();
      const bool is_bounded = starts_with(node.target, kWhere) || has_word(kBounded, input.name);
      if (literal == nullptr || !is_bounded || *literal - *literal != 0) continue;
      *literal = std::max(-most, std::min(*literal, most));
    }
  }

  ExportedProgram& program_;
  const ScalarType to_;
  bool has_names_ = false;
  bool has_kinds_ = false;
  KeptNames kept_;
  const std::set<std::string>& left_;
  const OperatorSet& operators_;
  Refusals refusals_;
  Retyped done_;
};

}  // namespace

Retyped retarget(ExportedProgram& program, const DtypeChange& change, const OperatorSet& operators) {
  if (!is_convertible(change.to)) {
    const std::string_view name = torch_name(change.to);
    throw schemagen::UsageError(
        "expected float16, bfloat16, float32 or float64, got " +
        (name.empty() ? "dtype " + std::to_string(static_cast<std::int32_t>(change.to)) : std::string(name)));
  }
  std::set<std::string> left;
  while (true) {
    ExportedProgram copy = program;
    Retyping retyping(copy, change, left, operators);
    Retyped done = retyping.run();
    const std::vector<std::string>& refused = retyping.refusals().names();
    const std::size_t before = left.size();
    if (change.keep_unconvertible) left.insert(refused.begin(), refused.end());
    if (left.size() == before) retyping.refusals().require_none(change.to);
    if (!refused.empty()) continue;
    done.left.assign(left.begin(), left.end());
    program = std::move(copy);
    return done;
  }
}

}  // namespace pt2
