#include "report/page/blocks.h"

namespace wordbreadth::report {

std::string html_of(const Paragraph& paragraph) {
    return "<p>" + paragraph.text.html() + "</p>\n";
}

std::string html_of(const Finding& finding) {
    return "<p class=\"finding\">" + finding.text.html() + "</p>\n";
}

std::string html_of(const Facts& facts) {
    std::string html = "<dl class=\"facts\">\n";
    for (const Facts::Fact& fact : facts.facts)
        html += "<div><dt>" + escaped(fact.label) + "</dt><dd>" + escaped(fact.value) + "</dd></div>\n";
    return html + "</dl>\n";
}

std::string html_of(const Figure& figure) {
    const std::string caption =
        figure.caption.empty() ? "" : "<figcaption>" + figure.caption.html() + "</figcaption>\n";
    return "<figure class=\"picture" + std::string(figure.half ? " half" : "") + "\"" +
           data_attribute("name", figure.name) + ">\n" + figure.svg.markup() + caption + "</figure>\n";
}

std::string html_of(const ConcordanceView& view) {
    return "<figure class=\"concordance\" data-concordance=\"" + escaped(view.key) + "\"" +
           data_attribute("shown", view.shown) + ">\n<figcaption>" + view.caption.html() + "</figcaption>\n</figure>\n";
}

std::string data_attribute(const char* name, const std::string& value) {
    return value.empty() ? "" : " data-" + std::string(name) + "=\"" + escaped(value) + "\"";
}

std::string data_attribute(const char* name, std::size_t value) {
    return data_attribute(name, value == 0 ? "" : std::to_string(value));
}

}  // namespace wordbreadth::report
