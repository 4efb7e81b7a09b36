// The wn program of Debian's package wordnet, asked for the senses of many words.
#pragma once

#include <array>
#include <cstdio>
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
    const std::size_t has = line.rfind(" has "), kind_end = line.find(' ', 4);
    if (!line.starts_with("The ") || has == std::string::npos || kind_end >= has) return;
    std::istringstream rest(line.substr(has + 5));
    std::size_t number = 0;
    std::string unit;
    if (!(rest >> number >> unit) || !unit.starts_with("sense")) return;
    const std::string kind = line.substr(4, kind_end - 4);
    if (kind == "noun") senses.noun += number;
    if (kind == "verb") senses.verb += number;
    if (kind == "adj") senses.adjective += number;
    if (kind == "adv") senses.adverb += number;
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
