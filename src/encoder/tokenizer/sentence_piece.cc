// The models of sentencepiece: the fields of its protocol buffer that are needed, and what Python's transformers makes
// of them for each kind of model.
#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <tuple>

#include "base/failure.h"
#include "encoder/tokenizer/read.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

// A protocol buffer, field by field.
class Message {
  public:
    Message(const std::string& path, std::string_view bytes) : path_(path), bytes_(bytes) {}

    // Moves to the next field; false at the end.
    bool next() {
        if (bytes_.empty()) return false;
        const std::uint64_t key = variable();
        field_ = key >> 3;
        switch (key & 7) {
            case 0:
                number_ = variable();
                break;
            case 1:
                text_ = taken(8);
                break;
            case 2:
                text_ = taken(variable());
                break;
            case 5:
                text_ = taken(4);
                break;
            default:
                fail();
        }
        return true;
    }

    [[nodiscard]] std::uint64_t field() const { return field_; }
    [[nodiscard]] std::uint64_t number() const { return number_; }
    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] Message message() const { return {path_, text_}; }
    [[nodiscard]] float real() const {
        if (text_.size() != 4) fail();
        std::uint32_t bits = 0;
        std::memcpy(&bits, text_.data(), sizeof bits);
        return std::bit_cast<float>(bits);
    }

  private:
    [[noreturn]] void fail() const { base::fail(path_, "not a SentencePiece model; download the file again"); }

    std::uint64_t variable() {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(bytes_.front());
            bytes_.remove_prefix(1);
            value |= std::uint64_t{byte & 0x7FU} << shift;
            if (byte < 0x80) return value;
        }
        fail();
    }

    std::string_view taken(std::uint64_t size) {
        if (size > bytes_.size()) fail();
        const std::string_view text = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return text;
    }

    std::string path_;
    std::string_view bytes_;
    std::uint64_t field_ = 0;
    std::uint64_t number_ = 0;
    std::string_view text_;
};

struct SentencePiece {
    std::string text;
    double score = 0;
    std::uint64_t type = 1;  // 3: control, 4: defined by the user
};

struct SentencePieceModel {
    std::vector<SentencePiece> pieces;
    std::uint64_t type = 1;  // 1: Unigram, 2: BPE
    std::uint64_t unknown = 0;
    std::string charsmap;
};

SentencePiece read_piece(Message message) {
    SentencePiece piece;
    while (message.next()) {
        if (message.field() == 1) piece.text = message.text();
        if (message.field() == 2) piece.score = message.real();
        if (message.field() == 3) piece.type = message.number();
    }
    return piece;
}

SentencePieceModel read_sentence_piece(const std::string& path, const std::string& bytes) {
    SentencePieceModel model;
    for (Message file(path, bytes); file.next();) {
        if (file.field() == 1) {
            if (model.pieces.size() == limits::vocabulary) base::fail(path, "has more tokens than are accepted");
            model.pieces.push_back(read_piece(file.message()));
        } else if (file.field() == 2) {
            for (Message trainer = file.message(); trainer.next();) {
                if (trainer.field() == 3) model.type = trainer.number();
                if (trainer.field() == 40) model.unknown = trainer.number();
            }
        } else if (file.field() == 3) {
            for (Message normalizer = file.message(); normalizer.next();)
                if (normalizer.field() == 2) model.charsmap = normalizer.text();
        }
    }
    if (model.pieces.size() < 4) base::fail(path, "not a SentencePiece model: it has hardly any tokens");
    return model;
}

using Scores = std::vector<std::pair<std::string, double>>;

void append(Scores& scores, const SentencePieceModel& model, std::size_t from) {
    for (const SentencePiece& piece : std::span(model.pieces).subspan(from))
        scores.emplace_back(piece.text, piece.score);
}

Vocabulary vocabulary_of(const std::string& path, const Scores& scores) {
    Vocabulary vocabulary;
    vocabulary.reserve(scores.size());
    for (const auto& [token, score] : scores) vocabulary.add(path, token, std::ssize(vocabulary.ids()));
    return vocabulary;
}

