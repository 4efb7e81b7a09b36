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
    return "<figure class=\"picture\">\n<div class=\"scroll\">\n" + figure.svg.markup() + "</div>\n" + caption +
           "</figure>\n";
}

std::string html_of(const ConcordanceView& view) {
    return "<figure class=\"concordance\" data-concordance=\"" + escaped(view.key) + "\">\n<figcaption>" +
           view.caption.html() + "</figcaption>\n</figure>\n";
}

}  // namespace wordbreadth::report
