#include "front/fmt.h"

#include <charconv>

#include "front/commented_yaml.h"
#include "front/keys.h"
#include "front/resolve.h"
#include "text/characters.h"
#include "text/float_literal.h"
#include "text/quoting.h"

namespace generator {
namespace {

constexpr std::size_t kMaxColumns = 100;

std::string text_scalar(const std::string& text) {
  constexpr std::string_view kSigns = " .;'()/=+<>^~$-";
  static const Words words = words_of({"null true false yes no on off y n"});
  const bool plain = !text.empty() && is_name_start(text.front()) && text.back() != ' ' &&
                     std::all_of(text.begin(), text.end(), [&](char c) {
                       return is_name_char(c) || kSigns.find(c) != std::string_view::npos;
                     });
  const bool has_meaning = words.count(lower(text)) != 0;
  return plain && !has_meaning ? text : yaml_string(text);
}

std::string name_scalar(const std::string& name) {
  return lower(name) == "null" ? yaml_string(name) : name;
}

std::string spelled_type(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ') out += c;
    if (c == ',') out += ' ';
  }
  return out;
}

std::string type_scalar(const std::string& text) {
  const std::string type = spelled_type(text);
  return type.find('[') == std::string::npos ? name_scalar(type) : yaml_string(type);
}

std::string number_scalar(const std::string& text) {
  return text == "-0" ? "0" : text;
}

std::string default_scalar(const std::string& text, const std::string& type) {
  if (type == "str") return yaml_string(text);
  if (type == "int") return number_scalar(text);
  if (type == "float") return yaml_float_of(text);
  const bool is_word = type == "bool" || type.find('[') != std::string::npos;
  return is_word ? text : name_scalar(text);
}

std::string inner_scalar(const YamlNode& node) {
  constexpr std::string_view kSigns = "_.+-";
  const bool is_plain = !node.quoted && std::all_of(node.text.begin(), node.text.end(), [&](char c) {
    return is_name_char(c) || kSigns.find(c) != std::string_view::npos;
  });
  return is_plain ? node.text : yaml_string(node.text);
}

/// Of a value of `node`; in a list, without a key.
Part part_of(Part owner, const YamlNode* key_node, const YamlNode& node) {
  if (owner == Part::types) return Part::type;
  if (owner == Part::fields) return Part::field;
  if (owner == Part::ids) return Part::numbers;
  if (owner == Part::default_value || owner == Part::inner_value) return Part::inner_value;
  if (owner == Part::numbers || owner == Part::names || owner == Part::other) return owner;
  const Key* const key = key_node == nullptr ? nullptr : find_key(owner, key_node->text);
  if (key == nullptr) return Part::other;
  return key->part == Part::fields && node.find("kind")->value.text == "enum" ? Part::numbers : key->part;
}

struct Item {
  YamlNode::Kind kind = YamlNode::Kind::scalar;
  std::string key;
  std::string scalar;
  std::vector<std::string_view> block;
  std::vector<Item> items;
  bool one_per_line = false;  // even if all would fit on one
  bool spaced = false;
  const Comments* around = nullptr;
  const std::vector<Comment>* tail = nullptr;
};

std::vector<std::string_view> block_of(std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  if (lines.size() < 2) return {};
  // Invisible blanks, and text that YAML would take for indentation.
  const bool is_hidden = std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    return !line.empty() && (line.front() == '\t' || line.back() == ' ' || line.back() == '\t');
  });
  const bool is_plain = !is_hidden && !find_control(text) && !lines.front().empty() &&
                        lines.front().front() != ' ' && !lines.back().empty();
  return is_plain ? lines : std::vector<std::string_view>();
}

std::string scalar_text(Part part, const YamlNode& node, const YamlNode& owner) {
  if (part == Part::names) return name_scalar(node.text);
  if (part == Part::numbers) return number_scalar(node.text);
  if (part == Part::field_type) return type_scalar(node.text);
  if (part == Part::inner_value) return inner_scalar(node);
  if (part != Part::default_value) return text_scalar(node.text);
  return default_scalar(node.text, spelled_type(owner.find("type")->value.text));
}

