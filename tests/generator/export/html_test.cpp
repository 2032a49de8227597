#include <catch2/catch.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "export/export.h"
#include "generator/contains.h"
#include "generator/torch_exports.h"
#include "model/canonical.h"

using generator::export_html;

namespace {

const std::string kSchema =
    "name: s\n"
    "version: {major: 1, minor: 2}\n"
    "constants: {N: 3}\n"
    "roots: [A]\n"
    "types:\n"
    "  A:\n"
    "    kind: struct\n"
    "    doc: \"Less < more & \\\"so\\\" on.\"\n"
    "    fields:\n"
    "      a: {id: 1, type: \"Optional[Dict[str, List[U]]]\", default: null, since: \"1.1\", deprecated: use "
    "<b>}\n"
    "      b: {id: 2, type: str, default: \"<x>\", doc: Text.}\n"
    "      c: {id: 3, type: A2, boxed: true}\n"
    "    reserved: {ids: [7, 8], names: [old]}\n"
    "  A2: {kind: struct, fields: {}}\n"
    "  U: {kind: union, fields: {e: {id: 1, type: E}, u: {id: 2, type: \"List[U]\"}}}\n"
    "  E: {kind: enum, fields: {Low: -1, High: 5}}\n";

std::vector<std::string> all(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) {
    found.push_back((*at)[1]);
  }
  return found;
}

}  // namespace

TEST_CASE("the page says all that the schema says") {
  const generator::Model model = model_of(kSchema);
  const std::string page = export_html(model);
  contains(page, "<title>s 1.2</title>");
  contains(page, generator::schema_hash(normal_form(model)));
  for (const std::string& form :
       {form_of(model, 0, generator::Form::schema), form_of(model, 0, generator::Form::binary),
        form_of(model, 0, generator::Form::json)}) {
    contains(page, generator::schema_hash(form));
  }
  contains(page, "<code>N = 3</code>");
  contains(page, "2 structs, 1 union, 1 enum");
  contains(page, "<p class=\"doc\">Less &lt; more &amp; &quot;so&quot; on.</p>");
  contains(page, "Optional[Dict[str, List[<a href=\"#U\">U</a>]]]");
  contains(page, "<code>&quot;&lt;x&gt;&quot;</code>");
  contains(page, "Deprecated: use &lt;b&gt;</span>");
  contains(page, "Since 1.1.");
  contains(page, "Boxed.");
  contains(page, "<span class=\"soft\">required</span>");
  contains(page, "Reserved: <code>7, 8, old</code>");
  contains(page, "No fields.");
  contains(page, "<td class=\"id\">-1</td><td class=\"name\">Low</td>");
  contains(page, "Used by <a href=\"#A.a\">A.a</a>, <a href=\"#U.u\">U.u</a></p>");
}

TEST_CASE("every link leads to a place on the page, and none leaves it") {
  for (const std::string& text : {kSchema, file_text("schema/pt2.yaml"), file_text("schema/draft.yaml")}) {
    const std::string page = export_html(model_of(text));
    const std::vector<std::string> ids = all(page, " id=\"([^\"]*)\"");
    const std::set<std::string> places(ids.begin(), ids.end());
    CHECK(places.size() == ids.size());
    const std::vector<std::string> links = all(page, "href=\"([^\"]*)\"");
    CHECK(links.size() > 10);
    for (const std::string& one : links) {
      INFO(one);
      CHECK(one.front() == '#');
      CHECK(places.count(one.substr(1)) == 1);
    }
    CHECK(page.find("src=") == std::string::npos);
    CHECK(page.find("@import") == std::string::npos);
  }
}

TEST_CASE("a schema without roots, constants or types has a page as well") {
  const std::string page = export_html(model_of("name: s\nversion: {major: 1, minor: 0}\ntypes: {}\n"));
  contains(page, "0 structs, 0 unions, 0 enums");
  CHECK(page.find("id=\"roots\"") == std::string::npos);
}

TEST_CASE("no text ends the data of the picture early") {
  std::string text = kSchema;
  const std::string doc = "Less < more";
  text.replace(text.find(doc), doc.size(), "</script><b>");
  const std::string page = export_html(model_of(text));
  CHECK(page.find("</script><b>") == std::string::npos);
  CHECK(all(page, "(<script>)").size() ==
        all(page, "(</script>)").size() - all(page, "(<script type)").size());
}
