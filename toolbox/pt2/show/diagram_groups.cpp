#include "pt2/show/diagram_groups.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "pt2/show/repeats.h"
#include "pt2/text/words.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

constexpr std::size_t kMostBoxes = 48;  // layout takes quadratic time too few boxes to group repetitions
constexpr std::size_t kFew = 16;        // too few boxes to group repeats
constexpr std::size_t kLeastOfRepeat = 4;
constexpr std::size_t kLeastOfFold = 3;      // equal neighbours
constexpr std::size_t kLeastOfRun = 4;       // nodes between modules
constexpr std::size_t kMostNameParts = 256;  // of a weight's name: the limit on nested modules

/// Nodes that only move or describe data say little about what a run is for.
constexpr std::string_view kShapeWords =
    "getitem view reshape permute transpose unsqueeze squeeze expand slice select to clone "
    "_assert_tensor_metadata sym_size contiguous lift_fresh_copy detach_";

struct Box {
  bool is_group = false;
  std::size_t index = 0;
};

using BoxList = std::vector<Box>;

struct Arrangement {
  void run() {
    sizes.assign(diagram.groups.size(), 0);
    for (const DiagramGroup& group : diagram.groups) group_words.emplace_back(word_of(group));
    set_aside_unused();
    const std::vector<BoxList> parts = parts_of_groups();
    find_shapes(parts);
    for (std::size_t group = 0; group < parts.size(); ++group) {
      split(group, with_runs(group, repeats_of(group, folded(group, parts[group]))));
    }
    place_weights();
  }

  void set_aside_unused() {
    std::vector<bool> is_used(diagram.values.size(), false);
    for (const DiagramNode& user : diagram.nodes) {
      for (const DiagramArgument& argument : user.arguments) {
        for (const std::size_t value : argument.values) is_used[value] = true;
      }
    }
    schemagen::Map<std::size_t> modules;
    for (std::size_t group = 1; group < diagram.groups.size(); ++group) {
      if (diagram.groups[group].kind == DiagramGroup::Kind::module)
        modules.insert(diagram.groups[group].name, group);
    }
    BoxList rest;
    is_aside.assign(diagram.nodes.size(), false);
    for (std::size_t i = 0; i < diagram.nodes.size(); ++i) {
      DiagramNode& node = diagram.nodes[i];
      const bool is_input = node.kind == DiagramNode::Kind::input || node.kind == DiagramNode::Kind::weight;
      const auto is_it = [&](std::size_t value) { return is_used[value]; };
      if (!is_input || node.group != 0 || std::any_of(node.values.begin(), node.values.end(), is_it))
        continue;
      is_aside[i] = true;
      std::string_view path = node.target;
      const std::size_t* module = nullptr;
      for (std::size_t parts = 0; module == nullptr && !path.empty() && parts < kMostNameParts; ++parts) {
        const std::size_t dot = path.rfind('.');
        path = path.substr(0, dot == path.npos ? 0 : dot);
        module = modules.find(path);
      }
      if (module != nullptr) {
        node.group = *module;
      } else {
        rest.push_back({false, i});
      }
    }
    if (rest.empty()) return;
    unused = wrap(DiagramGroup::Kind::unused, "not used", 0, rest).index;
    split(unused, rest);
  }

  std::vector<BoxList> parts_of_groups() const {
    std::vector<BoxList> parts(diagram.groups.size());
    if (unused != 0) parts[0].push_back({true, unused});
    std::vector<bool> is_listed(diagram.groups.size(), false);
    const auto list = [&](std::size_t group) {
      while (group != 0 && !is_listed[group]) {
        is_listed[group] = true;
        parts[diagram.groups[group].parent].push_back({true, group});
        group = diagram.groups[group].parent;
      }
    };
    for (std::size_t i = 0; i < diagram.nodes.size(); ++i) {
      const DiagramNode& node = diagram.nodes[i];
      if (is_aside[i]) continue;
      list(node.group);
      if (node.kind != DiagramNode::Kind::weight) parts[node.group].push_back({false, i});
      for (const std::size_t subgraph : node.subgraphs) list(subgraph);
    }
    return parts;
  }

