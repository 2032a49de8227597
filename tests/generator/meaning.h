// Uses the pairs of `schemagen diff`, but has separate rules for what readers may change.
#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "evolution/compat_match.h"
#include "model/model.h"
#include "reflective_codec.h"

namespace schemagen_test {

enum class Direction { backward, forward };

class Meaning {
 public:
  Meaning(const ReflectiveCodec& before, const ReflectiveCodec& after, const generator::Match& match)
      : before_(before), after_(after), match_(match) {}

  /// `is_lossy`: skips unknown parts.
  bool is_same(Direction direction, bool is_lossy, const generator::Type& written_type, const Value& written,
               const generator::Type& read_type, const Value& read) const;

 private:
  class Comparison;

  const generator::TypePair& pair_of(std::size_t before, std::size_t after) const;

  const ReflectiveCodec& before_;
  const ReflectiveCodec& after_;
  const generator::Match& match_;
  mutable std::map<std::pair<std::size_t, std::size_t>, generator::TypePair> pairs_;
};

}  // namespace schemagen_test
