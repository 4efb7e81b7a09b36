// Text with tags: Brown and vertical.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "corpus/file_reader.h"
#include "corpus/plain_text.h"

namespace wordbreadth::corpus {

namespace {

constexpr std::string_view blank = " \t";

// Takes the next piece between blanks; false when there is none.
bool take_token(std::string_view& text, std::string_view& token) {
    text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
    token = text.substr(0, text.find_first_of(blank));
    text.remove_prefix(token.size());
    return !token.empty();
}

// Between word and tag, the last one: "1/2/cd" is a number. npos where one of them is missing.
std::size_t slash_of(std::string_view token) {
    const std::size_t slash = token.rfind('/');
    return slash == 0 || slash + 1 == token.size() ? std::string_view::npos : slash;
}

// Brown-style text: word/tag, one sentence per line. A file is a document.
class BrownReader : public LineFormat {
  public:
    explicit BrownReader(const File& file) : LineFormat(file) { start_document(file.path); }

  private:
    bool read(Sentence& sentence) override {
        builder_.clear();
        while (builder_.empty()) {
            if (rest_.empty() && !next_line()) return false;
            while (!builder_.full() && take_token(rest_, token_)) add_token();
        }
        builder_.finish(sentence);
        return true;
    }

    bool next_line() {
        if (!lines_.next()) return false;
        rest_ = lines_.line();
        before_ = {};
        return true;
    }

    void add_token() {
        const std::size_t slash = slash_of(token_);
        if (slash == std::string_view::npos) fail_here("found " + in_quotes(token_) + "; expected word/tag");
        const std::string_view word = token_.substr(0, slash);
        if (words_want_space(before_, word)) builder_.add_space();
        builder_.add_word(word, {}, token_.substr(slash + 1));
        before_ = word;
    }

