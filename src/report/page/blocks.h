// The parts of a page as HTML.
#pragma once

#include <string>
#include <vector>

#include "report/page/page.h"

namespace wordbreadth::report {

[[nodiscard]] std::string html_of(const Paragraph& paragraph);
[[nodiscard]] std::string html_of(const Finding& finding);
[[nodiscard]] std::string html_of(const Facts& facts);
[[nodiscard]] std::string html_of(const Figure& figure);
[[nodiscard]] std::string html_of(const DataTable& table);
[[nodiscard]] std::string html_of(const ConcordanceView& view);

// ' data-name="value"'; nothing where there is no value.
[[nodiscard]] std::string data_attribute(const char* name, const std::string& value);
[[nodiscard]] std::string data_attribute(const char* name, std::size_t value);

// The concordances as a JSON text that may stand inside a <script>: [[key, {"title": ..., "lines": [[left, node, right,
// source, influence], ...]}], ...].
[[nodiscard]] std::string script_json(const std::vector<Concordance>& concordances);

}  // namespace wordbreadth::report
