#include "pt2/archive/pickle/pickle_scan.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "pt2/archive/pickle/opcodes.h"
#include "pt2/archive/pickle/safe_globals.h"
#include "pt2/text/numbers.h"
#include "pt2/text/python_name.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

constexpr std::size_t kMaxDangers = 1000;

struct Item {
  enum Kind : unsigned char { other, text, tuple, empty_tuple, global };
  Kind kind = other;
  std::string_view name;  // the string, a tuple's first string, or the global's name
  bool is_plain = false;  // its repr() is safe inside a string of source code
};

std::optional<std::string> without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      plain += text[i];
      continue;
    }
    const char kind = i + 1 < text.size() ? text[i + 1] : '\0';
    const std::size_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
    const std::string_view code = text.substr(std::min(i + 2, text.size()), digits);
    const std::optional<unsigned> point = integer_of_text<unsigned>(code, 16);
    if (code.size() != digits || !point || *point >= 0x80) return std::nullopt;
    plain += static_cast<char>(*point);
    i += 1 + digits;
  }
  return plain;
}

bool is_dict_class(const Item& item) {
  return item.kind == Item::global &&
         (item.name == "collections.OrderedDict" || item.name == "collections.Counter");
}

class PickleWalk {
 public:
  PickleWalk(std::string_view bytes, const schemagen::Limits& limits)
      : bytes_(bytes), limits_(limits), budget_(limits.memory_bytes) {}

  PickleScan run() {
    try {
      for (bool continues = true; continues;) {
        now_ = read_instruction(bytes_, scan_.end);
        scan_.end = now_.end;
        continues = now_.opcode != PickleOpcode::STOP;
        check_frame();
        step();
      }
    } catch (const schemagen::DataError& error) {
      scan_.end = bytes_.size();
      set_fault(error.reason(), error.place().offset.value_or(0));
    }
    return std::move(scan_);
  }

 private:
  void set_fault(std::string_view reason, std::size_t position) {
    if (scan_.fault) return;
    scan_.fault = std::string(reason);
    scan_.fault_position = position;
  }
  void set_fault(std::string_view reason) { set_fault(reason, now_.position); }

  void take(std::size_t size) {
    if (!budget_.take(1, size)) fail_in_pickle(schemagen::too_much_memory(limits_), now_.position);
  }

  /// Python reads a frame at once. An instruction that exceeds it continues after it, skipping the rest of
  /// the frame.
  void check_frame() {
    const bool is_inside = now_.position < frame_end_;
    const bool is_frame = now_.opcode == PickleOpcode::FRAME;
    if (is_frame && now_.number > bytes_.size() - now_.end) return set_fault("a frame is truncated");
    const std::size_t end = now_.end + (is_frame ? static_cast<std::size_t>(now_.number) : 0);
    if (is_inside && end > frame_end_) set_fault("an instruction extends past the end of its frame");
    if (is_frame && !is_inside) frame_end_ = end;
    if (now_.opcode == PickleOpcode::STOP && now_.end < frame_end_) {
      set_fault("the last frame continues after STOP");
    }
  }

  void push(Item item) {
    take(2 * sizeof(Item));
    stack_.push_back(item);
  }
  /// repr() escapes some non-ASCII characters, but no quotes.
  void push_text(std::string_view text) { push({Item::text, text, is_quotable(text)}); }
  void push_other() { push({}); }
  std::size_t height() const { return stack_.size() - (marks_.empty() ? 0 : marks_.back()); }
  Item pop() {
    if (height() == 0) {
      set_fault("the pickle's stack is empty");
      return {};
    }
    const Item item = stack_.back();
    stack_.pop_back();
    return item;
  }
  Item top() {
    const Item item = pop();
    push(item);
    return item;
  }
  std::vector<Item> pop_mark() {
    if (marks_.empty()) {
      set_fault("expected a mark on the pickle's stack");
      return {};
    }
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<Item> items(first, stack_.end());
    stack_.erase(first, stack_.end());
    marks_.pop_back();
    return items;
  }
  std::vector<Item> pop_last(std::size_t count) {
    std::vector<Item> items(count);
    for (std::size_t i = count; i-- > 0;) items[i] = pop();
    return items;
  }
  void push_tuple(const std::vector<Item>& items) {
    hold(items);
    const bool is_plain = std::all_of(items.begin(), items.end(), [](const Item& i) { return i.is_plain; });
    Item tuple{items.empty() ? Item::empty_tuple : Item::other, {}, is_plain};
    if (!items.empty() && items[0].kind == Item::text) {
      tuple.kind = Item::tuple;
      tuple.name = items[0].name;
    }
    push(tuple);
  }

