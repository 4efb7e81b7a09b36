// tokenizer.json, the file of the library `tokenizers`: the model, and how everything is put together.
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/failure.h"
#include "encoder/tokenizer/read.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

// A model, and how many tokens it has: added ones are numbered from there on.
struct ReadModel {
    Model model;
    std::size_t size = 0;
};

ReadModel read_word_piece(const JsonValue& json, Vocabulary& vocabulary) {
    read_vocabulary(json.at("vocab"), vocabulary);
    const JsonValue longest = json.at("max_input_chars_per_word");
    if (longest.whole_number() < 0) longest.fail_expecting("a number that is not negative");
    const WordPieceOptions options{.unknown = json.at("unk_token").text(),
                                   .continuing_prefix = json.at("continuing_subword_prefix").text(),
                                   .max_input_chars_per_word = static_cast<std::size_t>(longest.whole_number())};
    return {word_piece(json.where(), vocabulary, options), vocabulary.ids().size()};
}

// Older files write "a b", newer ones ["a", "b"]. A vocabulary has hundreds of thousands: only what is wrong becomes a
// JsonValue, which knows its place.
std::pair<std::string, std::string> read_merge(const JsonValue& list, std::size_t index, const nlohmann::json& json) {
    const JsonValue value(list.path(), "model.merges." + std::to_string(index), json);
    if (json.is_string()) {
        auto merge = merge_in(json.get_ref<const std::string&>());
        if (!merge) value.fail_expecting("two tokens with a space between them");
        return std::move(*merge);
    }
    const auto items = value.items();
    if (items.size() != 2) value.fail_expecting("a list of two tokens");
    return {items[0].text(), items[1].text()};
}

std::vector<std::pair<std::string, std::string>> read_merges(const JsonValue& model) {
    const JsonValue list = model.at("merges");
    const nlohmann::json& merges_json = model.object().at("merges");
    if (!merges_json.is_array()) list.fail_expecting("a list");
    if (merges_json.size() > limits::vocabulary) {
        list.fail("has " + std::to_string(merges_json.size()) + " merges; at most " +
                  std::to_string(limits::vocabulary) + " are accepted");
    }
    std::vector<std::pair<std::string, std::string>> merges;
    merges.reserve(merges_json.size());
    for (std::size_t i = 0; i < merges_json.size(); ++i) {
        const nlohmann::json& item = merges_json[i];
        // The first line of old files.
        const bool is_version = item.is_string() && item.get_ref<const std::string&>().starts_with("#version");
        if (!is_version) merges.push_back(read_merge(list, i, item));
    }
    return merges;
}

ReadModel read_byte_pair(const JsonValue& json, Vocabulary& vocabulary) {
    read_vocabulary(json.at("vocab"), vocabulary);
    const auto dropout = json.find("dropout");
    if (dropout && !dropout->is_zero()) dropout->fail_expecting("no dropout: tokens must not be random");
    BytePairOptions options;
    options.merges = read_merges(json);
    if (const auto unknown = json.find("unk_token")) options.unknown = unknown->text();
    options.fuse_unknown = json.boolean_or("fuse_unk", false);
    options.ignore_merges = json.boolean_or("ignore_merges", false);
    options.byte_fallback = json.boolean_or("byte_fallback", false);
    options.continuing_prefix = json.text_or("continuing_subword_prefix", "");
    options.end_suffix = json.text_or("end_of_word_suffix", "");
    if (options.byte_fallback && !(options.continuing_prefix + options.end_suffix).empty())
        json.fail(
            "has byte_fallback with continuing_subword_prefix or end_of_word_suffix, which is not supported; "
            "expected one or the other: save the tokenizer without byte_fallback");
    return {byte_pair(json.where(), vocabulary, options), vocabulary.ids().size()};
}

// The number as the library reads it: its digits, and then one division or multiplication by a power of ten, which may
// be off by the last bit. Of two ways to cut a text with the same tokens in another order, such bits decide.
double as_the_library_reads(double exact) {
    std::array<char, 32> text{};
    const auto [end, error] = std::to_chars(text.begin(), text.end(), std::abs(exact), std::chars_format::scientific);
    const std::string_view shortest(text.data(), static_cast<std::size_t>(end - text.data()));
    const std::size_t mark = shortest.find('e');
    std::uint64_t digits = 0;
    int exponent = 0;
    for (const char c : shortest.substr(0, mark)) {
        if (c != '.') digits = 10 * digits + static_cast<std::uint64_t>(c - '0');
    }
    const bool plus = shortest[mark + 1] == '+';
    std::from_chars(shortest.data() + mark + (plus ? 2 : 1), shortest.data() + shortest.size(), exponent);
    exponent -= mark > 2 ? static_cast<int>(mark) - 2 : 0;  // the digits behind the point
    double power = 1;
    const std::string spelled = "1e" + std::to_string(std::min(std::abs(exponent), 308));
    std::from_chars(spelled.data(), spelled.data() + spelled.size(), power);
    const auto value = static_cast<double>(digits);
    return std::copysign(exponent < 0 ? value / power : value * power, exact);
}

