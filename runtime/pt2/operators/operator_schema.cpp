#include "pt2/operators/operator_schema.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <system_error>
#include <utility>

#include "pt2/operators/higher_order.h"
#include "pt2/operators/operators.h"
#include "pt2/operators/schema_info.h"
#include "pt2/text/affix.h"
#include "pt2/text/join.h"
#include "pt2/text/literal.h"
#include "schemagen/base/ascii.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"
#include "schemagen/base/float_chars.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using TypeKind = OperatorTypeKind;

constexpr std::size_t kDeepestType = 16;
constexpr std::string_view kEscapes = "abfnrtv\\'\"";
constexpr std::string_view kCharacters = "\a\b\f\n\r\t\v\\'\"";
constexpr std::int64_t kLongestList = 64;  // for lists with a fixed size

using schemagen::is_digit;

OperatorType type_of(TypeKind kind, std::optional<std::vector<OperatorType>> items = {}) {
  OperatorType type;
  type.kind = kind;
  type.items = std::move(items);
  return type;
}

/// Simple types come before `variable`, and generic ones start with `Dict`.
std::optional<TypeKind> named_type(std::string_view name) {
  if (name == "Dimname") return TypeKind::str;
  if (name == "DeviceIndex") return TypeKind::int_;
  const auto kind = operators::from_name<TypeKind>(name);
  return kind && (*kind < TypeKind::variable || *kind >= TypeKind::Dict) ? kind : std::nullopt;
}