  Box wrap(DiagramGroup::Kind kind, std::string name, std::size_t parent, const BoxList& boxes) {
    const std::size_t group = diagram.groups.size();
    const std::size_t number = ++names[std::to_string(parent) + " " + name];
    if (number > 1) name += " (" + std::to_string(number) + ")";
    diagram.groups.push_back({kind, std::move(name), "", parent});
    group_words.push_back(words_of(boxes).front().second);
    sizes.push_back(0);
    for (const Box& box : boxes) sizes.back() += size_of(box);
    for (const Box& box : boxes) {
      (box.is_group ? diagram.groups[box.index].parent : diagram.nodes[box.index].group) = group;
    }
    return {true, group};
  }

  std::string token(const Box& box) const {
    if (!box.is_group) return "n" + diagram.nodes[box.index].label;
    const DiagramGroup& group = diagram.groups[box.index];
    // By class: names of subgraphs always differ.
    return "g" + std::to_string(static_cast<int>(group.kind)) + group.type;
  }

  void find_shapes(const std::vector<BoxList>& parts) {
    const std::hash<std::string> hash;
    shapes.assign(parts.size(), 0);
    sizes.assign(parts.size(), 0);
    for (std::size_t group = parts.size(); group-- > 0;) {  // inner groups come later
      std::size_t& shape = shapes[group];
      shape = hash(diagram.groups[group].type);
      for (const Box& box : parts[group]) {
        sizes[group] += size_of(box);
        shape = shape * 1000003 + (box.is_group ? shapes[box.index] : hash(diagram.nodes[box.index].label));
      }
    }
  }

  /// Returns whether `next` is the module after `box` in a list of equal modules, e.g. `layers.2` for
  /// `layers.1`.
  bool continues(const Box& box, const Box& next) const {
    if (!box.is_group || !next.is_group || shapes[box.index] != shapes[next.index]) return false;
    const DiagramGroup& a = diagram.groups[box.index];
    const DiagramGroup& b = diagram.groups[next.index];
    const auto [list, number] = place_in_list(a);
    return number && place_in_list(b) == std::pair(list, std::optional(*number + 1));
  }

  using PlaceInList = std::pair<std::string_view, std::optional<std::size_t>>;
  static PlaceInList place_in_list(const DiagramGroup& group) {
    const std::string_view name = group.name;
    const std::size_t number = name.find_last_not_of("0123456789") + 1;
    const std::size_t digits = name.size() - number;
    if (group.kind != DiagramGroup::Kind::module || digits == 0 || digits > 9) return {};
    return {name.substr(0, number), std::stoul(std::string(name.substr(number)))};
  }

  BoxList folded(std::size_t group, const BoxList& boxes) {
    BoxList result;
    for (std::size_t begin = 0; begin < boxes.size();) {
      std::size_t end = begin + 1;
      while (end < boxes.size() && continues(boxes[end - 1], boxes[end])) ++end;
      const BoxList inside = part(boxes, begin, end);
      begin = end;
      if (inside.size() < kLeastOfFold) {
        result.insert(result.end(), inside.begin(), inside.end());
      } else {
        const std::string type = schemagen::shortened(diagram.groups[inside.front().index].type);
        std::string name = name_of_modules(inside) + ": " + std::to_string(inside.size());
        if (!type.empty()) name += " \xc3\x97 " + type.substr(type.rfind('.') + 1);
        result.push_back(wrap(DiagramGroup::Kind::stack, std::move(name), group, inside));
      }
    }
    return result;
  }

