#include "lexicon/fields.h"

#include <algorithm>

#include "base/utf8.h"
#include "corpus/failure.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::lexicon {

namespace {

void split(std::string_view line, std::vector<std::string_view>& fields) {
    fields.clear();
    while (!line.empty()) {
        const std::size_t end = std::min(line.find(' '), line.size());
        if (end > 0) fields.push_back(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
}

}  // namespace

FieldReader::FieldReader(const std::string& path) : file_(path), lines_(file_, limits::wordnet_line_bytes) {
    if (file_.size() <= limits::wordnet_file_bytes) return;
    base::fail(path, "has " + std::to_string(file_.size()) + " bytes; a file of WordNet may have " +
                         std::to_string(limits::wordnet_file_bytes));
}

bool FieldReader::next() {
    do {
        if (!lines_.next()) return false;
        base::require_utf8(lines_.where(), lines_.number(), lines_.line());
    } while (lines_.line().starts_with(' '));
    split(lines_.line(), fields_);
    return true;
}

std::uint32_t FieldReader::number(std::size_t index, std::string_view what) const {
    const std::string_view text = fields_[index];
    if (const auto value = base::number_in<std::uint32_t>(text)) return *value;
    fail(std::string(what).append(" is ").append(base::in_quotes(text)).append("; expected a number of 32 bits"));
}

void FieldReader::fail(std::string_view what) const {
    corpus::fail_at(lines_.where(), lines_.number(), what);
}

}  // namespace wordbreadth::lexicon
