// wordbreadth test.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/cloud_files.h"
#include "support/program.h"
#include "support/small_store.h"
#include "wordbreadth/files.h"
#include "wordbreadth/test.h"

namespace wordbreadth::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> keys_of(const Json& json) {
    std::vector<std::string> keys;
    for (const auto& entry : json.items()) keys.push_back(entry.key());
    return keys;
}

Json json_from(Arguments arguments) {
    arguments.insert(arguments.end(), {"--format", "json"});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return Json::parse(outcome.out);
}

TEST(TestCommand, FindsTheGoldenCounts) {
    const std::string golden = std::string(TESTS_DIR) + "/data/golden/";
    std::ifstream file(golden + "cases.json");
    const Json cases = Json::parse(file)["cases"];
    for (std::size_t i = 0; i < cases.size(); i += 7) {  // the engines' own tests take all of them
        const Json& expected = cases[i];
        const Json found = json_from(
            {"test", golden + expected["x"].get<std::string>(), golden + expected["y"].get<std::string>(), "--align",
             expected["align"].get<std::string>(), "--statistic", expected["statistic"].get<std::string>(),
             "--alternative", expected["alternative"].get<std::string>(), "--seed", expected["seed"].dump(),
             "--permutations", expected["permutations"].dump()});
        EXPECT_EQ(found["exceedances"], expected["exceedances"]) << expected;
        EXPECT_EQ(found["p"], expected["p"]) << expected;
        const char* value = expected["statistic"] == "robust" ? "t" : "T";
        EXPECT_NEAR(found[value].get<double>(), expected["value"].get<double>(), 1e-9) << expected;
    }
}

TEST(TestCommand, ArraysHaveNoDocumentsToPermute) {
    const TemporaryFile x = npy_file(1, {.n = 9}), y = npy_file(2, {.n = 9});
    expect_one_line(run({"test", x.path(), y.path(), "--blocks", "document"}), 2, "have no documents");
}

TEST(TestCommand, JsonTellsATailEstimateFromACount) {
    const TemporaryFile x = npy_file(1, {.n = 40, .spread = 1.8}), y = npy_file(2, {.n = 40, .spread = 0.3});
    const Json result = json_from({"test", x.path(), y.path(), "--permutations", "5000", "--tail-estimate"});
    ASSERT_TRUE(result["tail"].is_object()) << result;
    EXPECT_EQ(result["tail_p"], result["tail"]["p"]);
    EXPECT_EQ(keys_of(result["tail"]),
              (std::vector<std::string>{"p", "shape", "scale", "exceedances", "goodness_of_fit", "estimate"}));
    EXPECT_EQ(result["tail"]["estimate"], true);
}

TEST(TestCommand, PassesEveryOptionOn) {
    const TemporaryFile x = npy_file(1, {.n = 12}), y = npy_file(2, {.n = 14});
    TestOptions options;
    options.align = Alignment::none;
    options.statistic = Statistic::robust;
    options.alternative = Alternative::less;
    options.permutations = 300;
    options.seed = 18446744073709551615U;
    options.adaptive = 5;
    options.confidence = 0.8;
    const TestResult expected = test(load_cloud(x.path()), load_cloud(y.path()), options);
    const Json found = json_from({"test",
                                  x.path(),
                                  y.path(),
                                  "--align",
                                  "none",
                                  "--statistic",
                                  "robust",
                                  "--alternative",
                                  "less",
                                  "--permutations",
                                  "300",
                                  "--seed",
                                  "18446744073709551615",
                                  "--adaptive",
                                  "5",
                                  "--confidence",
                                  "0.8",
                                  "--device",
                                  "reference",
                                  "--threads",
                                  "1"});
    EXPECT_EQ(found["align"], "none");
    EXPECT_EQ(found["statistic"], "robust");
    EXPECT_EQ(found["alternative"], "less");
    EXPECT_EQ(found["seed"], 18446744073709551615U);
    EXPECT_EQ(found["exceedances"], expected.exceedances);
    EXPECT_EQ(found["permutations"], expected.permutations);
    EXPECT_EQ(found["stopped_early"], expected.stopped_early);
    EXPECT_EQ(found["p"], expected.p);
    EXPECT_EQ(found["ci"], Json::array({expected.ci_low, expected.ci_high}));
    EXPECT_TRUE(found["device"].get<std::string>().starts_with("reference")) << found["device"];
}

