// Self-contained HTML pages that show programs.
#pragma once

#include <string>
#include <vector>

#include "pt2/archive/tensors/weights.h"
#include "pt2/diff/program_diff.h"
#include "pt2/program.h"
#include "pt2/show/diagram.h"

namespace pt2 {

/// A program to show.
struct PageProgram {
  std::string title;  // printable
  const ExportedProgram* program = nullptr;
  const Diagram* diagram = nullptr;
  std::vector<Weight> weights;  // shown with statistics of their tensors
};

/// Throws UsageError if this was built without the library that lays out graphs.
void require_pages();

/// Returns a page with one program. Throws DataError if the bytes of a weight cannot be read.
std::string view_page(const PageProgram& program);

/// Returns a page with both programs and their differences.
std::string diff_page(const PageProgram& a, const PageProgram& b, const std::vector<Difference>& differences);

}  // namespace pt2
