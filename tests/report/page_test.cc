#include "report/page/page.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "report/figures/figures.h"
#include "support/temporary.h"
#include "wordbreadth/error.h"

namespace wordbreadth::report {
namespace {

const std::string attack = "</script></style><script>alert(1)</script><img src=x onerror='a'>\" onclick=\"";

Page page_of(const std::string& text) {
    Page page{text, text, {}, {}, {{text, text}}, text};
    const DataTable table{table_of(text, text, {{text, text, look::name, text}, {text, text}},
                                   {{Value(text).opening({text}), Value(1U).shown_as(text)}})};
    const Figure figure{
        svg_of(ScatterPlot{
            {text, text}, {.label = text}, {.label = text}, {{text}}, {{text, {{1, 2, 0, text, text, {text}, 1}}}}}),
        text};
    page.sections = {
        {text, {Paragraph{text}, Finding{text}, Facts{{{text, text}}}, figure, table, ConcordanceView{text, text}}},
        {text, {}},
        {text, {}}};
    page.concordances = {{text, text, {{text, text, text, text, 0.5}}}};
    return page;
}

std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

TEST(Page, NoTextBecomesMarkup) {
    const std::string html = html_of(page_of(attack));
    EXPECT_EQ(html.find("<script>alert"), std::string::npos);
    EXPECT_EQ(html.find("<img"), std::string::npos);
    EXPECT_EQ(html.find("\" onclick=\""), std::string::npos);
    EXPECT_EQ(occurrences(html, "</script>"), 2U);  // the data's and the program's
    EXPECT_EQ(occurrences(html, "</style>"), 1U);
}

TEST(Page, NeedsNothingFromOutside) {
    const std::string html = html_of(page_of("x"));
    EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
    EXPECT_EQ(html.find("unsafe-inline"), std::string::npos);
    EXPECT_EQ(html.find("src=\""), std::string::npos);
    EXPECT_EQ(html.find("@import"), std::string::npos);
    EXPECT_EQ(occurrences(html, "http"), occurrences(html, "http://www.w3.org/2000/svg") + 1);  // and http-equiv
    EXPECT_EQ(html.find(" style=\""), std::string::npos);  // which the policy would refuse
}

TEST(Page, ShortReportsHaveNoContents) {
    Page page{"t"};
    page.sections = {{"a", {}}, {"b", {}}};
    EXPECT_EQ(html_of(page).find("<nav"), std::string::npos);
    page.sections.push_back({"c", {}});
    EXPECT_NE(html_of(page).find("<a href=\"#section-3\">c</a>"), std::string::npos);
}

TEST(Page, LongSettingsHaveALineOfTheirOwn) {
    Page page;
    page.settings = {{"seed", "7"}, {"words asked for", std::string(200, 'w')}};
    const std::string html = html_of(page);
    EXPECT_NE(html.find("<div><dt>seed</dt>"), std::string::npos);
    EXPECT_NE(html.find("<div class=\"long\"><dt>words asked for</dt>"), std::string::npos);
}

TEST(PageTable, NumbersCarryTheirFullValue) {
    const std::string html =
        html_of(DataTable{table_of("", "", {{"v", "v", look::decimals(3)}}, {{0.00123}, {2U}, {NAN}, {Value()}})});
    EXPECT_NE(html.find("<td class=\"number\" data-value=\"0.00123\">0.001</td>"), std::string::npos);
    EXPECT_NE(html.find("<td class=\"number\">2</td>"), std::string::npos);
    EXPECT_NE(html.find("<td class=\"number\" data-value=\"\">-</td>"), std::string::npos);
    EXPECT_NE(html.find("<tr><td class=\"number\"></td></tr>"), std::string::npos);
}

TEST(PageTable, SaysWhatRowsAreAboutAndWhatDownloadsAreCalled) {
    const DataTable table{
        table_of("compare", "All.", {{"word", "word", look::subject}, {"ratio_ab", "ratio", look::digits(2)}},
                 {{"bank", Value(2.0).shown_as("2 (1 to 3)").between(1, 3)}}),
        10};
    const std::string html = html_of(table);
    EXPECT_NE(
        html.find("<figure class=\"data\" data-name=\"compare\" data-shown=\"10\">\n<figcaption>All.</figcaption>"),
        std::string::npos);
    EXPECT_NE(html.find("<th scope=\"col\" class=\"text subject\">word</th>"), std::string::npos);
    EXPECT_NE(html.find("data-key=\"ratio_ab\""), std::string::npos);
    EXPECT_NE(html.find("<td class=\"subject\" dir=\"auto\">bank</td>"), std::string::npos);
    EXPECT_NE(html.find("<td class=\"number\" data-value=\"2\" data-low=\"1\" data-high=\"3\">2 (1 to 3)</td>"),
              std::string::npos);
}

TEST(PageFigure, StandsInThePageForBothWidths) {
    const std::string html = html_of(Figure{svg_of(LineChart{{"t", "d"}}), "c", "rates", true});
    EXPECT_NE(html.find("<figure class=\"picture half\" data-name=\"rates\">"), std::string::npos);
    EXPECT_EQ(occurrences(html, "class=\"figure wide\""), 1U);
    EXPECT_EQ(occurrences(html, "class=\"figure narrow\""), 1U);
}

TEST(PageConcordance, JsonHoldsTheTextAndNoMarkup) {
    const std::string text =
        script_json({{"k\"", "t", {{"<l>", "n&", "r\xE2\x80\xA8", "s", 0.25}, {"\xFF", "", "", "", NAN}}}});
    EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
    const auto json = nlohmann::json::parse(text);
    EXPECT_EQ(json[0][0], "k\"");
    EXPECT_EQ(json[0][1]["lines"][0], nlohmann::json::array({"<l>", "n&", "r\xE2\x80\xA8", "s", 0.25}));
    EXPECT_EQ(json[0][1]["lines"][1][0], "\xEF\xBF\xBD");
    EXPECT_TRUE(json[0][1]["lines"][1][4].is_null());
}

TEST(PageFile, IsWrittenWhole) {
    const TemporaryFile target(".html", "old");
    ResultFile(target.path()).write(html_of(page_of("x")));
    EXPECT_EQ(content(target.path()), html_of(page_of("x")));
}

TEST(PageFile, APlaceThatCannotBeWrittenIsAnInputError) {
    EXPECT_THROW(ResultFile("/no/such/folder/report.html").write(html_of(page_of("x"))), InputError);
    EXPECT_THROW(ResultFile(std::filesystem::temp_directory_path().string()).write(html_of(page_of("x"))), InputError);
}

}  // namespace
}  // namespace wordbreadth::report
