// The wn program of Debian's package wordnet, asked for the senses of many words.
#pragma once

#include <array>
#include <cstdio>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "lexicon/lexicon_testing.h"

namespace wordbreadth::lexicon {

struct WnAnswer {
    Senses senses;
    int status = -1;  // wn ends with the number of senses it listed, cut to 8 bits
};

inline std::string output_of(const std::string& command) {
    std::string output;
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return output;
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        output.append(buffer.data(), count);
    }
    pclose(pipe);
    return output;
}

// "The noun hot dog has 3 senses (first 1 from tagged texts)".
inline void add_senses(const std::string& line, Senses& senses) {
    static const std::regex sentence("The (noun|verb|adj|adv) .* has ([0-9]+) senses?( .*)?");
    std::smatch found;
    if (!line.starts_with("The ") || !std::regex_match(line, found, sentence)) return;
    const std::size_t number = std::stoul(found[2]);
    if (found[1] == "noun") senses.noun += number;
    if (found[1] == "verb") senses.verb += number;
    if (found[1] == "adj") senses.adjective += number;
    if (found[1] == "adv") senses.adverb += number;
}

// One answer a word, none of which has a line end. Empty where wn is not installed.
inline std::vector<WnAnswer> ask_wn(const std::vector<std::string>& words) {
    std::string list;
    for (const std::string& word : words) list += word + "\n";
    const TemporaryFile file(".words", list);
    const std::string each = "while IFS= read -r word; do wn \"$word\" -over; echo \"status $?\"; done <'";
    std::istringstream lines(
        output_of("export LC_ALL=C; unset WNHOME WNSEARCHDIR; command -v wn && " + each + file.path() + "'"));
    std::vector<WnAnswer> answers;
    WnAnswer answer;
    for (std::string line; std::getline(lines, line);) {
        add_senses(line, answer.senses);
        if (!line.starts_with("status ")) continue;
        answer.status = std::stoi(line.substr(7));
        answers.push_back(answer);
        answer = {};
    }
    return answers;
}

}  // namespace wordbreadth::lexicon
