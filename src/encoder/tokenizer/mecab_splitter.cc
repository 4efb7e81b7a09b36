#include "encoder/tokenizer/splitter.h"

#include <mecab.h>
#include <unicode/uchar.h>

#include <array>
#include <filesystem>
#include <span>

#include "base/failure.h"
#include "encoder/tokenizer/unicode.h"
#include "wordbreadth/error.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

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

// MeCab wants a file of settings; the dictionary's own, where it brings one, or an empty one.
std::string settings_of(const std::string& dictionary) {
    const std::filesystem::path own = std::filesystem::path(dictionary) / "mecabrc";
    return std::filesystem::is_regular_file(own) ? own.string() : "/dev/null";
}

std::string last_error() {
    const char* message = MeCab::getLastError();
    return message == nullptr ? "no reason given" : message;
}

bool is_utf8_charset(std::string charset) {
    std::erase_if(charset, [](char c) { return c == '-' || c == '_'; });
    for (char& c : charset) c = static_cast<char>(u_tolower(static_cast<unsigned char>(c)));
    return charset == "utf8";
}

// As Python's str.split() sees it: the separators of ASCII are white space too.
bool is_python_whitespace(char32_t c) {
    return is_whitespace(c) || (c >= 0x1C && c <= 0x1F);
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

void append_without_space(const Characters& text, Range surface, std::vector<Range>& words) {
    std::size_t begin = surface.begin;
    for (std::size_t i = surface.begin; i <= surface.end; ++i) {
        if (i < surface.end && !is_python_whitespace(text[i].value)) continue;
        if (begin < i) words.push_back({begin, i});
        begin = i + 1;
    }
}

// Is a letter next to `at` in the word, in that direction, when marks and the like are not counted?
bool letter_beside(std::span<const Character> word, std::size_t at, int step) {
    for (auto i = static_cast<std::ptrdiff_t>(at) + step; i >= 0 && i < std::ssize(word); i += step) {
        const auto code = static_cast<UChar32>(word[static_cast<std::size_t>(i)].value);
        if (u_hasBinaryProperty(code, UCHAR_CASE_IGNORABLE) == 0) return u_hasBinaryProperty(code, UCHAR_CASED) != 0;
    }
    return false;
}

// Python's str.lower(), which knows the final sigma.
void append_lowercase(std::span<const Character> word, Characters& to) {
    for (std::size_t i = 0; i < word.size(); ++i) {
        const bool final_sigma = word[i].value == 0x3A3 && letter_beside(word, i, -1) && !letter_beside(word, i, 1);
        const Lowercase small = final_sigma ? Lowercase{0x3C2} : lowercase_of(word[i].value);
        to.push_back({small.first, word[i].origin});
        if (small.second != 0) to.push_back({small.second, word[i].origin});
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

}  // namespace

class MecabSplitter::Mecab {
  public:
    explicit Mecab(const std::string& dictionary) {
        std::string settings = settings_of(dictionary);
        std::array<std::string, 5> arguments{"mecab", "-d", dictionary, "-r", settings};
        std::array<char*, 5> pointers{};
        for (std::size_t i = 0; i < arguments.size(); ++i) pointers[i] = arguments[i].data();
        model_.reset(MeCab::createModel(static_cast<int>(pointers.size()), pointers.data()));
        if (!model_) base::fail(dictionary, "MeCab cannot read this dictionary: " + last_error());
        const std::string charset = model_->dictionary_info()->charset;
        if (!is_utf8_charset(charset)) {
            base::fail(dictionary, "a MeCab dictionary in " + base::in_quotes(charset) +
                                       "; expected one in UTF-8: compile it again with -t utf-8");
        }
        tagger_.reset(model_->createTagger());
        if (!tagger_) base::fail(dictionary, "MeCab cannot use this dictionary: " + last_error());
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

MecabSplitter::MecabSplitter(const std::string& dictionary, bool lowercase) : lowercase_(lowercase) {
    require_dictionary_files(dictionary);
    mecab_ = std::make_unique<const Mecab>(dictionary);
}

MecabSplitter::~MecabSplitter() = default;

void MecabSplitter::split(Characters& text, std::vector<Range>& words) const {
    words.clear();
    std::vector<std::size_t> character_at;  // by byte
    const std::string utf8 = spelled_in_utf8(text, character_at);
    mecab_->parse(utf8, [&](std::size_t offset, std::size_t length) {
        append_without_space(text, {character_at[offset], character_at[offset + length]}, words);
    });
    if (lowercase_) make_words_lowercase(text, words);
}

}  // namespace wordbreadth::encoder::tokenizer
