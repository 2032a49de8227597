#include <string_view>
#include <vector>

#include "cpp/mustache.h"
#include "export/export.h"
#include "model/canonical.h"
#include "model/embedded_files.h"
#include "model/type_graph.h"
#include "schemagen/base/counted.h"
#include "text/html.h"
#include "text/json_text.h"
#include "text/message.h"
#include "text/page_scripts.h"

namespace generator {
namespace {

constexpr std::size_t kMaxArcs = 1000;  // a larger picture is unreadable

std::string link(const std::string& anchor) {
  return "<a href=\"#" + anchor + "\">" + html_escaped(anchor) + "</a>";
}

TemplateData::List optional_text(const std::string& name, const std::string& text) {
  return text.empty() ? TemplateData::List() : TemplateData::List{TemplateData::of(name, text)};
}

struct PageData {
  const Model& model;
  std::vector<Arc> all_arcs = arcs(model);
  std::string hash = schema_hash(normal_form(model));

  TemplateData make() const {
    TemplateData::List types;
    for (std::size_t i = 0; i < model.types.size(); ++i) types.push_back(type_data(i));
    auto data =
        TemplateData::of("title", html_escaped(title()), "hash", hash, "constants",
                         optional_text("text", constants()), "counts", counts(), "index", index(),
                         "has_roots", !model.roots.empty(), "roots", roots(), "types", std::move(types));
    set_picture(data);
    return data;
  }

  std::string title() const { return model.name + " " + spelled(model.version); }

  std::string why_no_picture() const {
    if (all_arcs.size() > kMaxArcs) return "There are too many types for a picture.";
    if (schemagen::page_scripts().empty()) {
      return "schemagen was built without dagre, which lays out the picture.";
    }
    return "";
  }

  std::string constants() const {
    return joined(model.constants, ", ", [](const Constant& constant) {
      return constant.name + " = " + std::to_string(constant.value);
    });
  }

  std::string counts() const {
    std::size_t structs = 0;
    std::size_t unions = 0;
    for (const Definition& type : model.types) {
      if (type.is_struct()) ++structs;
      if (type.is_union()) ++unions;
    }
    return schemagen::counted(structs, "struct") + ", " + schemagen::counted(unions, "union") + ", " +
           schemagen::counted(model.types.size() - structs - unions, "enum");
  }

  TemplateData::List index() const {
    TemplateData::List all;
    for (const Definition* type : model.types_by_name())
      all.push_back(TemplateData::of("link", link(type->name)));
    return all;
  }

  TemplateData::List roots() const {
    TemplateData::List all;
    for (const std::size_t root : model.roots) {
      const auto hash_of = [&](Form form) { return schema_hash(form_of(model, root, form)); };
      all.push_back(TemplateData::of("link", link(model.types[root].name), "types_hash",
                                     hash_of(Form::schema), "binary_hash", hash_of(Form::binary), "json_hash",
                                     hash_of(Form::json)));
    }
    return all;
  }

  void set_picture(TemplateData& data) const {
    const std::string reason = why_no_picture();
    TemplateData::List holdings;
    for (const Holding holding : kHoldings) holdings.push_back(TemplateData::of("name", name_of(holding)));
    data.set("no_picture", optional_text("reason", reason), "picture", reason.empty(), "data",
             reason.empty() ? script_data(graph_data()) : "", "holdings", std::move(holdings));
  }

  std::string graph_data() const {
    JsonText json;
    const auto write_node = [&](const Definition& type) {
      const std::string kind = std::string(name_of(type.kind)) + (model.is_root(type) ? " root" : "");
      json.object("name", type.name, "kind", kind, "title", type.doc.empty() ? type.name : type.doc);
    };
    const auto write_arc = [&](const Arc& arc) {
      const std::string_view holding = name_of(arc.holding);
      const std::string title = filled("$ \xe2\x86\x92 $: $ ($)", model.types[arc.from].name,
                                       model.types[arc.to].name, field_names(model, arc), holding);
      json.object("from", arc.from, "to", arc.to, "holding", holding, "title", title);
    };
    json.object([&] {
      json.key("nodes").array(model.types, write_node);
      json.key("arcs").array(all_arcs, write_arc);
    });
    return json.take();
  }

