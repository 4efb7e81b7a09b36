// Results that say how they were computed, and whether computing them again gives the same.
#include "report/verification.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/failure.h"
#include "base/file.h"
#include "report/page/html.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"
#include "wordbreadth/version.h"

namespace wordbreadth::report {
namespace {

constexpr std::string_view page_start = "<!DOCTYPE html>";
constexpr std::string_view end_of_script = "</script>";
constexpr const char* key = "provenance";

constexpr std::size_t differences_kept = 20;
constexpr double rounding = 1e-12;  // relative: far more than another library of logarithms makes, less than any result

// What a result has that depends on the machine and the moment, and what was looked at before it was computed again.
constexpr std::array measured = std::to_array<std::string_view>(
    {"seconds", "device", "threads", "version", "us_per_permutation", "ms_total", "ms_each"});
constexpr std::array not_compared = std::to_array<std::string_view>({key, "command"});

// The same on a page: lines that begin like this.
constexpr std::array measured_lines = std::to_array<std::string_view>(
    {"<div><dt>device</dt>", "<div><dt>time</dt>", "<div><dt>version</dt>", "<div><dt>wordbreadth</dt>", "<pre><code>",
     "<script type=\"application/json\" id=\"provenance\">"});
constexpr std::string_view measured_figure = "<figure class=\"picture\" data-name=\"runtime\">";
constexpr std::string_view end_of_figure = "</figure>";

template <class List>
bool has(const List& list, std::string_view name) {
    return std::ranges::find(list, name) != list.end();
}

// ---- Reading

[[noreturn]] void fail_without_provenance(const std::string& path) {
    base::fail(
        path,
        "does not say how it was computed, so it cannot be verified; JSON and pages written by this version or a "
        "later one do: compute it again");
}

Json parsed(const std::string& path, std::string_view text) {
    const auto limited = [&](int depth, Json::parse_event_t event, const Json&) {
        const bool opens = event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
        if (opens && depth >= static_cast<int>(limits::json_depth))
            base::fail(path, "its JSON is nested deeper than " + std::to_string(limits::json_depth) + " levels");
        return true;
    };
    try {
        return Json::parse(text.begin(), text.end(), limited);
    } catch (const Json::parse_error& error) {
        base::fail(path,
                   "is damaged, or not a result: expected JSON or a page; its JSON ends or is malformed at byte " +
                       std::to_string(error.byte));
    }
}

// Reads the parts of a provenance, nothing of which is trusted.
class ProvenanceReader {
  public:
    ProvenanceReader(std::string path, const Json& json) : path_(std::move(path)), json_(json) {}

    [[nodiscard]] Provenance read() const {
        Provenance found;
        found.version = text(json_, "version");
        for (const Json& argument : list("command")) found.command.push_back(text_of(argument, "command"));
        if (found.command.empty()) fail("command");
        for (const Json& input : list("inputs")) found.inputs.push_back(input_of(input));
        if (json_.contains("file")) found.file = text(json_, "file");
        if (!json_.contains("defaults")) return found;  // from before they were recorded
        const Json& defaults = json_["defaults"];
        if (!defaults.is_object()) fail("defaults");
        for (const auto& [name, value] : defaults.items()) found.defaults[name] = text_of(value, "defaults");
        return found;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        base::fail(path_, "its provenance is damaged at \"" + what + "\"; compute the result again");
    }

    [[nodiscard]] const Json& member(const Json& object, const char* name) const {
        if (!object.is_object() || !object.contains(name)) fail(name);
        return object[name];
    }

    [[nodiscard]] std::string text_of(const Json& value, const char* name) const {
        if (!value.is_string()) fail(name);
        return value.get<std::string>();
    }

    [[nodiscard]] std::string text(const Json& object, const char* name) const {
        return text_of(member(object, name), name);
    }

    [[nodiscard]] const Json& list(const char* name) const {
        const Json& found = member(json_, name);
        if (!found.is_array()) fail(name);
        return found;
    }

