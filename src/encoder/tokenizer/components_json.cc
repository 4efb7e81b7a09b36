#include "encoder/tokenizer/components_json.h"

#include "base/failure.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

std::unique_ptr<Normalizer> read_bert_normalizer(const snapshot::JsonValue& json) {
    const bool lowercase = json.at("lowercase").boolean();
    return std::make_unique<BertNormalizer>(
        BertCleaning{.clean_text = json.at("clean_text").boolean(),
                     .handle_chinese_chars = json.at("handle_chinese_chars").boolean(),
                     .strip_accents = json.boolean_or("strip_accents", lowercase),
                     .lowercase = lowercase});
}

std::unique_ptr<Normalizer> read_sequence(const snapshot::JsonValue& json) {
    std::vector<std::unique_ptr<Normalizer>> steps;
    for (const snapshot::JsonValue& item : json.at("normalizers").items()) steps.push_back(read_normalizer(item));
    return std::make_unique<NormalizerSequence>(std::move(steps));
}

std::unique_ptr<Normalizer> normal_form(Decomposition decomposition, bool composed) {
    return std::make_unique<NormalFormNormalizer>(NormalForm(decomposition, composed, library_normal_forms));
}

}  // namespace

void fail_unknown_type(const snapshot::JsonValue& json, const std::string& known) {
    json.fail("is of type " + base::in_quotes(json.at("type").text()) + ", which is not known here; expected " + known);
}

std::unique_ptr<Normalizer> read_normalizer(const std::optional<snapshot::JsonValue>& json) {
    if (!json) return nullptr;
    const std::string& type = json->at("type").text();
    if (type == "BertNormalizer") return read_bert_normalizer(*json);
    if (type == "Sequence") return read_sequence(*json);
    if (type == "Lowercase") return std::make_unique<LowercaseNormalizer>();
    if (type == "NFC") return normal_form(Decomposition::canonical, true);
    if (type == "NFD") return normal_form(Decomposition::canonical, false);
    if (type == "NFKC") return normal_form(Decomposition::compatible, true);
    if (type == "NFKD") return normal_form(Decomposition::compatible, false);
    fail_unknown_type(*json, "BertNormalizer, Lowercase, NFC, NFD, NFKC, NFKD or a Sequence of them");
}

std::unique_ptr<Splitter> read_splitter(const snapshot::JsonValue& root, ModelKind kind) {
    const bool bytes = kind == ModelKind::byte_pair;
    const std::string expected = bytes ? "ByteLevel" : "BertPreTokenizer";
    const auto json = root.find("pre_tokenizer");
    if (!json) root.fail("has no pre_tokenizer; expected " + expected + ", to go with the model");
    if (json->at("type").text() != expected) fail_unknown_type(*json, expected + ", to go with the model");
    if (!bytes) return std::make_unique<BertSplitter>();
    return std::make_unique<ByteLevelSplitter>(ByteLevelOptions{
        .add_prefix_space = json->at("add_prefix_space").boolean(), .use_regex = json->boolean_or("use_regex", true)});
}

}  // namespace wordbreadth::encoder::tokenizer