  TemplateData type_data(std::size_t number) const {
    const Definition& type = model.types[number];
    const bool is_enum = type.is_enum();
    return TemplateData::of("name", type.name, "kind", name_of(type.kind), "is_root", model.is_root(type),
                            "doc", optional_text("text", html_escaped(type.doc)), "is_enum", is_enum,
                            "values", values(type), "is_named_in_json", type.is_named_in_json, "is_struct",
                            type.is_struct(), "is_empty", !is_enum && type.fields.empty(), "has_fields",
                            !type.fields.empty(), "fields", fields(type), "reserved",
                            optional_text("text", reserved(type)), "used_by",
                            optional_text("links", used_by(number)));
  }

  static TemplateData::List values(const Definition& type) {
    TemplateData::List all;
    for (const Field& value : type.values) {
      all.push_back(TemplateData::of("number", value.id, "name", value.name));
    }
    return all;
  }

  TemplateData::List fields(const Definition& type) const {
    const bool is_struct = type.is_struct();
    TemplateData::List all;
    for (const Field& field : type.fields) {
      const bool has_default = is_struct && field.fallback;
      const std::string value = has_default ? html_escaped(spelled(*field.fallback)) : "";
      all.push_back(TemplateData::of("owner", type.name, "name", field.name, "id", field.id, "type",
                                     type_html(field.type), "required", is_struct && !field.fallback,
                                     "default", optional_text("text", value), "notes", notes(field)));
    }
    return all;
  }

  std::string type_html(const Type& type) const {
    constexpr TypeWords kCompound = {{}, {}, {}, {}, {}, {}, {}, "List[$]", "Dict[#, $]", "Optional[$]"};
    if (type.kind == Type::Kind::named) return link(model.types[type.named].name);
    if (kCompound.of(type.kind).empty()) return spelled(model, type);
    return spelled(type, kCompound, [&](const Type& part) { return type_html(part); });
  }

  static TemplateData::List notes(const Field& field) {
    TemplateData::List all;
    const auto add = [&](const char* css_class, const std::string& text) {
      all.push_back(TemplateData::of("class", css_class, "text", html_escaped(text)));
    };
    if (!field.doc.empty()) add("doc", field.doc);
    if (!field.deprecated.empty()) add("deprecated", "Deprecated: " + field.deprecated);
    if (!field.since.empty()) add("soft", "Since " + field.since + ".");
    if (field.boxed) add("soft", "Boxed.");
    for (TemplateData& note : all) note.set("is_last", &note == &all.back());
    return all;
  }

  static std::string reserved(const Definition& type) {
    std::vector<std::string> all;
    for (const std::int32_t id : type.reserved.ids) all.push_back(std::to_string(id));
    all.insert(all.end(), type.reserved.names.begin(), type.reserved.names.end());
    return joined(all, ", ");
  }

  std::string used_by(std::size_t type) const {
    std::vector<std::string> uses;
    for (const Arc& arc : all_arcs) {
      if (arc.to != type) continue;
      const Definition& from = model.types[arc.from];
      for (const std::size_t field : arc.fields) {
        uses.push_back(link(from.name + "." + from.fields[field].name));
      }
    }
    return joined(uses, ", ");
  }
};

}  // namespace

std::string export_html(const Model& model) {
  const PageData data{model};
  HtmlPage page;
  page.comment = "@generated by schemagen, schema=" + data.hash;
  page.title = data.title();
  page.style = std::string(embedded_files().at("page.css"));
  page.body = template_renderer(data.make())("page.html", embedded_files().at("page.html"));
  if (data.why_no_picture().empty()) {
    for (const std::string_view script :
         {schemagen::page_scripts().at("dagre_licence"), schemagen::page_scripts().at("dagre.js"),
          embedded_files().at("graph_picture.js")}) {
      page.scripts.emplace_back(script);
    }
  }
  return html_page(page);
}

}  // namespace generator
