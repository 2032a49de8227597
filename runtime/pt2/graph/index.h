// Finds where a program's values are defined and used.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pt2/graph/signature.h"
#include "pt2/graph/walk.h"

namespace pt2 {

/// Numbers names from 0 in order of first occurrence. This class stores string views, so the names must
/// outlive the object and must not change.
class NameNumbers {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// Returns the number of `name`, adding it if it is new.
  std::uint32_t number(std::string_view name) {
    const auto [number, is_new] = numbers_.try_emplace(name);
    if (is_new) *number = number_again(name);
    return *number;
  }

  /// Returns a second number for a name that already has one. find() still returns the first number.
  std::uint32_t number_again(std::string_view name) {
    names_.push_back(name);
    return static_cast<std::uint32_t>(names_.size() - 1);
  }

  /// Returns the number of `name`, or kNone if it was not added.
  std::uint32_t find(std::string_view name) const {
    const std::uint32_t* const number = numbers_.find(name);
    return number == nullptr ? kNone : *number;
  }

  std::string_view name(std::uint32_t number) const { return names_[number]; }
  std::size_t size() const noexcept { return names_.size(); }

  void reserve(std::size_t names) {
    names_.reserve(names);
    numbers_.reserve(names);
  }

 private:
  std::vector<std::string_view> names_;  // indexed by number
  schemagen::Map<std::uint32_t, std::string_view> numbers_;
};

/// A view of consecutive items.
template <class T>
class Slice {
 public:
  Slice(const T* begin, const T* end) : begin_(begin), end_(end) {}
  const T* begin() const { return begin_; }
  const T* end() const { return end_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  bool empty() const { return begin_ == end_; }
  const T& operator[](std::size_t i) const { return begin_[i]; }

 private:
  const T* begin_;
  const T* end_;
};

/// The values of one graph, numbered in order of definition: the graph's inputs, then its nodes' outputs,
/// then names that are used but not defined. Values in subgraphs are not included.
///
/// Building an index takes one lookup per occurrence of a name. Queries take O(1) time unless their comments
/// say otherwise. If a graph defines a name twice, the name refers to the first definition.
class GraphIndex {
 public:
  static constexpr std::uint32_t kNone = NameNumbers::kNone;

  /// Builds the index. `graph` must outlive this object and must not change.
  explicit GraphIndex(const Graph& graph);
  explicit GraphIndex(const Graph&&) = delete;

  /// A value in a node's inputs.
  struct Use {
    std::uint32_t input;  // index in Node.inputs
    std::uint32_t value;
  };
  /// A place that uses a value.
  struct User {
    std::uint32_t node;   // the node that uses the value; kNone for an output of the graph
    std::uint32_t input;  // index in Node.inputs or Graph.outputs
  };

  const Graph& graph() const { return *graph_; }

  std::uint32_t node_count() const { return static_cast<std::uint32_t>(nodes_.size() - 1); }

  /// Returns the values that a node uses, in order; a value used twice is listed twice.
  Slice<Use> uses(std::uint32_t node) const {
    return {uses_.data() + nodes_[node].first_use, uses_.data() + nodes_[node + 1].first_use};
  }
  /// Returns the number of the first value that `node` defines. A node's values have consecutive numbers.
  std::uint32_t outputs_begin(std::uint32_t node) const { return nodes_[node].first_output; }
  std::uint32_t outputs_end(std::uint32_t node) const { return nodes_[node + 1].first_output; }

  /// Returns the number of values, including undefined ones.
  std::uint32_t size() const { return static_cast<std::uint32_t>(numbers_.size()); }
  /// Returns the number of the value with this name, or kNone.
  std::uint32_t find(std::string_view name) const { return numbers_.find(name); }
  std::string_view name(std::uint32_t value) const { return numbers_.name(value); }
  /// Returns the table for the value's kind. The kind comes from the value's definition or, if it is
  /// undefined, from its first use.
  ValueName::Table table(std::uint32_t value) const { return tables_[value]; }
  bool is_input(std::uint32_t value) const { return value < nodes_[0].first_output; }
  bool is_defined(std::uint32_t value) const { return value < defined_count(); }
  std::uint32_t defined_count() const { return nodes_.back().first_output; }
  /// Returns whether an earlier definition has the same name. Takes O(log n) time, where n is the number of
  /// repeated definitions.
  bool is_repeated(std::uint32_t value) const;
  /// Returns the node that defines a value, or kNone for graph inputs and undefined values.
  std::uint32_t defining_node(std::uint32_t value) const { return definitions_[value].node; }
  /// Returns the index of a defined value's definition in Node.outputs or Graph.inputs.
  std::uint32_t defining_output(std::uint32_t value) const { return definitions_[value].output; }
  /// Returns the places that use a value: inputs of nodes, in order, then outputs of the graph.
  Slice<User> users(std::uint32_t value) const {
    return {users_.data() + first_users_[value], users_.data() + first_users_[value + 1]};
  }

