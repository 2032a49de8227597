#include "pt2/archive/pickle/pickle.h"

#include <algorithm>
#include <cstring>

#include "pt2/archive/pickle/opcodes.h"
#include "pt2/archive/pickle/safe_globals.h"
#include "pt2/archive/pickle/store.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/utf8.h"

namespace pt2 {
namespace {

/// Also accepts encoded surrogates.
bool is_utf8_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (schemagen::next_code_point(text, at)) continue;
    const std::string_view rest = text.substr(at);
    if (rest.size() < 3 || rest[0] != '\xED' || (rest[1] & 0xE0) != 0xA0 || (rest[2] & 0xC0) != 0x80)
      return false;
    at += 3;
  }
  return true;
}

double floating(std::uint64_t big_endian) {
  std::uint64_t bits = 0;
  for (int i = 0; i < 8; ++i) bits = bits << 8 | (big_endian >> (8 * i) & 0xFF);
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

class PickleReader {
 public:
  PickleReader(std::string_view bytes, const schemagen::Limits& limits, PickleGlobals globals)
      : bytes_(bytes), store_(limits), globals_(globals) {}

  Pickle read() {
    for (std::size_t position = 0;;) {
      const PickleInstruction instruction = read_instruction(bytes_, position);
      store_.set_position(position);
      if (instruction.opcode == PickleOpcode::STOP) return store_.finish(pop());
      run(instruction);
      position = instruction.end;
    }
  }

 private:
  std::size_t height() const { return stack_.size() - (marks_.empty() ? 0 : marks_.back()); }
  void require_height(std::size_t least) const {
    if (height() < least) store_.fail("the pickle's stack is empty");
  }
  void push(PickleRef ref) {
    store_.take(2, sizeof(PickleRef));
    stack_.push_back(ref);
  }
  PickleRef pop() {
    require_height(1);
    const PickleRef ref = stack_.back();
    stack_.pop_back();
    return ref;
  }
  PickleRef& top() {
    require_height(1);
    return stack_.back();
  }
  std::vector<PickleRef> pop_mark() {
    if (marks_.empty()) store_.fail("expected a mark on the pickle's stack");
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    store_.take(height(), sizeof(PickleRef));
    std::vector<PickleRef> items(first, stack_.end());
    stack_.erase(first, stack_.end());
    marks_.pop_back();
    return items;
  }
  void push_mark() {
    if (marks_.size() >= store_.limits().depth)
      store_.fail(schemagen::too_deep(store_.limits()) + " (depth)");
    marks_.push_back(stack_.size());
  }
  void push_tuple(std::size_t count) {
    require_height(count);
    const auto first = stack_.end() - static_cast<std::ptrdiff_t>(count);
    const PickleRef tuple = store_.add_items(PickleKind::tuple, {first, stack_.end()});
    stack_.erase(first, stack_.end());
    push(tuple);
  }

  void run(const PickleInstruction& instruction);

  void push_integer(std::int64_t value) { push(store_.add(PickleKind::integer, value)); }
  void push_items(PickleKind kind, std::vector<PickleRef> items) {
    push(store_.add_items(kind, std::move(items)));
  }
  void push_long(std::string_view bytes);
  void push_text(std::string_view text, bool may_have_surrogates);
  void push_global(const PickleInstruction& instruction);
  bool is_other_global(PickleRef ref) const;
  bool is_other_call(PickleRef function, PickleRef arguments) const;
  void append(const std::vector<PickleRef>& items);
  void set_items(const std::vector<PickleRef>& items);

  void remember(std::uint64_t number) {
    const PickleRef ref = top();
    store_.take(1, 64);  // a node of the map
    memo_[number] = ref;
  }
  void recall(std::uint64_t number) {
    const auto found = memo_.find(number);
    if (found == memo_.end()) store_.fail("the pickle's memo has no entry " + std::to_string(number));
    push(found->second);
  }

  std::string_view bytes_;
  PickleStore store_;
  PickleGlobals globals_;
  std::vector<PickleRef> stack_;
  std::vector<std::size_t> marks_;
  std::map<std::uint64_t, PickleRef> memo_;
  std::map<std::string, PickleRef> storages_;
};

void PickleReader::push_long(std::string_view bytes) {
  const auto sign_of = [](char byte) { return (byte & 0x80) != 0 ? '\xFF' : '\0'; };
  while (bytes.size() > 8 && bytes.back() == sign_of(bytes[bytes.size() - 2])) bytes.remove_suffix(1);
  if (bytes.size() > 8) return push(store_.add_text(PickleKind::big_integer, bytes));
  std::uint64_t value = !bytes.empty() && (bytes.back() & 0x80) != 0 ? ~std::uint64_t{0} : 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  push_integer(static_cast<std::int64_t>(value));
}

void PickleReader::push_text(std::string_view text, bool may_have_surrogates) {
  if (may_have_surrogates ? !is_utf8_text(text) : schemagen::find_bad_utf8(text).has_value()) {
    store_.fail("a string in the pickle is not UTF-8");
  }
  push(store_.add_text(PickleKind::text, text));
}

void PickleReader::push_global(const PickleInstruction& instruction) {
  const std::string name = global_name(instruction.text, instruction.text2);
  if (globals_ == PickleGlobals::weights_only && find_safe_global(name) == nullptr) {
    store_.fail("the pickle refers to " + schemagen::quoted(name) +
                ", which torch.load with weights_only does not allow");
  }
  push(store_.add_text(PickleKind::global, name));
}

bool PickleReader::is_other_global(PickleRef ref) const {
  return store_[ref].kind == PickleKind::global && find_safe_global(store_[ref].text()) == nullptr;
}

bool PickleReader::is_other_call(PickleRef function, PickleRef arguments) const {
  if (is_other_global(function)) return true;
  const PickleValue& given = store_[arguments];
  if (given.kind != PickleKind::tuple && given.kind != PickleKind::list) return false;
  return std::any_of(given.items().begin(), given.items().end(),
                     [&](PickleRef item) { return is_other_global(item); });
}

void PickleReader::append(const std::vector<PickleRef>& items) {
  const PickleRef list = top();
  if (store_[list].kind != PickleKind::list) store_.expected("a list to append to", list);
  store_.extend(list, items);
}

void PickleReader::set_items(const std::vector<PickleRef>& items) {
  const PickleRef dict = top();
  if (!is_mapping(store_[dict].kind)) store_.expected("a dict to add to", dict);
  if (items.size() % 2 != 0) store_.fail("a dict key has no value");
  for (std::size_t i = 0; i < items.size(); i += 2) store_.require_hashable(items[i]);
  store_.extend(dict, items);
}

// NOLINTNEXTLINE(readability-function-size): one case per opcode
void PickleReader::run(const PickleInstruction& instruction) {
  switch (instruction.opcode) {
    case PickleOpcode::PROTO:
      return;
    case PickleOpcode::NONE:
      return push(store_.add(PickleKind::none));
    case PickleOpcode::NEWTRUE:
    case PickleOpcode::NEWFALSE:
      return push(store_.add(PickleKind::boolean, instruction.opcode == PickleOpcode::NEWTRUE));
    case PickleOpcode::BININT:
      return push_integer(static_cast<std::int32_t>(static_cast<std::uint32_t>(instruction.number)));
    case PickleOpcode::BININT1:
    case PickleOpcode::BININT2:
      return push_integer(static_cast<std::int64_t>(instruction.number));
    case PickleOpcode::LONG1:
      return push_long(instruction.text);
    case PickleOpcode::BINFLOAT:
      return push(store_.add(PickleKind::floating, floating(instruction.number)));
    case PickleOpcode::BINUNICODE:
      return push_text(instruction.text, true);
    case PickleOpcode::SHORT_BINSTRING:
      return push_text(instruction.text, false);
    case PickleOpcode::GLOBAL:
      return push_global(instruction);
    case PickleOpcode::EMPTY_TUPLE:
      return push_items(PickleKind::tuple, {});
    case PickleOpcode::EMPTY_LIST:
      return push_items(PickleKind::list, {});
    case PickleOpcode::EMPTY_DICT:
      return push_items(PickleKind::dict, {});
    case PickleOpcode::EMPTY_SET:
      return push_items(PickleKind::set, {});
    case PickleOpcode::TUPLE1:
    case PickleOpcode::TUPLE2:
    case PickleOpcode::TUPLE3:
      return push_tuple(static_cast<std::size_t>(instruction.opcode) -
                        static_cast<std::size_t>(PickleOpcode::TUPLE1) + 1);
    case PickleOpcode::TUPLE:
      return push_items(PickleKind::tuple, pop_mark());
    case PickleOpcode::APPEND:
      return append({pop()});
    case PickleOpcode::APPENDS:
      return append(pop_mark());
    case PickleOpcode::SETITEM: {
      const PickleRef value = pop();
      const PickleRef key = pop();
      return set_items({key, value});
    }
    case PickleOpcode::SETITEMS:
      return set_items(pop_mark());
    case PickleOpcode::MARK:
      return push_mark();
    case PickleOpcode::BINPUT:
    case PickleOpcode::LONG_BINPUT:
      return remember(instruction.number);
    case PickleOpcode::BINGET:
    case PickleOpcode::LONG_BINGET:
      return recall(instruction.number);
    case PickleOpcode::BINPERSID:
      return push(find_storage(store_, pop(), storages_));
    case PickleOpcode::REDUCE:
    case PickleOpcode::NEWOBJ: {
      const PickleRef arguments = pop();
      const PickleRef function = top();
      top() = is_other_call(function, arguments) ? store_.add_items(PickleKind::call, {function, arguments})
              : instruction.opcode == PickleOpcode::REDUCE ? call_global(store_, function, arguments)
                                                           : new_object(store_, function, arguments);
      return;
    }
    case PickleOpcode::BUILD: {
      const PickleRef state = pop();
      if (globals_ == PickleGlobals::any && store_[top()].kind == PickleKind::call) return;
      return require_state(store_, top(), state);
    }
    default:
      store_.fail(std::string("torch.load with weights_only does not accept the opcode ") +
                  name_of(instruction.opcode));
  }
}

}  // namespace

Pickle read_pickle(std::string_view bytes, const schemagen::Limits& limits, PickleGlobals globals) {
  return PickleReader(bytes, limits, globals).read();
}

}  // namespace pt2
