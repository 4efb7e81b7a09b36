#include "lexicon/dictionary.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/failure.h"
#include "base/file.h"
#include "base/utf8.h"
#include "corpus/line_reader.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::lexicon {

namespace {

struct InFiles {
    const char* name;         // index.NAME, NAME.exc
    std::string_view letter;  // the second field of every line of the index
};

const InFiles& in_files(PartOfSpeech part) {
    static constexpr std::array<InFiles, 4> all{{{"noun", "n"}, {"verb", "v"}, {"adj", "a"}, {"adv", "r"}}};
    return all[static_cast<std::size_t>(part)];
}

// The lines of a file of WordNet: fields with spaces between them. What is wrong with the file is an InputError with
// its path and line.
class FieldReader {
  public:
    explicit FieldReader(const std::string& path) : file_(path), lines_(file_, limits::wordnet_line_bytes) {
        if (file_.size() <= limits::wordnet_file_bytes) return;
        base::fail(path, "has " + std::to_string(file_.size()) + " bytes; a file of WordNet may have " +
                             std::to_string(limits::wordnet_file_bytes));
    }

    // Goes to the next line; false at the end. Lines that begin with a space, as WordNet's licence does, are skipped.
    [[nodiscard]] bool next() {
        do {
            if (!lines_.next()) return false;
            base::require_utf8(lines_.where(), lines_.number(), lines_.line());
        } while (lines_.line().starts_with(' '));
        corpus::split_fields(lines_.line(), fields_, ' ');
        std::erase(fields_, std::string_view());
        return true;
    }

    // Of the line. They stay until next().
    [[nodiscard]] const std::vector<std::string_view>& fields() const { return fields_; }

    // The field at `index` as a number; `what` names it in the message.
    [[nodiscard]] std::uint32_t number(std::size_t index, std::string_view what) const {
        if (const auto value = base::number_in<std::uint32_t>(fields_[index])) return *value;
        fail(std::string(what) + " is " + base::in_quotes(fields_[index]) + "; expected a number of 32 bits");
    }

    [[noreturn]] void fail(std::string_view what) const { base::fail_at(lines_.where(), lines_.number(), what); }

  private:
    base::File file_;
    corpus::LineReader lines_;
    std::vector<std::string_view> fields_;
};

// lemma, letter, synsets, kinds of pointers, [pointer]..., synsets again, tagged senses, [place of a synset]...
constexpr std::size_t fields_besides_lists = 6;

// What follows the pointers: the number of senses, and how many of them were tagged in texts.
void require_senses(const FieldReader& line, std::size_t index, std::size_t synsets) {
    const std::size_t senses = line.number(index, "the number of senses");
    const std::size_t tagged = line.number(index + 1, "the number of tagged senses");
    if (senses != synsets) {
        line.fail("the number of senses is " + std::to_string(senses) + "; expected that of the synsets, " +
                  std::to_string(synsets));
    }
    if (tagged > synsets) {
        line.fail("the number of tagged senses is " + std::to_string(tagged) + "; expected " + std::to_string(synsets) +
                  " or fewer");
    }
}

// The counts must agree with the fields. Returns where the offsets of the synsets begin.
std::size_t find_synsets(const FieldReader& line) {
    const std::size_t fields = line.fields().size();
    const std::size_t synsets = line.number(2, "the number of synsets");
    const std::size_t pointers = line.number(3, "the number of pointers");
    if (synsets == 0) line.fail("the number of synsets is 0; expected 1 or more");
    if (fields != fields_besides_lists + pointers + synsets) {
        line.fail("has " + base::count_of(fields, "field") + "; expected " +
                  std::to_string(fields_besides_lists + pointers + synsets) + ", with " +
                  base::count_of(synsets, "synset") + " and " + base::count_of(pointers, "pointer"));
    }
    require_senses(line, 4 + pointers, synsets);
    return fields - synsets;
}

void append_synsets(const FieldReader& line, std::vector<std::uint32_t>& synsets) {
    std::vector<std::uint32_t> found;
    for (std::size_t i = find_synsets(line); i < line.fields().size(); ++i)
        found.push_back(line.number(i, "the place of a synset"));
    synsets.insert(synsets.end(), found.begin(), found.end());
    std::ranges::sort(found);
    const auto twice = std::ranges::adjacent_find(found);
    if (twice != found.end()) line.fail("the synset at " + std::to_string(*twice) + " is listed twice");
}

std::string file_in(const std::string& folder, const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) return path.string();
    base::fail(path.string(), std::filesystem::exists(path, error)
                                  ? "is not a regular file; expected a file of WordNet"
                                  : "no such file; the folder has to hold WordNet's index.noun, index.verb, "
                                    "index.adj, index.adv, noun.exc, verb.exc, adj.exc and adv.exc");
}

