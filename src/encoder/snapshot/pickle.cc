#include "encoder/snapshot/pickle.h"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "base/failure.h"

namespace wordbreadth::encoder::snapshot {

namespace {

constexpr std::string_view ordered_dictionary = "collections OrderedDict";
constexpr std::string_view rebuild_tensor = "torch._utils _rebuild_tensor_v2";

bool is_storage(std::string_view global) {
    return global.starts_with("torch ") && global.ends_with("Storage") && global.find('.') == std::string_view::npos;
}

enum class Kind { none, mark, boolean, integer, text, tuple, list, dictionary, global, storage, tensor };

struct Value;
using Items = std::vector<const Value*>;

struct Value {
    Kind kind = Kind::none;
    std::int64_t number = 0;
    std::string text = {};  // of a text; of a global: "module name"
    Items items = {};       // of a dictionary: key, value, key, value; of what was made: its arguments
};

// The stack machine that a pickle is a program for, cut down to what state dicts need.
// https://github.com/python/cpython/blob/main/Lib/pickletools.py describes the opcodes.
class Machine {
  public:
    // `where` and `bytes` must outlive the machine. The pickle starts at byte `at`.
    Machine(const std::string& where, std::string_view bytes, std::size_t at) : where_(where), bytes_(bytes), at_(at) {}

    // The one value that is left at the end; the machine owns it. `at` moves behind what was run. Throws InputError.
    const Value& run(std::size_t& at) {
        for (auto code = take_byte(); code != '.'; code = take_byte()) step(code);
        at = at_;
        const Value* result = pop();
        if (!stack_.empty()) fail("the pickle ends with values left over");
        return *result;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        base::fail(where_, "at byte " + std::to_string(at_) + " " + what +
                               "; a model of this kind can be saved again as model.safetensors");
    }

    struct Opcode {
        unsigned char code;
        void (*run)(Machine& machine);
    };

    // What each opcode does here. The others are refused: those that call things (INST, OBJ, NEWOBJ), that look names
    // up (STACK_GLOBAL, EXT) and that nothing here needs.
    void step(unsigned char code) {
        static constexpr auto known = std::to_array<Opcode>({
            {0x80, [](Machine& m) { m.require_protocol(m.take_number(1)); }},
            {'N', [](Machine& m) { m.push({}); }},
            {0x88, [](Machine& m) { m.push({.kind = Kind::boolean, .number = 1}); }},
            {0x89, [](Machine& m) { m.push({.kind = Kind::boolean, .number = 0}); }},
            {'K', [](Machine& m) { m.push_integer(m.take_number(1)); }},
            {'M', [](Machine& m) { m.push_integer(m.take_number(2)); }},
            {'J', [](Machine& m) { m.push_integer(m.take_signed(4)); }},
            {0x8A, [](Machine& m) { m.push_integer(m.take_signed(m.take_size(1))); }},
            {'X', [](Machine& m) { m.push({.kind = Kind::text, .text = std::string(m.take(m.take_size(4)))}); }},
            {'c', [](Machine& m) { m.push_global(); }},
            {'(', [](Machine& m) { m.push({.kind = Kind::mark}); }},
            {'}', [](Machine& m) { m.push({.kind = Kind::dictionary}); }},
            {']', [](Machine& m) { m.push({.kind = Kind::list}); }},
            {'a', [](Machine& m) { m.extend(Kind::list, m.pop_some(1)); }},
            {'e', [](Machine& m) { m.extend(Kind::list, m.pop_to_mark()); }},
            {')', [](Machine& m) { m.push({.kind = Kind::tuple}); }},
            {0x85, [](Machine& m) { m.push({.kind = Kind::tuple, .items = m.pop_some(1)}); }},
            {0x86, [](Machine& m) { m.push({.kind = Kind::tuple, .items = m.pop_some(2)}); }},
            {0x87, [](Machine& m) { m.push({.kind = Kind::tuple, .items = m.pop_some(3)}); }},
            {'t', [](Machine& m) { m.push({.kind = Kind::tuple, .items = m.pop_to_mark()}); }},
            {'s', [](Machine& m) { m.extend(Kind::dictionary, m.pop_some(2)); }},
            {'u', [](Machine& m) { m.extend(Kind::dictionary, m.pop_to_mark()); }},
            {'R', [](Machine& m) { m.reduce(); }},
            {'b', [](Machine& m) { m.build(); }},
            {'Q', [](Machine& m) { m.push_storage(); }},
            {'q', [](Machine& m) { m.keep(m.take_number(1)); }},
            {'r', [](Machine& m) { m.keep(m.take_number(4)); }},
            {'h', [](Machine& m) { m.fetch(m.take_number(1)); }},
            {'j', [](Machine& m) { m.fetch(m.take_number(4)); }},
        });
        const auto* const found = std::ranges::find(known, code, &Opcode::code);
        if (found == known.end())
            fail("there is the pickle opcode " + std::to_string(code) + ", which no plain state dict needs");
        found->run(*this);
    }