// A model of sentencepiece has no list of merges: it is every way to put a token together from two others, the one with
// the higher score first. The order of the rest is that of transformers.
std::vector<std::pair<std::string, std::string>> merges_of(const Scores& scores, const Vocabulary& vocabulary) {
    struct Merge {
        double score;
        std::size_t left_length, right_length;
        std::string left, right;
    };
    std::vector<Merge> merges;
    for (const auto& [token, score] : scores) {
        const std::u32string text = to_utf32(token);
        std::vector<std::tuple<std::int32_t, std::int32_t, std::size_t, std::size_t>> ways;
        std::size_t at = 0;
        for (std::size_t i = 1; i < text.size(); ++i) {
            std::string skipped;
            append_utf8(skipped, text[i - 1]);
            at += skipped.size();
            const auto left = vocabulary.find(std::string_view(token).substr(0, at));
            const auto right = left ? vocabulary.find(std::string_view(token).substr(at)) : std::nullopt;
            if (right) ways.emplace_back(*left, *right, i, at);
        }
        std::ranges::sort(ways);
        for (const auto& [left, right, length, bytes] : ways)
            merges.push_back({score, length, text.size() - length, token.substr(0, bytes), token.substr(bytes)});
    }
    const auto order = [](const Merge& a, const Merge& b) {
        return std::tuple(b.score, b.left_length, b.right_length) < std::tuple(a.score, a.left_length, a.right_length);
    };
    std::ranges::stable_sort(merges, order);
    std::vector<std::pair<std::string, std::string>> pairs;
    for (Merge& merge : merges) pairs.emplace_back(std::move(merge.left), std::move(merge.right));
    return pairs;
}

// Tokens that are found in text as they are.
std::vector<AddedToken> added_of(const SentencePieceModel& model, const Vocabulary& vocabulary) {
    std::vector<AddedToken> added;
    for (const SentencePiece& piece : model.pieces) {
        const auto id = vocabulary.find(piece.text);
        if ((piece.type == 3 || piece.type == 4) && id && !piece.text.empty())
            added.push_back({.content = piece.text, .id = *id});
    }
    return added;
}

// Everything that the kinds of models share.
class Builder {
  public:
    Builder(const std::string& folder, const std::string& name, const JsonValue& configuration)
        : folder_(folder),
          path_((std::filesystem::path(folder) / name).string()),
          configuration_(configuration),
          model_(read_sentence_piece(path_, snapshot::read_text_file(path_))) {}

    Tokenizer xlm_roberta() {
        scores_ = {{"<s>", 0}, {"<pad>", 0}, {"</s>", 0}, {"<unk>", 0}};
        append(scores_, model_, 3);
        scores_.emplace_back("<mask>", 0);
        return fairseq({.content = "<mask>"});
    }

    Tokenizer camembert() {
        scores_ = {{"<s>NOTUSED", 0}, {"<pad>", 0}, {"</s>NOTUSED", 0}, {"<unk>", 0}, {"<unk>NOTUSED", -100}};
        append(scores_, model_, 1);
        scores_.emplace_back("<mask>", 0);
        return fairseq({.content = "<mask>", .lstrip = true});
    }

    Tokenizer deberta() {
        append(scores_, model_, 0);
        make_unigram(static_cast<std::int32_t>(std::min(model_.unknown, model_.pieces.size() - 1)));
        const SpecialTokens special = specials("[CLS]", "[SEP]", "[UNK]", "[PAD]", {.content = "[MASK]"});
        const std::string& mask = special.at("mask_token");
        if (!parts_.vocabulary.find(mask)) parts_.vocabulary.add(path_, mask, std::ssize(scores_));
        std::vector<Normalizer> steps;
        if (configuration_.boolean_or("do_lower_case", false)) steps.emplace_back(make_lowercase);
        steps.push_back(stripping(true, true));
        append_charsmap(steps);
        steps.push_back(replacing(Expression(path_, " {2,}"), " "));
        std::vector<Splitter> splitters;
        if (configuration_.boolean_or("split_by_punct", false))
            splitters.push_back(splitting_at_punctuation(Delimiter::isolated));
        splitters.push_back(metaspace_splitter({}));
        return assemble(special, std::move(steps), std::move(splitters));
    }

