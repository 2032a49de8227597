// One page with all that a schema says, to read: in a browser, on paper or on a phone, without a network.
#include <algorithm>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "export/export.h"
#include "export/graph_picture.h"
#include "model/canonical.h"
#include "model/type_graph.h"

namespace generator {
namespace {

constexpr std::size_t kMaxArcs = 1000;  // more would be no picture that anybody can read

constexpr std::string_view kStyle = R"(<style>
:root { color-scheme: light dark; --ink: #1c2024; --soft: #5c6670; --paper: #fff; --panel: #f4f6f8; --rule: #d5dbe1;
  --link: #0a58a8; --accent: #c2410c; --struct: #e6f0fb; --union: #e9f6ea; --enum: #fcf1dc; --line: #7b8794; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e7eb; --soft: #9aa5b1; --paper: #14171a; --panel: #1d2125;
  --rule: #373e45; --link: #7ab8f5; --accent: #fb923c; --struct: #1c3047; --union: #1d3a24; --enum: #42341a; --line: #7b8794; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; padding: 1rem clamp(.8rem, 3vw, 2.5rem) 4rem; max-width: 84rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: .5rem 0; } h2 { margin: 2.5rem 0 .8rem; border-bottom: 1px solid var(--rule); }
h3 { margin: 0; font-size: 1.1rem; } h3 a { color: inherit; text-decoration: none; }
a { color: var(--link); text-decoration: none; } a:hover, a:focus { text-decoration: underline; }
code, .name, .spelling, .hash { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .9em; }
.hash { overflow-wrap: anywhere; font-size: .8rem; } .soft, dt { color: var(--soft); } p { margin: .4rem 0; } .doc { white-space: pre-line; max-width: 60rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .5rem 0; } dd { margin: 0; min-width: 0; }
section.type { margin: 1rem 0; padding: .9rem 1rem; background: var(--panel); border: 1px solid var(--rule); border-radius: .5rem; }
section.type:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); } tr:target { outline: 2px solid var(--accent); }
.kind { display: inline-block; padding: 0 .55em; border-radius: 1em; font-size: .8rem; color: var(--ink); }
.kind.struct { background: var(--struct); } .kind.union { background: var(--union); } .kind.enum { background: var(--enum); }
.kind.root { border: 1px solid var(--accent); } .deprecated { color: var(--accent); }
table { width: 100%; table-layout: fixed; border-collapse: collapse; margin: .6rem 0; } th, td { padding: .25rem .8rem .25rem 0; text-align: left; vertical-align: top; }
th { color: var(--soft); font: .8rem system-ui, sans-serif; } tbody tr { border-top: 1px solid var(--rule); } td { overflow-wrap: break-word; }
th.id { width: 4.5rem; } th.name { width: 21%; } th.spelling { width: 27%; } th.default { width: 11%; } td.id { color: var(--soft); }
ul.index { columns: 13rem; list-style: none; padding: 0; margin: .5rem 0; } .used { font-size: .9rem; }
figure { margin: 0; overflow: auto; max-height: 90vh; border: 1px solid var(--rule); border-radius: .5rem; } svg { display: block; }
svg rect { fill: var(--struct); stroke: var(--line); } svg .union rect { fill: var(--union); rx: 10px; } svg .enum rect { fill: var(--enum); }
svg .root rect { stroke: var(--accent); stroke-width: 2; } svg text { fill: var(--ink); font: 12px system-ui, sans-serif; text-anchor: middle; }
svg path { fill: none; stroke: var(--line); } svg marker path, .key marker path { fill: var(--line); stroke: none; }
path.optional { stroke-dasharray: 6 4; } path.map { stroke-dasharray: 1.5 3.5; stroke-width: 2; } path.list { stroke-width: 2.5; } path.boxed { stroke: var(--accent); stroke-dasharray: 10 3 2 3; }
svg g:hover path, svg g:focus-within path { stroke: var(--accent); stroke-width: 2.5; } svg g:hover rect, svg a:focus rect { stroke: var(--accent); stroke-width: 2; }
.key { display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; margin: .6rem 0; font-size: .9rem; } .key svg { display: inline-block; vertical-align: middle; margin-right: .4rem; }
@media (max-width: 44rem) { thead { display: none; } table, tbody, tr, td { display: block; } tr { padding: .4rem 0; } td { padding: 0; } td.id { float: right; } td.name { font-weight: bold; }
  td.default code::before { content: "default "; color: var(--soft); }
  td:empty { display: none; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .4rem; } }
@media print { section.type { break-inside: avoid; } figure { overflow: visible; max-height: none; } }
</style>
)";

std::string element(std::string_view tag, std::string_view css_class, const std::string& html) {
  std::string out = "<" + std::string(tag);
  if (!css_class.empty()) out.append(" class=\"").append(css_class).append("\"");
  return out + ">" + html + "</" + std::string(tag) + ">";
}

std::string link(const std::string& anchor, const std::string& text) {
  return "<a href=\"#" + anchor + "\">" + html_escaped(text) + "</a>";
}

