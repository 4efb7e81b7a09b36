// What each opcode of a pickle does here. An opcode that is not in the table is refused: those that call things (INST,
// OBJ, NEWOBJ), that look names up (STACK_GLOBAL, EXT) and that nothing here needs.
#include "encoder/snapshot/pickle_machine.h"

namespace wordbreadth::encoder::snapshot {

const std::map<unsigned char, PickleMachine::Action>& PickleMachine::actions() {
    using Machine = PickleMachine;
    static const std::map<unsigned char, Action> table{
        {0x80, [](Machine& m) { m.require_protocol(m.take_number(1)); }},
        {'N', [](Machine& m) { m.push({}); }},
        {0x88,
         [](Machine& m) {
             m.push({Kind::boolean, 1, {}, {}});
         }},
        {0x89,
         [](Machine& m) {
             m.push({Kind::boolean, 0, {}, {}});
         }},
        {'K', [](Machine& m) { m.push_integer(m.take_number(1)); }},
        {'M', [](Machine& m) { m.push_integer(m.take_number(2)); }},
        {'J', [](Machine& m) { m.push_integer(m.take_number(4, Sign::highest_bit)); }},
        {0x8A, [](Machine& m) { m.push_integer(m.take_number(m.take_size(1), Sign::highest_bit)); }},
        {'X',
         [](Machine& m) {
             m.push({Kind::text, 0, std::string(m.take(m.take_size(4))), {}});
         }},
        {'c', [](Machine& m) { m.push_global(); }},

        {'(',
         [](Machine& m) {
             m.push({Kind::mark, 0, {}, {}});
         }},
        {'}',
         [](Machine& m) {
             m.push({Kind::dictionary, 0, {}, {}});
         }},
        {']',
         [](Machine& m) {
             m.push({Kind::list, 0, {}, {}});
         }},
        {'a', [](Machine& m) { m.append({m.pop()}); }},
        {'e', [](Machine& m) { m.append(m.pop_to_mark()); }},
        {')', [](Machine& m) { m.push_tuple(0); }},
        {0x85, [](Machine& m) { m.push_tuple(1); }},
        {0x86, [](Machine& m) { m.push_tuple(2); }},
        {0x87, [](Machine& m) { m.push_tuple(3); }},
        {'t',
         [](Machine& m) {
             m.push({Kind::tuple, 0, {}, m.pop_to_mark()});
         }},
        {'s', [](Machine& m) { m.set_item(); }},
        {'u', [](Machine& m) { m.set_items(m.pop_to_mark()); }},
        {'R', [](Machine& m) { m.reduce(); }},
        {'b', [](Machine& m) { m.build(); }},
        {'Q', [](Machine& m) { m.push_storage(); }},

        {'q', [](Machine& m) { m.keep(m.take_number(1)); }},
        {'r', [](Machine& m) { m.keep(m.take_number(4)); }},
        {'h', [](Machine& m) { m.fetch(m.take_number(1)); }},
        {'j', [](Machine& m) { m.fetch(m.take_number(4)); }},
    };
    return table;
}

}  // namespace wordbreadth::encoder::snapshot
