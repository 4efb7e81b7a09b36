// Brown-style text: word/tag, one sentence per line. A file is a document.
#include "corpus/file_reader.h"
#include "corpus/spacing.h"

namespace wordbreadth::corpus {

namespace {

class BrownReader : public LineFormat {
  public:
    explicit BrownReader(const File& file) : LineFormat(file) { start_document(file.path); }

  private:
    bool read(Sentence& sentence) override {
        builder_.clear();
        while (builder_.empty()) {
            if (rest_.empty() && !next_line()) return false;
            while (!builder_.full() && next_token()) add_token();
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

    bool next_token() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
        token_ = rest_.substr(0, rest_.find_first_of(" \t"));
        rest_.remove_prefix(token_.size());
        return !token_.empty();
    }

    // The tag follows the last slash: "1/2/cd" is a number.
    void add_token() {
        const std::size_t slash = token_.rfind('/');
        if (slash == std::string_view::npos || slash == 0 || slash + 1 == token_.size()) {
            fail_here("found " + in_quotes(token_) + "; expected word/tag");
        }
        const std::string_view word = token_.substr(0, slash);
        if (words_want_space(before_, word)) builder_.add_space();
        builder_.add_word(word, {}, token_.substr(slash + 1));
        before_ = word;
    }

    std::string_view rest_;  // of the line
    std::string_view token_;
    std::string_view before_;
};

}  // namespace

std::unique_ptr<FileReader> read_brown(const File& file, const Reading&) {
    return std::make_unique<BrownReader>(file);
}

}  // namespace wordbreadth::corpus