    std::string_view rest_;  // of the line
    std::string_view token_;
    std::string_view before_;
};

// A line of vertical text that is a tag: <doc id="7" year="1999">, </s>, <g/>.
struct Tag {
    std::string_view name;
    bool closing = false;         // </s>
    bool empty = false;           // <g/>
    std::string_view attributes;  // as they stand
};

bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

void skip_white_space(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
}

// Takes the value at the front of `text`, up to its closing quote or the next white space.
std::string_view take_value(std::string_view& text) {
    const bool quoted = text.starts_with('"') || text.starts_with('\'');
    if (quoted) {
        const char quote = text[0];
        text.remove_prefix(1);
        const std::size_t end = std::min(text.find(quote), text.size());
        const std::string_view value = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        return value;
    }
    const std::string_view value = text.substr(0, text.find_first_of(blank));
    text.remove_prefix(value.size());
    return value;
}

// With the five entities of XML resolved. Any other & stays.
std::string without_entities(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, char>, 5> entities{
        {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
    std::string resolved;
    while (!text.empty()) {
        const auto* entity = std::ranges::find_if(entities, [&](const auto& e) { return text.starts_with(e.first); });
        const bool found = entity != entities.end();
        resolved += found ? entity->second : text[0];
        text.remove_prefix(found ? entity->first.size() : 1);
    }
    return resolved;
}

// Nothing when the line is not a tag. A line with a tab is a word, though it may start with <.
std::optional<Tag> parse_tag(std::string_view line) {
    if (line.size() < 3 || line.front() != '<' || line.back() != '>') return std::nullopt;
    if (line.find('\t') != std::string_view::npos) return std::nullopt;
    std::string_view inner = line.substr(1, line.size() - 2);
    Tag tag;
    tag.closing = inner.starts_with('/');
    if (tag.closing) inner.remove_prefix(1);
    tag.empty = inner.ends_with('/');
    if (tag.empty) inner.remove_suffix(1);
    if (inner.empty() || !is_name_start(inner[0])) return std::nullopt;
    tag.name = inner.substr(0, inner.find_first_of(blank));
    tag.attributes = inner.substr(tag.name.size());
    return tag;
}

// "<?xml ...?>" and "<!-- ... -->" in a line of their own, as in files that were XML.
bool is_remark(std::string_view line) {
    return (line.starts_with("<?") && line.ends_with("?>")) || (line.starts_with("<!--") && line.ends_with("-->"));
}

// The value of an attribute, in double or single quotes or in none; empty when there is none of that name.
std::string attribute_of(const Tag& tag, std::string_view name) {
    std::string_view rest = tag.attributes;
    for (skip_white_space(rest); !rest.empty(); skip_white_space(rest)) {
        const std::string_view key = rest.substr(0, rest.find_first_of("= \t"));
        rest.remove_prefix(key.size());
        skip_white_space(rest);
        if (!rest.starts_with('=')) continue;
        rest.remove_prefix(1);
        skip_white_space(rest);
        const std::string_view value = take_value(rest);
        if (key == name) return without_entities(value);
    }
    return {};
}

constexpr std::size_t fewest_fields = 3;

bool ends_sentences(std::string_view word) {
    constexpr std::array<std::string_view, 8> marks{".", "!", "?", "...", "。", "！", "？", "…"};
    return std::ranges::find(marks, word) != marks.end();
}

bool is_document(const Tag& tag) {
    return tag.name == "doc" || tag.name == "text";
}

// Vertical text: one word per line with its lemma and part of speech, and lines of tags between them: <doc ...>, <s>,
// </s>, and <g/> where there is no space. Further columns are ignored. Where there is no <s>, sentences end at . ! ?
// and at tags.
class VerticalReader : public LineFormat {
  public:
    explicit VerticalReader(const File& file) : LineFormat(file) {}

  private:
    bool read(Sentence& sentence) override {
        builder_.clear();
        if (waiting_document_) open_document(*std::exchange(waiting_document_, std::nullopt));
        for (bool ended = false; !ended;) {
            if (!lines_.next()) {
                require_all_closed();
                break;
            }
            if (lines_.line().empty() || is_remark(lines_.line())) continue;
            const auto tag = parse_tag(lines_.line());
            const bool may_end = tag ? read_tag(*tag) : read_word(lines_.line());
            ended = !builder_.empty() && (may_end || builder_.full());
        }
        builder_.finish(sentence);
        return !builder_.empty();
    }

    // True where a sentence ends at the tag.
    bool read_tag(const Tag& tag) {
        if (tag.name == "g") {
            glued_ = true;
            return false;
        }
        if (tag.name == "s") return tag.closing ? close_sentence() : open_sentence(tag);
        if (is_document(tag)) read_document_tag(tag);
        return sentence_line_ == 0;
    }

    bool open_sentence(const Tag& tag) {
        if (sentence_line_ != 0) fail_here("found <s>; expected </s> for <s>" + of_sentence());
        if (!tag.empty) sentence_line_ = lines_.number();
        return true;
    }

    bool close_sentence() {
        if (sentence_line_ == 0) fail_here("found </s>; expected <s> before it");
        sentence_line_ = 0;
        return true;
    }

    void read_document_tag(const Tag& tag) {
        if (sentence_line_ != 0) {
            fail_here("found " + in_quotes(lines_.line()) + "; expected </s> for <s>" + of_sentence());
        }
        documents_are_closed_ = documents_are_closed_ || tag.closing;
        document_line_ = tag.closing || tag.empty ? 0 : lines_.number();
        if (tag.closing) return;
        if (builder_.empty()) return open_document(attribute_of(tag, "id"));
        waiting_document_ = attribute_of(tag, "id");  // the sentence before it is returned first
    }

    void open_document(const std::string& name) {
        start_document(name.empty() ? path() + "#" + std::to_string(documents() + 1) : name);
    }

    bool read_word(std::string_view line) {
        split_fields(line, fields_);
        require_fields();
        if (documents() == 0) start_document(path());
        const std::string word = without_entities(fields_[0]);
        if (!std::exchange(glued_, false) && words_want_space(before_, word)) builder_.add_space();
        builder_.add_word(word, without_entities(fields_[1]), without_entities(fields_[2]));
        before_ = word;
        return sentence_line_ == 0 && ends_sentences(word);
    }

    void require_fields() {
        if (number_of_fields_ == 0 && fields_.size() >= fewest_fields) {
            number_of_fields_ = fields_.size();
            first_word_ = lines_.number();
        }
        if (number_of_fields_ == 0 || fields_.size() != number_of_fields_) {
            fail_here(count_of(fields_.size(), "field") + "; expected " + expected_fields());
        }
        if (fields_[0].empty()) fail_here("its word is empty; expected word, lemma and tag");
    }

    [[nodiscard]] std::string expected_fields() const {
        if (number_of_fields_ == 0) return "a tag, or word, lemma and part of speech with tabs between them";
        return std::to_string(number_of_fields_) + " as in line " + std::to_string(first_word_);
    }

    [[nodiscard]] std::string of_sentence() const { return " of line " + std::to_string(sentence_line_); }

    // Files that never close their documents exist; one that closes some and ends without it was truncated.
    void require_all_closed() const {
        if (sentence_line_ != 0) {
            fail_here("the file ends; expected </s> for <s>" + of_sentence());
        }
        if (documents_are_closed_ && document_line_ != 0) {
            fail_here("the file ends; expected the end of the document of line " + std::to_string(document_line_));
        }
    }

    std::string before_;                           // the word before
    bool glued_ = false;                           // <g/> precedes the next
    std::uint64_t sentence_line_ = 0;              // of the open <s>; 0 when there is none
    std::uint64_t document_line_ = 0;              // likewise
    bool documents_are_closed_ = false;            // a closing tag was seen
    std::optional<std::string> waiting_document_;  // that starts after the sentence returned last
    std::size_t number_of_fields_ = 0;
    std::uint64_t first_word_ = 0;  // its line
};

}  // namespace

std::unique_ptr<FileReader> read_brown(const File& file, const Reading&) {
    return std::make_unique<BrownReader>(file);
}

std::unique_ptr<FileReader> read_vertical(const File& file, const Reading&) {
    return std::make_unique<VerticalReader>(file);
}

// Every word of the first lines, and a few of them at least: "and/or" makes no corpus.
bool looks_like_brown(const Lines& lines) {
    constexpr std::size_t enough = 4;
    std::size_t tokens = 0;
    for (std::string_view line : std::span(lines).first(std::min<std::size_t>(lines.size(), 10))) {
        for (std::string_view token; take_token(line, token); ++tokens)
            if (slash_of(token) == std::string_view::npos) return false;
    }
    return tokens >= enough;
}

bool looks_like_vertical(const Lines& lines) {
    const auto is_tag = [](std::string_view line) { return parse_tag(line).has_value() || is_remark(line); };
    const auto word = std::ranges::find_if_not(lines, is_tag);
    if (word == lines.end() || std::ranges::none_of(lines, is_tag)) return false;
    const bool is_markup = word->starts_with('<') || word->starts_with(' ') || word->starts_with('\t');  // indented XML
    return !is_markup && fields_of(*word).size() >= fewest_fields;
}

}  // namespace wordbreadth::corpus
