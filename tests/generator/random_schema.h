// Random schemas, and random edits with known effects on files and readers.
//
// The knowledge is written down here a second time, apart from the rules of `schemagen diff`, so that the
// two can be held against each other, and against codecs that are generated from both schemas.
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

/// The same numbers on every platform (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();
  /// 0..count-1; `count` is not 0.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
  /// True in `percent` of a hundred cases.
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

/// A valid schema of a few types. The last type, `Root`, is the only root and leads to all others.
/// `for_torch`: of only what PyTorch's own schema language can say.
generator::Model random_schema(Random& random, bool for_torch = false);

/// The schema as YAML.
std::string yaml_text(const generator::Model& model);

/// The schema as YAML in two files: one that imports `import`, and that.
struct SplitText {
  std::string schema;
  std::string imported;
};
/// Some of the types, with all that they hold, are in the imported file.
SplitText split_text(const generator::Model& model, const std::string& import, Random& random);

/// What is known about one kind of edit.
struct EditKind {
  std::string_view name;
  generator::Bump there;       // what old -> new needs by the policy `full`
  generator::Bump back;        // what new -> old needs
  bool same_json;              // JSON files are as before
  bool same_binary;            // binary files are as before
  std::string_view rule;       // finds old -> new; empty: none
  std::string_view back_rule;  // finds new -> old; empty: none
};

/// All kinds of edits.
const std::vector<EditKind>& edit_kinds();

/// The schema after one edit of that kind to types of which none is in `touched`, which gets those that were
/// edited; `Root` is left alone. None if nothing in the schema fits.
std::optional<generator::Model> edited(const generator::Model& before, std::size_t kind, Random& random,
                                       std::set<std::string>& touched);

}  // namespace schemagen_test