TEST(TestCommand, TsvIsOneLineOfAsManyFieldsAsTitles) {
    const TemporaryFile x = npy_file(1, {.n = 12}), y = npy_file(2, {.n = 14});
    const auto lines = lines_of(run({"test", x.path(), y.path(), "--permutations", "200", "--format", "tsv"}).out);
    ASSERT_EQ(lines.size(), 2U);
    const std::string &titles = lines[0], &fields = lines[1];
    EXPECT_TRUE(titles.starts_with("x\ty\tn\tm\td\tr_x\tr_y\tv_x\tv_y\tT\tratio\tt\tstatistic\t")) << titles;
    EXPECT_EQ(std::count(titles.begin(), titles.end(), '\t'), std::count(fields.begin(), fields.end(), '\t'));
    EXPECT_EQ(titles.find("p_adjusted"), std::string::npos);
}

TEST(TestCommand, TextSaysWhichIsBroaderAndHowPWasObtained) {
    const TemporaryFile x = npy_file(1, {.n = 40, .spread = 1.5}), y = npy_file(2, {.n = 40, .spread = 0.3});
    const std::string out = run({"test", x.path(), y.path(), "--permutations", "500"}).out;
    EXPECT_NE(out.find(" is broader than "), std::string::npos) << out;
    EXPECT_NE(out.find("p = 0.002 (none of 500 permutations as extreme)"), std::string::npos) << out;
    EXPECT_NE(out.find("two-sided plain test, householder alignment, seed 0; "), std::string::npos) << out;
    EXPECT_EQ(out.find('\x1b'), std::string::npos) << "colour in a file";
}

TEST(TestCommand, TextSaysWhenAllSplitsWereEnumerated) {
    const TemporaryFile x = npy_file(1, {.n = 4}), y = npy_file(2, {.n = 4});
    EXPECT_NE(run({"test", x.path(), y.path()}).out.find("of all 70 permutations as extreme"), std::string::npos);
}

TEST(TestCommand, CallsCloudsOfOneNameByTheirFiles) {
    const std::string one = safetensors_bytes({{"bank", cloud_values(1, {.n = 12})}}, 8);
    const std::string two = safetensors_bytes({{"bank", cloud_values(2, {.n = 12})}}, 8);
    const TemporaryFile old_file(".safetensors", one), new_file(".safetensors", two);
    const std::string out =
        run({"test", old_file.path() + ":bank", new_file.path() + ":bank", "--permutations", "200"}).out;
    EXPECT_NE(out.find(old_file.path() + ":bank"), std::string::npos) << out;
    EXPECT_NE(out.find(new_file.path() + ":bank"), std::string::npos) << out;
}

