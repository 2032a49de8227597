// What a difference is called in JSON.
#pragma once

#include "pt2/analysis/diff/program_diff.h"

namespace pt2::tool {

inline const char* kind_name(Difference::Kind kind) {
  switch (kind) {
    case Difference::Kind::added:
      return "added";
    case Difference::Kind::removed:
      return "removed";
    case Difference::Kind::changed:
      break;
  }
  return "changed";
}

}  // namespace pt2::tool
