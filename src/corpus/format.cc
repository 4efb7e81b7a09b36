#include "corpus/format.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/failure.h"

namespace wordbreadth::corpus {

namespace {

constexpr std::array all{
    Traits{Format::automatic, "auto", false, false, false, ""},
    Traits{Format::text, "text", false, false, false, ".txt.text"},
    Traits{Format::lines, "lines", false, false, false, ".txt.text.lines"},
    Traits{Format::jsonl, "jsonl", false, false, false, ".jsonl.ndjson.json"},
    Traits{Format::bnc, "bnc", true, true, true, ".xml"},
    Traits{Format::bccwj, "bccwj", true, true, true, ".txt.tsv"},
    Traits{Format::conllu, "conllu", true, true, true, ".conllu.conll"},
    Traits{Format::vertical, "vertical", true, true, true, ".vert.vrt.vertical"},
    Traits{Format::dwug, "dwug", false, true, true, ".csv.tsv"},
    Traits{Format::brown, "brown", true, false, true, ""},
};

std::filesystem::path without_gz(std::string_view path) {
    std::filesystem::path name = std::filesystem::path(path).filename();
    return name.extension() == ".gz" ? name.stem() : name;
}

}  // namespace

const Traits& traits_of(Format format) {
    return *std::ranges::find(all, format, &Traits::format);
}

Format format_named(std::string_view name) {
    const auto* found = std::ranges::find(all, name, &Traits::name);
    if (found != all.end()) return found->format;
    base::fail("corpus format " + base::in_quotes(name),
               "no such format; expected one of " + base::joined(all, ", ", &Traits::name));
}

bool has_usual_ending(Format format, std::string_view path) {
    const std::string ending = without_gz(path).extension().string();
    if (ending.size() < 2) return false;
    const std::string_view endings = traits_of(format).endings;
    const std::size_t at = endings.find(ending);
    if (at == std::string_view::npos) return false;
    const std::size_t after = at + ending.size();
    return after == endings.size() || endings[after] == '.';
}

std::string stem_of(std::string_view path) {
    return without_gz(path).stem().string();
}

}  // namespace wordbreadth::corpus