    [[nodiscard]] InputFile input_of(const Json& input) const {
        const Json& bytes = member(input, "bytes");
        if (!bytes.is_number_unsigned()) fail("bytes");
        return {text(input, "path"), bytes.get<std::uint64_t>(), text(input, "sha256")};
    }

    std::string path_;
    const Json& json_;
};

std::string content_of(const std::string& path, std::uint64_t most_bytes) {
    base::File file(path);
    if (file.size() > most_bytes)
        base::fail(path, "has " + count(file.size()) + " bytes; expected a result of at most " + count(most_bytes));
    std::string text;
    file.append_to(text, file.size());
    return text;
}

std::string_view provenance_in(const std::string& path, std::string_view page) {
    const std::string tag = provenance_tag();
    const std::size_t at = page.find(tag);
    if (at == std::string_view::npos) fail_without_provenance(path);
    const std::string_view rest = page.substr(at + tag.size());
    return rest.substr(0, rest.find(end_of_script));
}

// ---- Inputs

std::string path_now(const std::string& path, const std::string& folder) {
    namespace fs = std::filesystem;
    if (folder.empty()) return path;
    std::error_code ignored;
    const fs::path given = fs::path(path).lexically_normal();
    const fs::path beneath = fs::path(folder) / given.relative_path();
    if (fs::exists(beneath, ignored)) return beneath.string();
    const fs::path name = given.has_filename() ? given.filename() : given.parent_path().filename();
    return (fs::path(folder) / name).string();
}

std::string identity(const InputFile& input) {
    return count(input.bytes) + " bytes, sha256 " + input.sha256;
}

// ---- Comparing

std::string shown(const Json& value) {
    if (value.is_string()) return clipped(printable(value.get_ref<const std::string&>()), 60);
    if (value.is_null()) return "nothing";
    if (value.is_array()) return "a list of " + count(value.size());
    if (value.is_object()) return "an object";
    return value.dump();
}

// "[3]", or "[3] (bank)" where it says what it is about.
std::string label_of(std::size_t index, const Json& entry) {
    std::string label = "[" + std::to_string(index) + "]";
    if (!entry.is_object()) return label;
    const auto name = [&](const char* member) {
        const auto found = entry.find(member);
        return found != entry.end() && found->is_string() ? printable(found->get_ref<const std::string&>()) : "";
    };
    for (const char* const member : {"word", "name", "reference"})
        if (const std::string found = name(member); !found.empty()) return label + " (" + found + ")";
    return name("x").empty() ? label : label + " (" + name("x") + ", " + name("y") + ")";
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    if (from.empty() || from == to) return;
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

class Comparer {
  public:
    Comparer(const RecordedResult& recorded, const std::vector<MovedPath>& paths)
        : paths_(paths), same_version_(recorded.provenance.version == version()) {
        if (!same_version_) note("version", recorded.provenance.version, std::string(version()));
    }

    void compare(const Json& found, const Json& now, const std::string& where) {
        if (found.is_object() && now.is_object()) return compare_objects(found, now, where);
        if (found.is_array() && now.is_array()) return compare_lists(found, now, where);
        ++verification_.compared;
        if (!is_same(found, now)) differ(where, shown(found), shown(now));
    }

    void compare_pages(const std::string& found, std::string now) {
        for (const auto& [path_then, path_now] : paths_) replace_all(now, escaped(path_now), escaped(path_then));
        const std::vector<Line> of_found = lines_of(found), of_now = lines_of(now);
        const std::size_t common = std::min(of_found.size(), of_now.size());
        verification_.compared = of_found.size();
        for (std::size_t i = 0; i < common; ++i)
            if (of_found[i].text != of_now[i].text) differ(of_found[i], of_now[i].text);
        if (of_found.size() != of_now.size()) differ("lines", count(of_found.size()), count(of_now.size()));
    }

    [[nodiscard]] Verification result() { return std::move(verification_); }

  private:
    struct Line {
        std::size_t number = 0;
        std::string_view text;
    };

    void compare_objects(const Json& found, const Json& now, const std::string& where) {
        const std::string prefix = where.empty() ? "" : where + ".";
        for (const auto& [name, value] : found.items()) {
            if (has(not_compared, name)) continue;
            if (const auto other = now.find(name); other == now.end())
                differ(prefix + name, shown(value), "missing");
            else if (!has(measured, name))
                compare(value, *other, prefix + name);
            else if (!value.is_number() && value != *other)
                note(name, shown(value), shown(*other));
        }
        for (const auto& [name, value] : now.items()) {
            if (found.contains(name) || has(not_compared, name)) continue;
            if (same_version_)
                differ(prefix + name, "missing", shown(value));
            else
                note("new in this version: " + name, "missing", shown(value));
        }
    }

    void compare_lists(const Json& found, const Json& now, const std::string& where) {
        if (found.size() != now.size()) differ(where, shown(found), shown(now));
        for (std::size_t i = 0; i < std::min(found.size(), now.size()); ++i)
            compare(found[i], now[i], where + label_of(i, found[i]));
    }

    [[nodiscard]] bool is_same(const Json& found, const Json& now) {
        if (found == now) return true;
        if (found.is_string() && now.is_string()) return found == as_it_was(now.get<std::string>());
        if (!found.is_number_float() || !now.is_number_float()) return false;  // counts are exact
        const double a = found.get<double>(), b = now.get<double>();
        const bool close = std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b));
        if (close) ++verification_.rounded;
        return close;
    }

