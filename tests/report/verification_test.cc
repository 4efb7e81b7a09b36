#include "report/verification.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/errors.h"
#include "support/temporary.h"
#include "support/text.h"
#include "wordbreadth/limits.h"
#include "wordbreadth/version.h"

namespace wordbreadth::report {
namespace {

RecordedResult recorded(const Json& result, const std::string& by = std::string(version())) {
    return {"result.json", result.dump(), false, {by, {"rank", "a.store"}, {}, {}}};
}

Verification verified(const Json& then, const Json& now, const std::vector<MovedPath>& paths = {}) {
    return verify(recorded(then), now.dump(), paths);
}

TEST(Verification, ComparesEveryValue) {
    const Json result = {{"p", 0.25}, {"x", "bank"}, {"list", {1, 2, nullptr}}, {"provenance", {{"version", "1"}}}};
    const Verification same = verified(result, result);
    EXPECT_EQ(same.different, 0U);
    EXPECT_EQ(same.compared, 5U);
    Json changed = result;
    changed["list"][2] = 3;
    changed["x"] = true;
    const Verification other = verified(changed, result);
    ASSERT_EQ(other.different, 2U);
    EXPECT_EQ(other.differences[0].where, "x");
    EXPECT_EQ(other.differences[0].found, "true");
    EXPECT_EQ(other.differences[0].recomputed, "bank");
    EXPECT_EQ(other.differences[1].where, "list[2]");
    EXPECT_EQ(other.differences[1].recomputed, "nothing");
}

TEST(Verification, NamesTheRow) {
    const Json now = {{"results", {{{"x", "a"}, {"y", "b"}, {"p", 1}}, {{"word", "bank"}, {"v", 2}}}}};
    Json then = now;
    then["results"][0]["p"] = 2;
    then["results"][1]["v"] = 3;
    const Verification found = verified(then, now);
    ASSERT_EQ(found.different, 2U);
    EXPECT_EQ(found.differences[0].where, "results[0] (a, b).p");
    EXPECT_EQ(found.differences[1].where, "results[1] (bank).v");
}

TEST(Verification, TellsRoundingFromADifference) {
    const Verification rounded = verified({{"v", 0.3}}, {{"v", 0.1 + 0.2}});
    EXPECT_EQ(rounded.different, 0U);
    EXPECT_EQ(rounded.rounded, 1U);
    EXPECT_EQ(verified({{"v", 0.3}}, {{"v", 0.3 + 1e-11}}).different, 1U);
    EXPECT_EQ(verified({{"n", 10'000'000'000'000U}}, {{"n", 10'000'000'000'001U}}).different, 1U);
}

TEST(Verification, DoesNotCompareTimesAndDevices) {
    const Json then = {{"seconds", 1}, {"settings", {{"device", "cpu (avx2)"}}}},
               now = {{"seconds", 2}, {"settings", {{"device", "reference"}}}};
    const Verification found = verified(then, now);
    EXPECT_EQ(found.different, 0U);
    ASSERT_EQ(found.notes.size(), 1U);
    EXPECT_EQ(found.notes[0].where, "device");
}

TEST(Verification, PutsPathsBack) {
    const Json then = {{"store", "old/a.store"}, {"undefined", "old/a.store:bank: has 1 row"}};
    const Json now = {{"store", "new/a.store"}, {"undefined", "new/a.store:bank: has 1 row"}};
    EXPECT_EQ(verified(then, now).different, 2U);
    EXPECT_EQ(verified(then, now, {{"old/a.store", "new/a.store"}}).different, 0U);
}

TEST(Verification, MissingAndNewKeysAreDifferencesOfOneVersion) {
    EXPECT_EQ(verified({{"a", 1}}, {{"a", 1}, {"b", 2}}).different, 1U);
    EXPECT_EQ(verified({{"a", 1}, {"b", 2}}, {{"a", 1}}).different, 1U);
    const Verification newer = verify(recorded({{"a", 1}}, "0.0.1"), Json({{"a", 1}, {"b", 2}}).dump(), {});
    EXPECT_EQ(newer.different, 0U);
    EXPECT_EQ(newer.notes.size(), 2U);  // the version, and b
}

TEST(Verification, KeepsTheFirstOfManyDifferences) {
    const Verification found = verified(Json(std::vector<int>(1000, 1)), Json(std::vector<int>(1000, 2)));
    EXPECT_EQ(found.different, 1000U);
    EXPECT_EQ(found.differences.size(), 20U);
    EXPECT_TRUE(contains(text_of(found, recorded({}), {}), "and 980 more"));
}

TEST(Verification, ComparesPagesLineByLine) {
    const std::string head = "<!DOCTYPE html>\n", time = "<div><dt>time</dt><dd>1 s</dd></div>\n";
    const RecordedResult page{"page.html", head + time + "<tr><td>bank</td><td>0.1</td></tr>\n", true, {}};
    EXPECT_EQ(verify(page, head + "<tr><td>bank</td><td>0.1</td></tr>\n", {}).different, 0U);
    const Verification found = verify(page, head + "<tr><td>bank</td><td>0.2</td></tr>\n", {});
    ASSERT_EQ(found.different, 1U);
    EXPECT_EQ(found.differences[0].where, "line 3");
    EXPECT_EQ(found.differences[0].found, "bank 0.1 ");
    EXPECT_EQ(verify(page, head, {}).different, 1U);
}

TEST(Verification, ReadsNoLargerFileThanTheLimit) {
    const Json json = with_provenance({{"p", 1}}, {"0.1.0", {"rank", "s"}, {{"s", 3, "hash"}}, "x.json"});
    const std::string text = json.dump();
    const TemporaryFile file(".json", text);
    const RecordedResult found = read_result(file.path(), text.size());
    EXPECT_EQ(found.provenance.command, (std::vector<std::string>{"rank", "s"}));
    EXPECT_EQ(found.provenance.inputs, (std::vector<InputFile>{{"s", 3, "hash"}}));
    EXPECT_EQ(found.provenance.file, "x.json");
    EXPECT_TRUE(
        contains(error_of([&] { (void)read_result(file.path(), text.size() - 1); }), "expected a result of at most"));
}

TEST(Verification, ReadsNoDeeperJsonThanTheLimit) {
    const auto nested = [](std::size_t depth) {
        return R"({"provenance": {"version": "1", "command": ["rank"], "inputs": []}, "x": )" +
               std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
    };
    const TemporaryFile fits(".json", nested(limits::json_depth)), deep(".json", nested(limits::json_depth + 1));
    EXPECT_EQ(read_result(fits.path()).provenance.version, "1");
    EXPECT_TRUE(contains(error_of([&] { (void)read_result(deep.path()); }), "nested deeper than 64 levels"));
}

}  // namespace
}  // namespace wordbreadth::report
