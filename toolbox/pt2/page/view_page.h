// A page of HTML with the graph of a program, to look at in a browser without a network.
#pragma once

#include <string>
#include <vector>

#include "pt2/archive/tensors/weights.h"
#include "pt2/diff/program_diff.h"
#include "pt2/program.h"
#include "pt2/show/diagram.h"

namespace pt2 {

/// What the page shows of one program.
struct PageProgram {
  std::string title;  // printable
  const ExportedProgram* program = nullptr;
  const Diagram* diagram = nullptr;
  std::vector<Weight> weights;  // whose tensors are looked into
};

/// Errors: UsageError if this was built without the library that lays graphs out.
void require_pages();

/// Errors: DataError if the bytes of a weight cannot be read.
std::string view_page(const PageProgram& program);

/// Both programs, and what differs between them beside it.
std::string diff_page(const PageProgram& a, const PageProgram& b, const std::vector<Difference>& differences);

}  // namespace pt2