    [[nodiscard]] std::string as_it_was(std::string text) const {
        for (const auto& [path_then, path_now] : paths_) replace_all(text, path_now, path_then);
        return text;
    }

    // The lines of a page that are to be compared.
    static std::vector<Line> lines_of(std::string_view page) {
        std::vector<Line> lines;
        bool skipping = false;
        for (std::size_t number = 1; !page.empty(); ++number) {
            const std::string_view line = page.substr(0, page.find('\n'));
            page.remove_prefix(std::min(line.size() + 1, page.size()));
            skipping = skipping || line.starts_with(measured_figure);
            if (skipping) {
                skipping = !line.starts_with(end_of_figure);
                continue;
            }
            const auto begins = [&](std::string_view start) { return line.starts_with(start); };
            if (std::ranges::none_of(measured_lines, begins)) lines.push_back({number, line});
        }
        return lines;
    }

    static std::string without_tags(std::string_view html) {
        std::string text;
        bool inside = false;
        for (const char c : html) {
            if (c == '<') {
                inside = true;
                if (!text.empty() && text.back() != ' ') text += ' ';
            }
            if (!inside) text += c;
            if (c == '>') inside = false;
        }
        return text;
    }

    // What is around the first difference of two lines.
    void differ(const Line& found, std::string_view now) {
        std::string a = without_tags(found.text), b = without_tags(now);
        if (a == b) {
            a = found.text;
            b = now;
        }
        const auto [in_a, in_b] = std::ranges::mismatch(a, b);
        const auto at = static_cast<std::size_t>(in_a - a.begin());
        const auto part = [&](const std::string& line) {
            constexpr std::size_t before = 24, most = 60;
            std::size_t start = at > before ? at - before : 0;
            const auto continues = [&](std::size_t i) { return (static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80; };
            while (start > 0 && start < line.size() && continues(start)) --start;
            return clipped_end(printable(line.substr(start, 4 * most)), most);
        };
        differ("line " + std::to_string(found.number), part(a), part(b));
    }

    void differ(const std::string& where, const std::string& found, const std::string& now) {
        if (++verification_.different <= differences_kept) verification_.differences.push_back({where, found, now});
    }

    // Once, however often it is found.
    void note(const std::string& what, const std::string& found, const std::string& now) {
        if (noted_.insert(what).second) verification_.notes.push_back({what, found, now});
    }

    const std::vector<MovedPath>& paths_;
    bool same_version_;
    Verification verification_;
    std::set<std::string> noted_;
};

std::string things(const Verification& verification, const RecordedResult& recorded) {
    return counted(verification.compared, recorded.is_page ? "line" : "value");
}

Table differences_table(const Verification& verification) {
    std::vector<Cells> rows;
    for (const Difference& difference : verification.differences)
        rows.push_back({difference.where, difference.found, difference.recomputed});
    return table_of("verification", "",
                    {{"where", "where", look::note},
                     {"found", "in the file", look::note},
                     {"recomputed", "recomputed", look::note}},
                    std::move(rows));
}

std::string differences_text(const Verification& verification, const Style& style) {
    if (verification.differences.empty()) return "";
    const std::size_t more = verification.different - verification.differences.size();
    return "\n" + text_of(differences_table(verification), style) + (more > 0 ? "and " + count(more) + " more\n" : "") +
           "\n";
}

}  // namespace

Json json_of(const Provenance& provenance) {
    Json inputs = Json::array();
    for (const InputFile& input : provenance.inputs)
        inputs.push_back({{"path", input.path}, {"bytes", input.bytes}, {"sha256", input.sha256}});
    Json json = {{"version", provenance.version}, {"command", provenance.command}, {"inputs", std::move(inputs)}};
    if (!provenance.file.empty()) json["file"] = provenance.file;
    if (!provenance.defaults.empty()) json["defaults"] = provenance.defaults;
    return json;
}

Json with_provenance(Json result, const Provenance& provenance) {
    if (!provenance.command.empty()) result[key] = json_of(provenance);
    return result;
}

std::string provenance_tag() {
    return "<script type=\"application/json\" id=\"provenance\">";
}

RecordedResult read_result(const std::string& path, std::uint64_t most_bytes) {
    RecordedResult found{path, content_of(path, most_bytes), false, {}};
    found.is_page = found.text.starts_with(page_start);
    const Json json = parsed(path, found.is_page ? provenance_in(path, found.text) : std::string_view(found.text));
    if (!found.is_page && (!json.is_object() || !json.contains(key))) fail_without_provenance(path);
    found.provenance = ProvenanceReader(path, found.is_page ? json : json[key]).read();
    return found;
}

std::vector<MovedPath> find_inputs(const RecordedResult& recorded, const std::string& folder) {
    std::vector<MovedPath> found;
    for (const InputFile& input : recorded.provenance.inputs) {
        const std::string now = path_now(input.path, folder);
        std::error_code ignored;
        if (!std::filesystem::exists(now, ignored))
            base::fail(recorded.path, "cannot be verified: its input " + now +
                                          " does not exist; say in which folder it is now, or start where the result "
                                          "was computed");
        InputFile present = identify_input(now);
        present.path = input.path;
        if (present != input)
            base::fail(recorded.path, "cannot be verified: its input " + now + " has changed: found " +
                                          identity(present) + "; expected " + identity(input));
        found.push_back({input.path, now});
    }
    return found;
}

Verification verify(const RecordedResult& recorded, const std::string& recomputed,
                    const std::vector<MovedPath>& paths) {
    Comparer comparer(recorded, paths);
    if (recorded.is_page)
        comparer.compare_pages(recorded.text, recomputed);
    else
        comparer.compare(parsed(recorded.path, recorded.text), parsed("the result computed again", recomputed), "");
    return comparer.result();
}

std::string text_of(const Verification& verification, const RecordedResult& recorded, const Style& style) {
    const std::string all = things(verification, recorded), path = printable(recorded.path);
    std::string text = style.bold_line(verification.different == 0
                                           ? path + ": identical"
                                           : path + ": different in " + count(verification.different) + " of " + all);
    text += differences_text(verification, style);
    if (verification.different == 0) text += style.plain_line("all " + all + " computed again");
    if (verification.rounded > 0)
        text += style.plain_line("note: " + counted(verification.rounded, "value") +
                                 " equal but for rounding, by less than one part in 10^12");
    for (const auto& [what, found, now] : verification.notes)
        text += style.plain_line("note: " + printable(what) + ": " + found + " in the file, " + now + " now");
    return text;
}

}  // namespace wordbreadth::report
