// A table of a study, told once: for people, for programs and for a page.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "report/page/page.h"
#include "report/style.h"
#include "wordbreadth/rates.h"

namespace wordbreadth::report {

struct StudyColumn {
    enum class Form { fixed, significant, p };  // of a double, where people read it
    std::string key;                            // for programs
    std::string title;                          // for people
    std::string help{};
    Form form = Form::fixed;
    int digits = 3;
};

// Nothing, a text, a count, a number or a share with its interval, which is a column more on either side in TSV
// (key_low, key_high) and an object in JSON. Not a variant: GCC 12 takes lists of those for uninitialised.
struct StudyValue {
    enum class Kind { none, text, count, number, rate };

    StudyValue() = default;
    StudyValue(std::string value) : kind(Kind::text), text(std::move(value)) {}  // implicit, as are the others: a cell
    StudyValue(std::uint64_t value) : kind(Kind::count), count(value) {}
    StudyValue(double value) : kind(Kind::number), number(value) {}
    StudyValue(const Rate& value) : kind(Kind::rate), rate(value) {}

    Kind kind = Kind::none;
    std::string text{};
    std::uint64_t count = 0;
    double number = 0;
    Rate rate{};
};

struct StudyTable {
    std::string name;     // of its files: name.tsv, name.json
    std::string caption;  // what it shows, in a sentence or two
    std::vector<StudyColumn> columns;
    std::vector<std::vector<StudyValue>> rows{};
};

[[nodiscard]] std::string tsv_of(const StudyTable& table);

// A list of objects, one a row.
[[nodiscard]] nlohmann::ordered_json json_of(const StudyTable& table);

// For a terminal; without the caption.
[[nodiscard]] std::string text_of(const StudyTable& table, const Style& style);

// The columns of these keys alone, under a caption of their own.
[[nodiscard]] StudyTable part_of(const StudyTable& table, const std::vector<std::string>& keys, std::string caption);

[[nodiscard]] DataTable data_table(const StudyTable& table);

// 0.013 (0.005 to 0.034); "-" without a value.
[[nodiscard]] std::string text_of(const Rate& rate);

}  // namespace wordbreadth::report