  void add_odd_key() {
    if (!scan_.odd_key) scan_.odd_key = now_.position;
  }
  /// Other code may call a dict class with keys that the scanner does not see, as _rebuild_from_type_v2()
  /// does.
  void hold(const std::vector<Item>& items) {
    if (std::any_of(items.begin(), items.end(), is_dict_class)) add_odd_key();
  }
  void set_items(const std::vector<Item>& items) {
    hold(items);
    for (std::size_t i = 0; i < items.size(); i += 2) {
      if (!items[i].is_plain) add_odd_key();
    }
  }
  void call(const Item& callee, bool has_arguments) {
    if (has_arguments && is_dict_class(callee)) add_odd_key();
    scan_.calls = scan_.calls || !scan_.fault;
    push_other();
  }
  void set_state() {
    hold({pop()});
    if (const Item target = top(); target.kind == Item::global) {
      add_danger(std::string(target.name.empty() ? "?" : target.name),
                 "loading it sets attributes of the class or function " + schemagen::quoted(target.name));
    }
    scan_.calls = scan_.calls || !scan_.fault;
  }

  void remember(std::optional<std::uint64_t> number) {
    if (!number) return set_fault("expected a memo index");
    take(sizeof(Item) + 64);  // a node of the map
    memo_[*number] = top();
  }
  void recall(std::optional<std::uint64_t> number) {
    const auto found = number ? memo_.find(*number) : memo_.end();
    if (found != memo_.end()) return push(found->second);
    set_fault("the pickle's memo has no such entry");
    push_other();
  }

  void add_danger(std::string what, std::string message) {
    add_to(scan_.dangers, std::move(what), std::move(message));
  }
  void add_to(std::vector<PickleDanger>& list, std::string what, std::string message) {
    if (list.size() >= kMaxDangers || !seen_.insert(what).second) return;
    take(what.size() + message.size() + sizeof(PickleDanger) + 64);
    list.push_back({std::move(what), std::move(message), now_.position});
  }

  std::string_view kept(std::string text) {
    take(text.size() + sizeof(std::string));
    return texts_.emplace_back(std::move(text));
  }

  void push_global(std::string name) {
    if (const std::optional<std::string> torchao = torchao_for(name)) {
      add_to(scan_.of_torchao, name,
             "loading it imports " + schemagen::quoted(name) + ", which needs " + *torchao);
    } else if (find_safe_global(name) == nullptr) {
      add_danger(name, "loading it imports " + schemagen::quoted(name) +
                           ", which torch.load with weights_only rejects");
    }
    push({Item::global, kept(std::move(name))});
  }
  void push_unknown_global(const std::string& why) {
    add_danger("?", "loading it imports " + why);
    push({Item::global, {}});
  }

  void push_stack_global() {
    const Item name = pop();
    const Item module = pop();
    if (name.kind != Item::text || module.kind != Item::text) {
      return push_unknown_global("a global whose name is computed while loading");
    }
    push_global(std::string(module.name) + "." + std::string(name.name));
  }

  void push_string(std::string_view literal) {
    if (literal.size() < 2 || literal.front() != literal.back()) return push_other();
    push_escaped(literal.substr(1, literal.size() - 2));
  }
  void push_escaped(std::string_view text) {
    if (text.find('\\') == text.npos) return push_text(text);
    std::optional<std::string> plain = without_escapes(text);
    plain ? push_text(kept(std::move(*plain))) : push_other();
  }

  void push_persistent(const Item& id) {
    if (id.kind != Item::tuple || id.name != "storage") {
      add_danger("persistent id",
                 "a persistent id does not name a storage: the loading code decides what runs");
    }
    push_other();
  }

  void step();

  std::string_view bytes_;
  schemagen::Limits limits_;
  schemagen::MemoryBudget budget_;
  PickleScan scan_;
  PickleInstruction now_;
  std::size_t frame_end_ = 0;
  std::vector<Item> stack_;
  std::vector<std::size_t> marks_;
  std::map<std::uint64_t, Item> memo_;
  std::deque<std::string> texts_;  // names that are not literally in the pickle
  std::set<std::string> seen_;
};

