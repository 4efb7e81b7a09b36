#include "lexicon/dictionary.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/failure.h"

namespace wordbreadth::lexicon {

namespace {

std::string file_in(const std::string& folder, const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) return path.string();
    base::fail(path.string(), std::filesystem::exists(path, error)
                                  ? "is not a regular file; expected a file of WordNet"
                                  : "no such file; the folder has to hold WordNet's index.noun, index.verb, "
                                    "index.adj, index.adv, noun.exc, verb.exc, adj.exc and adv.exc");
}

std::string replaced(std::string_view text, char from, char to) {
    std::string out(text);
    std::ranges::replace(out, from, to);
    return out;
}

std::string without(std::string_view text, std::string_view characters) {
    std::string out(text);
    std::erase_if(out, [characters](char c) { return characters.find(c) != std::string_view::npos; });
    return out;
}

std::array<std::string, 5> spellings_of(std::string_view form) {
    return {std::string(form), replaced(form, '_', '-'), replaced(form, '-', '_'), without(form, "_-"),
            without(form, ".")};
}

}  // namespace

Dictionary::Dictionary(const std::string& folder, PartOfSpeech part)
    : part_(part),
      index_(file_in(folder, std::string("index.").append(name_in_files(part))), part),
      exceptions_(file_in(folder, std::string(name_in_files(part)).append(".exc"))) {}

std::size_t Dictionary::count(std::string_view form) const {
    if (form.find_first_of("_-.") == std::string_view::npos) return index_.synsets(form).size();
    std::set<std::uint32_t> distinct;
    for (const std::string& spelling : spellings_of(form)) {
        const auto synsets = index_.synsets(spelling);
        distinct.insert(synsets.begin(), synsets.end());
    }
    return distinct.size();
}

}  // namespace wordbreadth::lexicon
