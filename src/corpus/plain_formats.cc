// Formats without annotations: plain text, lines and JSONL. Of plain text, a file is a document, its sentences are
// found here, and as a unit of text a file is one text; of lines, each is one sentence or one text, and blank ones are
// skipped.
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "corpus/file_reader.h"
#include "corpus/plain_text.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

namespace {

class TextReader : public FileReader {
  public:
    TextReader(const File& file, Splitter& splitter) : FileReader(file), sentences_(text(), splitter) {
        start_document(file.path);
    }

  private:
    bool read(Sentence& sentence) override {
        sentence.label = file_label();
        return sentences_.next(sentence.text);
    }

    RawSentences sentences_;
};

class WholeTextReader : public FileReader {
  public:
    explicit WholeTextReader(const File& file) : FileReader(file) { start_document(file.path); }

  private:
    bool read(Sentence& sentence) override {
        if (std::exchange(done_, true)) return false;
        read_all();
        sentence.label = file_label();
        sentence.text = base::trimmed(text_);
        return !sentence.text.empty();
    }

    void read_all() {
        LineReader lines(text(), limits::record_bytes);
        while (lines.next()) {
            text_.append(lines.line()) += '\n';
            if (text_.size() <= limits::record_bytes) continue;
            fail(path(), "is longer than the " + std::to_string(limits::record_bytes) +
                             " bytes accepted for one text; split it, or read it in the format lines");
        }
    }

    std::string text_;
    bool done_ = false;
};

class LinesReader : public FileReader {
  public:
    LinesReader(const File& file, std::size_t longest, LineReader::Long treatment)
        : FileReader(file), lines_(text(), longest, treatment) {
        start_document(file.path);
    }

  private:
    bool read(Sentence& sentence) override {
        sentence.label = file_label();
        while (lines_.next()) {
            sentence.text = base::trimmed(lines_.line());
            if (!sentence.text.empty()) return true;
        }
        return false;
    }

    LineReader lines_;
};

constexpr std::string_view replacement = "\xEF\xBF\xBD";
constexpr std::size_t keys_listed = 5;

void replace_nul(std::string& text) {
    for (std::size_t at = text.find('\0'); at != std::string::npos; at = text.find('\0', at + replacement.size())) {
        text.replace(at, 1, replacement);
    }
}

// Depth 1 is the record. The parser keeps its own stack, so that depth costs it no recursion; the limit bounds it.
class Events : public nlohmann::json_sax<nlohmann::json> {
  public:
    Events(const std::string& path, std::uint64_t line) : path_(path), line_(line) {}

    JsonRecord take() {
        const std::string keys = keys_.empty() ? "none" : base::joined(keys_, ", ", in_quotes);
        if (!text_) fail_here("has no \"text\"; expected {\"text\": \"...\"}, found the keys " + keys);
        return {std::move(*text_), std::move(label_), std::move(id_)};
    }

    bool null() override { return other_value("null", true); }
    bool boolean(bool value) override { return other_value(value ? "true" : "false"); }
    bool number_integer(number_integer_t number) override { return other_value(std::to_string(number)); }
    bool number_unsigned(number_unsigned_t number) override { return other_value(std::to_string(number)); }
    bool number_float(number_float_t, const string_t& written) override { return other_value(written); }
    bool binary(binary_t&) override { return true; }

    bool string(string_t& string) override {
        if (depth_ == 0) fail_record("a string");
        return keep(string);
    }

    bool key(string_t& key) override {
        if (depth_ > 1) return true;
        key_ = key;
        if (keys_.size() < keys_listed) keys_.push_back(key);
        if (const auto* field = ours(); field != nullptr && *field)
            fail_here("has the key " + in_quotes(key) + " twice");
        return true;
    }

    bool start_object(std::size_t) override { return enter("an object"); }
    bool end_object() override { return leave(); }
    bool start_array(std::size_t) override { return enter("a list"); }
    bool end_array() override { return leave(); }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        fail_here("is not JSON from byte " + std::to_string(position) + " on; expected one object per line");
    }

  private:
    [[noreturn]] void fail_here(std::string_view what) const { fail_at(path_, line_, what); }

    [[noreturn]] void fail_record(std::string_view found) const {
        fail_here("holds " + std::string(found) + "; expected an object: {\"text\": \"...\"}");
    }

    // What the key of the record stands for; null when it is not one of ours, or the value is deeper.
    [[nodiscard]] std::optional<std::string>* ours() {
        if (depth_ > 1) return nullptr;
        return key_ == "text" ? &text_ : key_ == "label" ? &label_ : key_ == "id" ? &id_ : nullptr;
    }

