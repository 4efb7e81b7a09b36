#include "encoder/snapshot/config.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <span>

#include "base/failure.h"
#include "encoder/snapshot/config_values.h"
#include "encoder/snapshot/tensors.h"

namespace wordbreadth::encoder::snapshot {

namespace {

std::string names_in(const std::vector<Json>& list) {
    std::string names;
    for (const Json& name : std::span(list).first(std::min<std::size_t>(list.size(), 5)))
        names += (names.empty() ? "" : ", ") + base::in_quotes(name.text());
    return names.empty() ? "none" : names;
}

// "BertForMaskedLM", "BertModel".
std::optional<Architecture> architecture_named(const std::vector<Json>& names) {
    for (const Json& name : names) {
        if (name.text().starts_with("BertFor") || name.text() == "BertModel") return Architecture::bert;
        if (name.text().starts_with("ModernBertFor") || name.text() == "ModernBertModel")
            return Architecture::modernbert;
    }
    return std::nullopt;
}

bool has_all(const TensorSource& tensors, const std::string& prefix, std::span<const char* const> names) {
    return std::ranges::all_of(names, [&](const char* name) { return tensors.contains(prefix + name); });
}

constexpr std::array bert_tensors{"embeddings.word_embeddings.weight", "embeddings.token_type_embeddings.weight",
                                  "encoder.layer.0.attention.self.query.weight"};
constexpr std::array modernbert_tensors{"embeddings.tok_embeddings.weight", "layers.0.attn.Wqkv.weight"};

// RoBERTa has tensors of the same names, but counts positions otherwise; it is known by its single token type.
bool are_of_bert(const TensorSource& tensors) {
    for (const char* prefix : {"bert.", ""}) {
        if (!has_all(tensors, prefix, bert_tensors)) continue;
        const arrays::Shape types = tensors.shape(std::string(prefix) + bert_tensors[1]);
        return !types.empty() && types[0] > 1;
    }
    return false;
}

bool are_of_modernbert(const TensorSource& tensors) {
    return has_all(tensors, "model.", modernbert_tensors) || has_all(tensors, "", modernbert_tensors);
}

// Configurations of the first years have no model_type.
Architecture recognised(const std::string& folder, const Json& json) {
    const auto list = json.find("architectures");
    const std::vector<Json> names = list ? list->items() : std::vector<Json>();
    if (const auto named = architecture_named(names)) return *named;
    if (names.empty()) {
        const auto tensors = open_tensors(folder);
        if (are_of_bert(*tensors)) return Architecture::bert;
        if (are_of_modernbert(*tensors)) return Architecture::modernbert;
    }
    json.fail("has no \"model_type\"; looked for BERT or ModernBERT among its architectures, which are " +
              names_in(names) +
              (names.empty() ? ", and among the tensors, for \"" + std::string(bert_tensors[2]) + "\" or \"" +
                                   modernbert_tensors[1] + "\" with their like"
                             : "") +
              ": if the model is one of them, add \"model_type\": \"bert\" or \"modernbert\"");
}

Architecture architecture_of(const std::string& folder, const Json& json) {
    const auto type = json.find("model_type");
    if (!type) return recognised(folder, json);
    if (type->text() == "bert") return Architecture::bert;
    if (type->text() == "modernbert") return Architecture::modernbert;
    type->fail_expecting("\"bert\" or \"modernbert\", the architectures known here");
}

}  // namespace

ModelConfig read_config(const std::string& folder) {
    const std::string path = (std::filesystem::path(folder) / "config.json").string();
    const nlohmann::json file = read_json_file(path);
    const Json json(path, "", file);
    return architecture_of(folder, json) == Architecture::bert ? bert_config(json) : modernbert_config(json);
}

}  // namespace wordbreadth::encoder::snapshot
