#include "pt2/operators/operator_schema.h"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <utility>

#include "pt2/operators/schema_info.h"
#include "pt2/text/affix.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

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
  } else if (const auto tag = operators::from_name<operators::OperatorTag>(word)) {
    op.tags.push_back(*tag);
  } else {
    throw schemagen::DataError(
        "unknown word " + schemagen::quoted(word) +
        ": expected has_effects, may_return_inputs, writes:ARGUMENTS or one of PyTorch's tags; "
        "put comments on separate lines");
  }
}

}  // namespace

Operator parse_operator_line(std::string_view line) {
  constexpr std::string_view kMark = " # ";
  const std::size_t mark = line.find(kMark);
  Operator op = parse_operator(line.substr(0, mark));
  std::istringstream words(mark == line.npos ? "" : std::string(line.substr(mark + kMark.size())));
  for (std::string word; words >> word;) add_word(op, word);
  std::sort(op.tags.begin(), op.tags.end());
  return op;
}

}  // namespace pt2
