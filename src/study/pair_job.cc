#include "study/pair_job.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>

#include "base/failure.h"
#include "base/file.h"
#include "base/output_file.h"
#include "base/sha256.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"
#include "wordbreadth/names.h"

namespace wordbreadth::study {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "wordbreadth pairs";
constexpr int format_version = 1;
constexpr std::uint64_t most_bytes = 16 * 1024 * 1024;

// Of an input that the provenance has; "" for none.
std::string hash_of(const std::string& path, const Provenance& provenance) {
    const auto known = std::ranges::find(provenance.inputs, path, &InputFile::path);
    return known == provenance.inputs.end() ? "" : known->sha256;
}

// All that decides results, by the names that people know: what two parts have in common.
Json decisive_of(const JobRecord& record) {
    const PairJob& job = record.job;
    const TestOptions& test = job.test;
    Json json = {{"clouds", hash_of(job.clouds, job.provenance)},
                 {"layer", job.layer},
                 {"pairs", job.list.empty() ? "all" : hash_of(job.list, job.provenance)},
                 {"labels", hash_of(job.labels, job.provenance)},
                 {"common size", job.common_size},
                 {"alternative", name_of(test.alternative)},
                 {"align", name_of(test.align)},
                 {"statistic", name_of(test.statistic)},
                 {"permutations", test.permutations},
                 {"seed", test.seed},
                 {"adaptive", test.adaptive},
                 {"confidence", test.confidence},
                 {"tail estimate", test.tail_estimate},
                 {"adjust", name_of(job.adjustment)},
                 {"equivalence", nullptr},
                 {"parts", record.parts}};
    if (job.equivalence) json["equivalence"] = *job.equivalence;
    // The engines give the same counts but for one, which is approximate.
    json["exact"] = test.execution.device != "cuda-paper";
    return json;
}

Json json_of(const Provenance& provenance) {
    Json inputs = Json::array();
    for (const auto& [path, bytes, sha256] : provenance.inputs)
        inputs.push_back({{"path", path}, {"bytes", bytes}, {"sha256", sha256}});
    return {{"version", provenance.version},
            {"command", provenance.command},
            {"inputs", inputs},
            {"defaults", provenance.defaults}};
}

Json json_of(const JobRecord& record) {
    const PairJob& job = record.job;
    return {{"format", format_name},
            {"version", format_version},
            {"job", decisive_of(record)},
            {"identity", record.identity},
            {"clouds", record.clouds},
            {"listed", record.listed},
            {"paths", {{"clouds", job.clouds}, {"pairs", job.list}, {"labels", job.labels}}},
            {"provenance", json_of(job.provenance)}};
}

std::string text_of(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Shown in messages: hashes shortened, numbers as they are.
std::string shown(const Json& value) {
    if (value.is_null()) return "none";
    if (!value.is_string()) return value.dump();
    const auto text = value.get<std::string>();
    return text.empty() ? "none" : text.size() == 64 ? text.substr(0, 12) + "..." : text;
}

[[noreturn]] void fail_damaged(const std::string& path) {
    base::fail(path, "is damaged, or not of this version of the program; remove the folder and run all parts again");
}

Json read_json(const std::string& path) {
    base::File file(path);
    if (file.size() > most_bytes) fail_damaged(path);
    std::string text;
    file.append_to(text, file.size());
    Json json = Json::parse(text, nullptr, false);
    const bool is_ours = json.is_object() && json.value("format", "") == format_name && json.contains("version") &&
                         json["version"] == format_version && json.contains("job") && json["job"].is_object();
    if (!is_ours) fail_damaged(path);
    return json;
}

// As fail_damaged() where the name has no meaning.
template <class Choice>
Choice choice_of(const Json& json, const char* key) {
    const std::optional<Choice> found = choice_named<Choice>(json.at(key).get<std::string>());
    if (!found) throw Json::other_error::create(501, key, &json);
    return *found;
}

Provenance provenance_of(const Json& json) {
    Provenance provenance{json.at("version").get<std::string>(), json.at("command"), {}, {}, json.at("defaults")};
    for (const Json& input : json.at("inputs"))
        provenance.inputs.push_back({input.at("path"), input.at("bytes"), input.at("sha256")});
    return provenance;
}

JobRecord record_of(const Json& json) {
    const Json &decisive = json.at("job"), &paths = json.at("paths");
    JobRecord record;
    record.clouds = json.at("clouds");
    record.listed = json.at("listed");
    record.parts = decisive.at("parts");
    record.identity = json.at("identity");
    PairJob& job = record.job;
    job.clouds = paths.at("clouds");
    job.list = paths.at("pairs");
    job.labels = paths.at("labels");
    job.layer = decisive.at("layer");
    job.common_size = decisive.at("common size");
    job.test.alternative = choice_of<Alternative>(decisive, "alternative");
    job.test.align = choice_of<Alignment>(decisive, "align");
    job.test.statistic = choice_of<Statistic>(decisive, "statistic");
    job.test.permutations = decisive.at("permutations");
    job.test.seed = decisive.at("seed");
    job.test.adaptive = decisive.at("adaptive");
    job.test.confidence = decisive.at("confidence");
    job.test.tail_estimate = decisive.at("tail estimate");
    job.adjustment = choice_of<Adjustment>(decisive, "adjust");
    if (!decisive.at("equivalence").is_null()) job.equivalence = decisive.at("equivalence").get<double>();
    job.provenance = provenance_of(json.at("provenance"));
    return record;
}

bool is_possible(const JobRecord& record) {
    const bool counts = record.parts >= 1 && record.parts <= most_parts && record.clouds >= 2 &&
                        record.clouds <= std::numeric_limits<std::uint32_t>::max() &&
                        record.listed <= limits::list_entries;
    return counts && record.identity.size() == 64;
}

std::string identity_of(const JobRecord& record) {
    const std::string text = text_of(decisive_of(record)) + std::to_string(record.clouds) + " clouds, " +
                             std::to_string(record.listed) + " pairs listed";
    return base::sha256_of(std::as_bytes(std::span(text)));
}

}  // namespace

JobRecord record_of(const PairJob& job, std::size_t clouds, std::size_t listed, std::size_t parts) {
    JobRecord record{job, clouds, listed, parts, {}};
    std::vector<InputFile>& inputs = record.job.provenance.inputs;
    for (const std::string& path : {job.clouds, job.list, job.labels})
        if (!path.empty() && std::ranges::find(inputs, path, &InputFile::path) == inputs.end())
            inputs.push_back(identify_input(path, job.test.execution.stop));
    record.identity = identity_of(record);
    return record;
}

std::string job_path(const std::string& folder) {
    return folder + "/job.json";
}

std::string tile_path(const std::string& folder, const Part& part, std::size_t tile) {
    std::string number = std::to_string(tile);
    if (number.size() < 5) number.insert(0, 5 - number.size(), '0');
    return folder + "/part-" + std::to_string(part.number) + "-of-" + std::to_string(part.of) + "/" + number + ".tile";
}

void enter(const JobRecord& record, const std::string& folder) {
    const std::string path = job_path(folder);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        const std::string text = text_of(json_of(record));
        base::OutputFile file(path);
        file.write(std::as_bytes(std::span(text)));
        file.keep();
    }
    // Also what was just written: another process may have put another job in its place.
    const Json found = read_json(path);
    if (found.value("identity", "") == record.identity) return;
    const Json here = decisive_of(record);
    const Json& there = found["job"];
    for (const auto& [name, value] : here.items())
        if (!there.contains(name) || there[name] != value)
            base::fail(folder, "holds parts of another job, whose " + name + " is " +
                                   (there.contains(name) ? shown(there[name]) : "unknown") + ", not " + shown(value) +
                                   "; name another folder");
    base::fail(folder, "holds parts of another job; name another folder");
}

JobRecord read_job(const std::string& folder) {
    const Json json = read_json(job_path(folder));
    try {
        JobRecord record = record_of(json);
        if (is_possible(record)) return record;
    } catch (const Json::exception&) {
    }
    fail_damaged(job_path(folder));
}

}  // namespace wordbreadth::study
