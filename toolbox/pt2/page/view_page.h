#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/diff/program_diff.h"
#include "pt2/findings/finding.h"
#include "pt2/report/page_data.h"

namespace pt2 {

/// A file with values of nodes in a form that the page reads: JSON or CSV.
struct PageOverlay {
  std::string name;
  std::string text;  // UTF-8
};

/// Throws UsageError if this library was built without the layout library.
void require_pages();

/// Returns a page that shows a program. `findings` are those of the file (see findings_of()), or nullopt if
/// it was not checked. Throws DataError if the bytes of a weight cannot be read.
std::string view_page(const PageProgram& program, const std::optional<PageOverlay>& overlay = std::nullopt,
                      const std::optional<std::vector<Finding>>& findings = std::nullopt);

/// Returns viewer.html, a page that opens programs in a browser. Throws UsageError if this library was built
/// without the page.
std::string_view viewer_page();

std::string diff_page(const PageProgram& a, const PageProgram& b, const std::vector<Difference>& differences);

}  // namespace pt2
