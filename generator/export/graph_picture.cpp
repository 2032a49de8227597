#include "export/graph_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace generator {
namespace {

// Lengths are in pixels at the picture's natural size.
constexpr double kCharacter = 6.8;  // a good upper bound for text of 12 pixels
constexpr double kPadding = 9;      // left and right of a label
constexpr double kNodeHeight = 24;
constexpr double kArcHeight = 5;  // room for an arc that passes through a column
constexpr double kGap = 9;        // between two boxes of a column
constexpr double kColumnGap = 56;
constexpr double kMargin = 14;
constexpr int kOrderSweeps = 24;
constexpr int kPlaceSweeps = 16;

using Index = std::size_t;

/// A box of the picture, or one column's part of an arc that spans several.
struct Spot {
  Index node = 0;
  bool is_node = true;
  Index column = 0;
  double y = 0;               // of its middle
  std::vector<Index> before;  // spots in the column to the left that it is connected to
  std::vector<Index> after;   // and to the right
};

/// The spots along one arc, from left to right.
struct Route {
  std::vector<Index> spots;
  bool backwards = false;  // the arc goes from right to left
};

// ---- columns ---------------------------------------------------------------------------------------

struct Link {
  Index left = 0;
  Index right = 0;
  Index arc = 0;
  bool backwards = false;
};

/// The arcs as links from left to right; those that would close a cycle are turned around. Loops are left
/// out. Depth first, with a stack of its own, as a schema may be deep.
class Untangler {
 public:
  Untangler(Index nodes, const std::vector<PictureArc>& arcs)
      : arcs_(arcs), outgoing_(nodes), state_(nodes, State::fresh), has_incoming_(nodes, false) {
    for (Index i = 0; i < arcs.size(); ++i) {
      if (arcs[i].from == arcs[i].to) continue;
      outgoing_[arcs[i].from].push_back(i);
      has_incoming_[arcs[i].to] = true;
    }
  }

  std::vector<Link> links() {
    for (const bool only_starts : {true, false}) {
      for (Index node = 0; node < outgoing_.size(); ++node) {
        if (state_[node] == State::fresh && (!only_starts || !has_incoming_[node])) visit(node);
      }
    }
    return std::move(links_);
  }

  /// The nodes so that each link goes from an earlier to a later one.
  std::vector<Index> order() const { return {finished_.rbegin(), finished_.rend()}; }

 private:
  enum class State : std::uint8_t { fresh, open, done };

  void visit(Index start) {
    std::vector<std::pair<Index, Index>> path;  // node, and which of its arcs is next
    const auto enter = [&](Index node) {
      state_[node] = State::open;
      path.emplace_back(node, 0);
    };
    enter(start);
    while (!path.empty()) {
      auto& [node, next] = path.back();
      if (next == outgoing_[node].size()) {
        state_[node] = State::done;
        finished_.push_back(node);
        path.pop_back();
        continue;
      }
      const Index arc = outgoing_[node][next++];
      const Index to = arcs_[arc].to;
      const bool backwards = state_[to] == State::open;
      links_.push_back(backwards ? Link{to, node, arc, true} : Link{node, to, arc, false});
      if (state_[to] == State::fresh) enter(to);
    }
  }

  const std::vector<PictureArc>& arcs_;  // must outlive this
  std::vector<std::vector<Index>> outgoing_;
  std::vector<State> state_;
  std::vector<bool> has_incoming_;
  std::vector<Link> links_;
  std::vector<Index> finished_;
};

/// The column of each node: as far left as its links allow; then those with at least as many links to the
/// right as to the left move right, which shortens the links.
std::vector<Index> columns_of(const std::vector<Index>& order, const std::vector<Link>& links) {
  std::vector<std::vector<Index>> right(order.size());
  std::vector<Index> left_count(order.size(), 0);
  for (const Link& link : links) {
    right[link.left].push_back(link.right);
    ++left_count[link.right];
  }
  std::vector<Index> column(order.size(), 0);
  for (const Index node : order) {
    for (const Index to : right[node]) column[to] = std::max(column[to], column[node] + 1);
  }
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    if (right[*node].empty() || right[*node].size() < left_count[*node]) continue;
    Index nearest = std::numeric_limits<Index>::max();
    for (const Index to : right[*node]) nearest = std::min(nearest, column[to]);
    column[*node] = nearest - 1;
  }
  return column;
}