    std::string_view take(std::size_t count) {
        if (count > bytes_.size() - at_) fail("the pickle is cut off");
        const std::string_view taken = bytes_.substr(at_, count);
        at_ += count;
        return taken;
    }

    unsigned char take_byte() { return static_cast<unsigned char>(take(1)[0]); }

    std::int64_t take_number(std::size_t bytes) {
        if (bytes > sizeof(std::int64_t)) fail("there is a number of " + std::to_string(bytes) + " bytes");
        const std::string_view raw = take(bytes);
        std::uint64_t number = 0;
        for (std::size_t i = raw.size(); i-- > 0;) number = number << 8 | static_cast<unsigned char>(raw[i]);
        return static_cast<std::int64_t>(number);
    }

    // The highest bit is the sign.
    std::int64_t take_signed(std::size_t bytes) {
        const auto number = static_cast<std::uint64_t>(take_number(bytes));
        const std::size_t unused = 64 - 8 * bytes;
        return unused < 64 ? static_cast<std::int64_t>(number << unused) >> unused : 0;
    }

    std::size_t take_size(std::size_t bytes) { return static_cast<std::size_t>(take_number(bytes)); }

    std::string_view take_line() {
        const std::size_t end = bytes_.find('\n', at_);
        if (end == std::string_view::npos) fail("the pickle is cut off");
        const std::string_view line = take(end - at_);
        take(1);
        return line;
    }

    void require_protocol(std::int64_t version) const {
        if (version != 2) fail("the pickle has protocol " + std::to_string(version) + "; expected 2");
    }

    void push(Value value) { stack_.push_back(&values_.emplace_back(std::move(value))); }
    void push_integer(std::int64_t number) { push({.kind = Kind::integer, .number = number}); }

    Value* pop() {
        if (stack_.empty()) fail("the pickle takes a value where there is none");
        Value* value = stack_.back();
        stack_.pop_back();
        return value;
    }

    Value* pop(Kind kind, const char* what) {
        Value* value = pop();
        if (value->kind != kind) fail(std::string("the pickle has a different value where ") + what + " was expected");
        return value;
    }

    Items pop_some(std::size_t count) {
        Items items(count);
        while (count-- > 0) items[count] = pop();
        return items;
    }

    Items pop_to_mark() {
        const auto mark =
            std::find_if(stack_.rbegin(), stack_.rend(), [](const Value* value) { return value->kind == Kind::mark; });
        if (mark == stack_.rend()) fail("the pickle takes a group of values that was never begun");
        Items items(mark.base(), stack_.end());
        stack_.erase(mark.base() - 1, stack_.end());
        return items;
    }

    void push_global() {
        const std::string_view module = take_line();
        const std::string name = std::string(module) + " " + std::string(take_line());
        if (name != ordered_dictionary && name != rebuild_tensor && !is_storage(name)) {
            std::string shown = name;
            shown[module.size()] = '.';
            fail("the pickle calls for " + base::in_quotes(shown) +
                 ", which no plain state dict needs and which is not run");
        }
        push({.kind = Kind::global, .text = name});
    }

    // ("storage", torch.FloatStorage, key, device, number of values); before torch 1.6 also None, for no view.
    void push_storage() {
        const Value* id = pop(Kind::tuple, "a storage");
        const auto is = [&](std::size_t i, Kind kind) { return id->items[i]->kind == kind; };
        const bool has_no_view = id->items.size() == 6 && is(5, Kind::none);
        if ((id->items.size() != 5 && !has_no_view) || !is(0, Kind::text) || !is(1, Kind::global) ||
            !is(2, Kind::text) || !is(4, Kind::integer) || id->items[0]->text != "storage" ||
            !is_storage(id->items[1]->text)) {
            fail("the pickle has a reference to something other than a storage");
        }
        push({.kind = Kind::storage, .items = id->items});
    }

