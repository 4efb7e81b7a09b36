// What programs get: the same names in JSON and TSV, whatever was found, and docs/files.md lists them all.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "cli/cloud_files.h"
#include "cli/tsv.h"
#include "study/many_words.h"
#include "support/program.h"
#include "support/small_store.h"

namespace wordbreadth::cli {
namespace {

using Json = nlohmann::ordered_json;
using Names = std::set<std::string>;

Names keys_of(const Json& object) {
    Names keys;
    for (const auto& entry : object.items()) keys.insert(entry.key());
    return keys;
}

// The names in the tables of a section of docs/files.md: what stands in the first cell of a row.
Names documented(const std::string& heading) {
    const std::string page = content_of(std::string(TESTS_DIR) + "/../docs/files.md");
    const std::size_t begin = page.find("\n### " + heading + "\n");
    EXPECT_NE(begin, std::string::npos) << heading;
    std::istringstream lines(page.substr(begin + 1, page.find("\n#", begin + 5) - begin));
    Names names;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| `")) continue;
        const std::string cell = line.substr(2, line.find(" |", 2) - 2);
        for (std::size_t at = 0; (at = cell.find('`', at)) != std::string::npos;) {
            const std::size_t end = cell.find('`', at + 1);
            names.insert(cell.substr(at + 1, end - at - 1));
            at = end + 1;
        }
    }
    return names;
}

Names with(Names names, const Names& more) {
    names.insert(more.begin(), more.end());
    return names;
}

// The names in JSON (of the one result, or of every one in `list`) and in TSV.
struct Found {
    Names json, tsv;
};

Found found_by(Arguments call, const std::string& list) {
    call.insert(call.end(), {"--format", "json"});
    const Json json = Json::parse(run(call).out);
    const Json& first = list.empty() ? json : json[list][0];
    for (const Json& each : list.empty() ? Json::array({json}) : json[list])
        EXPECT_EQ(keys_of(each), keys_of(first)) << each;
    call.back() = "tsv";
    const std::vector<std::string> titles = tsv_titles(run(call).out);
    return {keys_of(first), Names(titles.begin(), titles.end())};
}

class Schema : public ::testing::Test {
  protected:
    [[nodiscard]] std::string at(const std::string& name) const { return clouds_.path() + ":" + name; }

    const Names only_json_ = {"ci", "tail"};
    const TemporaryFile clouds_{".safetensors", safetensors_bytes(bad_and_good_clouds(), 8)};
};

TEST_F(Schema, OfTestIsTheSameWhateverWasFound) {
    const Names all = documented("`test` and `pairs`");
    for (const Arguments& more : {Arguments{},
                                  {"--statistic", "robust"},
                                  {"--equivalence", "1.2"},
                                  {"--tail-estimate", "--permutations", "5000"}}) {
        Arguments call = {"test", at("bank"), at("river"), "--permutations", "200"};
        if (more.size() > 2) call.resize(3);
        call.insert(call.end(), more.begin(), more.end());
        const Found found = found_by(call, "");
        EXPECT_EQ(found.json, with(with(found.tsv, only_json_), {"provenance"}));
        EXPECT_EQ(with(found.json, {"p_adjusted", "gap"}), with(all, {"provenance"}));
        EXPECT_FALSE(found.json.contains("p_adjusted"));
    }
}

TEST_F(Schema, OfPairsIsTheSameWhateverWasFound) {
    const Found found = found_by({"pairs", clouds_.path(), "--all", "--permutations", "200"}, "results");
    EXPECT_EQ(found.json, with(found.tsv, only_json_));
    EXPECT_EQ(with(found.json, {"forced", "gap"}), documented("`test` and `pairs`"));
}

TEST_F(Schema, OfBreadthIsTheSameWhateverWasFound) {
    const Found found = found_by({"breadth", clouds_.path()}, "results");
    EXPECT_EQ(found.json, found.tsv);
    EXPECT_EQ(found.json, documented("`breadth`"));
}

TEST_F(Schema, OfRankIsTheSameWhateverWasFound) {
    const TemporaryFolder folder;
    const std::string store = folder.path() + "/store";
    store::write_store(store, {{"broad", 500, 30, 2.0}, {"few", 30, 6, 1.0}, {"narrow", 300, 20, 0.3}}, 8, 2);
    for (const Arguments& more : {Arguments{}, {"--modes"}, {"--by", "frequency"}, {"--blocks", "none"}}) {
        Arguments call = {"rank", store};
        call.insert(call.end(), more.begin(), more.end());
        const Found found = found_by(call, "results");
        EXPECT_EQ(found.json, found.tsv);
        EXPECT_EQ(with(found.json, {"named"}), documented("`rank`"));
    }
}

TEST_F(Schema, OfBreadthBySizeIsDocumented) {
    const Found found = found_by({"breadth", at("bank"), "--by-size"}, "results");
    EXPECT_EQ(found.json, found.tsv);
    EXPECT_EQ(found.json, documented("`breadth --by-size`"));
}

TEST_F(Schema, OfModesIsDocumented) {
    const TemporaryFolder folder;
    write_many_words(folder.path(), 1, 12);
    const Found found = found_by({"contexts", folder.path(), "w000", "--modes"}, "results");
    EXPECT_EQ(found.json, with(found.tsv, {"usages"}));
    EXPECT_EQ(found.json, documented("`contexts --modes`"));
}

TEST_F(Schema, OfCalibrateIsTheSameWhateverWasFound) {
    const TemporaryFolder folder;
    const std::string store = folder.path() + "/store";
    store::write_store(store, {{"bank", 40, 20, 0.4}, {"hand", 40, 20, 0.5}, {"river", 40, 20, 0.6}}, 12, 2);
    for (const Arguments& more : {Arguments{}, {"--blocks", "none"}, {"--power"}}) {
        Arguments call = {"calibrate", store, "--count", "4", "--permutations", "39"};
        call.insert(call.end(), more.begin(), more.end());
        const Found found = found_by(call, "results");
        EXPECT_EQ(with(found.json, {"rate_low", "rate_high", "wrong_low", "wrong_high"}), found.tsv);
        EXPECT_EQ(found.tsv, documented("`calibrate`"));
    }
}

TEST_F(Schema, OfDevicesIsTheSameWhateverWasFound) {
    const Found found = found_by({"devices"}, "devices");
    EXPECT_EQ(found.json, found.tsv);
    EXPECT_EQ(found.json, documented("`devices`"));
}

TEST_F(Schema, TsvKeepsItsColumnsInTheirPlaces) {
    const std::string test = run({"test", at("bank"), at("river"), "--permutations", "200", "--format", "tsv"}).out;
    EXPECT_TRUE(
        test.starts_with("x\ty\tn\tm\td\tr_x\tr_y\tv_x\tv_y\tT\tratio\tt\tstatistic\tstandard_error\tci_low\t"
                         "ci_high\tp\texceedances\tpermutations\texact\tstopped_early\talternative\talign\tseed\t"
                         "device\tseconds\tundefined\ttail_p\ttail_shape\ttail_scale\ttail_exceedances\t"
                         "tail_goodness_of_fit\tx_source\ty_source\tforced\teffect\tblocks_x\tblocks_y\tsmallest_p\t"
                         "equivalence\tequivalence_p\n"))
        << test;
    EXPECT_TRUE(run({"devices", "--format", "tsv"})
                    .out.starts_with("name\tdescription\tavailable\tinstruction_set\tinstruction_sets\t"
                                     "unavailable_because\n"));
}

}  // namespace
}  // namespace wordbreadth::cli
