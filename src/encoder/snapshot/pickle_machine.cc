#include "encoder/snapshot/pickle_machine.h"

#include <algorithm>

#include "base/failure.h"

namespace wordbreadth::encoder::snapshot {

namespace {

constexpr std::string_view ordered_dictionary = "collections OrderedDict";
constexpr std::string_view rebuild_tensor = "torch._utils _rebuild_tensor_v2";

bool is_storage(std::string_view global) {
    return global.starts_with("torch ") && global.ends_with("Storage") && global.find('.') == std::string_view::npos;
}

}  // namespace

void PickleMachine::fail(const std::string& what) const {
    base::fail(where_, "at byte " + std::to_string(at_) + " " + what +
                           "; a model of this kind can be saved again as model.safetensors");
}

const PickleValue& PickleMachine::run() {
    while (step()) {
    }
    const PickleValue* result = pop();
    if (!stack_.empty()) fail("the pickle ends with values left over");
    return *result;
}

bool PickleMachine::step() {
    const auto opcode = static_cast<unsigned char>(take(1)[0]);
    if (opcode == '.') return false;
    const auto action = actions().find(opcode);
    if (action == actions().end()) {
        fail("there is the pickle opcode " + std::to_string(opcode) + ", which no plain state dict needs");
    }
    action->second(*this);
    return true;
}

std::string_view PickleMachine::take(std::size_t count) {
    if (count > bytes_.size() - at_) fail("the pickle is cut off");
    const std::string_view taken = bytes_.substr(at_, count);
    at_ += count;
    return taken;
}

std::int64_t PickleMachine::take_number(std::size_t bytes, Sign sign) {
    if (bytes > sizeof(std::int64_t)) fail("there is a number of " + std::to_string(bytes) + " bytes");
    const std::string_view raw = take(bytes);
    std::uint64_t number = 0;
    for (std::size_t i = raw.size(); i-- > 0;) number = number << 8 | static_cast<unsigned char>(raw[i]);
    const std::size_t unused = 64 - 8 * bytes;
    if (sign == Sign::highest_bit && unused < 64) return static_cast<std::int64_t>(number << unused) >> unused;
    return static_cast<std::int64_t>(number);
}

std::string_view PickleMachine::take_line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) fail("the pickle is cut off");
    const std::string_view line = take(end - at_);
    take(1);
    return line;
}

void PickleMachine::require_protocol(std::int64_t version) const {
    if (version != 2) fail("the pickle has protocol " + std::to_string(version) + "; expected 2");
}

PickleValue* PickleMachine::pop() {
    if (stack_.empty()) fail("the pickle takes a value where there is none");
    PickleValue* value = stack_.back();
    stack_.pop_back();
    return value;
}

PickleValue* PickleMachine::pop(Kind kind, const char* what) {
    PickleValue* value = pop();
    if (value->kind != kind) fail(std::string("the pickle has another value where ") + what + " was expected");
    return value;
}

std::vector<const PickleValue*> PickleMachine::pop_to_mark() {
    const auto mark = std::find_if(stack_.rbegin(), stack_.rend(),
                                   [](const PickleValue* value) { return value->kind == Kind::mark; });
    if (mark == stack_.rend()) fail("the pickle takes a group of values that was never begun");
    std::vector<const PickleValue*> items(mark.base(), stack_.end());
    stack_.erase(mark.base() - 1, stack_.end());
    return items;
}

void PickleMachine::push_global() {
    const std::string_view module = take_line();
    const std::string name = std::string(module) + " " + std::string(take_line());
    if (name != ordered_dictionary && name != rebuild_tensor && !is_storage(name)) {
        std::string shown = name;
        shown[module.size()] = '.';
        fail("the pickle calls for " + base::in_quotes(shown) +
             ", which no plain state dict needs and which is not run");
    }
    push({Kind::global, 0, name, {}});
}

void PickleMachine::push_tuple(std::size_t count) {
    std::vector<const PickleValue*> items(count);
    while (count-- > 0) items[count] = pop();
    push({Kind::tuple, 0, {}, std::move(items)});
}

// ("storage", torch.FloatStorage, key, device, number of values); before torch 1.6 also None, for no view.
void PickleMachine::push_storage() {
    const PickleValue* id = pop(Kind::tuple, "a storage");
    const auto is = [&](std::size_t i, Kind kind) { return id->items[i]->kind == kind; };
    const bool has_no_view = id->items.size() == 6 && is(5, Kind::none);
    if ((id->items.size() != 5 && !has_no_view) || !is(0, Kind::text) || !is(1, Kind::global) || !is(2, Kind::text) ||
        !is(4, Kind::integer) || id->items[0]->text != "storage" || !is_storage(id->items[1]->text)) {
        fail("the pickle has another reference than one to a storage");
    }
    push({Kind::storage, 0, {}, id->items});
}

void PickleMachine::set_item() {
    const PickleValue* value = pop();
    const PickleValue* key = pop();
    set_items({key, value});
}

void PickleMachine::set_items(const std::vector<const PickleValue*>& items) {
    if (stack_.empty() || stack_.back()->kind != Kind::dictionary || items.size() % 2 != 0) {
        fail("the pickle fills another thing than a dictionary");
    }
    auto& all = stack_.back()->items;
    all.insert(all.end(), items.begin(), items.end());
}

void PickleMachine::append(const std::vector<const PickleValue*>& items) {
    if (stack_.empty() || stack_.back()->kind != Kind::list) fail("the pickle fills another thing than a list");
    auto& all = stack_.back()->items;
    all.insert(all.end(), items.begin(), items.end());
}

void PickleMachine::reduce() {
    const PickleValue* arguments = pop(Kind::tuple, "a list of arguments");
    const PickleValue* made = pop(Kind::global, "a name");
    if (made->text == ordered_dictionary && arguments->items.empty()) return push({Kind::dictionary, 0, {}, {}});
    if (made->text == rebuild_tensor) return push({Kind::tensor, 0, {}, arguments->items});
    fail("the pickle calls " + base::in_quotes(made->text) + " in a way that no plain state dict does");
}

// An ordered dictionary's attributes: torch keeps the versions of modules there, which nobody needs here.
void PickleMachine::build() {
    pop(Kind::dictionary, "a dictionary of attributes");
    if (stack_.empty() || stack_.back()->kind != Kind::dictionary)
        fail("the pickle sets attributes of another thing than a dictionary");
}

void PickleMachine::keep(std::int64_t place) {
    if (stack_.empty()) fail("the pickle keeps a value where there is none");
    memo_[place] = stack_.back();
}

void PickleMachine::fetch(std::int64_t place) {
    const auto found = memo_.find(place);
    if (found == memo_.end()) fail("the pickle fetches a value that was never kept");
    stack_.push_back(found->second);
}

}  // namespace wordbreadth::encoder::snapshot
