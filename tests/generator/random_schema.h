// Random schemas, and random edits with known effects on files and readers. The effects are stated
// independently of the rules of `schemagen diff`, so that they can be compared.
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

/// Gives the same numbers on every platform (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();
  /// Returns a number in 0..count-1; `count` must not be 0.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

/// Returns a valid schema of a few types. The last type, `Root`, is the only root and refers to all others.
/// `for_torch`: only what PyTorch's schema language can express.
generator::Model random_schema(Random& random, bool for_torch = false);

std::string yaml_text(const generator::Model& model);

struct SplitText {
  std::string schema;
  std::string imported;
};
SplitText split_text(const generator::Model& model, const std::string& import, Random& random);

struct EditKind {
  std::string_view name;
  generator::Bump there;  // what old -> new needs under the policy `full`
  generator::Bump back;   // what new -> old needs
  bool same_json;
  bool same_binary;
  std::string_view rule;       // rule that finds old -> new; empty: none
  std::string_view back_rule;  // rule that finds new -> old; empty: none
};

const std::vector<EditKind>& edit_kinds();

/// Returns the schema after one edit of this kind to types that are not in `touched`, and adds the edited
/// types to `touched`. `Root` is not edited. nullopt if nothing in the schema fits.
std::optional<generator::Model> edited(const generator::Model& before, std::size_t kind, Random& random,
                                       std::set<std::string>& touched);

}  // namespace schemagen_test