// NOLINTNEXTLINE(readability-function-size): one case per opcode
void PickleWalk::step() {
  switch (now_.opcode) {
    case PickleOpcode::PROTO:
      if (now_.number > 5) set_fault("unknown pickle protocol " + std::to_string(now_.number));
      return;
    case PickleOpcode::FRAME:
    case PickleOpcode::READONLY_BUFFER:
      return;
    case PickleOpcode::STRING:
      return push_string(now_.text);
    case PickleOpcode::UNICODE:
      return push_escaped(now_.text);
    case PickleOpcode::BINSTRING:
    case PickleOpcode::SHORT_BINSTRING:
    case PickleOpcode::BINUNICODE:
    case PickleOpcode::SHORT_BINUNICODE:
    case PickleOpcode::BINUNICODE8:
      return push_text(now_.text);
    case PickleOpcode::NONE:
    case PickleOpcode::NEWTRUE:
    case PickleOpcode::NEWFALSE:
    case PickleOpcode::INT:
    case PickleOpcode::BININT:
    case PickleOpcode::BININT1:
    case PickleOpcode::BININT2:
    case PickleOpcode::LONG:
    case PickleOpcode::LONG1:
    case PickleOpcode::LONG4:
    case PickleOpcode::FLOAT:
    case PickleOpcode::BINFLOAT:
      return push({Item::other, {}, true});
    case PickleOpcode::GLOBAL:
      return push_global(global_name(now_.text, now_.text2));
    case PickleOpcode::STACK_GLOBAL:
      return push_stack_global();
    case PickleOpcode::EXT1:
    case PickleOpcode::EXT2:
    case PickleOpcode::EXT4:
      return push_unknown_global("code " + std::to_string(now_.number) + " of the extension registry");
    case PickleOpcode::INST: {
      const std::vector<Item> arguments = pop_mark();
      push_global(global_name(now_.text, now_.text2));
      return call(pop(), !arguments.empty());
    }
    case PickleOpcode::OBJ: {
      const std::vector<Item> items = pop_mark();
      return call(items.empty() ? Item{} : items[0], items.size() > 1);
    }
    case PickleOpcode::REDUCE:
    case PickleOpcode::NEWOBJ:
    case PickleOpcode::NEWOBJ_EX: {
      const bool has_keywords = now_.opcode == PickleOpcode::NEWOBJ_EX;
      if (has_keywords) pop();
      const bool has_arguments = pop().kind != Item::empty_tuple || has_keywords;
      return call(pop(), has_arguments);
    }
    case PickleOpcode::BUILD:
      return set_state();
    case PickleOpcode::PERSID:
      return push_persistent({});
    case PickleOpcode::BINPERSID:
      return push_persistent(pop());
    case PickleOpcode::MARK:
      take(2 * sizeof(std::size_t));
      return marks_.push_back(stack_.size());
    case PickleOpcode::POP:
      if (height() == 0 && !marks_.empty()) return marks_.pop_back();
      pop();
      return;
    case PickleOpcode::POP_MARK:
      pop_mark();
      return;
    case PickleOpcode::STOP:
      pop();
      return;
    case PickleOpcode::DUP:
      return push(top());
    case PickleOpcode::APPEND:
      return hold({pop()});
    case PickleOpcode::APPENDS:
    case PickleOpcode::ADDITEMS:
      return hold(pop_mark());
    case PickleOpcode::SETITEM:
      return set_items(pop_last(2));
    case PickleOpcode::SETITEMS:
      return set_items(pop_mark());
    case PickleOpcode::EMPTY_TUPLE:
      return push_tuple({});
    case PickleOpcode::TUPLE:
      return push_tuple(pop_mark());
    case PickleOpcode::TUPLE1:
    case PickleOpcode::TUPLE2:
    case PickleOpcode::TUPLE3:
      return push_tuple(pop_last(static_cast<std::size_t>(now_.opcode) -
                                 static_cast<std::size_t>(PickleOpcode::TUPLE1) + 1));
    case PickleOpcode::DICT:
      set_items(pop_mark());
      return push_other();
    case PickleOpcode::LIST:
    case PickleOpcode::FROZENSET:
      hold(pop_mark());
      return push_other();
    case PickleOpcode::PUT:
      return remember(integer_of_text<std::uint64_t>(now_.text));
    case PickleOpcode::BINPUT:
    case PickleOpcode::LONG_BINPUT:
      return remember(now_.number);
    case PickleOpcode::MEMOIZE:
      return remember(memo_.size());
    case PickleOpcode::GET:
      return recall(integer_of_text<std::uint64_t>(now_.text));
    case PickleOpcode::BINGET:
    case PickleOpcode::LONG_BINGET:
      return recall(now_.number);
    default:
      push_other();  // bytes or an empty container
  }
}

}  // namespace

PickleScan scan_pickle(std::string_view bytes, const schemagen::Limits& limits) {
  return PickleWalk(bytes, limits).run();
}

}  // namespace pt2
