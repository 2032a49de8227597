// The words for kinds of inputs and outputs in text for people.
#pragma once

#include "pt2/types.h"

namespace pt2 {

struct KindWords {
  const char* meaning;  // for one, before the name of its target
  const char* singular;
  const char* plural;
};

KindWords words_of(InputSpec::Kind kind);
KindWords words_of(OutputSpec::Kind kind);

}  // namespace pt2
