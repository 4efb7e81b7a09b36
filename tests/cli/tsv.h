// Reading what --format tsv prints.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "support/text.h"

namespace wordbreadth::cli {

inline std::vector<std::string> tsv_fields(const std::string& line) {
    std::vector<std::string> fields{""};
    for (const char c : line)
        if (c == '\t')
            fields.emplace_back();
        else
            fields.back() += c;
    return fields;
}

// The titles, in their order.
inline std::vector<std::string> tsv_titles(const std::string& tsv) {
    return tsv_fields(tsv.substr(0, tsv.find('\n')));
}

using Line = std::map<std::string, std::string>;  // a field by its column

inline std::vector<Line> read_tsv(const std::string& tsv) {
    const std::vector<std::string> lines = lines_of(tsv), titles = tsv_titles(tsv);
    std::vector<Line> table;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::vector<std::string> fields = tsv_fields(lines[i]);
        EXPECT_EQ(fields.size(), titles.size()) << "line " << i;
        table.emplace_back();
        for (std::size_t c = 0; c < std::min(titles.size(), fields.size()); ++c)
            EXPECT_TRUE(table.back().emplace(titles[c], fields[c]).second) << titles[c] << " twice";
    }
    return table;
}

}  // namespace wordbreadth::cli
