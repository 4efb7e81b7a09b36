// BNC, XML edition: <bncDoc xml:id>, <s n>, <w c5 hw pos>word </w>, <c c5>,</c>. The words of a multi-word unit (<mw>)
// count one by one. The spaces are those of the corpus.
#include <expat.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/utf8.h"
#include "corpus/file_reader.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

namespace {

constexpr int bytes_at_a_time = 64 * 1024;

bool means_cut_off(XML_Error error) {
    return error == XML_ERROR_NO_ELEMENTS || error == XML_ERROR_UNCLOSED_TOKEN || error == XML_ERROR_PARTIAL_CHAR ||
           error == XML_ERROR_UNCLOSED_CDATA_SECTION;
}

// Whether the parser stopped at something that is not UTF-8.
bool stopped_at_bad_byte(XML_Parser parser) {
    int offset = 0;
    int size = 0;
    const char* context = XML_GetInputContext(parser, &offset, &size);
    if (context == nullptr || offset < 0 || offset >= size) return false;
    constexpr std::size_t longest_character = 4;
    return base::first_fault(std::string_view(context + offset, static_cast<std::size_t>(size - offset))
                                 .substr(0, longest_character)) == 0;
}

using XmlAttributes = const char**;  // name, value, name, value, ..., null

// Null when there is none of that name.
const char* find_attribute(XmlAttributes attributes, std::string_view name) {
    for (; *attributes != nullptr; attributes += 2) {
        if (name == *attributes) return attributes[1];
    }
    return nullptr;
}

// Streams an XML file through expat. Document type declarations are refused, and with them all entities but XML's own
// five, so that nothing can be fetched from elsewhere or grow out of proportion.
//
// The handler has start_element(name, attributes), end_element(name) and character_data(text), whose text may come in
// several pieces.
template <class Handler>
class XmlParser {
  public:
    // Both outlive the parser.
    XmlParser(base::Bytes& source, Handler& handler)
        : source_(source), handler_(handler), parser_(XML_ParserCreate(nullptr)) {
        if (!parser_) throw std::bad_alloc();
        XML_SetUserData(parser_.get(), this);
        XML_SetElementHandler(
            parser_.get(),
            [](void* self, const char* name, const char** attributes) {
                auto& parser = *static_cast<XmlParser*>(self);
                parser.guarded([&] {
                    parser.enter();
                    parser.handler_.start_element(name, attributes);
                });
            },
            [](void* self, const char* name) {
                auto& parser = *static_cast<XmlParser*>(self);
                parser.guarded([&] { parser.handler_.end_element(name); });
                --parser.depth_;
            });
        XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int size) {
            auto& parser = *static_cast<XmlParser*>(self);
            parser.guarded([&] { parser.handler_.character_data({text, static_cast<std::size_t>(size)}); });
        });
        XML_SetStartDoctypeDeclHandler(parser_.get(), [](void* self, const char* name, const char*, const char*, int) {
            auto& parser = *static_cast<XmlParser*>(self);
            parser.guarded([&] {
                fail_at(parser.source_.where(), parser.line(),
                        "has the document type declaration <!DOCTYPE " + std::string(name) +
                            ">, which is refused (it can fetch files and multiply text); remove it");
            });
        });
    }

    // Calls the handler for what follows, until it pauses (true) or the document ends (false). Throws InputError, with
    // path and line, when the document is malformed or truncated, has a DOCTYPE, or is past a limit; and what the
    // handler throws.
    [[nodiscard]] bool run() {
        XML_ParsingStatus state{};
        for (;;) {
            XML_GetParsingStatus(parser_.get(), &state);
            if (state.parsing == XML_FINISHED) return false;
            const XML_Status status = state.parsing == XML_SUSPENDED ? XML_ResumeParser(parser_.get()) : parse_more();
            if (thrown_) std::rethrow_exception(thrown_);
            if (status == XML_STATUS_ERROR) fail_parsing();
            if (status == XML_STATUS_SUSPENDED) return true;
            require_progress();
        }
    }

    // For the handler: run() returns once the handler does.
    void pause() { XML_StopParser(parser_.get(), XML_TRUE); }

    // For the handler: where the parser stands. From 1.
    [[nodiscard]] std::uint64_t line() const { return XML_GetCurrentLineNumber(parser_.get()); }

  private:
    struct Free {
        void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
    };

    // Runs an event of the handler, and keeps what it throws until expat has returned.
    template <typename Action>
    void guarded(Action action) {
        without_event_ = 0;
        if (thrown_) return;
        try {
            action();
        } catch (...) {
            thrown_ = std::current_exception();
            XML_StopParser(parser_.get(), XML_FALSE);
        }
    }

    void enter() {
        if (++depth_ <= limits::xml_depth) return;
        fail_at(source_.where(), line(),
                "nests deeper than the " + std::to_string(limits::xml_depth) + " levels accepted");
    }

    XML_Status parse_more() {
        void* buffer = XML_GetBuffer(parser_.get(), bytes_at_a_time);
        if (buffer == nullptr) throw std::bad_alloc();
        const std::size_t found = source_.read({static_cast<std::byte*>(buffer), bytes_at_a_time});
        without_event_ += found;
        final_ = found < bytes_at_a_time;
        return XML_ParseBuffer(parser_.get(), static_cast<int>(found), final_ ? 1 : 0);
    }

    // A tag or comment is held in memory until its end, and looked through again with every piece.
    void require_progress() {
        if (without_event_ <= limits::xml_token_bytes) return;
        fail_at(
            source_.where(), line(),
            "holds a tag or comment longer than the " + std::to_string(limits::xml_token_bytes) + " bytes accepted");
    }

    [[noreturn]] void fail_parsing() {
        const XML_Error error = XML_GetErrorCode(parser_.get());
        if (error == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
        if (final_ && means_cut_off(error)) {
            fail_at(source_.where(), line(),
                    "the file breaks off here; expected the end of its root element: copy it again");
        }
        if (error == XML_ERROR_INVALID_TOKEN && stopped_at_bad_byte(parser_.get())) {
            const auto column = XML_GetCurrentColumnNumber(parser_.get()) + 1;
            fail_at(source_.where(), line(),
                    "character " + std::to_string(column) + " of the line is not UTF-8; convert the file");
        }
        std::string what = std::string("is not well-formed XML: ") + XML_ErrorString(error);
        if (error == XML_ERROR_UNKNOWN_ENCODING)
            what += "; expected UTF-8, UTF-16, ISO-8859-1 or US-ASCII: convert the file, and change what it declares";
        fail_at(source_.where(), line(), what);
    }

    base::Bytes& source_;
    Handler& handler_;
    std::unique_ptr<std::remove_pointer_t<XML_Parser>, Free> parser_;
    std::exception_ptr thrown_;  // by the handler; expat, being C, cannot let it through
    std::size_t depth_ = 0;
    std::size_t without_event_ = 0;  // bytes that were parsed since the handler was last called
    bool final_ = false;
};