class Page {
 public:
  explicit Page(const Model& model) : model_(model), arcs_(generator::arcs(model)) {}

  std::string write() const {
    const std::string title = html_escaped(model_.name + " " + spelled(model_.version));
    std::string out = "<!DOCTYPE html>\n<!-- @generated by schemagen, schema=" + hash() + " -->\n";
    out +=
        "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<title>" +
        title + "</title>\n";
    out += std::string(kStyle) + "</head>\n<body>\n" + element("h1", "", title) + "\n";
    out += summary() + index() + roots() + graph() + types();
    return out + "</body>\n</html>\n";
  }

 private:
  std::string hash() const { return schema_hash(normal_form(model_)); }

  bool is_root(std::size_t type) const {
    return std::find(model_.roots.begin(), model_.roots.end(), type) != model_.roots.end();
  }

  std::string type_link(std::size_t type) const {
    const std::string& name = model_.types[type].name;
    return link(name, name);
  }

  // ---- the head of the page ----

  static std::string item(const std::string& term, const std::string& html) {
    return "<dt>" + term + "</dt><dd>" + html + "</dd>\n";
  }

  std::string summary() const {
    std::size_t structs = 0;
    std::size_t unions = 0;
    for (const Definition& type : model_.types) {
      if (std::holds_alternative<Struct>(type.body)) ++structs;
      if (std::holds_alternative<Union>(type.body)) ++unions;
    }
    const std::size_t enums = model_.types.size() - structs - unions;
    const auto counted = [](std::size_t count, const char* noun) {
      return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
    };
    std::string constants;
    for (const Constant& constant : model_.constants) {
      constants += (constants.empty() ? "" : ", ") + constant.name + " = " + std::to_string(constant.value);
    }
    return "<dl>\n" + item("Schema hash", element("span", "hash", hash())) +
           (constants.empty() ? "" : item("Constants", element("code", "", constants))) +
           item("Types", counted(structs, "struct") + ", " + counted(unions, "union") + ", " +
                             counted(enums, "enum")) +
           "</dl>\n";
  }

  std::string index() const {
    std::vector<std::size_t> types(model_.types.size());
    for (std::size_t i = 0; i < types.size(); ++i) types[i] = i;
    std::sort(types.begin(), types.end(),
              [&](std::size_t a, std::size_t b) { return model_.types[a].name < model_.types[b].name; });
    std::string out = "<nav aria-label=\"Types\">\n<ul class=\"index\">\n";
    for (const std::size_t type : types) out += element("li", "", type_link(type)) + "\n";
    return out + "</ul>\n</nav>\n";
  }

  std::string roots() const {
    if (model_.roots.empty()) return "";
    std::string out =
        "<h2 id=\"roots\">Roots</h2>\n<p>What a file can hold as a whole. The hashes are of all that a "
        "root reaches: of the types themselves, of the binary encoding, and of the JSON.</p>\n";
    for (const std::size_t root : model_.roots) {
      out += element("p", "", type_link(root)) + "\n<dl>\n";
      const auto hash_item = [](const char* term, const std::string& form) {
        return item(term, element("span", "hash", schema_hash(form)));
      };
      out += hash_item("types", normal_form(model_, root)) + hash_item("binary", binary_form(model_, root)) +
             hash_item("JSON", json_form(model_, root)) + "</dl>\n";
    }
    return out;
  }

  // ---- the graph ----

  std::string graph() const {
    std::string out = "<h2 id=\"graph\">Graph</h2>\n";
    if (arcs_.size() > kMaxArcs) return out + "<p>There are too many types for a picture.</p>\n";
    std::vector<PictureNode> nodes;
    for (std::size_t i = 0; i < model_.types.size(); ++i) {
      const Definition& type = model_.types[i];
      const std::string css_class = std::string(kind_of(type)) + (is_root(i) ? " root" : "");
      nodes.push_back({type.name, css_class, "#" + type.name, type.doc.empty() ? type.name : type.doc});
    }
    std::vector<PictureArc> lines;
    for (const Arc& arc : arcs_) {
      const std::string title = model_.types[arc.from].name + " \xe2\x86\x92 " + model_.types[arc.to].name +
                                ": " + field_names(model_, arc) + " (" + std::string(name_of(arc.holding)) +
                                ")";
      lines.push_back({arc.from, arc.to, std::string(name_of(arc.holding)), title});
    }
    return out + key() + "<figure>\n" + draw(nodes, lines) + "</figure>\n";
  }

  static std::string key() {
    std::string out = "<div class=\"key\">\n";
    for (const std::string_view kind : {"struct", "union", "enum"}) {
      out.append("<span class=\"kind ").append(kind).append("\">").append(kind).append("</span>\n");
    }
    out += "<span class=\"kind root\">root</span>\n";
    for (const Holding holding : kHoldings) {
      const std::string name(name_of(holding));
      out += "<span><svg width=\"44\" height=\"10\" aria-hidden=\"true\"><path class=\"" + name +
             "\" d=\"M0 5H42\"/></svg>" + name + "</span>\n";
    }
    return out + "</div>\n";
  }

