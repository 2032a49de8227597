#include "pt2/archive/pickle/pickle.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "pt2/archive/pickle/calls.h"
#include "pt2/archive/pickle/opcodes.h"
#include "pt2/archive/pickle/safe_globals.h"
#include "pt2/archive/pickle/store.h"
#include "pt2/archive/pickle/tensors.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/utf8.h"

namespace pt2 {
namespace {

/// Accepts encoded surrogates.
std::optional<std::size_t> find_bad_text(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (schemagen::next_code_point(text, at)) continue;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    if (text.size() - at < 3 || byte(0) != 0xED || byte(1) < 0xA0 || byte(1) > 0xBF ||
        (byte(2) & 0xC0) != 0x80)
      return at;
    at += 3;
  }
  return std::nullopt;
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
    const PickleRef tuple = store_.add_items(PickleKind::tuple, std::vector<PickleRef>(first, stack_.end()));
    stack_.erase(first, stack_.end());
    push(tuple);
  }

  void run(const PickleInstruction& instruction);
  bool run_constant(const PickleInstruction& instruction);
  bool run_container(const PickleInstruction& instruction);

  void push_integer(std::int64_t value) { push(store_.add(PickleKind::integer, value)); }
  void push_long(std::string_view bytes);
  void push_text(std::string_view text, bool may_have_surrogates);
  void push_global(const PickleInstruction& instruction);
  bool is_other_global(PickleRef ref) const;
  bool is_other_call(PickleRef function, PickleRef arguments) const;
  void append(const PickleRef* items, std::size_t count);
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
  if (may_have_surrogates ? find_bad_text(text).has_value() : schemagen::find_bad_utf8(text).has_value()) {
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

void PickleReader::append(const PickleRef* items, std::size_t count) {
  const PickleRef list = top();
  if (store_[list].kind != PickleKind::list) {
    store_.fail(std::string("expected a list to append to, found ") + described(store_[list].kind));
  }
  store_.extend(list, items, count);
}

void PickleReader::set_items(const std::vector<PickleRef>& items) {
  const PickleRef dict = top();
  if (!is_mapping(store_[dict].kind)) {
    store_.fail(std::string("expected a dict to add to, found ") + described(store_[dict].kind));
  }
  if (items.size() % 2 != 0) store_.fail("a dict key has no value");
  for (std::size_t i = 0; i < items.size(); i += 2) store_.require_hashable(items[i]);
  store_.extend(dict, items.data(), items.size());
}

bool PickleReader::run_constant(const PickleInstruction& instruction) {
  switch (instruction.opcode) {
    case PickleOpcode::NONE:
      push(store_.add(PickleKind::none));
      return true;
    case PickleOpcode::NEWTRUE:
    case PickleOpcode::NEWFALSE:
      push(store_.add(PickleKind::boolean, instruction.opcode == PickleOpcode::NEWTRUE));
      return true;
    case PickleOpcode::BININT:
      push_integer(static_cast<std::int32_t>(static_cast<std::uint32_t>(instruction.number)));
      return true;
    case PickleOpcode::BININT1:
    case PickleOpcode::BININT2:
      push_integer(static_cast<std::int64_t>(instruction.number));
      return true;
    case PickleOpcode::LONG1:
      push_long(instruction.text);
      return true;
    case PickleOpcode::BINFLOAT:
      push(store_.add(PickleKind::floating, floating(instruction.number)));
      return true;
    case PickleOpcode::BINUNICODE:
      push_text(instruction.text, true);
      return true;
    case PickleOpcode::SHORT_BINSTRING:
      push_text(instruction.text, false);
      return true;
    case PickleOpcode::GLOBAL:
      push_global(instruction);
      return true;
    case PickleOpcode::EMPTY_TUPLE:
      push(store_.add_items(PickleKind::tuple, {}));
      return true;
    case PickleOpcode::EMPTY_LIST:
      push(store_.add_items(PickleKind::list, {}));
      return true;
    case PickleOpcode::EMPTY_DICT:
      push(store_.add_items(PickleKind::dict, {}));
      return true;
    case PickleOpcode::EMPTY_SET:
      push(store_.add_items(PickleKind::set, {}));
      return true;
    default:
      return false;
  }
}

bool PickleReader::run_container(const PickleInstruction& instruction) {
  switch (instruction.opcode) {
    case PickleOpcode::TUPLE1:
      push_tuple(1);
      return true;
    case PickleOpcode::TUPLE2:
      push_tuple(2);
      return true;
    case PickleOpcode::TUPLE3:
      push_tuple(3);
      return true;
    case PickleOpcode::TUPLE: {
      std::vector<PickleRef> items = pop_mark();
      push(store_.add_items(PickleKind::tuple, std::move(items)));
      return true;
    }
    case PickleOpcode::APPEND: {
      const PickleRef item = pop();
      append(&item, 1);
      return true;
    }
    case PickleOpcode::APPENDS: {
      const std::vector<PickleRef> items = pop_mark();
      append(items.data(), items.size());
      return true;
    }
    case PickleOpcode::SETITEM: {
      const PickleRef value = pop();
      const PickleRef key = pop();
      set_items({key, value});
      return true;
    }
    case PickleOpcode::SETITEMS:
      set_items(pop_mark());
      return true;
    default:
      return false;
  }
}

void PickleReader::run(const PickleInstruction& instruction) {
  if (run_constant(instruction) || run_container(instruction)) return;
  switch (instruction.opcode) {
    case PickleOpcode::PROTO:
      return;
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
    case PickleOpcode::REDUCE: {
      const PickleRef arguments = pop();
      top() = is_other_call(top(), arguments) ? store_.add_items(PickleKind::call, {top(), arguments})
                                              : call_global(store_, top(), arguments);
      return;
    }
    case PickleOpcode::NEWOBJ: {
      const PickleRef arguments = pop();
      top() = is_other_call(top(), arguments) ? store_.add_items(PickleKind::call, {top(), arguments})
                                              : new_object(store_, top(), arguments);
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