    Tokenizer llama() {
        append(scores_, model_, 0);
        parts_.vocabulary = vocabulary_of(path_, scores_);
        BytePairOptions options{.unknown = scores_[0].first, .fuse_unknown = true, .byte_fallback = true};
        options.merges = merges_of(scores_, parts_.vocabulary);
        parts_.model = byte_pair(path_, parts_.vocabulary, options);
        const SpecialTokens special = read_special_tokens(
            folder_, configuration_, {{"bos_token", {"<s>"}}, {"eos_token", {"</s>"}}, {"unk_token", {"<unk>"}}});
        if (configuration_.boolean_or("add_bos_token", true))
            parts_.frame.before = {parts_.vocabulary.require(path_, "bos_token", special.at("bos_token"))};
        if (configuration_.boolean_or("add_eos_token", false))
            parts_.frame.after = {parts_.vocabulary.require(path_, "eos_token", special.at("eos_token"))};
        if (!configuration_.boolean_or("legacy", true)) {
            parts_.splitter = metaspace_splitter({.prepend = MetaspaceOptions::Prepend::first, .split = false});
        } else {
            parts_.normalizer = in_order(
                std::vector<Normalizer>{prepending("\u2581"), replacing(Expression::of_literal(" "), "\u2581")});
        }
        return finish(special);
    }

  private:
    [[nodiscard]] SpecialTokens specials(const char* cls, const char* sep, const char* unknown, const char* pad,
                                         const AddedToken& mask) const {
        return read_special_tokens(folder_, configuration_,
                                   {{"cls_token", {cls}},
                                    {"sep_token", {sep}},
                                    {"unk_token", {unknown}},
                                    {"pad_token", {pad}},
                                    {"mask_token", mask}});
    }

    // As fairseq numbered them: some tokens of its own come first.
    Tokenizer fairseq(const AddedToken& mask) {
        constexpr std::int32_t unknown = 3;
        make_unigram(unknown);
        std::vector<Normalizer> steps;
        append_charsmap(steps);
        return assemble(specials("<s>", "</s>", "<unk>", "<pad>", mask), std::move(steps),
                        {split_at_white_space, metaspace_splitter({})});
    }

    void make_unigram(std::int32_t unknown) {
        if (model_.type != 1)
            base::fail(path_, "a SentencePiece model of type BPE; expected Unigram for this tokenizer");
        parts_.vocabulary = vocabulary_of(path_, scores_);
        parts_.model = unigram(parts_.vocabulary, {.scores = scores_, .unknown = unknown});
    }

    void append_charsmap(std::vector<Normalizer>& steps) const {
        if (!model_.charsmap.empty()) steps.push_back(precompiled(path_, model_.charsmap));
    }

    Tokenizer assemble(const SpecialTokens& special, std::vector<Normalizer> normalizers,
                       std::vector<Splitter> splitters) {
        parts_.normalizer = in_order(std::move(normalizers));
        parts_.splitter = in_order(std::move(splitters));
        parts_.frame = {{parts_.vocabulary.require(path_, "cls_token", special.at("cls_token"))},
                        {parts_.vocabulary.require(path_, "sep_token", special.at("sep_token"))}};
        return finish(special);
    }

    Tokenizer finish(const SpecialTokens& special) {
        auto added = read_added(folder_, configuration_, special, parts_.vocabulary);
        for (const AddedToken& token : added_of(model_, parts_.vocabulary)) {
            const bool is_listed = std::ranges::find(added, token.content, &AddedToken::content) != added.end();
            if (!is_listed) added.push_back(token);
        }
        return {path_, added, std::move(parts_)};
    }

    std::string folder_;
    std::string path_;
    const JsonValue& configuration_;
    SentencePieceModel model_;
    Scores scores_;
    Tokenizer::Parts parts_;
};

}  // namespace

Tokenizer load_sentence_piece(const std::string& folder, const std::string& name, const JsonValue& configuration,
                              const std::string& kind) {
    if (!configuration.boolean_or("add_prefix_space", true))
        configuration.at("add_prefix_space").fail_expecting("true, or a tokenizer.json: save a fast tokenizer");
    if (kind == "XLMRobertaTokenizer" || kind == "xlm-roberta")
        return Builder(folder, name, configuration).xlm_roberta();
    if (kind == "CamembertTokenizer" || kind == "camembert") return Builder(folder, name, configuration).camembert();
    if (kind == "DebertaV2Tokenizer" || kind == "deberta-v2") return Builder(folder, name, configuration).deberta();
    if (kind == "LlamaTokenizer" || kind == "llama") return Builder(folder, name, configuration).llama();
    base::fail(folder,
               "has " + base::in_quotes(name) + " of the tokenizer " + base::in_quotes(kind) +
                   ", which is not supported; expected XLM-RoBERTa's, CamemBERT's, DeBERTa's or Llama's: save a "
                   "fast tokenizer, which has a tokenizer.json");
}

}  // namespace wordbreadth::encoder::tokenizer
