#include "encoder/tokenizer/tokenizer_json.h"

#include <filesystem>

#include "base/failure.h"
#include "encoder/tokenizer/added_tokens_json.h"
#include "encoder/tokenizer/components_json.h"
#include "encoder/tokenizer/model_json.h"
#include "encoder/tokenizer/parts.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

void require_known_version(const snapshot::JsonValue& root) {
    const auto version = root.find("version");
    if (version && version->text() != "1.0") version->fail_expecting("\"1.0\"");
}

// Does `key` of tokenizer_config.json say otherwise than `name` of the normalizer? Python's transformers would then
// believe the one, and its tokenizers the other.
void require_agreement(const snapshot::JsonValue& configuration, const char* key, const snapshot::JsonValue& normalizer,
                       const char* name) {
    const auto configured = configuration.find(key);
    const auto used = normalizer.find(name);
    if (!configured || !used || configured->boolean() == used->boolean()) return;
    configured->fail(std::string(configured->boolean() ? "is true" : "is false") + " but " + used->where() +
                     " is not; make them agree");
}

void require_agreement(const snapshot::JsonValue& configuration, const snapshot::JsonValue& root) {
    const auto normalizer = root.find("normalizer");
    if (!normalizer || normalizer->text_or("type", "") != "BertNormalizer") return;
    require_agreement(configuration, "do_lower_case", *normalizer, "lowercase");
    require_agreement(configuration, "strip_accents", *normalizer, "strip_accents");
    require_agreement(configuration, "tokenize_chinese_chars", *normalizer, "handle_chinese_chars");
}

}  // namespace

Tokenizer load_tokenizer_json(const std::string& folder, const snapshot::JsonValue& configuration) {
    const std::string path = (std::filesystem::path(folder) / "tokenizer.json").string();
    const nlohmann::json json = snapshot::read_json_file(path);
    const snapshot::JsonValue root(path, "", json);
    require_known_version(root);
    require_agreement(configuration, root);

    Vocabulary vocabulary;
    ModelFromJson model = read_model(root.at("model"), vocabulary);
    auto splitter = read_splitter(root, model.kind);
    auto normalizer = read_normalizer(root.find("normalizer"));
    const auto added = read_added_tokens(root.find("added_tokens"), vocabulary);
    Frame frame = read_frame(root.find("post_processor"), vocabulary);
    AddedTokens raw(path, added, false, nullptr);
    AddedTokens normalized(path, added, true, normalizer.get());
    return Tokenizer({.added_raw = std::move(raw),
                      .normalizer = std::move(normalizer),
                      .added_normalized = std::move(normalized),
                      .splitter = std::move(splitter),
                      .model = std::move(model.model),
                      .frame = std::move(frame),
                      .vocabulary = std::move(vocabulary)});
}

}  // namespace wordbreadth::encoder::tokenizer