  /// `layers 0-47` for the modules `layers.0` to `layers.47`.
  std::string name_of_modules(const BoxList& boxes) const {
    const auto [list, first] = place_in_list(diagram.groups[boxes.front().index]);
    const std::string_view path = list.substr(0, list.find_last_not_of("._") + 1);
    const std::string name = schemagen::shortened(std::string(path.substr(path.rfind('.') + 1)));
    return name + (name.empty() ? "" : " ") + std::to_string(first.value_or(0)) + "\xe2\x80\x93" +
           std::to_string(first.value_or(0) + boxes.size() - 1);
  }

  BoxList with_runs(std::size_t group, const BoxList& boxes) {
    const auto is_group = [](const Box& box) { return box.is_group; };
    if (boxes.size() <= kFew || std::none_of(boxes.begin(), boxes.end(), is_group)) return boxes;
    BoxList result;
    for (std::size_t begin = 0; begin < boxes.size();) {
      std::size_t end = begin;
      while (end < boxes.size() && is_operation(boxes[end])) ++end;
      const BoxList inside = part(boxes, begin, std::max(end, begin + 1));
      begin += inside.size();
      if (inside.size() < kLeastOfRun) {
        result.insert(result.end(), inside.begin(), inside.end());
      } else {
        result.push_back(wrap(DiagramGroup::Kind::run, purpose_of(inside), group, inside));
        split(result.back().index, inside);
      }
    }
    return result;
  }

  bool is_operation(const Box& box) const {
    return !box.is_group && diagram.nodes[box.index].kind == DiagramNode::Kind::operation;
  }

  /// Whether it says more than how data move or look, and how often it occurs; then the word.
  using RankedWord = std::pair<std::pair<bool, std::size_t>, std::string>;

  /// Returns what most of the nodes in the boxes are for, e.g. `causal_mask` or `topk, index`.
  std::string purpose_of(const BoxList& boxes) const {
    const std::vector<RankedWord> words = words_of(boxes);
    const std::string name = schemagen::shortened(words.front().second);
    return words.size() > 1 ? name + ", " + schemagen::shortened(words[1].second) : name;
  }

  /// Returns what the nodes in the boxes are for, the most frequent first.
  std::vector<RankedWord> words_of(const BoxList& boxes) const {
    schemagen::Map<std::size_t> counts;
    for (const Box& box : boxes) {
      const std::string_view word = box.is_group ? group_words[box.index] : word_of(diagram.nodes[box.index]);
      counts[std::string(word)] += size_of(box);
    }
    std::vector<RankedWord> ranked;
    for (const auto& [word, count] : counts) ranked.push_back({{!has_word(kShapeWords, word), count}, word});
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    return ranked;
  }

  std::size_t size_of(const Box& box) const { return box.is_group ? sizes[box.index] : 1; }

  static std::string_view word_of(const DiagramGroup& group) {
    std::string_view name = group.name;
    name = name.substr(0, name.find(' '));  // without the number of the call
    return name.substr(name.rfind('.') + 1);
  }

  /// Returns the function whose source made the node, unless it is a module's `forward`, or the operator's
  /// name.
  static std::string_view word_of(const DiagramNode& node) {
    constexpr std::string_view kIn = ", in ";
    for (const auto& [key, text] : node.metadata) {
      const std::size_t in = key == "stack_trace" ? text.rfind(kIn) : std::string::npos;
      if (in == std::string::npos) continue;
      const std::string_view rest = std::string_view(text).substr(in + kIn.size());
      const std::string_view function = rest.substr(0, rest.find('\n'));
      if (function != "forward" && function.find('<') == std::string_view::npos) return function;
    }
    const std::string_view label = node.label;
    const std::size_t dot = std::min(label.find('.') + 1, label.size());
    return label.substr(dot, label.find('.', dot) - dot);
  }

  static BoxList part(const BoxList& boxes, std::size_t begin, std::size_t end) {
    return BoxList(boxes.begin() + static_cast<std::ptrdiff_t>(begin),
                   boxes.begin() + static_cast<std::ptrdiff_t>(end));
  }

