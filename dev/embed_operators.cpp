// Embeds the operator files in schema/: embed_operators TEXT CHANGES DECOMPOSITIONS TABLE.cpp [--check]. With
// --check, only compares TABLE.cpp (exit code 1: it differs).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/operators/binary.h"
#include "pt2/operators/higher_order.h"
#include "pt2/operators/operator_schema.h"
#include "pt2/operators/operator_table.h"
#include "pt2/operators/schema_info.h"
#include "pt2/text/affix.h"

namespace {

using pt2::operators::Operator;
using pt2::operators::OperatorKind;
using pt2::operators::StoredOperator;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open '" + path + "'");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Operator> operators_of(const std::string& text) {
  std::vector<Operator> operators;
  std::istringstream in(text);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    try {
      operators.push_back(pt2::parse_operator_line(line));
    } catch (const std::exception& error) {
      throw std::runtime_error("line " + std::to_string(number) + ": " + error.what());
    }
  }
  return operators;
}

/// By number, from lines such as `aten.t.default -> aten.permute.default`.
using Decompositions = std::map<std::string, std::vector<std::int64_t>>;
Decompositions decompositions_of(const std::string& text, const std::vector<Operator>& operators) {
  std::map<std::string, std::int64_t> numbers;
  for (const Operator& op : operators) numbers.emplace(op.target, numbers.size());
  const auto number_of = [&](const std::string& name) {
    const auto found = numbers.find(std::string(pt2::kOperatorPrefix) + name);
    if (found == numbers.end()) throw std::runtime_error("'" + name + "' decomposes but is not an operator");
    return found;
  };
  Decompositions decompositions;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string name, arrow;
    words >> name >> arrow;
    std::vector<std::int64_t>& made = decompositions[number_of(name)->first];
    while (words >> name) made.push_back(number_of(name)->second);
  }
  return decompositions;
}

/// See OperatorTable::slots. At most half are taken.
std::vector<std::size_t> slots_of(const std::vector<Operator>& operators) {
  std::size_t count = 1;
  while (count < 2 * operators.size()) count *= 2;
  std::vector<std::size_t> slots(count);
  for (std::size_t i = 0; i < operators.size(); ++i) {
    std::size_t slot = pt2::operator_hash(operators[i].target);
    while (slots[slot % count] != 0) ++slot;
    slots[slot % count] = i + 1;
  }
  return slots;
}

struct Payloads {
  std::map<std::string, std::size_t> numbers;
  std::ostringstream rows;
  std::vector<std::size_t> offsets = {0};

  std::int64_t add(const std::string& payload, const std::string& comment) {
    const auto [place, is_new] = numbers.try_emplace(payload, numbers.size());
    if (is_new) {
      for (const char byte : payload) rows << static_cast<unsigned>(static_cast<unsigned char>(byte)) << ",";
      rows << "  // " << comment << "\n";
      offsets.push_back(offsets.back() + payload.size());
    }
    return static_cast<std::int64_t>(place->second);
  }
};

void write_array(std::ostream& out, const char* type, const char* name,
                 const std::vector<std::size_t>& numbers) {
  out << "constexpr std::" << type << " " << name << "[] = {";
  for (std::size_t i = 0; i < numbers.size(); ++i) out << (i % 32 == 0 ? "\n" : "") << numbers[i] << ",";
  out << "\n};\n\n";
}

void write_rows(std::ostream& out, const char* name, const Payloads& payloads) {
  out << "constexpr unsigned char " << name << "[] = {\n" << payloads.rows.str() << "};\n\n";
}

std::string stored(Operator op, Payloads& parts, const Decompositions& decompositions) {
  StoredOperator result;
  const auto decomposition = decompositions.find(op.target);
  if (decomposition != decompositions.end()) result.decomposes_to = decomposition->second;
  for (const auto& argument : std::exchange(op.arguments, {})) {
    result.arguments.push_back(parts.add(schemagen::to_binary(argument), argument.name));
  }
  for (const auto& item : std::exchange(op.returns, {})) {
    result.returns.push_back(parts.add(schemagen::to_binary(item), pt2::schema_text(item.type)));
  }
  if (op.kind != OperatorKind::function) op.target.erase(0, pt2::kOperatorPrefix.size());
  result.operator_ = std::move(op);
  return schemagen::to_binary(result);
}

std::vector<std::string> header(const std::string& text, const std::string& name) {
  const std::string start = "# " + name + ": ";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!pt2::starts_with(line, start)) continue;
    std::istringstream words(line.substr(start.size()));
    return {std::istream_iterator<std::string>(words), {}};
  }
  throw std::runtime_error("missing line '" + start + "...'");
}

std::string releases_text(const std::string& text) {
  const std::vector<std::string> releases = header(text, "releases");
  return "{\"" + releases.front() + "\", \"" + releases.back() + "\", \"" + header(text, "schemas").front() +
         "\", " + header(text, "aten opset").front() + "}";
}

std::string table_text(const std::string& text, const std::string& changes,
                       const std::string& decompositions_text) {
  std::vector<Operator> operators = operators_of(text);
  const std::size_t count = operators.size();
  const Decompositions decompositions = decompositions_of(decompositions_text, operators);
  for (Operator& op : operators_of(changes)) operators.push_back(std::move(op));
  Payloads parts;
  Payloads payloads;
  for (const Operator& op : operators) payloads.add(stored(op, parts, decompositions), op.target);
  const std::vector<std::size_t> slots = slots_of(operators);
  std::ostringstream out;
  out << "// @generated by embed_operators from schema/operators.txt, operator_changes.txt and "
         "decompositions.txt.\n"
         "// Change those, not this file.\n"
         "#include \"pt2/operators/operator_table.h\"\n\nnamespace pt2 {\nnamespace {\n\n";
  write_rows(out, "kParts", parts);
  write_array(out, "uint32_t", "kPartOffsets", parts.offsets);
  write_rows(out, "kOperators", payloads);
  write_array(out, "uint32_t", "kOperatorOffsets", payloads.offsets);
  write_array(out, "uint16_t", "kSlots", slots);
  out << "std::atomic<const operators::Operator*> decoded[" << operators.size()
      << "];\n\n}  // namespace\n\n"
         "const OperatorTable kOperatorTable = {{kParts, kPartOffsets}, {kOperators, kOperatorOffsets}, "
      << count << ", kSlots, " << slots.size() << ",\n                                      decoded, "
      << releases_text(text) << "};\n\n}  // namespace pt2\n";
  return out.str();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const bool only_checks = arguments.size() == 5 && arguments[4] == "--check";
    if (arguments.size() != 4 && !only_checks) {
      std::cerr << "usage: embed_operators TEXT CHANGES DECOMPOSITIONS TABLE.cpp [--check]\n";
      return 2;
    }
    const std::string text = table_text(read(arguments[0]), read(arguments[1]), read(arguments[2]));
    const std::string& table = arguments[3];
    if (only_checks) {
      if (read(table) == text) return 0;
      std::cerr << table << " is not what " << arguments[0] << " and the files beside it give: run `ninja "
                << "generate_operators`\n";
      return 1;
    }
    std::ofstream file(table, std::ios::binary);
    if (!(file << text).flush()) throw std::runtime_error("cannot write '" + table + "'");
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "embed_operators: " << error.what() << "\n";
    return 3;
  }
}
