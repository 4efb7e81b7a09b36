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

// Streams the file through expat, which calls back and is paused after every sentence. Document type declarations are
// refused, and with them all entities but XML's own five, so that nothing can be fetched from elsewhere or grow out of
// proportion.
class BncReader : public FileReader {
  public:
    explicit BncReader(const File& file) : FileReader(file), parser_(XML_ParserCreate(nullptr)) {
        if (!parser_) throw std::bad_alloc();
        XML_SetUserData(parser_.get(), this);
        XML_SetElementHandler(
            parser_.get(),
            [](void* self, const char* name, const char** attributes) {
                guarded(self, [=](BncReader& reader) { reader.start_element(name, attributes); });
            },
            [](void* self, const char* name) { guarded(self, [=](BncReader& reader) { reader.end_element(name); }); });
        XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int size) {
            guarded(self, [=](BncReader& reader) { reader.character_data({text, static_cast<std::size_t>(size)}); });
        });
        XML_SetStartDoctypeDeclHandler(parser_.get(), [](void* self, const char* name, const char*, const char*, int) {
            guarded(self, [=](BncReader& reader) {
                reader.fail_here("has the document type declaration <!DOCTYPE " + std::string(name) +
                                 ">, which is refused (it can fetch files and multiply text); remove it");
            });
        });
    }

  private:
    bool read(Sentence& sentence) override {
        builder_.clear();
        if (!parse()) {
            if (documents() == 0) fail(path(), "holds no <bncDoc>; expected the BNC's XML edition");
            return false;
        }
        builder_.finish(sentence);
        return true;
    }

    // Reads on until a sentence is complete (true) or the document ends (false).
    [[nodiscard]] bool parse() {
        XML_ParsingStatus state{};
        for (;;) {
            XML_GetParsingStatus(parser_.get(), &state);
            if (state.parsing == XML_FINISHED) return false;
            const XML_Status status = state.parsing == XML_SUSPENDED ? XML_ResumeParser(parser_.get()) : parse_more();
            if (thrown_) std::rethrow_exception(thrown_);
            if (status == XML_STATUS_ERROR) fail_parsing();
            if (status == XML_STATUS_SUSPENDED) return true;
            // A tag or comment is held in memory until its end, and scanned again with every piece.
            if (without_event_ > limits::xml_token_bytes)
                fail_here("holds a tag or comment longer than the " + std::to_string(limits::xml_token_bytes) +
                          " bytes accepted");
        }
    }

    XML_Status parse_more() {
        void* buffer = XML_GetBuffer(parser_.get(), bytes_at_a_time);
        if (buffer == nullptr) throw std::bad_alloc();
        const std::size_t found = source().read({static_cast<std::byte*>(buffer), bytes_at_a_time});
        without_event_ += found;
        final_ = found < bytes_at_a_time;
        return XML_ParseBuffer(parser_.get(), static_cast<int>(found), final_ ? 1 : 0);
    }

    void pause() { XML_StopParser(parser_.get(), XML_TRUE); }

    // Handles an event, and keeps what that throws until expat has returned.
    template <typename Action>
    static void guarded(void* self, Action action) {
        BncReader& reader = *static_cast<BncReader*>(self);
        reader.without_event_ = 0;
        if (reader.thrown_) return;
        try {
            action(reader);
        } catch (...) {
            reader.thrown_ = std::current_exception();
            XML_StopParser(reader.parser_.get(), XML_FALSE);
        }
    }

    void start_element(std::string_view name, XmlAttributes attributes) {
        if (++depth_ > limits::xml_depth)
            fail_here("nests deeper than the " + std::to_string(limits::xml_depth) + " levels accepted");
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
        --depth_;
        if (name == "w" || name == "c") {
            builder_.add_word(word_, lemma_, part_of_speech_);
            in_word_ = false;
            if (builder_.full()) pause();
        } else if (name == "s") {
            in_sentence_ = false;
            if (!builder_.empty()) pause();
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
            if (builder_.full()) pause();
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

    [[noreturn]] void fail_parsing() {
        const XML_Error error = XML_GetErrorCode(parser_.get());
        if (error == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
        if (final_ && means_cut_off(error)) {
            fail_here("the file ends here; expected the end of its root element: copy it again");
        }
        if (error == XML_ERROR_INVALID_TOKEN && stopped_at_bad_byte(parser_.get())) {
            const auto column = XML_GetCurrentColumnNumber(parser_.get()) + 1;
            fail_here("character " + std::to_string(column) + " of the line is not UTF-8; convert the file");
        }
        std::string what = std::string("is not well-formed XML: ") + XML_ErrorString(error);
        if (error == XML_ERROR_UNKNOWN_ENCODING)
            what += "; expected UTF-8, UTF-16, ISO-8859-1 or US-ASCII: convert the file, and change what it declares";
        fail_here(what);
    }

    [[noreturn]] void fail_here(std::string_view what) const {
        fail_at(path(), XML_GetCurrentLineNumber(parser_.get()), what);
    }

    struct Free {
        void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
    };

    std::unique_ptr<std::remove_pointer_t<XML_Parser>, Free> parser_;
    std::exception_ptr thrown_;  // by a handler; expat, being C, cannot let it through
    std::size_t depth_ = 0;
    std::size_t without_event_ = 0;  // bytes that were parsed since a handler was last called
    bool final_ = false;
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