// ["token", score]
std::pair<std::string, double> read_score(const JsonValue& list, std::size_t index, const nlohmann::json& json) {
    if (json.is_array() && json.size() == 2 && json[0].is_string() && json[1].is_number())
        return {json[0].get<std::string>(), as_the_library_reads(json[1].get<double>())};
    JsonValue(list.path(), "model.vocab." + std::to_string(index), json).fail_expecting("a token and its score");
}

std::optional<std::int32_t> read_unknown(const JsonValue& json, std::size_t tokens) {
    const auto unknown = json.find("unk_id");
    if (!unknown) return std::nullopt;
    const std::int64_t id = unknown->whole_number();
    if (id < 0 || std::cmp_greater_equal(id, tokens))
        unknown->fail_expecting("the number of a token, 0 to " + std::to_string(std::max<std::size_t>(tokens, 1) - 1));
    return static_cast<std::int32_t>(id);
}

ReadModel read_unigram(const JsonValue& json, Vocabulary& vocabulary) {
    const JsonValue list = json.at("vocab");
    const nlohmann::json& tokens = json.object().at("vocab");
    if (!tokens.is_array()) list.fail_expecting("a list of tokens and their scores");
    UnigramOptions options;
    options.scores.reserve(tokens.size());
    vocabulary.reserve(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        options.scores.push_back(read_score(list, i, tokens[i]));
        vocabulary.add(list.where(), options.scores.back().first, static_cast<std::int64_t>(i));
    }
    options.unknown = read_unknown(json, tokens.size());
    options.byte_fallback = json.boolean_or("byte_fallback", false);
    return {unigram(vocabulary, options), tokens.size()};
}

ReadModel read_model(const JsonValue& json, Vocabulary& vocabulary) {
    // Old files do not say which they are.
    const auto vocabulary_json = json.find("vocab");
    const bool is_list = vocabulary_json && !vocabulary_json->is_object();
    const std::string type = json.text_or("type", json.find("merges") ? "BPE" : is_list ? "Unigram" : "WordPiece");
    if (type == "WordPiece") return read_word_piece(json, vocabulary);
    if (type == "BPE") return read_byte_pair(json, vocabulary);
    if (type == "Unigram") return read_unigram(json, vocabulary);
    json.fail("is of type " + base::in_quotes(type) + ", which is not supported; expected WordPiece, BPE or Unigram");
}

// Where tokenizer_config.json and the normalizer disagree, Python's transformers would believe the one, and its
// tokenizers the other.
void require_agreement(const JsonValue& configuration, const JsonValue& root) {
    const auto normalizer = root.find("normalizer");
    if (!normalizer || normalizer->text_or("type", "") != "BertNormalizer") return;
    for (const auto& [key, name] : {std::pair{"do_lower_case", "lowercase"},
                                    {"strip_accents", "strip_accents"},
                                    {"tokenize_chinese_chars", "handle_chinese_chars"}}) {
        const auto configured = configuration.find(key);
        const auto used = normalizer->find(name);
        if (!configured || !used || configured->boolean() == used->boolean()) continue;
        configured->fail(std::string(configured->boolean() ? "is true" : "is false") + " but " + used->where() +
                         " is not; make them agree");
    }
}

}  // namespace

void fail_unknown_type(const JsonValue& json, const std::string& known) {
    json.fail("is of type " + base::in_quotes(json.at("type").text()) + ", which is not supported; expected " + known);
}

Tokenizer load_tokenizer_json(const std::string& folder, const JsonValue& configuration) {
    const std::string path = (std::filesystem::path(folder) / "tokenizer.json").string();
    const nlohmann::json json = snapshot::read_json_file(path);
    const JsonValue root(path, "", json);
    const auto version = root.find("version");
    if (version && version->text() != "1.0") version->fail_expecting("\"1.0\"");
    require_agreement(configuration, root);

    Vocabulary vocabulary;
    ReadModel model = read_model(root.at("model"), vocabulary);
    const auto normalizer = root.find("normalizer");
    const auto splitter = root.find("pre_tokenizer");
    Normalizer normalize = normalizer ? read_normalizer(*normalizer) : Normalizer();
    Splitter split = splitter ? read_splitter(*splitter) : Splitter();
    const auto added = read_added_tokens(root.find("added_tokens"), vocabulary, model.size);
    const auto post_json = root.find("post_processor");
    PostProcessing post = post_json ? read_post_processing(*post_json, vocabulary) : PostProcessing();
    return {path,
            added,
            {.normalizer = std::move(normalize),
             .splitter = std::move(split),
             .model = std::move(model.model),
             .frame = std::move(post.frame),
             .trims = std::move(post.trims),
             .vocabulary = std::move(vocabulary)}};
}

}  // namespace wordbreadth::encoder::tokenizer