std::string without(std::string_view text, std::string_view characters) {
    std::string out(text);
    std::erase_if(out, [characters](char c) { return characters.find(c) != std::string_view::npos; });
    return out;
}

std::array<std::string, 5> spellings_of(std::string_view form) {
    std::string hyphens(form), underscores(form);
    std::ranges::replace(hyphens, '_', '-');
    std::ranges::replace(underscores, '-', '_');
    return {std::string(form), hyphens, underscores, without(form, "_-"), without(form, ".")};
}

}  // namespace

Dictionary::Dictionary(const std::string& folder, PartOfSpeech part) : part_(part) {
    const std::string name = in_files(part).name;
    read_index(file_in(folder, "index." + name));
    read_exceptions(file_in(folder, name + ".exc"));
}

void Dictionary::read_index(const std::string& path) {
    FieldReader line(path);
    while (line.next()) {
        if (line.fields().size() < fields_besides_lists) {
            line.fail("has " + base::count_of(line.fields().size(), "field") +
                      "; expected a lemma, its part of speech, its number of synsets and so on, 7 or more");
        }
        const std::string_view lemma = line.fields()[0], letter = line.fields()[1];
        if (base::ascii_lower(lemma) != lemma)
            line.fail("the lemma " + base::in_quotes(lemma) + " has capitals; expected lower case");
        if (letter != in_files(part_).letter)
            line.fail("the part of speech is " + base::in_quotes(letter) + "; expected " +
                      base::in_quotes(in_files(part_).letter) + " in every line of this file");
        const std::size_t begin = synsets_.size();
        append_synsets(line, synsets_);
        const bool is_new = lemmas_.try_emplace(std::string(lemma), Range{begin, synsets_.size() - begin}).second;
        if (!is_new) line.fail("the lemma " + base::in_quotes(lemma) + " has a line already; expected one per lemma");
    }
    if (lemmas_.empty()) base::fail(path, "has no lemmas; expected an index file of WordNet");
}

void Dictionary::read_exceptions(const std::string& path) {
    FieldReader line(path);
    while (line.next()) {
        const auto& fields = line.fields();
        if (fields.size() < 2) {
            line.fail("has " + base::count_of(fields.size(), "field") + "; expected a form and its base forms");
        }
        exceptions_.try_emplace(std::string(fields[0]), fields.begin() + 1, fields.end());
    }
}

std::span<const std::string> Dictionary::irregular_bases(std::string_view form) const {
    const auto found = exceptions_.find(form);
    if (found == exceptions_.end()) return {};
    return found->second;
}

std::span<const std::uint32_t> Dictionary::synsets(std::string_view lemma) const {
    const auto found = lemmas_.find(lemma);
    if (found == lemmas_.end()) return {};
    return std::span(synsets_).subspan(found->second.begin, found->second.count);
}

std::size_t Dictionary::count(std::string_view form) const {
    if (form.find_first_of("_-.") == std::string_view::npos) return synsets(form).size();
    std::set<std::uint32_t> distinct;
    for (const std::string& spelling : spellings_of(form)) {
        const auto found = synsets(spelling);
        distinct.insert(found.begin(), found.end());
    }
    return distinct.size();
}

}  // namespace wordbreadth::lexicon
