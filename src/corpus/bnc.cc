// BNC, XML edition: <bncDoc xml:id>, <s n>, <w c5 hw pos>word </w>, <c c5>,</c>. The words of a multi-word unit (<mw>)
// count one by one. The spaces are those of the corpus.
#include <string>

#include "corpus/failure.h"
#include "corpus/file_reader.h"
#include "corpus/sentence_builder.h"
#include "corpus/xml_parser.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

namespace {

class BncReader : public FileReader, private XmlHandler {
  public:
    explicit BncReader(const File& file) : FileReader(file), parser_(source(), *this) {}

  private:
    bool read(Sentence& sentence) override {
        builder_.clear();
        if (!parser_.run()) {
            if (documents() == 0) fail(path(), "holds no <bncDoc>; expected the BNC's XML edition");
            return false;
        }
        builder_.finish(sentence);
        return true;
    }

    void start_element(std::string_view name, const XmlAttributes& attributes) override {
        if (name == "w" || name == "c") {
            start_word(name, attributes);
        } else if (name == "s") {
            if (in_sentence_) fail_here("found <s> within <s>; expected </s> before it");
            if (documents() == 0) fail_here("found <s> outside <bncDoc>; expected the BNC's XML edition");
            in_sentence_ = true;
        } else if (name == "bncDoc") {
            const char* id = attributes.find("xml:id");
            start_document(id != nullptr ? std::string(id) : path() + "#" + std::to_string(documents() + 1));
        }
    }

    void end_element(std::string_view name) override {
        if (name == "w" || name == "c") {
            builder_.add_word(word_, lemma_, part_of_speech_);
            in_word_ = false;
            if (builder_.full()) parser_.pause();
        } else if (name == "s") {
            in_sentence_ = false;
            if (!builder_.empty()) parser_.pause();
        }
    }

    void character_data(std::string_view text) override {
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

    void start_word(std::string_view name, const XmlAttributes& attributes) {
        if (!in_sentence_ || in_word_) fail_here("found <" + std::string(name) + "> outside <s>, or within a word");
        in_word_ = true;
        word_.clear();
        const bool is_word = name == "w";
        lemma_ = is_word ? attribute(name, attributes, "hw") : "";
        part_of_speech_ = attribute(name, attributes, is_word ? "pos" : "c5");
    }

    [[nodiscard]] const char* attribute(std::string_view element, const XmlAttributes& attributes,
                                        const char* name) const {
        const char* value = attributes.find(name);
        if (value == nullptr) {
            fail_here("found <" + std::string(element) + "> without " + name + "; expected the BNC's XML edition");
        }
        return value;
    }

    [[noreturn]] void fail_here(std::string_view what) const { fail_at(path(), parser_.line(), what); }

    XmlParser parser_;
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
