#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fault.h"
#include "pt2/strings/expression_value.h"
#include "pt2/text/expression.h"
#include "pt2/text/literal.h"
#include "pt2/text/symbolic_text.h"
#include "schemagen/base/error.h"

namespace {

void check_values(const pt2::Expression& expression, std::string_view text) {
  pt2::Bindings bindings;
  pt2::for_each_symbol(expression, [&](std::string_view symbol) {
    bindings[symbol] = static_cast<std::int64_t>(bindings.size()) - 1;
  });
  const auto check = [](const auto& compute) {
    try {
      compute();
    } catch (const schemagen::DataError& error) {
      require_message(error);
    }
  };
  pt2::SymInt size;
  size.emplace<pt2::SymInt::as_expr>().expr_str = text;
  check([&] { pt2::evaluate(expression, bindings); });
  check([&] {
    require(!has_control_characters(pt2::Polynomial(size, {}).text(), Lines::one), "a size can be shown");
  });
}

std::string same(std::string_view name) {
  return std::string(name);
}

std::vector<std::string> symbols_of(const pt2::SymbolicText& text) {
  std::vector<std::string> symbols;
  text.for_each_symbol([&](std::string_view symbol) { symbols.emplace_back(symbol); });
  return symbols;
}

std::string ordered(std::string_view text, const std::vector<std::string>& first) {
  std::map<std::string, std::size_t, std::less<>> numbers;
  for (const std::string& symbol : first) numbers.emplace(symbol, numbers.size());
  pt2::SymbolicText symbolic(text);
  symbolic.order([&](std::string_view symbol) -> std::optional<std::size_t> {
    const auto found = numbers.find(symbol);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  });
  return symbolic.text(same);
}

void check_tree(std::string_view text) {
  std::string written;
  try {
    const pt2::Expression expression = pt2::parse_expression(text);
    require(!has_control_characters(pt2::expression_text(expression), Lines::one),
            "an expression can be shown");
    written = pt2::srepr(expression);
    check_values(expression, text);
  } catch (const schemagen::DataError& error) {
    require_message(error);
    require(error.place().offset && *error.place().offset <= text.size(), "an error has a place in the text");
    return;
  }
  require(pt2::srepr(pt2::parse_expression(written)) == written,
          "what was written is read and written alike");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<char> copy(data, data + size);
  const std::string_view text(copy.data(), copy.size());
  require(!has_control_characters(pt2::expression_text(text), Lines::one), "an expression can be shown");
  require(!has_control_characters(pt2::string_literal(text), Lines::one), "a literal can be shown");
  require(pt2::replace_symbols(text, same) == text,
          "symbols that are replaced by themselves leave a text alone");
  check_tree(text);

  const pt2::SymbolicText symbolic(text);
  const std::vector<std::string> symbols = symbols_of(symbolic);
  const std::string written = symbolic.text(same);
  const pt2::SymbolicText again(written);
  require(again.text(same) == written, "what was written is read and written alike");
  require(symbols_of(again) == symbols, "what was written has the same symbols");
  const std::string once = ordered(text, symbols);
  require(ordered(once, symbols) == once, "what is in order stays so");
  return 0;
}