  // ---- the types ----

  std::string types() const {
    std::string out = "<h2 id=\"types\">Types</h2>\n";
    for (std::size_t i = 0; i < model_.types.size(); ++i) out += type_section(i);
    return out;
  }

  std::string type_section(std::size_t index) const {
    const Definition& type = model_.types[index];
    const std::string kind(kind_of(type));
    std::string out = "<section class=\"type\" id=\"" + type.name + "\">\n<h3><a href=\"#" + type.name +
                      "\">" + type.name + "</a> " + element("span", "kind " + kind, kind) +
                      (is_root(index) ? " " + element("span", "kind root", "root") : "") + "</h3>\n";
    if (!type.doc.empty()) out += element("p", "doc", html_escaped(type.doc)) + "\n";
    out += std::holds_alternative<Enum>(type.body) ? members(type) : fields(type);
    return out + reserved(type) + used_by(index) + "</section>\n";
  }

  static std::string members(const Definition& type) {
    std::string out = "<table>\n<thead><tr><th class=\"id\">Number</th><th>Name</th></tr></thead>\n<tbody>\n";
    for (const EnumValue& value : std::get<Enum>(type.body).values) {
      out += "<tr><td class=\"id\">" + std::to_string(value.number) + "</td><td class=\"name\">" +
             value.name + "</td></tr>\n";
    }
    return out + "</tbody>\n</table>\n";
  }

  std::string fields(const Definition& type) const {
    if (type.fields().empty()) return "<p class=\"soft\">No fields.</p>\n";
    const bool is_union = std::holds_alternative<Union>(type.body);
    std::string out = std::string(
                          "<table>\n<thead><tr><th class=\"id\">Id</th><th class=\"name\">Name</th><th "
                          "class=\"spelling\">Type</th>") +
                      (is_union ? "" : "<th class=\"default\">Default</th>") +
                      "<th></th></tr></thead>\n<tbody>\n";
    for (const Field& field : type.fields()) {
      out += "<tr id=\"" + type.name + "." + field.name + "\"><td class=\"id\">" + std::to_string(field.id) +
             "</td><td class=\"name\">" + field.name + "</td><td class=\"spelling\">" +
             type_html(field.type) + "</td>";
      if (!is_union) out += "<td class=\"default\">" + default_html(field) + "</td>";
      out += "<td>" + notes(field) + "</td></tr>\n";
    }
    return out + "</tbody>\n</table>\n";
  }

  /// The type as the schema spells it, with links.
  std::string type_html(const Type& type) const {
    switch (type.kind) {
      case Type::Kind::list:
        return "List[" + type_html(type.args.front()) + "]";
      case Type::Kind::map:
        return "Dict[str, " + type_html(type.args.front()) + "]";
      case Type::Kind::optional:
        return "Optional[" + type_html(type.args.front()) + "]";
      case Type::Kind::named:
        return type_link(type.named);
      default:
        return spelled(model_, type);
    }
  }

  static std::string default_html(const Field& field) {
    if (!field.fallback) return element("span", "soft", "required");
    return element("code", "", html_escaped(spelled(*field.fallback)));
  }

  static std::string notes(const Field& field) {
    std::string out;
    const auto add = [&](const std::string& html) { out += (out.empty() ? "" : "<br>") + html; };
    if (!field.doc.empty()) add(element("span", "doc", html_escaped(field.doc)));
    if (!field.deprecated.empty()) {
      add(element("span", "deprecated", "Deprecated: " + html_escaped(field.deprecated)));
    }
    if (!field.since.empty()) add(element("span", "soft", "Since " + html_escaped(field.since) + "."));
    if (field.boxed) add(element("span", "soft", "Boxed."));
    return out;
  }

  static std::string reserved(const Definition& type) {
    std::string words;
    for (const std::int32_t id : type.reserved.ids) words += (words.empty() ? "" : ", ") + std::to_string(id);
    for (const std::string& name : type.reserved.names) words += (words.empty() ? "" : ", ") + name;
    return words.empty() ? "" : element("p", "soft", "Reserved: " + element("code", "", words)) + "\n";
  }

  std::string used_by(std::size_t type) const {
    std::string uses;
    for (const Arc& arc : arcs_) {
      if (arc.to != type) continue;
      const Definition& from = model_.types[arc.from];
      for (const std::size_t field : arc.fields) {
        const std::string path = from.name + "." + from.fields()[field].name;
        uses += (uses.empty() ? "" : ", ") + link(path, path);
      }
    }
    return uses.empty() ? "" : element("p", "used soft", "Used by " + uses) + "\n";
  }

  const Model& model_;  // must outlive this
  std::vector<Arc> arcs_;
};

}  // namespace

std::string export_html(const Model& model) {
  return Page(model).write();
}

}  // namespace generator
