#include <catch2/catch.hpp>
#include <cstdio>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "export/export.h"
#include "export/graph_picture.h"
#include "generator/torch_exports.h"
#include "model/canonical.h"

using generator::draw;
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

bool contains(const std::string& text, const std::string& part) {
  INFO(part);
  CHECK(text.find(part) != std::string::npos);
  return true;
}

/// All texts that the first group of `pattern` matches.
std::vector<std::string> all(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) {
    found.push_back((*at)[1]);
  }
  return found;
}

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

std::vector<Box> boxes(const std::string& svg) {
  std::vector<Box> result;
  const std::regex pattern(
      "<rect x=\"(-?[0-9]+)\" y=\"(-?[0-9]+)\" width=\"([0-9]+)\" height=\"([0-9]+)\"/>");
  for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at) {
    result.push_back({std::stod((*at)[1]), std::stod((*at)[2]), std::stod((*at)[3]), std::stod((*at)[4])});
  }
  return result;
}

/// Checks that no box lies on another, and that all are within the picture.
void check_boxes(const std::string& svg) {
  const std::vector<Box> all_boxes = boxes(svg);
  double width = 0;
  double height = 0;
  REQUIRE(std::sscanf(svg.c_str(), "<svg viewBox=\"0 0 %lf %lf\"", &width, &height) == 2);
  for (std::size_t i = 0; i < all_boxes.size(); ++i) {
    const Box& a = all_boxes[i];
    CHECK((a.x >= 0 && a.y >= 0 && a.x + a.width <= width && a.y + a.height <= height));
    for (std::size_t k = 0; k < i; ++k) {
      const Box& b = all_boxes[k];
      const bool apart =
          a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
      CHECK(apart);
    }
  }
}

std::vector<generator::PictureNode> nodes(std::size_t count) {
  std::vector<generator::PictureNode> result;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "N" + std::to_string(i);
    result.push_back({name, "struct", "#" + name, name});
  }
  return result;
}

}  // namespace

TEST_CASE("the page says all that the schema says") {
  const generator::Model model = model_of(kSchema);
  const std::string page = export_html(model);
  contains(page, "<title>s 1.2</title>");
  contains(page, generator::schema_hash(normal_form(model)));
  for (const std::string& form : {normal_form(model, 0), binary_form(model, 0), json_form(model, 0)}) {
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
    CHECK(page.find("<script") == std::string::npos);
    CHECK(page.find("src=") == std::string::npos);
    CHECK(page.find("@import") == std::string::npos);
  }
}

TEST_CASE("a schema without roots, constants or types has a page as well") {
  const std::string page = export_html(model_of("name: s\nversion: {major: 1, minor: 0}\ntypes: {}\n"));
  contains(page, "0 structs, 0 unions, 0 enums");
  CHECK(page.find("id=\"roots\"") == std::string::npos);
}

TEST_CASE("in the picture of the head no box lies on another") {
  const std::string page = export_html(model_of(file_text("schema/pt2.yaml")));
  const std::string svg = page.substr(page.find("<svg viewBox"));
  CHECK(boxes(svg).size() == 55);
  check_boxes(svg);
}

TEST_CASE("arcs go from left to right, but for one in each cycle") {
  const std::string svg =
      draw(nodes(3), {{0, 1, "list", "a"}, {1, 2, "list", "b"}, {2, 0, "boxed", "c"}, {1, 1, "map", "d"}});
  const std::vector<Box> all_boxes = boxes(svg);
  REQUIRE(all_boxes.size() == 3);
  CHECK(all_boxes[0].x < all_boxes[1].x);
  CHECK(all_boxes[1].x < all_boxes[2].x);
  check_boxes(svg);
  contains(svg, "<path class=\"boxed\"");
  contains(svg, "<title>d</title>");
}

TEST_CASE("pictures of any graph are whole, and the same each time") {
  for (std::size_t seed = 1; seed < 40; ++seed) {
    const std::size_t count = seed;
    std::size_t state = seed;
    const auto next = [&](std::size_t limit) {
      state = (state * 1103515245 + 12345) % 2147483648U;
      return state / 65536 % limit;
    };
    std::vector<generator::PictureArc> arcs;
    for (std::size_t i = 0; i < 2 * count; ++i) arcs.push_back({next(count), next(count), "list", "t"});
    const std::string svg = draw(nodes(count), arcs);
    CHECK(svg == draw(nodes(count), arcs));
    CHECK(boxes(svg).size() == count);
    CHECK(all(svg, "(<path class=)").size() == arcs.size());
    CHECK(svg.find("nan") == std::string::npos);
    check_boxes(svg);
  }
  check_boxes(draw({}, {}));
}