    bool keep(std::string& value) {
        auto* const field = ours();
        if (field == nullptr) return true;
        replace_nul(value);
        *field = std::move(value);
        return true;
    }

    bool other_value(std::string found, bool is_null = false) {
        if (depth_ == 0) fail_record(found);
        if (ours() == &text_) fail_here("its \"text\" is " + found + "; expected a string");
        return is_null || keep(found);
    }

    bool enter(const char* what) {
        if (depth_ == 0 && what != std::string_view("an object")) fail_record(what);
        if (depth_ == 1 && ours() != nullptr)
            fail_here("its " + in_quotes(key_) + " is " + what + "; expected a string");
        if (++depth_ > limits::json_depth)
            fail_here("nests deeper than the " + std::to_string(limits::json_depth) + " levels accepted");
        return true;
    }

    bool leave() {
        --depth_;
        return true;
    }

    const std::string& path_;
    std::uint64_t line_;
    std::size_t depth_ = 0;
    std::string key_;
    std::vector<std::string> keys_;
    std::optional<std::string> text_, label_, id_;
};

// One record per line, each of them a document and a text.
class JsonlReader : public FileReader {
  public:
    JsonlReader(const File& file, const Reading& reading)
        : FileReader(file), lines_(text(), limits::record_bytes), reading_(reading) {}

  private:
    bool read(Sentence& sentence) override {
        while (!next_sentence(sentence)) {
            if (!next_record()) return false;
        }
        sentence.label = record_.label ? std::string_view(*record_.label) : std::string_view(file_label());
        return true;
    }

    bool next_sentence(Sentence& sentence) {
        if (!text_) return false;
        if (reading_.unit == Unit::sentence) return sentences_->next(sentence.text);
        sentence.text = base::trimmed(record_.text);
        text_.reset();
        return !sentence.text.empty();
    }

    bool next_record() {
        do {
            if (!lines_.next()) return false;
        } while (base::trimmed(lines_.line()).empty());
        record_ = parse_json_record(path(), lines_.number(), lines_.line());
        require_consistent_labels();
        start_document(record_.id ? *record_.id : path() + ":" + std::to_string(lines_.number()));
        text_.emplace(path(), record_.text);
        if (reading_.unit == Unit::sentence) sentences_.emplace(*text_, reading_.splitter);
        return true;
    }

    // A label that is missing here and there would put texts into an unwanted cloud.
    void require_consistent_labels() {
        const bool has_label = record_.label.has_value();
        if (documents() == 0) {
            first_line_ = lines_.number();
            labelled_ = has_label;
        }
        if (reading_.unit == Unit::sentence || labelled_ == has_label) return;
        fail_at(path(), lines_.number(),
                std::string(has_label ? "has" : "has no") + " \"label\", but line " + std::to_string(first_line_) +
                    (labelled_ ? " has one" : " has none") + "; expected all lines alike");
    }

    LineReader lines_;
    Reading reading_;
    JsonRecord record_;
    std::optional<MemoryBytes> text_;  // of the record, while there is more of it
    std::optional<RawSentences> sentences_;
    std::uint64_t first_line_ = 0;
    bool labelled_ = false;
};

}  // namespace

std::unique_ptr<FileReader> read_text(const File& file, const Reading& reading) {
    if (reading.unit == Unit::text) return std::make_unique<WholeTextReader>(file);
    return std::make_unique<TextReader>(file, reading.splitter);
}

std::unique_ptr<FileReader> read_lines(const File& file, const Reading& reading) {
    if (reading.unit == Unit::text)
        return std::make_unique<LinesReader>(file, limits::record_bytes, LineReader::Long::refused);
    return std::make_unique<LinesReader>(file, limits::sentence_bytes, LineReader::Long::in_pieces);
}

JsonRecord parse_json_record(const std::string& path, std::uint64_t line, std::string_view json) {
    Events events(path, line);
    nlohmann::json::sax_parse(json, &events);
    return events.take();
}

std::unique_ptr<FileReader> read_jsonl(const File& file, const Reading& reading) {
    return std::make_unique<JsonlReader>(file, reading);
}

bool looks_like_jsonl(const Lines& lines) {
    const std::string_view first = base::trimmed(lines.front());
    if (!first.starts_with('{')) return false;
    const std::string_view inner = base::trimmed(first.substr(1));
    return inner.starts_with('"') || inner == "}";
}

}  // namespace wordbreadth::corpus
