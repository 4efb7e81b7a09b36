// Wordnets of other languages, as files: tables with tabs (the Japanese WordNet's wnjpn-ok.tab, the Open Multilingual
// Wordnet's wn-data-jpn.tab), and LMF (GWA's XML, the Japanese WordNet's included). Plain or gzip.
#include "lexicon/other_wordnets.h"

#include <expat.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/file.h"
#include "base/utf8.h"
#include "corpus/source.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::lexicon {
namespace {

// "00001740-n", "jpn-1.1-00001740-n": the letter at the end; satellites (s) are adjectives. 4: none.
std::size_t part_of_synset(std::string_view synset) {
    if (synset.size() < 3 || synset[synset.size() - 2] != '-') return 4;
    switch (synset.back()) {
        case 'n':
            return 0;
        case 'v':
            return 1;
        case 'a':
        case 's':
            return 2;
        case 'r':
            return 3;
        default:
            return 4;
    }
}

[[noreturn]] void fail_unknown(const std::string& path, std::uint64_t line, const std::string& what) {
    base::fail_at(path, line,
                  what +
                      "; expected a wordnet: LMF, or lines of a synset such as 00001740-n and a word with tabs "
                      "between them");
}

// synset TAB word TAB kind (Japanese WordNet); synset TAB jpn:lemma TAB word (Open Multilingual Wordnet).
void read_tab(const std::string& path, corpus::LineReader& lines, SynsetCounts& counts) {
    std::vector<std::string_view> fields;
    while (lines.next()) {
        const std::string_view line = lines.line();
        if (line.empty() || line.starts_with('#')) continue;
        base::require_utf8(path, lines.number(), line);
        corpus::split_fields(line, fields);
        if (fields.size() < 2 || part_of_synset(fields[0]) > 3)
            fail_unknown(path, lines.number(), "found " + base::in_quotes(line.substr(0, 60)));
        const std::size_t colon = fields[1].find(':');
        const std::string_view kind = colon == std::string_view::npos ? "lemma" : fields[1].substr(colon + 1);
        if (colon != std::string_view::npos && fields.size() < 3)
            fail_unknown(path, lines.number(), "found no word after " + base::in_quotes(fields[1]));
        if (kind == "lemma" || colon == std::string_view::npos)
            counts.add(colon == std::string_view::npos ? fields[1] : fields[2], fields[0], part_of_synset(fields[0]));
    }
}

// <LexicalEntry> has a <Lemma writtenForm partOfSpeech> and a <Sense synset> for each of its senses.
class LmfReader {
  public:
    LmfReader(const std::string& path, SynsetCounts& counts)
        : path_(path), counts_(counts), parser_(XML_ParserCreate(nullptr)) {
        if (!parser_) throw std::bad_alloc();
        XML_SetUserData(parser_.get(), this);
        XML_SetStartElementHandler(parser_.get(), [](void* self, const char* name, const char** attributes) {
            static_cast<LmfReader*>(self)->start(name, attributes);
        });
    }

    void read(base::Bytes& bytes) {
        constexpr int at_a_time = 1 << 16;
        for (bool last = false; !last;) {
            void* const buffer = XML_GetBuffer(parser_.get(), at_a_time);
            if (buffer == nullptr) throw std::bad_alloc();
            const std::size_t found = bytes.read({static_cast<std::byte*>(buffer), at_a_time});
            last = found < at_a_time;
            if (XML_ParseBuffer(parser_.get(), static_cast<int>(found), last ? 1 : 0) == XML_STATUS_ERROR)
                base::fail_at(
                    path_, XML_GetCurrentLineNumber(parser_.get()),
                    std::string("is not well-formed XML: ") + XML_ErrorString(XML_GetErrorCode(parser_.get())));
            if (thrown_) std::rethrow_exception(thrown_);
        }
        if (!is_lmf_) base::fail(path_, "has no <LexicalEntry>; expected a wordnet in the LMF format");
    }

  private:
    // Expat is C: what is thrown is kept until it has returned.
    void start(std::string_view name, const char** attributes) {
        if (thrown_) return;
        try {
            const auto value = [&](std::string_view wanted) -> std::string_view {
                for (const char** at = attributes; *at != nullptr; at += 2)
                    if (wanted == *at) return at[1];
                return {};
            };
            if (name == "LexicalEntry") {
                is_lmf_ = true;
                word_.clear();
            }
            if (name == "Lemma") word_ = value("writtenForm");
            if (name == "Sense" && !word_.empty()) add_sense(value("synset"));
        } catch (...) {
            thrown_ = std::current_exception();
        }
    }

    void add_sense(std::string_view synset) {
        const std::size_t part = part_of_synset(synset);
        if (part > 3)
            base::fail_at(path_, XML_GetCurrentLineNumber(parser_.get()),
                          "the synset of a sense is " + base::in_quotes(synset) +
                              "; expected one that ends in -n, -v, -a, -s or -r");
        counts_.add(word_, synset, part);
    }

    struct Free {
        void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
    };

    const std::string& path_;
    SynsetCounts& counts_;
    std::unique_ptr<std::remove_pointer_t<XML_Parser>, Free> parser_;
    std::exception_ptr thrown_;
    std::string word_;
    bool is_lmf_ = false;
};

bool begins_like_xml(const std::string& path) {
    corpus::Source source(path);
    corpus::LineReader lines(source, limits::line_bytes);
    return lines.next() && base::trimmed(lines.line()).find('<') < 4;  // after a byte order mark, perhaps
}

}  // namespace

void SynsetCounts::add(std::string_view word, std::string_view synset, std::size_t part) {
    std::string name(word);
    std::ranges::replace(name, ' ', '_');
    if (words_.size() >= limits::list_entries && !words_.contains(name))
        throw InputError("a wordnet has more than the " + std::to_string(limits::list_entries) + " words accepted");
    std::vector<std::uint64_t>& synsets = words_[std::move(name)][part];
    const std::uint64_t key = std::hash<std::string_view>{}(synset);
    if (std::ranges::find(synsets, key) == synsets.end()) synsets.push_back(key);
}

Senses SynsetCounts::senses(std::string_view word) const {
    std::string name(word);
    std::ranges::replace(name, ' ', '_');
    const auto found = words_.find(name);
    if (found == words_.end()) return {};
    const auto& parts = found->second;
    return {parts[0].size(), parts[1].size(), parts[2].size(), parts[3].size()};
}

SynsetCounts read_other_wordnet(const std::string& path) {
    SynsetCounts counts;
    const bool is_xml = begins_like_xml(path);
    corpus::Source source(path);
    if (is_xml) {
        LmfReader(path, counts).read(source);
    } else {
        corpus::LineReader lines(source, limits::line_bytes);
        read_tab(path, lines, counts);
    }
    if (counts.empty()) base::fail(path, "has no word; expected a wordnet as LMF or as a table with tabs");
    return counts;
}

}  // namespace wordbreadth::lexicon