  BoxList repeats_of(std::size_t group, const BoxList& boxes) {
    if (boxes.size() <= kFew) return boxes;
    const std::hash<std::string> hash;
    std::vector<std::size_t> tokens;
    for (const Box& box : boxes) tokens.push_back(hash(token(box)));
    BoxList result;
    std::size_t done = 0;
    const auto keep = [&](std::size_t end) {
      for (; done < end; ++done) result.push_back(boxes[done]);
    };
    for (const Repeat& repeat : find_repeats(tokens, kLeastOfRepeat)) {
      keep(repeat.begin);
      const std::string name = purpose_of(part(boxes, done, done + repeat.period));
      const std::string count = std::to_string(repeat.count);
      BoxList copies;
      for (std::size_t i = 0; i < repeat.count; ++i, done += repeat.period) {
        const BoxList inside = part(boxes, done, done + repeat.period);
        copies.push_back(wrap(DiagramGroup::Kind::repeat,
                              name + " (" + std::to_string(i + 1) + " of " + count + ")", group, inside));
        split(copies.back().index, inside);
      }
      if (copies.size() >= kLeastOfFold)
        copies = {wrap(DiagramGroup::Kind::stack, count + " \xc3\x97 " + name, group, copies)};
      result.insert(result.end(), copies.begin(), copies.end());
    }
    keep(boxes.size());
    return result;
  }

  void split(std::size_t group, const BoxList& boxes) {
    if (boxes.size() <= kMostBoxes) return;
    const auto root = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(boxes.size()))));
    const std::size_t length = std::max(root, (boxes.size() + kMostBoxes - 1) / kMostBoxes);
    for (std::size_t begin = 0; begin < boxes.size(); begin += length) {
      const std::size_t end = std::min(begin + length, boxes.size());
      const BoxList inside = part(boxes, begin, end);
      split(wrap(DiagramGroup::Kind::run, purpose_of(inside), group, inside).index, inside);
    }
  }

  void place_weights() {
    std::vector<std::size_t> places(diagram.values.size(), DiagramValue::kNone);
    for (const DiagramNode& user : diagram.nodes) {
      for (const DiagramArgument& argument : user.arguments) {
        for (const std::size_t value : argument.values) {
          std::size_t& place = places[value];
          place = place == DiagramValue::kNone ? user.group : common_group(diagram, place, user.group);
        }
      }
    }
    std::vector<BoxList> weights(diagram.groups.size());
    for (std::size_t i = 0; i < diagram.nodes.size(); ++i) {
      DiagramNode& node = diagram.nodes[i];
      if (node.kind != DiagramNode::Kind::weight) continue;
      for (const std::size_t value : node.values) {
        if (places[value] != DiagramValue::kNone) node.group = places[value];
      }
      weights[node.group].push_back({false, i});
    }
    for (std::size_t group = 0; group < weights.size(); ++group) split(group, weights[group]);
  }

  Diagram& diagram;
  std::vector<bool> is_aside = {};
  std::size_t unused = 0;
  std::vector<std::size_t> shapes = {};  // by group: equal if they have equal operators in the same order
  std::vector<std::size_t> sizes = {};   // by group: the number of nodes in it
  std::vector<std::string> group_words = {};  // by group: what most of its nodes are for
  schemagen::Map<std::size_t> names = {};
};

std::size_t depth_of(const Diagram& diagram, std::size_t group) {
  std::size_t depth = 0;
  for (; group != 0; group = diagram.groups[group].parent) ++depth;
  return depth;
}

}  // namespace

std::size_t common_group(const Diagram& diagram, std::size_t a, std::size_t b) {
  std::size_t depth_a = depth_of(diagram, a);
  std::size_t depth_b = depth_of(diagram, b);
  for (; depth_a > depth_b; --depth_a) a = diagram.groups[a].parent;
  for (; depth_b > depth_a; --depth_b) b = diagram.groups[b].parent;
  for (; a != b; a = diagram.groups[a].parent) b = diagram.groups[b].parent;
  return a;
}

void arrange(Diagram& diagram) {
  Arrangement{diagram}.run();
}

}  // namespace pt2