// ---- the plan of the picture -------------------------------------------------------------------------

class Plan {
 public:
  Plan(const std::vector<PictureNode>& nodes, const std::vector<PictureArc>& arcs)
      : nodes_(nodes), routes_(arcs.size()) {
    Untangler untangler(nodes.size(), arcs);
    const std::vector<Link> links = untangler.links();
    const std::vector<Index> column = columns_of(untangler.order(), links);
    for (Index i = 0; i < nodes.size(); ++i) add_spot({i, true, column[i], 0, {}, {}});
    for (const Link& link : links) add_route(link, column);
    put_in_order();
    place_columns();
    place_spots();
  }

  const Spot& spot(Index i) const { return spots_[i]; }  // those of the nodes come first
  const Route& route(Index arc) const { return routes_[arc]; }
  double left(Index column) const { return lefts_[column]; }
  double right(Index column) const { return lefts_[column] + widths_[column]; }
  double width() const { return columns_.empty() ? 2 * kMargin : right(columns_.size() - 1) + kMargin; }
  double height() const { return height_; }

 private:
  Index add_spot(Spot spot) {
    if (columns_.size() <= spot.column) columns_.resize(spot.column + 1);
    columns_[spot.column].push_back(spots_.size());
    spots_.push_back(std::move(spot));
    return spots_.size() - 1;
  }

  void add_route(const Link& link, const std::vector<Index>& column) {
    Route& route = routes_[link.arc];
    route.backwards = link.backwards;
    route.spots.push_back(link.left);
    for (Index c = column[link.left] + 1; c < column[link.right]; ++c) {
      route.spots.push_back(add_spot({0, false, c, 0, {}, {}}));
    }
    route.spots.push_back(link.right);
    for (Index i = 0; i + 1 < route.spots.size(); ++i) {
      spots_[route.spots[i]].after.push_back(route.spots[i + 1]);
      spots_[route.spots[i + 1]].before.push_back(route.spots[i]);
    }
  }

  // ---- order within columns: few crossings ----

  /// Each spot's position in its column.
  std::vector<Index> positions() const {
    std::vector<Index> position(spots_.size(), 0);
    for (const std::vector<Index>& column : columns_) {
      for (Index i = 0; i < column.size(); ++i) position[column[i]] = i;
    }
    return position;
  }

  Index crossings() const {
    const std::vector<Index> position = positions();
    Index count = 0;
    for (const std::vector<Index>& column : columns_) {
      std::vector<std::pair<Index, Index>> lines;
      for (const Index spot : column) {
        for (const Index to : spots_[spot].after) lines.emplace_back(position[spot], position[to]);
      }
      for (Index i = 0; i < lines.size(); ++i) {
        for (Index k = i + 1; k < lines.size(); ++k) {
          const auto& [a, b] = lines[i];
          const auto& [c, d] = lines[k];
          if ((a < c && b > d) || (a > c && b < d)) ++count;
        }
      }
    }
    return count;
  }

  /// Sorts a column by the mean position of what its spots are connected to on one side.
  void sort_column(std::vector<Index>& column, bool by_left) {
    const std::vector<Index> position = positions();
    std::vector<std::pair<double, Index>> keyed;
    for (const Index spot : column) {
      const std::vector<Index>& beside = by_left ? spots_[spot].before : spots_[spot].after;
      double sum = 0;
      for (const Index other : beside) sum += static_cast<double>(position[other]);
      const auto own = static_cast<double>(position[spot]);
      keyed.emplace_back(beside.empty() ? own : sum / static_cast<double>(beside.size()), spot);
    }
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::transform(keyed.begin(), keyed.end(), column.begin(), [](const auto& one) { return one.second; });
  }

  void put_in_order() {
    std::vector<std::vector<Index>> best = columns_;
    Index fewest = crossings();
    for (int sweep = 0; sweep < kOrderSweeps && fewest > 0; ++sweep) {
      const bool to_right = sweep % 2 == 0;
      for (Index i = 0; i < columns_.size(); ++i) {
        sort_column(columns_[to_right ? i : columns_.size() - 1 - i], to_right);
      }
      const Index count = crossings();
      if (count >= fewest) continue;
      fewest = count;
      best = columns_;
    }
    columns_ = std::move(best);
  }

  // ---- places ----

