// Japanese words.
#include <mecab.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <span>

#include "base/failure.h"
#include "encoder/tokenizer/parts.h"
#include "wordbreadth/error.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

using Text = std::span<const Character>;

void require_dictionary_files(const std::string& dictionary) {
    if (dictionary.empty()) {
        throw InputError(
            "this tokenizer splits words with MeCab, which needs a dictionary; name the folder of one, such as the "
            "dicdir of unidic-lite");
    }
    for (const char* name : {"sys.dic", "matrix.bin", "char.bin", "unk.dic", "dicrc"}) {
        const std::filesystem::path file = std::filesystem::path(dictionary) / name;
        if (std::filesystem::is_regular_file(file)) continue;
        base::fail(dictionary, "no MeCab dictionary: " + base::in_quotes(name) +
                                   " is missing; name the folder of a compiled one, such as the dicdir of unidic-lite");
    }
}

std::string spelled_in_utf8(const Characters& text, std::vector<std::size_t>& character_at) {
    std::string utf8;
    for (std::size_t i = 0; i < text.size(); ++i) {
        append_utf8(utf8, text[i].value);
        character_at.resize(utf8.size(), i);
    }
    character_at.push_back(text.size());
    return utf8;
}

// White space is what Python's str.split() takes for it: the separators of ASCII too.
void append_without_space(const Characters& text, Range surface, std::vector<Range>& words) {
    std::size_t begin = surface.begin;
    for (std::size_t i = surface.begin; i <= surface.end; ++i) {
        const char32_t c = i < surface.end ? text[i].value : U' ';
        if (!is(Property::white_space, c) && (c < 0x1C || c > 0x1F)) continue;
        if (begin < i) words.push_back({begin, i});
        begin = i + 1;
    }
}

// Is a letter next to `at` in the word, in that direction, when marks and the like are not counted?
bool letter_beside(Text word, std::size_t at, int step) {
    for (auto i = static_cast<std::ptrdiff_t>(at) + step; i >= 0 && i < std::ssize(word); i += step) {
        const auto code = static_cast<UChar32>(word[static_cast<std::size_t>(i)].value);
        if (u_hasBinaryProperty(code, UCHAR_CASE_IGNORABLE) == 0) return u_hasBinaryProperty(code, UCHAR_CASED) != 0;
    }
    return false;
}

// Python's str.lower(), which knows the final sigma.
void append_lowercase(Text word, Characters& to) {
    for (std::size_t i = 0; i < word.size(); ++i) {
        const bool final_sigma = word[i].value == 0x3A3 && letter_beside(word, i, -1) && !letter_beside(word, i, 1);
        to.push_back({final_sigma ? U'\u03C2' : lowercase_of(word[i].value), word[i].origin});
        if (word[i].value == dotted_capital_i) to.push_back({dot_above, word[i].origin});
    }
}

void make_words_lowercase(Characters& text, std::vector<Range>& words) {
    Characters lower;
    lower.reserve(text.size());
    for (Range& word : words) {
        const std::size_t begin = lower.size();
        append_lowercase(std::span(text).subspan(word.begin, word.end - word.begin), lower);
        word = {begin, lower.size()};
    }
    text = std::move(lower);
}

// MeCab with a dictionary, which it reads once.
class Mecab {
  public:
    explicit Mecab(const std::string& dictionary) {
        require_dictionary_files(dictionary);
        // MeCab wants a file of settings: the dictionary's own, where it brings one, or an empty one.
        const std::filesystem::path own = std::filesystem::path(dictionary) / "mecabrc";
        const std::string settings = std::filesystem::is_regular_file(own) ? own.string() : "/dev/null";
        std::array<std::string, 5> arguments{"mecab", "-d", dictionary, "-r", settings};
        std::array<char*, 5> pointers{};
        std::ranges::transform(arguments, pointers.begin(), [](std::string& argument) { return argument.data(); });
        model_.reset(MeCab::createModel(static_cast<int>(pointers.size()), pointers.data()));
        if (model_) tagger_.reset(model_->createTagger());
        if (!tagger_) {
            const char* message = MeCab::getLastError();
            base::fail(dictionary, std::string("MeCab cannot read this dictionary: ") +
                                       (message == nullptr ? "no reason given" : message));
        }
        const std::string charset = model_->dictionary_info()->charset;
        std::string plain = base::ascii_lower(charset);
        std::erase_if(plain, [](char c) { return c == '-' || c == '_'; });
        if (plain != "utf8")
            base::fail(dictionary, "a MeCab dictionary in " + base::in_quotes(charset) +
                                       "; expected one in UTF-8: compile it again with -t utf-8");
    }

    // Calls `found` with offset and length of every word, in bytes.
    template <typename Found>
    void parse(const std::string& utf8, Found found) const {
        const std::unique_ptr<MeCab::Lattice> lattice(model_->createLattice());
        lattice->set_sentence(utf8.data(), utf8.size());
        if (!tagger_->parse(lattice.get())) {
            throw InputError("MeCab cannot split " + base::in_quotes(utf8) + ": " + lattice->what());
        }
        for (const MeCab::Node* node = lattice->bos_node()->next; node->stat != MECAB_EOS_NODE; node = node->next) {
            found(static_cast<std::size_t>(node->surface - utf8.data()), std::size_t{node->length});
        }
    }

  private:
    std::unique_ptr<MeCab::Model> model_;
    std::unique_ptr<MeCab::Tagger> tagger_;
};

}  // namespace

Splitter mecab_splitter(const std::string& dictionary, bool lowercase) {
    return [mecab = std::make_shared<const Mecab>(dictionary), lowercase](Characters& text, std::vector<Range>& words) {
        words.clear();
        std::vector<std::size_t> character_at;  // by byte
        const std::string utf8 = spelled_in_utf8(text, character_at);
        mecab->parse(utf8, [&](std::size_t offset, std::size_t length) {
            append_without_space(text, {character_at[offset], character_at[offset + length]}, words);
        });
        if (lowercase) make_words_lowercase(text, words);
    };
}

}  // namespace wordbreadth::encoder::tokenizer