std::string on_one_line(const Item& item) {
  if (item.kind == YamlNode::Kind::scalar) return item.scalar;
  std::string out = item.kind == YamlNode::Kind::map ? "{" : "[";
  for (const Item& inner : item.items) {
    if (out.size() > 1) out += ", ";
    if (!inner.key.empty()) out += inner.key + ": ";
    out += on_one_line(inner);
  }
  return out + (item.kind == YamlNode::Kind::map ? "}" : "]");
}

/// A default value: `boxed: false`, `roots: []`.
bool says_nothing(const Item& item, Part owner) {
  if (!item.around->above.empty() || item.around->behind || !item.tail->empty()) return false;
  const Key* const key = find_key(owner, item.key);
  return key != nullptr && !key->idle.empty() && on_one_line(item) == key->idle;
}

std::int64_t position(Part owner, const YamlNode& first, bool is_key) {
  if (is_key) {
    const Key* const key = find_key(owner, first.text);
    return key == nullptr ? 0 : static_cast<std::int64_t>(rank(*key));
  }
  std::int64_t id = 0;
  if (owner == Part::ids) std::from_chars(first.text.data(), first.text.data() + first.text.size(), id);
  return id;
}

struct ItemMaker {
  const CommentTable& comments;

  Item make(const YamlNode& node, Part part, const YamlNode& owner) const {
    Item item;
    item.around = &comments_at(node);
    item.tail = &item.around->tail;
    if (node.kind == YamlNode::Kind::scalar) {
      item.scalar = scalar_text(part, node, owner);
      return item;
    }
    item.kind = node.kind;
    item.items = items_of(node, part);
    item.one_per_line =
        part == Part::schema || part == Part::types || part == Part::type || part == Part::fields;
    item.spaced = part == Part::types;
    return item;
  }

  const Comments& comments_at(const YamlNode& node) const {
    static const Comments none;
    const auto found = comments.find(&node);
    return found == comments.end() ? none : found->second;
  }

  std::vector<Item> items_of(const YamlNode& node, Part part) const {
    std::vector<std::pair<std::int64_t, Item>> ranked;
    const auto add = [&](const YamlNode* key, const YamlNode& value) {
      const YamlNode& first = key == nullptr ? value : *key;
      Item item = make(value, part_of(part, key, node), node);
      const bool in_default = part == Part::default_value || part == Part::inner_value;
      if (key != nullptr) item.key = in_default ? inner_scalar(*key) : name_scalar(key->text);
      if (item.key == "doc" && item.kind == YamlNode::Kind::scalar && part != Part::numbers && !in_default) {
        item.block = block_of(value.text);
        if (!item.block.empty()) item.scalar = value.text.back() == '\n' ? "|" : "|-";
      }
      item.around = &comments_at(first);
      if (!says_nothing(item, part))
        ranked.emplace_back(position(part, first, key != nullptr), std::move(item));
    };
    for (const YamlEntry& entry : node.entries) add(&entry.key, entry.value);
    for (const YamlNode& value : node.items) add(nullptr, value);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Item> items;
    for (auto& [place, item] : ranked) items.push_back(std::move(item));
    return items;
  }
};

/// Comments before the first empty line belong to the file, not to its first key, which may move.
std::vector<Comment> take_heading(const YamlNode& root, CommentTable& table) {
  if (root.entries.empty()) return {};
  Comments& first = table[&root.entries.front().key];
  std::size_t count = first.gap ? first.above.size() : 0;
  for (std::size_t i = 1; i < first.above.size(); ++i) {
    if (first.above[i].gap) count = std::max(count, i);
  }
  const auto end = first.above.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<Comment> heading(std::make_move_iterator(first.above.begin()), std::make_move_iterator(end));
  first.above.erase(first.above.begin(), end);
  if (first.above.empty()) first.gap = false;
  return heading;
}

const Comment* comment_within(const Item& item) {
  for (const Item& inner : item.items) {
    if (!inner.around->above.empty()) return &inner.around->above.front();
    if (inner.around->behind) return &*inner.around->behind;
    if (const Comment* comment = comment_within(inner)) return comment;
  }
  return item.tail->empty() ? nullptr : &item.tail->front();
}

bool has_block(const Item& item) {
  return !item.block.empty() || std::any_of(item.items.begin(), item.items.end(), has_block);
}

struct FormattedWriter {
  Diagnostics& diagnostics;
  std::string out{};

