#pragma once

#include "pt2/types.h"

namespace pt2 {

struct KindWords {
  const char* meaning;
  const char* singular;
  const char* plural;
};

KindWords words_of(InputSpec::Kind kind);
KindWords words_of(OutputSpec::Kind kind);

}  // namespace pt2
