// Reading what --format tsv prints.
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

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

// The first result's fields by their titles.
inline std::map<std::string, std::string> tsv_columns(const std::string& tsv) {
    std::istringstream lines(tsv);
    std::string titles, first;
    std::getline(lines, titles);
    std::getline(lines, first);
    const std::vector<std::string> names = tsv_fields(titles), values = tsv_fields(first);
    std::map<std::string, std::string> columns;
    for (std::size_t i = 0; i < names.size(); ++i) columns[names[i]] = values.at(i);
    return columns;
}

}  // namespace wordbreadth::cli