  void place_columns() {
    double x = kMargin;
    for (const std::vector<Index>& column : columns_) {
      double width = 0;
      for (const Index spot : column) {
        if (!spots_[spot].is_node) continue;
        const auto length = static_cast<double>(nodes_[spots_[spot].node].label.size());
        width = std::max(width, length * kCharacter + 2 * kPadding);
      }
      lefts_.push_back(x);
      widths_.push_back(width);
      x += width + kColumnGap;
    }
  }

  double half_height(Index spot) const { return (spots_[spot].is_node ? kNodeHeight : kArcHeight) / 2; }

  /// The least distance of a spot's middle from that of the one above it.
  double distance(Index above, Index below) const { return half_height(above) + kGap + half_height(below); }

  void place_spots() {
    for (const std::vector<Index>& column : columns_) {
      double y = 0;
      for (Index i = 0; i < column.size(); ++i) {
        if (i > 0) y += distance(column[i - 1], column[i]);
        spots_[column[i]].y = y;
      }
      for (const Index spot : column) spots_[spot].y -= y / 2;
    }
    for (int sweep = 0; sweep < kPlaceSweeps; ++sweep) {
      const bool to_right = sweep % 2 == 0;
      for (Index i = 0; i < columns_.size(); ++i) {
        place_column(columns_[to_right ? i : columns_.size() - 1 - i]);
      }
    }
    double top = std::numeric_limits<double>::max();
    double bottom = std::numeric_limits<double>::lowest();
    for (Index spot = 0; spot < spots_.size(); ++spot) {
      top = std::min(top, spots_[spot].y - half_height(spot));
      bottom = std::max(bottom, spots_[spot].y + half_height(spot));
    }
    for (Spot& spot : spots_) spot.y += kMargin - top;
    height_ = 2 * kMargin + (spots_.empty() ? 0 : bottom - top);
  }

  /// Where a spot would like to be: level with what it is connected to, and with parts of its own arc most.
  double wish(Index spot) const {
    double sum = 0;
    double weight = 0;
    for (const std::vector<Index>* beside : {&spots_[spot].before, &spots_[spot].after}) {
      for (const Index other : *beside) {
        const double w = spots_[spot].is_node || spots_[other].is_node ? 1 : 4;
        sum += w * spots_[other].y;
        weight += w;
      }
    }
    return weight > 0 ? sum / weight : spots_[spot].y;
  }

  /// Gives the spots of a column the places nearest to their wishes that keep order and distances: spots that
  /// come too close become a block, which goes to the mean of their wishes.
  void place_column(const std::vector<Index>& column) {
    struct Block {
      double sum = 0;  // of the wishes, less the offsets from the column's first spot
      double count = 0;
      double mean() const { return sum / count; }
    };
    std::vector<Block> blocks;
    std::vector<double> offsets;
    for (Index i = 0; i < column.size(); ++i) {
      offsets.push_back(i == 0 ? 0 : offsets.back() + distance(column[i - 1], column[i]));
      blocks.push_back({wish(column[i]) - offsets.back(), 1});
      while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
        const Block last = blocks.back();
        blocks.pop_back();
        blocks.back().sum += last.sum;
        blocks.back().count += last.count;
      }
    }
    Index i = 0;
    for (const Block& block : blocks) {
      for (double n = 0; n < block.count; ++n, ++i) spots_[column[i]].y = block.mean() + offsets[i];
    }
  }

  const std::vector<PictureNode>& nodes_;  // must outlive this
  std::vector<Spot> spots_;
  std::vector<Route> routes_;
  std::vector<std::vector<Index>> columns_;
  std::vector<double> lefts_;
  std::vector<double> widths_;
  double height_ = 0;
};

// ---- drawing ---------------------------------------------------------------------------------------

/// A length in whole pixels: close enough, and the same everywhere.
std::string px(double length) {
  return std::to_string(std::lround(length));
}

class Pen {
 public:
  void move(double x, double y) {
    path_ = "M" + px(x) + " " + px(y);
    x_ = x;
  }
  void line(double x, double y) {
    path_ += "L" + px(x) + " " + px(y);
    x_ = x;
  }
  /// A curve that leaves and arrives horizontally.
  void curve(double x, double y, double from_y) {
    const double middle = (x_ + x) / 2;
    path_ += "C" + px(middle) + " " + px(from_y) + " " + px(middle) + " " + px(y) + " " + px(x) + " " + px(y);
    x_ = x;
  }
  std::string take() { return std::move(path_); }

 private:
  std::string path_;
  double x_ = 0;
};