class BncReader : public FileReader {
  public:
    explicit BncReader(const File& file) : FileReader(file), parser_(source(), *this) {}

  private:
    friend XmlParser<BncReader>;

    bool read(Sentence& sentence) override {
        builder_.clear();
        if (!parser_.run()) {
            if (documents() == 0) fail(path(), "holds no <bncDoc>; expected the BNC's XML edition");
            return false;
        }
        builder_.finish(sentence);
        return true;
    }

    void start_element(std::string_view name, XmlAttributes attributes) {
        if (name == "w" || name == "c") {
            start_word(name, attributes);
        } else if (name == "s") {
            if (in_sentence_) fail_here("found <s> within <s>; expected </s> before it");
            if (documents() == 0) fail_here("found <s> outside <bncDoc>; expected the BNC's XML edition");
            in_sentence_ = true;
        } else if (name == "bncDoc") {
            const char* id = find_attribute(attributes, "xml:id");
            start_document(id != nullptr ? std::string(id) : path() + "#" + std::to_string(documents() + 1));
        }
    }

    void end_element(std::string_view name) {
        if (name == "w" || name == "c") {
            builder_.add_word(word_, lemma_, part_of_speech_);
            in_word_ = false;
            if (builder_.full()) parser_.pause();
        } else if (name == "s") {
            in_sentence_ = false;
            if (!builder_.empty()) parser_.pause();
        }
    }

    void character_data(std::string_view text) {
        if (in_word_) {
            word_ += text;
            if (word_.size() > limits::sentence_bytes) {
                fail_here("holds a word longer than the " + std::to_string(limits::sentence_bytes) + " bytes accepted");
            }
        } else if (in_sentence_) {
            builder_.add_text(text);
            if (builder_.full()) parser_.pause();
        }
    }

    void start_word(std::string_view name, XmlAttributes attributes) {
        if (!in_sentence_ || in_word_) fail_here("found <" + std::string(name) + "> outside <s>, or within a word");
        in_word_ = true;
        word_.clear();
        const bool is_word = name == "w";
        lemma_ = is_word ? attribute(name, attributes, "hw") : "";
        part_of_speech_ = attribute(name, attributes, is_word ? "pos" : "c5");
    }

    [[nodiscard]] const char* attribute(std::string_view element, XmlAttributes attributes, const char* name) const {
        const char* value = find_attribute(attributes, name);
        if (value == nullptr) {
            fail_here("found <" + std::string(element) + "> without " + name + "; expected the BNC's XML edition");
        }
        return value;
    }

    [[noreturn]] void fail_here(std::string_view what) const { fail_at(path(), parser_.line(), what); }

    XmlParser<BncReader> parser_;
    SentenceBuilder builder_;
    bool in_sentence_ = false;
    bool in_word_ = false;
    std::string word_;
    std::string lemma_;
    std::string part_of_speech_;
};

}  // namespace

std::unique_ptr<FileReader> read_bnc(const File& file, const Reading&) {
    return std::make_unique<BncReader>(file);
}

}  // namespace wordbreadth::corpus
