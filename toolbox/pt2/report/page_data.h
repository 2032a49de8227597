// Describes a program for a page, as JSON.
#pragma once

#include <string>
#include <vector>

#include "pt2/archive/tensors/weights.h"
#include "pt2/diff/program_diff.h"
#include "pt2/program.h"
#include "pt2/show/diagram.h"

namespace pt2 {

struct PageProgram {
  std::string title;  // printable
  const ExportedProgram* program = nullptr;
  Diagram diagram;
  std::vector<Weight> weights;
};

/// Whether the page has the statistics of the weights, for which all of their elements are read.
enum class PageStatistics { none, all };

/// Returns JSON for toolbox/pt2/page/program.js. Throws DataError if the bytes of a weight cannot be read.
std::string page_data(const PageProgram& program, PageStatistics statistics);

/// Returns JSON for toolbox/pt2/page/cost.js: the facts that `pt2 stats` prints first, the costs of each
/// module, and an example of each symbol's size. For a program that cannot be counted, the facts say why.
std::string page_costs(const ExportedProgram& program);

/// Returns JSON for toolbox/pt2/page/differences.js.
std::string page_differences(const std::vector<Difference>& differences);

}  // namespace pt2