/// The path of an arc; `shift` keeps arcs between the same nodes apart.
std::string path_of(const Plan& plan, const Route& route, double shift) {
  std::vector<std::pair<double, double>> points;  // the ends of the straight parts
  for (Index i = 0; i < route.spots.size(); ++i) {
    const Spot& spot = plan.spot(route.spots[i]);
    const double y = spot.y + shift;
    if (i > 0) points.emplace_back(plan.left(spot.column), y);
    if (i + 1 < route.spots.size()) points.emplace_back(plan.right(spot.column), y);
  }
  if (route.backwards) std::reverse(points.begin(), points.end());
  Pen pen;
  pen.move(points.front().first, points.front().second);
  for (Index i = 1; i < points.size(); ++i) {
    const bool straight = i % 2 == 0;
    straight ? pen.line(points[i].first, points[i].second)
             : pen.curve(points[i].first, points[i].second, points[i - 1].second);
  }
  return pen.take();
}

/// The path of an arc from a node to itself: a loop above its right end.
std::string loop_path(const Plan& plan, const Spot& spot) {
  const double x = plan.right(spot.column);
  const double y = spot.y;
  return "M" + px(x) + " " + px(y + 4) + "C" + px(x + 30) + " " + px(y + 4) + " " + px(x + 26) + " " +
         px(y - 26) + " " + px(x - 14) + " " + px(y - kNodeHeight / 2);
}

class Artist {
 public:
  Artist(const std::vector<PictureNode>& nodes, const std::vector<PictureArc>& arcs)
      : nodes_(nodes), arcs_(arcs), plan_(nodes, arcs) {}

  std::string draw() const {
    const std::string width = px(plan_.width());
    const std::string height = px(plan_.height());
    std::string out = "<svg viewBox=\"0 0 " + width + " " + height + "\" width=\"" + width + "\" height=\"" +
                      height + "\" role=\"img\" aria-label=\"Graph of the types\">\n";
    out +=
        "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" "
        "markerHeight=\"8\" "
        "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n";
    for (Index node = 0; node < nodes_.size(); ++node) out += group(node);
    return out + "</svg>\n";
  }

 private:
  std::string group(Index node) const {
    std::string out = "<g class=\"" + nodes_[node].css_class + "\">\n";
    for (Index arc = 0; arc < arcs_.size(); ++arc) {
      if (arcs_[arc].from == node) out += arc_path(arc);
    }
    return out + box(node) + "</g>\n";
  }

  std::string arc_path(Index arc) const {
    const PictureArc& one = arcs_[arc];
    const std::string path = one.from == one.to ? loop_path(plan_, plan_.spot(one.from))
                                                : path_of(plan_, plan_.route(arc), shift(arc));
    return "<path class=\"" + one.css_class + "\" d=\"" + path + "\" marker-end=\"url(#arrow)\"><title>" +
           html_escaped(one.title) + "</title></path>\n";
  }

  /// Arcs between two nodes lie side by side.
  double shift(Index arc) const {
    constexpr double kApart = 4;
    double before = 0;
    double count = 0;
    for (Index i = 0; i < arcs_.size(); ++i) {
      if (arcs_[i].from != arcs_[arc].from || arcs_[i].to != arcs_[arc].to) continue;
      if (i < arc) ++before;
      ++count;
    }
    return (before - (count - 1) / 2) * kApart;
  }

  std::string box(Index node) const {
    const PictureNode& one = nodes_[node];
    const Spot& spot = plan_.spot(node);
    const double left = plan_.left(spot.column);
    const double width = plan_.right(spot.column) - left;
    return "<a href=\"" + html_escaped(one.link) + "\"><title>" + html_escaped(one.title) +
           "</title><rect x=\"" + px(left) + "\" y=\"" + px(spot.y - kNodeHeight / 2) + "\" width=\"" +
           px(width) + "\" height=\"" + px(kNodeHeight) + "\"/><text x=\"" + px(left + width / 2) +
           "\" y=\"" + px(spot.y + 4) + "\">" + html_escaped(one.label) + "</text></a>\n";
  }

  const std::vector<PictureNode>& nodes_;
  const std::vector<PictureArc>& arcs_;
  Plan plan_;
};

}  // namespace

std::string draw(const std::vector<PictureNode>& nodes, const std::vector<PictureArc>& arcs) {
  return Artist(nodes, arcs).draw();
}

std::string html_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace generator