bool is_class(std::string_view name) {
  constexpr std::string_view kPrefix = "__torch__.torch.classes.";
  if (!starts_with(name, kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  const std::size_t dot = name.find('.');
  return dot != name.npos && dot == name.rfind('.') && dot != 0 && dot + 1 != name.size();
}

bool is_type_variable(std::string_view name) {
  return name[0] == 't' && (name.size() == 1 || is_digit(name[1]) || (name[1] >= 'A' && name[1] <= 'Z'));
}

/// c10 enumerators that are default values.
std::optional<std::int64_t> named_number(std::string_view name) {
  constexpr std::pair<std::string_view, std::int64_t> kNumbers[] = {
      {"Mean", 1}, {"strided", 0}, {"contiguous_format", 0}, {"long", 4}, {"float", 6}, {"complex", 9}};
  for (const auto& [known, number] : kNumbers) {
    if (known == name) return number;
  }
  return std::nullopt;
}

bool fits(const OperatorValue& value, const OperatorType& type) {
  using V = OperatorValue;
  const TypeKind kind = without_optional(type).kind;
  switch (value.kind()) {
    case V::as_none:
      return type.kind == TypeKind::optional || kind == TypeKind::Any || kind == TypeKind::NoneType;
    case V::as_bool:
      return kind == TypeKind::bool_ || kind == TypeKind::SymBool || kind == TypeKind::Scalar;
    case V::as_int:
      return kind == TypeKind::int_ || kind == TypeKind::SymInt || kind == TypeKind::Scalar ||
             kind == TypeKind::ScalarType || kind == TypeKind::Layout || kind == TypeKind::MemoryFormat ||
             (type.kind == TypeKind::optional && (kind == TypeKind::float_ || kind == TypeKind::list));
    case V::as_float:
      return kind == TypeKind::float_ || kind == TypeKind::SymFloat || kind == TypeKind::Scalar;
    case V::as_string:
      return kind == TypeKind::str || kind == TypeKind::Device;
    default:
      return false;
  }
}

class SchemaParser {
 public:
  explicit SchemaParser(std::string_view text) : text_(text) {}

  Operator parse() {
    Operator op;
    parse_name(op);
    parse_arguments(op);
    expect("->");
    parse_returns(op);
    if (peek() != '\0') expected("the end");
    return op;
  }

 private:
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(std::string_view token) {
    peek();
    if (!starts_with(text_.substr(at_), token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) expected("'" + std::string(token) + "'");
  }
  [[noreturn]] void expected(const std::string& what) {
    peek();
    const std::string found = at_ == text_.size() ? "the end" : schemagen::quoted(text_.substr(at_, 1));
    fail(at_, "expected " + what + ", got " + found);
  }
  [[noreturn]] void fail(std::size_t at, const std::string& reason) const {
    throw schemagen::DataError("operator schema: " + reason, {}, {at});
  }

  std::size_t begin() {
    peek();
    return at_;
  }

  std::string_view take_name(const char* what, bool with_dots = false) {
    const std::size_t start = begin();
    while (at_ < text_.size() &&
           (schemagen::is_name_start(text_[at_]) || (at_ > start && is_digit(text_[at_])) ||
            (with_dots && at_ > start && text_[at_] == '.'))) {
      ++at_;
    }
    const std::string_view name = text_.substr(start, at_ - start);
    if (name == "True" || name == "False" || name == "None") at_ = start;
    if (at_ == start) expected(what);
    return name;
  }

  void parse_name(Operator& op) {
    const std::string_view space = take_name("the operator's name", true);
    if (!take("::")) {
      if (space.find('.') == space.npos) expected("'::' after the namespace");
      op.kind = OperatorKind::function;
      op.target = space;
      return;
    }
    if (space.find('.') != space.npos) fail(0, "the namespace contains '.'");
    op.target = std::string(kOperatorPrefix) + std::string(space) + "." +
                std::string(take_name("the operator's name"));
    const bool has_overload = take(".");
    if (space == "higher_order" && !has_overload) {
      op.kind = OperatorKind::higher_order;
    } else {
      op.target += "." + std::string(has_overload ? take_name("the overload's name") : "default");
    }
  }

  void parse_arguments(Operator& op) {
    expect("(");
    bool is_keyword_only = false;
    parse_items([&] {
      if (op.takes_more) expected("')' after '...'");
      if (take("...")) {
        op.takes_more = true;
      } else if (peek() == '*') {
        if (is_keyword_only) fail(at_, "unexpected second '*'");
        take("*");
        is_keyword_only = true;
      } else {
        op.arguments.push_back(parse_argument(op, is_keyword_only));
      }
    });
  }
  /// Parses items with commas between them, and the ')' after them.
  template <class ParseItem>
  void parse_items(const ParseItem& parse_item) {
    if (take(")")) return;
    do {
      parse_item();
    } while (take(","));
    if (!take(")")) expected("',' or ')' after an argument");
  }

  OperatorArgument parse_argument(const Operator& op, bool is_keyword_only) {
    const std::vector<OperatorArgument>& before = op.arguments;
    OperatorArgument argument;
    parse_type(0, argument.type, argument.alias);
    argument.is_keyword_only = is_keyword_only;
    const std::size_t start = begin();
    argument.name = take_name("the argument's name");
    for (const OperatorArgument& other : before) {
      if (other.name == argument.name) fail(start, "duplicate argument " + schemagen::quoted(argument.name));
    }
    if (take("=")) {
      argument.default_value = parse_default(argument.type);
    } else if (!is_keyword_only && !before.empty() && before.back().default_value &&
               op.kind !=
                   OperatorKind::higher_order) {  // whose defaults stand for arguments of later releases
      fail(start, "argument " + schemagen::quoted(argument.name) +
                      " needs a default value, because the argument before it has one");
    }
    return argument;
  }

  void parse_returns(Operator& op) {
    if (take("...")) {
      op.returns_more = true;
      return;
    }
    const std::size_t start = at_;
    if (take("(")) {
      parse_items([&] { op.returns.push_back(parse_return()); });
      // Otherwise it is a type that starts with a tuple.
      if (peek() != '[' && peek() != '?') return;
      at_ = start;
      op.returns.clear();
    }
    op.returns.push_back(parse_return());
  }

  OperatorReturn parse_return() {
    OperatorReturn result;
    parse_type(0, result.type, result.alias);
    if (schemagen::is_name_start(peek())) result.name = std::string(take_name("a name"));
    return result;
  }

  void parse_type(std::size_t depth, OperatorType& type, std::optional<OperatorAlias>& alias) {
    if (depth > kDeepestType) fail(at_, "types are nested too deeply");
    type = parse_first_type(depth);
    parse_alias(alias);
    for (std::size_t suffixes = 0;; ++suffixes) {
      if (suffixes > kDeepestType) fail(at_, "types are nested too deeply");
      if (take("?")) {
        if (type.kind == TypeKind::optional) fail(at_, "unexpected second '?'");
        type = type_of(TypeKind::optional, {{std::move(type)}});
      } else if (take("[")) {
        if (without_optional(type).size) fail(at_, "a list of fixed-size lists is not supported");
        type = type_of(TypeKind::list, {{std::move(type)}});
        if (is_digit(peek())) type.size = take_size();
        expect("]");
        if (alias && alias->is_of_items) fail(at_, "an alias in a list of lists is not supported");
        if (alias) alias->is_of_items = true;
        parse_alias(alias);
      } else {
        return;
      }
    }
  }

  OperatorType parse_first_type(std::size_t depth) {
    if (take("(")) return parse_composed(TypeKind::tuple, depth);
    const std::size_t start = begin();
    const std::string_view name = take_name("a type", true);
    if (const auto kind = named_type(name)) {
      if (*kind < TypeKind::variable) return type_of(*kind);
      expect("(");
      OperatorType type = parse_composed(*kind, depth);
      const std::size_t wanted = *kind == TypeKind::Dict ? 2 : 1;
      if (type.items->size() != wanted)
        fail(start, "expected " + schemagen::counted(wanted, "type") + " for '" + std::string(name) +
                        "', got " + std::to_string(type.items->size()));
      return type;
    }
    const bool is_object = is_class(name);
    if (!is_object && !is_type_variable(name)) fail(start, "unknown type " + schemagen::quoted(name));
    OperatorType type = type_of(is_object ? TypeKind::object : TypeKind::variable);
    type.name = std::string(name);
    return type;
  }

  OperatorType parse_composed(TypeKind kind, std::size_t depth) {
    OperatorType type = type_of(kind, std::vector<OperatorType>());
    parse_items([&] {
      const std::size_t start = at_;
      std::optional<OperatorAlias> alias;
      parse_type(depth + 1, type.items->emplace_back(), alias);
      if (alias) fail(start, "an alias within a type is not supported");
    });
    return type;
  }

  std::int64_t take_size() {
    const std::size_t start = at_;
    const OperatorValue size = take_number();
    const auto* const number = size.get_if<OperatorValue::as_int>();
    if (number == nullptr || *number < 1 || *number > kLongestList) {
      fail(start, "expected a size from 1 to " + std::to_string(kLongestList));
    }
    return *number;
  }

  void parse_alias(std::optional<OperatorAlias>& alias) {
    if (peek() != '(') return;
    const std::size_t start = at_;
    if (alias) fail(start, "unexpected second alias");
    take("(");
    alias.emplace();
    alias->before = parse_sets();
    alias->is_write = take("!");
    if (take("->")) alias->after = parse_sets();
    expect(")");
  }
  std::vector<std::string> parse_sets() {
    std::vector<std::string> sets;
    do {
      sets.emplace_back(take("*") ? "*" : take_name("the name of a set or '*'"));
    } while (take("|"));
    return sets;
  }

  OperatorValue parse_default(const OperatorType& type) {
    const std::size_t start = begin();
    if (type.kind != TypeKind::list) {
      OperatorValue value = parse_literal(type);
      if (!fits(value, type)) unfit(start, type);
      return value;
    }
    const OperatorType& item = type.items->front();
    if (take("[")) return parse_list(item);
    if (!type.size) expected("'[' before the default values");
    const OperatorValue value = parse_literal(item, true);
    OperatorValue list = empty_list(item);
    for (std::int64_t i = 0; i < *type.size; ++i) {
      if (!append(list, value, item)) unfit(start, type);
    }
    return list;
  }

  OperatorValue empty_list(const OperatorType& item) const {
    OperatorValue list;
    if (item.kind == TypeKind::bool_) {
      list.emplace<OperatorValue::as_bools>();
    } else if (item.kind == TypeKind::float_) {
      list.emplace<OperatorValue::as_floats>();
    } else if (item.kind == TypeKind::int_ || item.kind == TypeKind::SymInt) {
      list.emplace<OperatorValue::as_ints>();
    } else {
      fail(at_, "lists of '" + schema_text(item) + "' cannot have default values");
    }
    return list;
  }

  OperatorValue parse_list(const OperatorType& item) {
    OperatorValue list = empty_list(item);
    if (take("]")) return list;
    do {
      const std::size_t start = begin();
      if (!append(list, parse_literal(item, true), item)) unfit(start, item);
    } while (take(","));
    expect("]");
    return list;
  }

  static bool append(OperatorValue& list, const OperatorValue& value, const OperatorType& item) {
    using V = OperatorValue;
    if (!fits(value, item)) return false;
    if (const bool* const flag = value.get_if<V::as_bool>()) list.get<V::as_bools>().push_back(*flag);
    if (const auto* const number = value.get_if<V::as_int>()) list.get<V::as_ints>().push_back(*number);
    if (const double* const real = value.get_if<V::as_float>()) list.get<V::as_floats>().push_back(*real);
    return true;
  }

  [[noreturn]] void unfit(std::size_t start, const OperatorType& type) const {
    fail(start, "default value " + schemagen::quoted(text_.substr(start, at_ - start)) + " does not fit '" +
                    schema_text(type) + "'");
  }

  /// An integer becomes a float if the type is one. Items of lists cannot be names.
  OperatorValue parse_literal(const OperatorType& type, bool is_item = false) {
    using V = OperatorValue;
    const char first = peek();
    if (first == '"' || first == '\'') return V::of<V::as_string>(take_string(first));
    if (first == '-' || is_digit(first)) {
      const V number = take_number();
      const auto* const whole = number.get_if<V::as_int>();
      const bool is_converted = whole != nullptr && type.kind == TypeKind::float_;
      return is_converted ? V::of<V::as_float>(static_cast<double>(*whole)) : number;
    }
    if (take("None")) return V::of<V::as_none>();
    if (take("True")) return V::of<V::as_bool>(true);
    if (take("False")) return V::of<V::as_bool>(false);
    const std::size_t start = at_;
    const std::string_view name = take_name("a default value");
    const auto number = named_number(name);
    if (!number || is_item) fail(start, "unknown default value " + schemagen::quoted(name));
    return V::of<V::as_int>(*number);
  }

  OperatorValue take_number() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (schemagen::is_name_char(text_[at_]) || text_[at_] == '.' ||
                                  text_[at_] == '-' || text_[at_] == '+')) {
      ++at_;
    }
    const char* const begin = text_.data() + start;
    const char* const end = text_.data() + at_;
    OperatorValue value;
    const auto whole = std::from_chars(begin, end, value.emplace<OperatorValue::as_int>());
    if (whole.ptr == end && whole.ec == std::errc()) return value;
    const auto real = schemagen::parse_float(begin, end, value.emplace<OperatorValue::as_float>());
    if (real.ptr != end || real.ec != std::errc() || whole.ptr == end) {
      fail(start, schemagen::quoted(text_.substr(start, at_ - start)) + " is not a 64-bit number");
    }
    return value;
  }

  std::string take_string(char quote) {
    const std::size_t start = at_;
    std::string text;
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] != '\\' || at_ + 1 == text_.size()) {
        text += text_[at_];
        continue;
      }
      const std::size_t escape = kEscapes.find(text_[++at_]);
      if (escape == kEscapes.npos) fail(at_, "unknown escape " + schemagen::quoted(text_.substr(at_, 1)));
      text += kCharacters[escape];
    }
    if (at_++ >= text_.size()) fail(start, "unterminated string");
    return text;
  }
  std::string_view text_;
  std::size_t at_ = 0;
};