  /// Returns the values that the graph's outputs name, in order.
  const std::vector<std::uint32_t>& graph_outputs() const { return graph_outputs_; }

  /// Throws DataError if a value is defined twice or used before its definition. Undefined names are allowed.
  /// The message contains `path`, which is the graph's path. Takes linear time.
  void require_order(const std::string& path) const;

  /// Returns the nodes in an order in which each node comes after the nodes that define its operands.
  /// Otherwise keeps the graph's order. Takes O(n log n) time. Throws DataError if nodes depend on each other
  /// in a cycle.
  std::vector<std::uint32_t> topological_order() const;

 private:
  struct NodeValues {
    std::uint32_t first_use = 0;
    std::uint32_t first_output = 0;
  };

  struct Definition {
    std::uint32_t node;
    std::uint32_t output;
  };

  void define(const std::vector<Argument>& arguments, std::uint32_t node);
  std::uint32_t use(std::string_view name, ValueName::Table table);
  void collect_users();

  const Graph* graph_;
  NameNumbers numbers_;
  std::vector<std::uint32_t> repeated_;   // the repeated values, in ascending order
  std::vector<Definition> definitions_;   // indexed by value
  std::vector<ValueName::Table> tables_;  // indexed by value
  std::vector<NodeValues> nodes_;         // indexed by node; the last entry is the end
  std::vector<Use> uses_;                 // grouped by node
  std::vector<std::uint32_t> graph_outputs_;
  std::vector<std::uint32_t> output_of_;    // for each of graph_outputs_, its index in Graph.outputs
  std::vector<std::uint32_t> first_users_;  // indexed by value; the last entry is the end
  std::vector<User> users_;                 // grouped by value
};

/// A value's table entry. One pointer is set, or none if no table contains the value.
struct ValueMeta {
  const TensorMeta* tensor = nullptr;
  const SymInt* sym_int = nullptr;
  const SymFloat* sym_float = nullptr;
  const SymBool* sym_bool = nullptr;
  const CustomObjArgument* custom_object = nullptr;
};

/// Returns the table entry of the value `name`. If several tables have an entry with this name, returns the
/// entry whose member comes first in ValueMeta. Takes O(1) time.
ValueMeta find_value(const Graph& graph, std::string_view name);

/// The indexes of all graphs in a program, and the program's signature.
class ProgramIndex {
 public:
  static constexpr std::uint32_t kNone = GraphIndex::kNone;

  /// Builds the indexes. `program` must outlive this object and must not change.
  explicit ProgramIndex(const ExportedProgram& program);
  explicit ProgramIndex(const ExportedProgram&&) = delete;

  /// A graph and where it is used. A subgraph cannot use its parent's values.
  struct Scope {
    GraphIndex index;
    const GraphArgument* argument = nullptr;  // the argument that holds it; null for the top-level graph
    std::uint32_t parent = kNone;             // index in scopes()
    std::uint32_t node = kNone;               // the node in the parent's graph that takes the subgraph
    std::uint32_t input = kNone;              // index in Node.inputs
    std::vector<std::uint32_t> entries = {};  // if the input is a dict: the entry of each dict on the way
  };

  /// Returns all graphs: the top-level graph first, and every graph before its subgraphs.
  const std::vector<Scope>& scopes() const { return scopes_; }
  const GraphIndex& top() const { return scopes_[0].index; }
  const ExportGraphSignature& signature() const { return signature_; }

  /// Returns the nodes of the top-level graph that use the model's parameter, buffer, constant or object with
  /// this name, or pass it to a subgraph. Each node is listed once. Takes time linear in the size of the
  /// result.
  std::vector<const Node*> readers(std::string_view fully_qualified_name) const;

  /// Calls `visit(scope, node)` for every node of every graph in execution order: a subgraph's nodes come
  /// before the node that takes the subgraph. `scope` is a Scope, and `node` is the node's index in the
  /// scope's graph.
  template <class Visit>
  void for_each_node(const Visit& visit) const {
    std::uint32_t next = 1;
    visit_nodes(0, next, visit);
  }

 private:
  void add_scopes(const Graph& graph, std::uint32_t scope);
  void add_scopes(const Argument& argument, std::uint32_t parent, std::uint32_t node, std::uint32_t input,
                  std::vector<std::uint32_t>& entries);

  /// `next` is the index of the first scope that has not been visited. Scopes are visited in order.
  template <class Visit>
  void visit_nodes(std::uint32_t scope, std::uint32_t& next, const Visit& visit) const {
    for (std::uint32_t node = 0; node < scopes_[scope].index.node_count(); ++node) {
      while (next < scopes_.size() && scopes_[next].parent == scope && scopes_[next].node == node) {
        const std::uint32_t inner = next++;
        visit_nodes(inner, next, visit);
      }
      visit(scopes_[scope], node);
    }
  }

  ExportGraphSignature signature_;
  std::vector<Scope> scopes_;
};

}  // namespace pt2
