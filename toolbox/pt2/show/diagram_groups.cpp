#include "pt2/show/diagram_groups.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "pt2/show/repeats.h"
#include "schemagen/base/map.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

constexpr std::size_t kMostBoxes = 48;  // layout takes quadratic time too few boxes to group repetitions
constexpr std::size_t kFew = 16;        // too few boxes to group repeats
constexpr std::size_t kLeastOfRepeat = 4;
constexpr std::size_t kMostNameParts = 256;  // of a weight's name: the limit on nested modules

struct Box {
  bool is_group = false;
  std::size_t index = 0;
};

using BoxList = std::vector<Box>;

class Arrangement {
 public:
  explicit Arrangement(Diagram& diagram) : diagram_(diagram) {}

  void run() {
    set_aside_unused();
    const std::vector<BoxList> parts = parts_of_groups();
    for (std::size_t group = 0; group < parts.size(); ++group) split(group, repeats_of(group, parts[group]));
    place_weights();
  }

 private:
  void set_aside_unused() {
    std::vector<bool> is_used(diagram_.values.size(), false);
    for (const DiagramNode& user : diagram_.nodes) {
      for (const DiagramArgument& argument : user.arguments) {
        for (const std::size_t value : argument.values) is_used[value] = true;
      }
    }
    schemagen::Map<std::size_t> modules;
    for (std::size_t group = 1; group < diagram_.groups.size(); ++group) {
      if (diagram_.groups[group].kind == DiagramGroup::Kind::module)
        modules.insert(diagram_.groups[group].name, group);
    }
    BoxList rest;
    is_aside_.assign(diagram_.nodes.size(), false);
    for (std::size_t i = 0; i < diagram_.nodes.size(); ++i) {
      DiagramNode& node = diagram_.nodes[i];
      const bool is_input = node.kind == DiagramNode::Kind::input || node.kind == DiagramNode::Kind::weight;
      const auto is_it = [&](std::size_t value) { return is_used[value]; };
      if (!is_input || node.group != 0 || std::any_of(node.values.begin(), node.values.end(), is_it))
        continue;
      is_aside_[i] = true;
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
    unused_ = wrap(DiagramGroup::Kind::unused, "not used", 0, rest).index;
    split(unused_, rest);
  }

  std::vector<BoxList> parts_of_groups() const {
    std::vector<BoxList> parts(diagram_.groups.size());
    if (unused_ != 0) parts[0].push_back({true, unused_});
    std::vector<bool> is_listed(diagram_.groups.size(), false);
    const auto list = [&](std::size_t group) {
      while (group != 0 && !is_listed[group]) {
        is_listed[group] = true;
        parts[diagram_.groups[group].parent].push_back({true, group});
        group = diagram_.groups[group].parent;
      }
    };
    for (std::size_t i = 0; i < diagram_.nodes.size(); ++i) {
      const DiagramNode& node = diagram_.nodes[i];
      if (is_aside_[i]) continue;
      list(node.group);
      if (node.kind != DiagramNode::Kind::weight) parts[node.group].push_back({false, i});
      for (const std::size_t subgraph : node.subgraphs) list(subgraph);
    }
    return parts;
  }

  Box wrap(DiagramGroup::Kind kind, std::string name, std::size_t parent, const BoxList& boxes) {
    const std::size_t group = diagram_.groups.size();
    diagram_.groups.push_back({kind, std::move(name), "", parent});
    for (const Box& box : boxes) {
      (box.is_group ? diagram_.groups[box.index].parent : diagram_.nodes[box.index].group) = group;
    }
    return {true, group};
  }

  std::string token(const Box& box) const {
    if (!box.is_group) return "n" + diagram_.nodes[box.index].label;
    const DiagramGroup& group = diagram_.groups[box.index];
    // By class: names of subgraphs always differ.
    return "g" + std::to_string(static_cast<int>(group.kind)) + group.type;
  }

  BoxList repeats_of(std::size_t group, const BoxList& boxes) {
    if (boxes.size() <= kFew) return boxes;
    schemagen::Map<std::size_t> numbers;
    std::vector<std::size_t> tokens;
    for (const Box& box : boxes) {
      const auto [number, is_new] = numbers.try_emplace(token(box));
      if (is_new) *number = numbers.size();
      tokens.push_back(*number);
    }
    BoxList result;
    std::size_t done = 0;
    const auto part = [&](std::size_t begin, std::size_t end) {
      return BoxList(boxes.begin() + static_cast<std::ptrdiff_t>(begin),
                     boxes.begin() + static_cast<std::ptrdiff_t>(end));
    };
    const auto keep = [&](std::size_t end) {
      for (; done < end; ++done) result.push_back(boxes[done]);
    };
    for (const Repeat& repeat : find_repeats(tokens, kLeastOfRepeat)) {
      keep(repeat.begin);
      for (std::size_t i = 0; i < repeat.count; ++i, done += repeat.period) {
        const BoxList inside = part(done, done + repeat.period);
        result.push_back(wrap(DiagramGroup::Kind::repeat,
                              "repeat " + std::to_string(i + 1) + " of " + std::to_string(repeat.count),
                              group, inside));
        split(result.back().index, inside);
      }
    }
    keep(boxes.size());
    return result;
  }

  const std::string& name_of_box(const Box& box) const {
    return box.is_group ? diagram_.groups[box.index].name : diagram_.nodes[box.index].name;
  }

  void split(std::size_t group, const BoxList& boxes) {
    if (boxes.size() <= kMostBoxes) return;
    const auto root = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(boxes.size()))));
    const std::size_t length = std::max(root, (boxes.size() + kMostBoxes - 1) / kMostBoxes);
    for (std::size_t begin = 0; begin < boxes.size(); begin += length) {
      const std::size_t end = std::min(begin + length, boxes.size());
      const BoxList inside(boxes.begin() + static_cast<std::ptrdiff_t>(begin),
                           boxes.begin() + static_cast<std::ptrdiff_t>(end));
      std::string name = schemagen::shortened(name_of_box(inside.front()));
      if (inside.size() > 1) name += " \xe2\x80\xa6 " + schemagen::shortened(name_of_box(inside.back()));
      split(wrap(DiagramGroup::Kind::run, name, group, inside).index, inside);
    }
  }

  std::size_t depth_of(std::size_t group) const {
    std::size_t depth = 0;
    for (; group != 0; group = diagram_.groups[group].parent) ++depth;
    return depth;
  }

  std::size_t common_group(std::size_t a, std::size_t b) const {
    std::size_t depth_a = depth_of(a);
    std::size_t depth_b = depth_of(b);
    for (; depth_a > depth_b; --depth_a) a = diagram_.groups[a].parent;
    for (; depth_b > depth_a; --depth_b) b = diagram_.groups[b].parent;
    for (; a != b; a = diagram_.groups[a].parent) b = diagram_.groups[b].parent;
    return a;
  }

  void place_weights() {
    std::vector<std::size_t> places(diagram_.values.size(), DiagramValue::kNone);
    for (const DiagramNode& user : diagram_.nodes) {
      for (const DiagramArgument& argument : user.arguments) {
        for (const std::size_t value : argument.values) {
          std::size_t& place = places[value];
          place = place == DiagramValue::kNone ? user.group : common_group(place, user.group);
        }
      }
    }
    std::vector<BoxList> weights(diagram_.groups.size());
    for (std::size_t i = 0; i < diagram_.nodes.size(); ++i) {
      DiagramNode& node = diagram_.nodes[i];
      if (node.kind != DiagramNode::Kind::weight) continue;
      for (const std::size_t value : node.values) {
        if (places[value] != DiagramValue::kNone) node.group = places[value];
      }
      weights[node.group].push_back({false, i});
    }
    for (std::size_t group = 0; group < weights.size(); ++group) split(group, weights[group]);
  }

  Diagram& diagram_;
  std::vector<bool> is_aside_;
  std::size_t unused_ = 0;
};

}  // namespace

void arrange(Diagram& diagram) {
  Arrangement(diagram).run();
}

}  // namespace pt2