TEST(TestCommand, WritesTheNullDistribution) {
    const TemporaryFile x = npy_file(1, {.n = 12}), y = npy_file(2, {.n = 14}), null(".npy", "an old file");
    const Outcome outcome = run({"test", x.path(), y.path(), "--permutations", "200", "--null", null.path()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;

    TestOptions options;
    options.permutations = 200;
    options.null_distribution = true;
    const TestResult expected = test(load_cloud(x.path()), load_cloud(y.path()), options);
    EXPECT_EQ(content_of(null.path()), arrays::npy_header("<f8", {200}) + bytes_of(expected.null_distribution));
}

TEST(TestCommand, LeavesNoPartOfTheNullDistributionBehindWhenItFails) {
    const TemporaryFile folder_mark(".mark", "");
    const std::filesystem::path folder = folder_mark.path() + ".folder";
    std::filesystem::create_directory(folder);
    const TemporaryFile x = npy_file(1, {.n = 12});
    expect_one_line(run({"test", x.path(), "none.npy", "--null", (folder / "null.npy").string()}), 2, "none.npy");
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    std::filesystem::remove_all(folder);
}

TEST(TestCommand, HasNoPValueForCloudsWithoutATest) {
    const TemporaryFile x = npy_file(1, {.n = 12}), y(".npy", npy_bytes(cancelling_values(8), 8));
    for (const std::string format : {"text", "json", "tsv"})
        expect_one_line(run({"test", x.path(), y.path(), "--format", format}), 2, "");
}

// The far end of a terminal: what was written to the terminal can be read here.
class Terminal {
  public:
    Terminal() : descriptor_(posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)) {
        grantpt(descriptor_);
        unlockpt(descriptor_);
        near_end_ = open(path().c_str(), O_RDWR | O_NOCTTY);  // keeps what was written when the program is gone
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;
    ~Terminal() {
        close(near_end_);
        close(descriptor_);
    }
    [[nodiscard]] static bool can_be_had() {
        const int descriptor = posix_openpt(O_RDWR | O_NOCTTY);
        const bool had = descriptor >= 0 && ptsname(descriptor) != nullptr;
        close(descriptor);
        return had;
    }
    [[nodiscard]] std::string path() const { return ptsname(descriptor_); }
    [[nodiscard]] std::string text() const {
        std::string all;
        char part[4096];
        for (ssize_t n = 0; (n = read(descriptor_, part, sizeof part)) > 0;) all.append(part, static_cast<size_t>(n));
        return all;
    }

  private:
    int descriptor_;
    int near_end_;
};

Arguments endless_test(const TemporaryFile& x, const TemporaryFile& y) {
    return {"test", x.path(), y.path(), "--permutations", "1000000000000", "--device", "reference", "--threads", "1"};
}

TEST(Interrupt, StopsWithOneLineAndExitCode130) {
    const TemporaryFile x = npy_file(1, {.n = 50}), y = npy_file(2, {.n = 50}), out(".out", ""), err(".err", "");
    Program program(endless_test(x, y), out.path(), err.path());
    ASSERT_TRUE(program.is_at_work());
    program.interrupt();
    EXPECT_EQ(program.wait(), 130);
    EXPECT_EQ(content_of(out.path()), "");
    EXPECT_EQ(content_of(err.path()), "wordbreadth: stopped\n");  // and no progress bar in a file
}

TEST(Progress, IsDrawnOnATerminalAndErased) {
    if (!Terminal::can_be_had()) GTEST_SKIP() << "no pseudo-terminal can be had here (is /dev/pts mounted?)";
    setenv("TERM", "xterm", 1);
    const TemporaryFile x = npy_file(1, {.n = 50}), y = npy_file(2, {.n = 50}), out(".out", "");
    const Terminal terminal;
    Program program(endless_test(x, y), out.path(), terminal.path());
    ASSERT_TRUE(program.is_at_work());
    std::string seen;
    for (int tries = 0; tries < 1000 && seen.find("0% [....") == std::string::npos; ++tries) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        seen += terminal.text();
    }
    program.interrupt();
    EXPECT_EQ(program.wait(), 130);
    seen += terminal.text();
    EXPECT_NE(seen.find("0% [...."), std::string::npos) << seen;
    EXPECT_TRUE(seen.ends_with("\r\x1b[Kwordbreadth: stopped\r\n")) << seen;
}

TEST(TestCommand, AnswersWhetherCloudsAreEquivalent) {
    const TemporaryFile x = npy_file(1, {.n = 200}), y = npy_file(2, {.n = 200});
    const Arguments call = {"test", x.path(), y.path(), "--permutations", "200", "--equivalence"};
    const auto with = [&](const std::string& ratio) {
        Arguments all = call;
        all.push_back(ratio);
        return all;
    };
    const Json wide = json_from(with("3"));
    EXPECT_EQ(wide["equivalence"], "equivalent");
    EXPECT_LT(wide["equivalence_p"], 1e-6);
    EXPECT_GT(json_from(with("1.001"))["equivalence_p"], 0.1);
    const std::string text = run(with("2")).out;
    EXPECT_TRUE(contains(text, ", but by less than a factor of 2: equivalent\n")) << text;
    EXPECT_TRUE(contains(text, "equivalence within a factor of 2: p = ")) << text;
    EXPECT_TRUE(contains(text, "(two one-sided tests; 90% interval of the ratio ")) << text;
    expect_one_line(run(with("1")), 2, "--equivalence 1: expected a ratio above 1, such as 1.1");
    Arguments bold = with("1.1");
    bold.insert(bold.end(), {"--confidence", "0.4"});
    expect_one_line(run(bold), 2, "--equivalence needs a --confidence above 0.5, not 0.4");
}

}  // namespace
}  // namespace wordbreadth::cli