    void extend(Kind kind, const Items& items) {
        const bool pairs = kind == Kind::dictionary;
        if (stack_.empty() || stack_.back()->kind != kind || (pairs && items.size() % 2 != 0))
            fail(std::string("the pickle fills something other than a ") + (pairs ? "dictionary" : "list"));
        auto& all = stack_.back()->items;
        all.insert(all.end(), items.begin(), items.end());
    }

    void reduce() {
        const Value* arguments = pop(Kind::tuple, "a list of arguments");
        const Value* made = pop(Kind::global, "a name");
        if (made->text == ordered_dictionary && arguments->items.empty()) return push({.kind = Kind::dictionary});
        if (made->text == rebuild_tensor) return push({.kind = Kind::tensor, .items = arguments->items});
        fail("the pickle calls " + base::in_quotes(made->text) + " in a way that no plain state dict does");
    }

    // An ordered dictionary's attributes: torch keeps the versions of modules there, which are not needed here.
    void build() {
        pop(Kind::dictionary, "a dictionary of attributes");
        if (stack_.empty() || stack_.back()->kind != Kind::dictionary)
            fail("the pickle sets attributes of something other than a dictionary");
    }

    void keep(std::int64_t place) {
        if (stack_.empty()) fail("the pickle keeps a value where there is none");
        memo_[place] = stack_.back();
    }

    void fetch(std::int64_t place) {
        const auto found = memo_.find(place);
        if (found == memo_.end()) fail("the pickle fetches a value that was never kept");
        stack_.push_back(found->second);
    }

    const std::string& where_;
    std::string_view bytes_;
    std::size_t at_;
    // They point to each other freely, in circles too if the file says so: nothing that recurses ever walks over them.
    std::deque<Value> values_;
    std::vector<Value*> stack_;
    std::map<std::int64_t, Value*> memo_;
};

[[noreturn]] void fail_tensor(const std::string& where) {
    base::fail(where, "is not described as torch describes a tensor; save the model again as model.safetensors");
}

std::uint64_t natural(const std::string& where, const Value& value) {
    if (value.kind != Kind::integer || value.number < 0) fail_tensor(where);
    return static_cast<std::uint64_t>(value.number);
}

arrays::Shape naturals(const std::string& where, const Value& value) {
    if (value.kind != Kind::tuple) fail_tensor(where);
    arrays::Shape numbers;
    for (const Value* item : value.items) numbers.push_back(natural(where, *item));
    arrays::require_rank_within_limit(where, numbers);
    return numbers;
}

// The arguments of _rebuild_tensor_v2: storage, offset, shape, strides, and what concerns training only.
TorchTensor tensor_of(const std::string& where, const Value& value) {
    const Items& arguments = value.items;
    if (arguments.size() < 4 || arguments[0]->kind != Kind::storage) fail_tensor(where);
    const auto& storage = arguments[0]->items;
    TorchTensor tensor{.storage = storage[2]->text,
                       .storage_type = storage[1]->text.substr(storage[1]->text.find(' ') + 1),
                       .offset = natural(where, *arguments[1]),
                       .shape = naturals(where, *arguments[2]),
                       .strides = naturals(where, *arguments[3])};
    if (tensor.shape.size() != tensor.strides.size()) fail_tensor(where);
    return tensor;
}

}  // namespace

StateDict read_state_dict(const std::string& where, std::string_view bytes, std::size_t& at) {
    Machine machine(where, bytes, at);
    const Value& root = machine.run(at);
    if (root.kind != Kind::dictionary)
        base::fail(where, "is not a dictionary of tensors; save the model's state_dict()");
    StateDict tensors;
    for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
        const Value& key = *root.items[i];
        const Value& value = *root.items[i + 1];
        if (key.kind != Kind::text || value.kind != Kind::tensor) continue;
        tensors.insert_or_assign(key.text, tensor_of(where + ":" + base::in_quotes(key.text), value));
    }
    return tensors;
}

std::vector<std::string> read_texts(const std::string& where, std::string_view bytes, std::size_t& at) {
    Machine machine(where, bytes, at);
    std::vector<std::string> texts;
    for (const Value* item : machine.run(at).items) texts.push_back(item->text);
    return texts;
}

void skip_pickle(const std::string& where, std::string_view bytes, std::size_t& at) {
    (void)Machine(where, bytes, at).run(at);
}

}  // namespace wordbreadth::encoder::snapshot
