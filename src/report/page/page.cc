#include "report/page/page.h"

#include "report/files.h"
#include "report/page/web/assets.h"

namespace wordbreadth::report {
namespace {

// Nothing is fetched, and nothing runs but our own script: text that got past the escaping would still do nothing.
std::string security_policy() {
    return "default-src 'none'; script-src '" + std::string(web::script_hash) + "'; style-src '" +
           std::string(web::page_css_hash) + "'; img-src data:; base-uri 'none'; form-action 'none'";
}

std::string head(const Page& page) {
    return "<!DOCTYPE html>\n<html lang=\"" + escaped(page.language) +
           "\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"" +
           security_policy() +
           "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"wordbreadth\">\n"
           "<title>" +
           escaped(page.title) + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>" + std::string(web::page_css) +
           "</style>\n</head>\n";
}

std::string anchor(std::size_t section) {
    return "section-" + std::to_string(section + 1);
}

std::string contents(const Page& page) {
    if (page.sections.size() < 3) return "";
    std::string html = "<nav aria-label=\"Contents\">\n<ol>\n";
    for (std::size_t i = 0; i < page.sections.size(); ++i)
        html += "<li><a href=\"#" + anchor(i) + "\">" + escaped(page.sections[i].heading) + "</a></li>\n";
    return html + "</ol>\n</nav>\n";
}

std::string header(const Page& page) {
    const std::string subtitle =
        page.subtitle.empty() ? "" : "<p class=\"subtitle\">" + page.subtitle.html() + "</p>\n";
    return "<header>\n<h1 dir=\"auto\">" + escaped(page.title) + "</h1>\n" + subtitle + contents(page) + "</header>\n";
}

std::string body_of(const Section& section, std::size_t number) {
    std::string html =
        "<section id=\"" + anchor(number) + "\">\n<h2 dir=\"auto\">" + escaped(section.heading) + "</h2>\n";
    for (const Block& block : section.blocks) html += std::visit([](const auto& part) { return html_of(part); }, block);
    return html + "</section>\n";
}

std::string footer(const Page& page) {
    std::string html = "<footer>\n<h2>How this was made</h2>\n<dl class=\"settings\">\n";
    for (const Setting& setting : page.settings)
        html +=
            "<div><dt>" + escaped(setting.name) + "</dt><dd dir=\"auto\">" + escaped(setting.value) + "</dd></div>\n";
    html += "</dl>\n";
    if (!page.command.empty()) html += "<p>Again with</p>\n<pre><code>" + escaped(page.command) + "</code></pre>\n";
    return html + "</footer>\n";
}

}  // namespace

std::string html_of(const Page& page) {
    std::string html = head(page) + "<body>\n" + header(page) + "<main>\n";
    for (std::size_t i = 0; i < page.sections.size(); ++i) html += body_of(page.sections[i], i);
    html += "</main>\n" + footer(page);
    html += "<noscript><p>Sorting, searching and concordances need JavaScript.</p></noscript>\n";
    html += "<script type=\"application/json\" id=\"concordances\">" + script_json(page.concordances) + "</script>\n";
    return html + "<script>" + std::string(web::script) + "</script>\n</body>\n</html>\n";
}

void write_page(const Page& page, const std::string& path) {
    ResultFile(path).write(html_of(page));
}

}  // namespace wordbreadth::report
