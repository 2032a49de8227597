// The effects of edits on files and readers are stated independently of `schemagen diff`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "evolution/compat.h"
#include "model/model.h"

namespace schemagen_test {

/// splitmix64: the same numbers on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();
  /// `count` must not be 0.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

/// The last type, `Root`, is the only root and refers to all others. `for_torch`: only what PyTorch's schema
/// language can express.
generator::Model random_schema(Random& random, bool for_torch = false);

std::string yaml_text(const generator::Model& model);

struct SplitText {
  std::string schema;
  std::string imported;
};
SplitText split_text(const generator::Model& model, const std::string& import, Random& random);

struct EditKind {
  std::string_view name;
  generator::Bump there;  // needed for old -> new under the policy `full`
  generator::Bump back;   // needed for new -> old
  bool same_json;
  bool same_binary;
  std::string_view rule;       // reports old -> new; empty: none
  std::string_view back_rule;  // reports new -> old; empty: none
};

const std::vector<EditKind>& edit_kinds();

/// Edits types that are not in `touched`, but not `Root`, and adds them to `touched`. nullopt if nothing
/// fits.
std::optional<generator::Model> edited(const generator::Model& before, std::size_t kind, Random& random,
                                       std::set<std::string>& touched);

}  // namespace schemagen_test
