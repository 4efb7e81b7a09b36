#include "encoder/snapshot/pickle.h"

#include "base/failure.h"
#include "encoder/snapshot/pickle_machine.h"

namespace wordbreadth::encoder::snapshot {

namespace {

using Kind = PickleValue::Kind;

[[noreturn]] void fail_tensor(const std::string& where) {
    base::fail(where, "is not described as torch describes a tensor; save the model again as model.safetensors");
}

std::uint64_t natural(const std::string& where, const PickleValue& value) {
    if (value.kind != Kind::integer || value.number < 0) fail_tensor(where);
    return static_cast<std::uint64_t>(value.number);
}

arrays::Shape naturals(const std::string& where, const PickleValue& value) {
    if (value.kind != Kind::tuple) fail_tensor(where);
    arrays::Shape numbers;
    for (const PickleValue* item : value.items) numbers.push_back(natural(where, *item));
    arrays::require_rank_within_limit(where, numbers);
    return numbers;
}

// The arguments of _rebuild_tensor_v2: storage, offset, shape, strides, and what concerns training only.
TorchTensor tensor_of(const std::string& where, const PickleValue& value) {
    const auto& arguments = value.items;
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

StateDict read_state_dict(const std::string& where, std::string_view bytes) {
    std::size_t at = 0;
    return read_state_dict(where, bytes, at);
}

StateDict read_state_dict(const std::string& where, std::string_view bytes, std::size_t& at) {
    PickleMachine machine(where, bytes, at);
    const PickleValue& root = machine.run();
    at = machine.position();
    if (root.kind != Kind::dictionary) base::fail(where, "is no dictionary of tensors; save the model's state_dict()");
    StateDict tensors;
    for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
        const PickleValue& key = *root.items[i];
        const PickleValue& value = *root.items[i + 1];
        if (key.kind != Kind::text || value.kind != Kind::tensor) continue;
        tensors.insert_or_assign(key.text, tensor_of(where + ":" + base::in_quotes(key.text), value));
    }
    return tensors;
}

std::vector<std::string> read_texts(const std::string& where, std::string_view bytes, std::size_t& at) {
    PickleMachine machine(where, bytes, at);
    const PickleValue& root = machine.run();
    at = machine.position();
    std::vector<std::string> texts;
    for (const PickleValue* item : root.items) texts.push_back(item->text);
    return texts;
}

void skip_pickle(const std::string& where, std::string_view bytes, std::size_t& at) {
    PickleMachine machine(where, bytes, at);
    (void)machine.run();
    at = machine.position();
}

}  // namespace wordbreadth::encoder::snapshot
