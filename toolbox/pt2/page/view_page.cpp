#include "pt2/page/view_page.h"

#include "pt2/page/page_files.h"
#include "pt2/report/finding_json.h"
#include "text/html.h"
#include "text/page_scripts.h"

namespace pt2 {
namespace {

std::string data(const char* id, const std::string& json) {
  return "<script type=\"application/json\" id=\"" + std::string(id) + "\">\n" +
         generator::script_data(json) + "\n</script>\n";
}

std::string page(const std::string& title, const std::string& data_elements) {
  return generator::html_page(
      {"",
       title,
       std::string(page_files().at("page.css")),
       "<noscript>This page is drawn by JavaScript.</noscript>\n" + data_elements,
       {std::string(schemagen::page_scripts().at("dagre_licence")),
        std::string(schemagen::page_scripts().at("dagre.js")), std::string(page_files().at("page.js"))},
       "img-src blob:"});
}

std::string findings_json(const std::vector<Finding>& findings) {
  ReportWriter json(ReportWriter::Punctuation::compact);
  json.list(findings, [&](const Finding& finding) {
    json.object([&] { write_finding(json, finding, "rule level record path message"); });
  });
  return json.text();
}

}  // namespace

void require_pages() {
  if (!schemagen::page_scripts().empty()) return;
  throw schemagen::UsageError(
      "this pt2 was built without dagre and cannot lay out graphs: install node-dagre-layout (the Debian "
      "package), or set -DPT2_DAGRE to dagre.min.js, and build pt2 again");
}

std::string view_page(const PageProgram& program, const std::optional<PageOverlay>& overlay,
                      const std::optional<std::vector<Finding>>& findings) {
  std::string elements =
      data("program", page_data(program, PageStatistics::all)) + data("costs", page_costs(*program.program));
  if (overlay) {
    ReportWriter json(ReportWriter::Punctuation::compact);
    json.object("name", overlay->name, "text", overlay->text);
    elements += data("overlay", json.text());
  }
  if (findings) elements += data("findings", findings_json(*findings));
  return page(program.title, elements);
}

std::string_view viewer_page() {
  const auto page = page_files().find("viewer.html");
  if (page != page_files().end()) return page->second;
  throw schemagen::UsageError(
      "this pt2 was built without viewer.html: get it from the libpt2 package on npm or PyPI, or run "
      "dev/npm.sh and "
      "build pt2 with -DPT2_VIEWER=build/npm/package/viewer.html");
}

std::string diff_page(const PageProgram& a, const PageProgram& b,
                      const std::vector<Difference>& differences) {
  return page(a.title + " - " + b.title, data("program", page_data(a, PageStatistics::all)) +
                                             data("costs", page_costs(*a.program)) +
                                             data("other", page_data(b, PageStatistics::all)) +
                                             data("other_costs", page_costs(*b.program)) +
                                             data("differences", page_differences(differences)));
}

}  // namespace pt2
