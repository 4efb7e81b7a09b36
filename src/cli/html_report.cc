#include "cli/html_report.h"

#include <string_view>
#include <utility>

#include "report/table/text.h"
#include "wordbreadth/error.h"
#include "wordbreadth/version.h"

namespace wordbreadth::cli {

std::string quoted(const std::string& word) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + "'";
}

void add_html_option(CLI::App& command, std::string& path) {
    command.add_option("--html", path, "also write a self-contained HTML page")->type_name("FILE.html");
}

HtmlReport::HtmlReport(const std::string& path) : path_(path) {
    if (path.empty()) return;
    if (!path.ends_with(".html")) throw InputError("--html " + path + ": expected a name that ends in .html");
    file_.emplace(path);
}

void HtmlReport::write(report::Page page, const CLI::App& command) {
    page.settings.push_back({"wordbreadth", std::string(version())});
    page.command = command_line(command);
    file_->write(report::html_of(page));
}

std::string HtmlReport::note() const {
    return wanted() ? "report: " + report::printable(path_) + "\n" : "";
}

void append(std::vector<report::Setting>& settings, const std::vector<report::Setting>& more) {
    settings.insert(settings.end(), more.begin(), more.end());
}

std::string command_line(const CLI::App& command) {
    std::string line = "wordbreadth " + command.get_name();
    for (const bool positional : {true, false})
        for (const CLI::Option* option : command.get_options()) {
            if (option->count() == 0 || option->get_positional() != positional) continue;
            if (!positional) line += " " + option->get_name();
            if (option->get_items_expected_max() == 0) continue;  // a flag
            for (const std::string& value : option->results()) line += " " + quoted(value);
        }
    return line;
}

}  // namespace wordbreadth::cli