std::string alias_text(const OperatorAlias& alias) {
  std::string out = "(" + join_texts(alias.before, "|");
  if (alias.is_write) out += "!";
  if (alias.after) out += " -> " + join_texts(*alias.after, "|");
  return out + ")";
}

std::string type_text(const OperatorType& type, const std::optional<OperatorAlias>& alias = {}) {
  const auto text = [](const OperatorType& item) { return type_text(item); };
  const std::string mark = alias ? alias_text(*alias) : "";
  switch (type.kind) {
    case TypeKind::optional:
      return type_text(type.items->front(), alias) + "?";
    case TypeKind::list: {
      const std::string size = "[" + (type.size ? std::to_string(*type.size) : "") + "]";
      return text(type.items->front()) + (alias && alias->is_of_items ? mark + size : size + mark);
    }
    default: {
      const std::string name = type.name ? *type.name : std::string(name_of(type.kind));
      if (!type.items) return name + mark;
      return (type.kind == TypeKind::tuple ? "" : name) + "(" + join_texts(*type.items, ", ", text) + ")" +
             mark;
    }
  }
}

std::string float_default(double value) {
  char digits[40];
  std::string text(
      digits, schemagen::put_rounded(digits, digits + sizeof digits, value, std::chars_format::general, 17));
  return text.find_first_of(".e") == text.npos ? text + "." : text;
}

