#include "cpp/mustache.h"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using generator::template_renderer;
using generator::TemplateData;

namespace {

TemplateData names(const std::vector<std::string>& values) {
  TemplateData::List list;
  for (const std::string& value : values) {
    TemplateData one;
    one.set("name", value);
    list.push_back(std::move(one));
  }
  TemplateData data;
  data.set("list", std::move(list));
  data.set("title", "T");
  data.set("yes", true);
  data.set("no", false);
  return data;
}

std::string render_some(const std::string& text, const TemplateData& data) {
  return template_renderer(data)("some.h", text);
}

std::string error_of(const std::string& text) {
  try {
    render_some(text, names({"a", "b"}));
    return {};
  } catch (const std::logic_error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a template is filled in from a data") {
  const std::pair<const char*, const char*> vectors[] = {
      {"", ""},
      {"no tags\n", "no tags\n"},
      {"no line end", "no line end"},
      {"<{{title}}>", "<T>"},
      {"{{#list}}{{name}}, {{/list}}end", "a, b, end"},
      {"{{#list}}{{title}}{{name}} {{/list}}", "Ta Tb "},
      {"{{#yes}}1{{/yes}}{{^yes}}2{{/yes}}{{#no}}3{{/no}}{{^no}}4{{/no}}", "14"},
      {"{{#list}}{{#yes}}{{name}}{{/yes}}{{/list}}", "ab"},
      {"{{! a comment }}x", "x"},
  };
  for (const auto& [text, expected] : vectors) {
    CAPTURE(text);
    CHECK(render_some(text, names({"a", "b"})) == expected);
  }
  CHECK(render_some("[{{#list}}x{{/list}}{{^list}}none{{/list}}]", names({})) == "[none]");
}

TEST_CASE("values are neither escaped nor parsed as templates") {
  CHECK(render_some("{{#list}}{{name}}{{/list}}", names({"<a> & \"b\" 'c'", "{{title}}", "{{/list}}"})) ==
        "<a> & \"b\" 'c'{{title}}{{/list}}");
}

TEST_CASE("a line that holds but a section's tag leaves no line") {
  const std::string text =
      "begin\n"
      "{{#list}}\n"
      "  - {{name}}\n"
      "  {{#yes}}\n"
      "    yes\n"
      "  {{/yes}}\n"
      "{{#no}}\n"
      "    no\n"
      "{{/no}}\n"
      "{{/list}}\n"
      "\n"
      "end";
  CHECK(render_some(text, names({"a", "b"})) == "begin\n  - a\n    yes\n  - b\n    yes\n\nend");
  CHECK(render_some(text, names({})) == "begin\n\nend");
  CHECK(render_some("{{#yes}} x\n{{/yes}}\n{{title}}\n", names({})) == " x\nT\n");
}

TEST_CASE("a name that the data does not have is an error") {
  CHECK(error_of("{{titel}}") == "template some.h: the data has no 'titel'");
  CHECK(error_of("{{#missing}}{{/missing}}") == "template some.h: the data has no 'missing'");
  CHECK(error_of("{{^missing}}{{/missing}}") == "template some.h: the data has no 'missing'");
  CHECK(error_of("{{#list}}{{nmae}}{{/list}}") == "template some.h: the data has no 'nmae'");
  CHECK(error_of("{{#list}}{{/list}}{{name}}") == "template some.h: the data has no 'name'");
  CHECK(error_of("{{> part}}") == "template some.h: the data has no 'part'");
  CHECK(error_of("{{#no}}{{never_rendered}}{{/no}}").empty());
}

TEST_CASE("a template that is none is an error") {
  CHECK(error_of("{{#list}}").find("template some.h: ") == 0);
  CHECK(error_of("{{/list}}").find("template some.h: ") == 0);
  CHECK(error_of("{{#list}}{{/no}}").find("template some.h: ") == 0);
  CHECK(error_of("{{title").find("template some.h: ") == 0);
}
