#include "front/number_check.h"

#include <algorithm>
#include <set>
#include <utility>

#include "front/yaml.h"
#include "schemagen/base/quote.h"

namespace generator {
namespace {

class NumberCheck {
 public:
  NumberCheck(std::string type_name, std::string noun, std::int64_t min, std::int64_t max,
              Diagnostics& diagnostics)
      : type_name_(std::move(type_name)),
        noun_(std::move(noun)),
        min_(min),
        max_(max),
        diagnostics_(diagnostics) {}

  void run(const std::vector<NumberUse>& uses, const Reservations& reserved) {
    for (const NumberUse& use : uses) {
      if (use.number && is_possible(*use.number)) taken_.insert(*use.number);
    }
    for (const auto& [number, span] : reserved.numbers) taken_.insert(number);
    const bool tens = std::all_of(taken_.begin(), taken_.end(), [](std::int64_t id) { return id % 10 == 0; });
    step_ = noun_ == "id" && tens ? 10 : 1;
    std::map<std::int64_t, const NumberUse*> first_uses;
    for (const NumberUse& use : uses) {
      if (use.missing) report_missing(use);
      if (!use.number) continue;
      if (!is_possible(*use.number)) {
        report_impossible(use);
        continue;
      }
      const auto [first, added] = first_uses.emplace(*use.number, &use);
      // A duplicate key was already reported.
      if (!added && first->second->name != use.name) report_twice(use, *first->second);
      const auto reservation = reserved.numbers.find(*use.number);
      if (reservation != reserved.numbers.end()) report_reserved(use, reservation->second);
    }
  }

 private:
  bool is_possible(std::int64_t number) const { return number >= min_ && number <= max_; }

  void report_impossible(const NumberUse& use) {
    diagnostics_.error(use.span,
                       schemagen::quoted(noun_) + " must be between " + std::to_string(min_) + " and " +
                           std::to_string(max_) + ", not " + std::to_string(*use.number),
                       next_free());
  }

  void report_missing(const NumberUse& use) {
    diagnostics_.error(use.span, schemagen::quoted(type_name_ + "." + std::string(use.name)) + " has no 'id'",
                       next_free());
  }

  void report_twice(const NumberUse& use, const NumberUse& first) {
    diagnostics_.error(use.span, title(use) + " is used twice in " + schemagen::quoted(type_name_),
                       next_free(),
                       {{first.span, "first used by " + schemagen::quoted(first.name) + " here"}});
  }

  void report_reserved(const NumberUse& use, Span place) {
    diagnostics_.error(use.span, title(use) + " is reserved in " + schemagen::quoted(type_name_), next_free(),
                       {{place, "reserved here"}});
  }

  std::string title(const NumberUse& use) const { return noun_ + " " + std::to_string(*use.number); }

  std::string next_free() {
    std::int64_t next = taken_.empty() ? step_ : (*taken_.rbegin() / step_ + 1) * step_;
    if (next > max_) {
      while (taken_.count(lowest_) > 0) ++lowest_;
      next = lowest_;
    }
    if (next > max_) return "";
    taken_.insert(next);
    return "the next free " + noun_ + " is " + std::to_string(next);
  }

  std::string type_name_;
  std::string noun_;
  std::int64_t min_;
  std::int64_t max_;
  Diagnostics& diagnostics_;
  std::set<std::int64_t> taken_;
  std::int64_t step_ = 1;
  std::int64_t lowest_ = 1;  // all below are taken
};

}  // namespace

void check_numbers(const std::string& type_name, const std::string& noun, std::int64_t min, std::int64_t max,
                   const std::vector<NumberUse>& uses, const Reservations& reserved,
                   Diagnostics& diagnostics) {
  NumberCheck(type_name, noun, min, max, diagnostics).run(uses, reserved);
}

}  // namespace generator