std::string string_text(const std::string& value) {
  std::string out = "\"";
  for (const char c : value) {
    const std::size_t at = kCharacters.find(c);
    out += at == kCharacters.npos ? std::string(1, c) : std::string("\\") + kEscapes[at];
  }
  return out + "\"";
}

/// PyTorch prints a list of equal ints as one of them.
std::string ints_text(const std::vector<std::int64_t>& values, const OperatorType& type) {
  bool are_equal = values.size() > 1 && type.items && type.items->front().kind == TypeKind::int_;
  for (const std::int64_t value : values) are_equal = are_equal && value == values.front();
  if (are_equal) return std::to_string(values.front());
  return "[" + join_texts(values, ", ", int_literal) + "]";
}

std::string value_text(const OperatorValue& value, const OperatorType& type) {
  using V = OperatorValue;
  switch (value.kind()) {
    case V::as_bool:
      return bool_literal(value.get<V::as_bool>());
    case V::as_int:
      return std::to_string(value.get<V::as_int>());
    case V::as_float:
      return float_default(value.get<V::as_float>());
    case V::as_string:
      return string_text(value.get<V::as_string>());
    case V::as_bools:
      return "[" + join_texts(value.get<V::as_bools>(), ", ", bool_literal) + "]";
    case V::as_ints:
      return ints_text(value.get<V::as_ints>(), type);
    case V::as_floats:
      return "[" + join_texts(value.get<V::as_floats>(), ", ", float_default) + "]";
    default:
      return "None";
  }
}

