// The list of architectures, and which of them a snapshot is of.
#include "encoder/snapshot/architecture.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <vector>

#include "base/failure.h"
#include "encoder/snapshot/architectures/architectures.h"
#include "encoder/snapshot/tensors.h"

namespace wordbreadth::encoder::snapshot {

namespace {

// Where tensors alone tell, the first that they fit is taken.
constexpr std::array all_architectures{&electra, &bert,       &roberta, &xlm_roberta, &camembert, &distilbert, &mpnet,
                                       &deberta, &modernbert, &gpt2,    &llama,       &qwen2,     &qwen3};

std::string known_types() {
    std::vector<std::string_view> types;
    for (const Architecture* one : all_architectures) types.push_back(one->type);
    std::ranges::sort(types);
    return base::joined(types, ", ", std::identity());
}

// "BertForMaskedLM", "BertModel", "GPT2LMHeadModel".
bool is_of(std::string_view family, std::string_view name) {
    if (!name.starts_with(family)) return false;
    const std::string_view head = name.substr(family.size());
    return head.starts_with("For") || head == "Model" || head == "LMHeadModel" || head == "DoubleHeadsModel";
}

const Architecture* named(const std::vector<JsonValue>& names) {
    for (const JsonValue& name : names)
        for (const Architecture* one : all_architectures)
            if (is_of(one->family, name.text())) return one;
    return nullptr;
}

bool fits(const Architecture& architecture, const TensorSource& source, std::string_view prefix) {
    const auto tensor_of = [&](std::string_view name) { return std::string(prefix) + std::string(name); };
    if (architecture.telling.empty()) return false;
    if (!std::ranges::all_of(architecture.telling, [&](auto name) { return source.contains(tensor_of(name)); }))
        return false;
    if (architecture.telling_types == Architecture::TokenTypes::any) return true;
    const arrays::Shape& types = source.tensors.at(tensor_of(architecture.tensors.types) + ".weight").shape;
    return !types.empty() && (types[0] > 1) == (architecture.telling_types == Architecture::TokenTypes::several);
}

const Architecture* seen(const TensorSource& source) {
    for (const Architecture* one : all_architectures)
        if (fits(*one, source, one->tensors.prefix) || fits(*one, source, "")) return one;
    return nullptr;
}

// Configurations of the first years have no model_type.
const Architecture& recognised(const std::string& folder, const JsonValue& json) {
    const auto list = json.find("architectures");
    const std::vector<JsonValue> names = list ? list->items() : std::vector<JsonValue>();
    if (const Architecture* architecture = named(names)) return *architecture;
    if (names.empty())
        if (const Architecture* architecture = seen(open_tensors(folder))) return *architecture;
    const auto first_names = std::span(names).first(std::min<std::size_t>(names.size(), 5));
    const auto quoted = [](const JsonValue& name) { return base::in_quotes(name.text()); };
    const std::string looked_at = names.empty()
                                      ? "it has no \"architectures\", and its tensors are not those of a model"
                                      : "its architectures, " + base::joined(first_names, ", ", quoted) + ", are not";
    json.fail("has no \"model_type\"; " + looked_at +
              " supported here: if the model is one of these, add \"model_type\" with its name: " + known_types());
}

}  // namespace

std::span<const Architecture* const> architectures() {
    return all_architectures;
}

const Architecture& architecture_of(const std::string& folder, const JsonValue& config) {
    const auto type = config.find("model_type");
    if (!type) return recognised(folder, config);
    for (const Architecture* one : all_architectures)
        if (type->text() == one->type) return *one;
    type->fail_expecting("one of the architectures supported here: " + known_types());
}

ModelConfig read_config(const std::string& folder) {
    const std::string path = (std::filesystem::path(folder) / "config.json").string();
    const nlohmann::json file = read_json_file(path);
    const JsonValue json(path, "", file);
    const Architecture& architecture = architecture_of(folder, json);
    ModelConfig config = architecture.read(ConfigFile(json));
    config.architecture = &architecture;
    return config;
}

}  // namespace wordbreadth::encoder::snapshot
