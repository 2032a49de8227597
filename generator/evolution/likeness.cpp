#include "evolution/likeness.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace generator {
namespace {

/// Partition refinement: splits classes until all types of a class have types of the same classes in the same
/// fields. The largest part of a split class keeps its number, so no type moves more than log n times.
class Partition {
 public:
  void add(const Model& model, Form form) {
    const std::size_t first = held_.size();
    for (TypeForm& type : type_forms(model, form)) {
      const std::size_t number = by_text_.emplace(std::move(type.text), by_text_.size()).first->second;
      members_.resize(by_text_.size());
      members_[number].insert(held_.size());
      class_of_.push_back(number);
      for (std::size_t& held : type.held) held += first;
      held_.push_back(std::move(type.held));
    }
  }

  std::vector<std::size_t> refine() {
    users_.resize(held_.size());
    for (std::size_t type = 0; type < held_.size(); ++type) {
      for (const std::size_t held : held_[type]) users_[held].push_back(type);
      open_[class_of_[type]].insert(type);
    }
    while (!open_.empty()) {
      const auto one = open_.extract(open_.begin());
      split(one.key(), one.mapped());
    }
    return std::move(class_of_);
  }

 private:
  using Types = std::set<std::size_t>;
  using Classes = std::vector<std::size_t>;

  Classes classes_held(std::size_t type) const {
    Classes classes;
    for (const std::size_t held : held_[type]) classes.push_back(class_of_[held]);
    return classes;
  }

  /// The types that are not in `changed` still match each other.
  void split(std::size_t number, const Types& changed) {
    const Types& members = members_[number];
    const bool rest_stays = 2 * changed.size() <= members.size();
    std::map<Classes, std::vector<std::size_t>> parts;
    for (const std::size_t type : rest_stays ? changed : members) parts[classes_held(type)].push_back(type);
    if (rest_stays) {
      const auto other = std::find_if(members.begin(), members.end(),
                                      [&](std::size_t type) { return changed.count(type) == 0; });
      parts.erase(classes_held(*other));
    } else {
      parts.erase(std::max_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
        return a.second.size() < b.second.size();
      }));
    }
    for (const auto& [classes, types] : parts) move(number, types);
    for (const auto& [classes, types] : parts) {
      for (const std::size_t type : types) {
        for (const std::size_t user : users_[type]) open_[class_of_[user]].insert(user);
      }
    }
  }

  void move(std::size_t from, const std::vector<std::size_t>& types) {
    for (const std::size_t type : types) {
      members_[from].erase(type);
      class_of_[type] = members_.size();
    }
    members_.emplace_back(types.begin(), types.end());
  }

  std::map<std::string, std::size_t> by_text_;
  std::vector<Types> members_;
  std::vector<std::size_t> class_of_;
  std::vector<std::vector<std::size_t>> held_;
  std::vector<std::vector<std::size_t>> users_;
  std::map<std::size_t, Types> open_;
};

}  // namespace

Likeness classify(const Model& before, const Model& after, Form form) {
  Partition partition;
  partition.add(before, form);
  partition.add(after, form);
  const std::vector<std::size_t> classes = partition.refine();
  const auto middle = classes.begin() + static_cast<std::ptrdiff_t>(before.types.size());
  return {{classes.begin(), middle}, {middle, classes.end()}};
}

}  // namespace generator