std::string arguments_text(const Operator& op) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  bool is_keyword_only = false;
  for (const OperatorArgument& argument : op.arguments) {
    if (argument.is_keyword_only && !is_keyword_only) add("*");
    is_keyword_only = argument.is_keyword_only;
    add(type_text(argument.type, argument.alias) + " " + argument.name);
    if (argument.default_value) out += "=" + value_text(*argument.default_value, argument.type);
  }
  if (op.takes_more) add("...");
  return out;
}

std::string returns_text(const Operator& op) {
  if (op.returns_more) return "...";
  const std::string text = join_texts(op.returns, ", ", [](const OperatorReturn& item) {
    return type_text(item.type, item.alias) + (item.name ? " " + *item.name : "");
  });
  return op.returns.size() == 1 && text.front() != '(' ? text : "(" + text + ")";
}

std::string operator_name(const Operator& op) {
  if (op.kind == OperatorKind::function) return op.target;
  constexpr std::string_view kDefault = ".default";
  std::string name = op.target.substr(kOperatorPrefix.size());
  if (op.kind == OperatorKind::overload && ends_with(name, kDefault))
    name.resize(name.size() - kDefault.size());
  return name.replace(name.find('.'), 1, "::");
}

void mark_written(Operator& op, const std::string& names) {
  std::istringstream in(names);
  for (std::string name; std::getline(in, name, ',');) {
    const auto found = std::find_if(op.arguments.begin(), op.arguments.end(),
                                    [&](const auto& argument) { return argument.name == name; });
    if (found == op.arguments.end())
      throw schemagen::DataError("the operator has no argument " + schemagen::quoted(name));
    found->may_be_written = true;
  }
}

void add_word(Operator& op, const std::string& word) {
  const std::string value = word.substr(std::min(word.find(':'), word.size() - 1) + 1);
  if (word == "has_effects") {
    op.has_effects = true;
  } else if (word == "may_return_inputs") {
    op.may_return_inputs = true;
  } else if (starts_with(word, "writes:")) {
    mark_written(op, value);
  } else if (starts_with(word, "since:")) {
    op.since = value;
  } else if (starts_with(word, "until:")) {
    op.until = value;
  } else if (const auto tag = operators::from_name<OperatorTag>(word)) {
    op.tags.push_back(*tag);
  } else {
    throw schemagen::DataError(
        "unknown word " + schemagen::quoted(word) +
        ": expected has_effects, may_return_inputs, writes:ARGUMENTS or one of PyTorch's tags; "
        "put comments on separate lines");
  }
}

}  // namespace

const OperatorType& without_optional(const OperatorType& type) noexcept {
  return type.kind == TypeKind::optional ? type.items->front() : type;
}

Operator parse_operator(std::string_view schema) {
  return SchemaParser(schema).parse();
}

Operator parse_operator_line(std::string_view line) {
  constexpr std::string_view kMark = " # ";
  const std::size_t mark = line.find(kMark);
  Operator op = parse_operator(line.substr(0, mark));
  std::istringstream words(mark == line.npos ? "" : std::string(line.substr(mark + kMark.size())));
  for (std::string word; words >> word;) add_word(op, word);
  std::sort(op.tags.begin(), op.tags.end());
  return op;
}

std::string schema_text(const OperatorType& type) {
  return type_text(type);
}

std::string schema_text(const Operator& op) {
  return operator_name(op) + "(" + arguments_text(op) + ") -> " + returns_text(op);
}

}  // namespace pt2