  std::string write(const std::vector<Comment>& heading, const Item& schema) {
    add_comments(heading, "");
    if (!heading.empty()) out += "\n";
    add_items(schema, "");
    return std::move(out);
  }

  void add_comments(const std::vector<Comment>& comments, const std::string& indent) {
    for (std::size_t i = 0; i < comments.size(); ++i) {
      if (comments[i].gap && i > 0) out += "\n";
      out += indent + comments[i].text + "\n";
    }
  }

  void add_items(const Item& owner, const std::string& indent) {
    for (std::size_t i = 0; i < owner.items.size(); ++i) {
      const Item& item = owner.items[i];
      if (owner.spaced && i > 0) out += "\n";
      add_comments(item.around->above, indent);
      if (item.around->gap && !item.around->above.empty()) out += "\n";
      add_item(item, indent, owner.one_per_line);
    }
    if (!owner.tail->empty() && owner.tail->front().gap) out += "\n";
    add_comments(*owner.tail, indent);
  }

  void add_item(const Item& item, const std::string& indent, bool may_break) {
    const Comment* within = comment_within(item);
    const std::string head = indent + (item.key.empty() ? "-" : item.key + ":");
    const std::string line = head + " " + on_one_line(item);
    const bool has_items = !item.items.empty();
    if (!has_items || (!item.one_per_line && within == nullptr && !has_block(item) &&
                       (!may_break || code_points(line) <= kMaxColumns))) {
      add_line(line, item);
      for (const std::string_view text : item.block)
        out.append(text.empty() ? "" : indent + "  ").append(text).append("\n");
      return;
    }
    if (item.key.empty() && within != nullptr)
      diagnostics.error(within->span, "the layout has no place for this comment",
                        "move it above the list entry");
    if (item.key.empty()) return;
    add_line(head, item);
    add_items(item, indent + "  ");
  }

  void add_line(const std::string& line, const Item& item) {
    out += line + (item.around->behind ? "  " + item.around->behind->text : "") + "\n";
  }
};

std::vector<std::string> sorted_comments(const YamlNode& root, Diagnostics& diagnostics) {
  std::vector<std::string> texts;
  for (Comment& comment : comments_of(root, diagnostics)) texts.push_back(std::move(comment.text));
  std::sort(texts.begin(), texts.end());
  return texts;
}

struct ReadSchema {
  YamlNode root;
  Model model;
};

std::optional<ReadSchema> read(Diagnostics& diagnostics, const Names& rules, const SchemaFiles& files) {
  std::vector<Document> documents = read_documents(diagnostics, files);
  if (diagnostics.has_errors()) return std::nullopt;
  std::optional<Model> model = resolve(documents, rules, diagnostics);
  if (!model || diagnostics.has_errors()) return std::nullopt;
  return ReadSchema{std::move(documents.back().root), *std::move(model)};
}

std::string layout_of(const YamlNode& root, Diagnostics& diagnostics) {
  CommentTable comments = attached_comments(root, diagnostics);
  const std::vector<Comment> heading = take_heading(root, comments);
  return FormattedWriter{diagnostics}.write(heading, ItemMaker{comments}.make(root, Part::schema, root));
}

bool keeps_everything(const ReadSchema& before, const Names& rules, const SchemaFiles& files,
                      Diagnostics& diagnostics, const std::string& text) {
  Diagnostics again(diagnostics.file(), text);
  const std::optional<ReadSchema> after = read(again, rules, files);
  return after && same_meaning(before.model, after->model) &&
         sorted_comments(before.root, diagnostics) == sorted_comments(after->root, again) &&
         layout_of(after->root, again) == text && !again.has_errors();
}

}  // namespace

std::optional<std::string> formatted(Diagnostics& diagnostics, const Names& rules, const SchemaFiles& files) {
  if (is_other_language(diagnostics)) return std::nullopt;
  const std::optional<ReadSchema> schema = read(diagnostics, rules, files);
  if (!schema) return std::nullopt;
  std::string text = layout_of(schema->root, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  if (!keeps_everything(*schema, rules, files, diagnostics, text))
    return diagnostics.error(
        {}, "internal error: formatting would change the meaning of the file, so it was not changed",
        "please report this, and attach the file");
  return text;
}

}  // namespace generator
