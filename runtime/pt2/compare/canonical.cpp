#include "pt2/compare/canonical.h"

#include <utility>

#include "pt2/compare/canonical_names.h"
#include "pt2/compare/canonical_normal.h"
#include "pt2/compare/canonical_torch.h"

namespace pt2 {

ExportedProgram canonicalize(ExportedProgram program, CanonicalForm form, Provenance provenance) {
  switch (form) {
    case CanonicalForm::torch:
      return canonical_torch(std::move(program));
    case CanonicalForm::names:
      return canonical_names(std::move(program), provenance);
    case CanonicalForm::normal:
      break;
  }
  return canonical_normal(std::move(program), provenance);
}

}  // namespace pt2
