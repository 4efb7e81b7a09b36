// The stack machine that a pickle is a program for, cut down to what state dicts need.
// https://github.com/python/cpython/blob/main/Lib/pickletools.py describes the opcodes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "encoder/snapshot/pickle_value.h"

namespace wordbreadth::encoder::snapshot {

class PickleMachine {
  public:
    // `where` and `bytes` must outlive the machine. The pickle starts at byte `at`.
    PickleMachine(const std::string& where, std::string_view bytes, std::size_t at = 0)
        : where_(where), bytes_(bytes), at_(at) {}

    // The one value that is left at the end; the machine owns it. Throws InputError.
    const PickleValue& run();

    // Behind what was run.
    [[nodiscard]] std::size_t position() const { return at_; }

  private:
    using Kind = PickleValue::Kind;
    enum class Sign { none, highest_bit };

    [[noreturn]] void fail(const std::string& what) const;
    bool step();  // false at the end
    using Action = void (*)(PickleMachine& machine);
    static const std::map<unsigned char, Action>& actions();  // by opcode: all that can be done

    std::string_view take(std::size_t count);
    std::int64_t take_number(std::size_t bytes, Sign sign = Sign::none);
    std::size_t take_size(std::size_t bytes) { return static_cast<std::size_t>(take_number(bytes)); }
    std::string_view take_line();

    void push(PickleValue value) { stack_.push_back(values_.make(std::move(value))); }
    PickleValue* pop();
    PickleValue* pop(Kind kind, const char* what);
    std::vector<const PickleValue*> pop_to_mark();

    void push_integer(std::int64_t number) { push({Kind::integer, number, {}, {}}); }
    void require_protocol(std::int64_t version) const;
    void push_global();
    void push_tuple(std::size_t count);
    void push_storage();
    void set_item();
    void set_items(const std::vector<const PickleValue*>& items);
    void append(const std::vector<const PickleValue*>& items);
    void reduce();
    void build();
    void keep(std::int64_t place);
    void fetch(std::int64_t place);

    const std::string& where_;
    std::string_view bytes_;
    std::size_t at_;
    PickleValues values_;
    std::vector<PickleValue*> stack_;
    std::map<std::int64_t, PickleValue*> memo_;
};

}  // namespace wordbreadth::encoder::snapshot
