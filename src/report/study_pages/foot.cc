#include "report/study_pages/foot.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "report/number.h"
#include "report/text.h"
#include "wordbreadth/names.h"

namespace wordbreadth::report {
namespace {

std::string stopping(const TestOptions& test) {
    return test.adaptive == 0 ? "never" : "at exceedance " + count(test.adaptive);
}

// Those of these settings that the store has, each on one line.
void add(std::vector<Setting>& settings, const Store& store, std::initializer_list<std::string_view> names,
         const std::string& prefix) {
    for (const std::string_view name : names) {
        std::string value = store.setting(name);
        std::ranges::replace(value, '\n', ' ');
        if (!value.empty()) settings.push_back({prefix + std::string(name), std::move(value)});
    }
}

}  // namespace

std::string method_sentence(const WordStudyOptions& options, const std::string& device, double seconds) {
    const TestOptions& test = options.test;
    std::string text = std::string(name_of(test.alternative)) + " " + std::string(name_of(test.statistic)) + " test, " +
                       std::string(name_of(test.align)) + " alignment; at most " + count(test.permutations) +
                       " splits a test";
    if (test.adaptive > 0)
        text += ", fewer where " + count(test.adaptive) + " as extreme are found before (--adaptive)";
    return text + "; p adjusted by " + std::string(name_of(options.adjustment)) + "; seed " +
           std::to_string(test.seed) + "; " + device + ", " + duration(seconds);
}

std::string left_out_sentence(std::span<const LeftOut> left_out) {
    constexpr std::size_t most = 5;
    std::string text;
    for (const auto& [word, reason] : left_out.first(std::min(left_out.size(), most)))
        text += (text.empty() ? "left out: " : ", ") + printable(word) + " (" + printable(reason) + ")";
    if (left_out.size() > most) text += " and " + count(left_out.size() - most) + " more";
    return text;
}

std::vector<Setting> settings_of(const WordStudyOptions& options, const std::string& device) {
    const TestOptions& test = options.test;
    return {{"test", std::string(name_of(test.alternative))},
            {"statistic", std::string(name_of(test.statistic))},
            {"alignment", std::string(name_of(test.align))},
            {"permutations of a test, at most", count(test.permutations)},
            {"stops early", stopping(test)},
            {"p adjusted by", std::string(name_of(options.adjustment))},
            {"level", shortest(options.alpha)},
            {"seed", std::to_string(test.seed)},
            {"device", device}};
}

std::vector<Setting> origin_of(const Store& store, const std::string& prefix) {
    std::vector<Setting> settings = {{prefix + "store", store.folder()}};
    add(settings, store, {"corpus", "per word"}, prefix);
    if (const std::string seed = store.setting("seed"); !seed.empty())
        settings.push_back({prefix + "seed of the rows drawn", seed});
    return settings;
}

std::vector<Setting> vectors_of(const Store& store, const std::string& prefix) {
    std::vector<Setting> settings;
    add(settings, store, {"model", "layers", "unit", "case", "lemmas", "subwords"}, prefix);
    return settings;
}

}  // namespace wordbreadth::report
