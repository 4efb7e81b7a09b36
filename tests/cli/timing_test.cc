// --timing: where the time of a command went, on stderr.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "cli/cloud_files.h"
#include "support/program.h"
#include "support/small_store.h"
#include "support/text.h"

namespace wordbreadth::cli {
namespace {

struct Stage {
    double seconds = 0;
    double beside_others = 0;
};

// The table at the end of what was printed: from its heading on, up to the line about the process.
std::map<std::string, Stage> stages_of(const std::string& text) {
    std::map<std::string, Stage> stages;
    const std::vector<std::string> lines = lines_of(text);
    const auto heading = std::ranges::find_if(lines, [](const auto& line) { return line.starts_with("stage "); });
    EXPECT_NE(heading, lines.end()) << text;
    if (heading == lines.end()) return stages;
    const std::size_t busy = heading->find("cores busy") + std::string("cores busy").size();
    for (auto line = heading + 1; line < lines.end() - 1; ++line) {
        std::istringstream numbers(line->substr(line->find("  ")));
        Stage& stage = stages[line->substr(0, line->find("  "))];
        numbers >> stage.seconds;
        if (line->size() > busy) stage.beside_others = std::stod(line->substr(busy));
    }
    EXPECT_TRUE(lines.back().starts_with("CPU time: user ")) << text;
    EXPECT_NE(lines.back().find("; peak memory "), std::string::npos) << text;
    return stages;
}

void expect_sound(const std::map<std::string, Stage>& stages, const std::vector<std::string>& expected) {
    for (const std::string& name : expected) EXPECT_TRUE(stages.contains(name)) << name;
    ASSERT_TRUE(stages.contains("whole process"));
    const double whole = stages.at("whole process").seconds;
    double alone = 0;
    for (const auto& [name, stage] : stages)
        if (name != "whole process") alone += stage.seconds - stage.beside_others;
    EXPECT_LE(alone, whole + 0.001 * static_cast<double>(stages.size()));  // each is rounded
    EXPECT_NEAR(alone + stages.at("whole process").beside_others, whole, 0.001 * static_cast<double>(stages.size()));
}

class TimingOption : public testing::Test {
  protected:
    void SetUp() override {
        store::write_store(store_, {{"bank", 90, 40, 1.0}, {"money", 60, 40, 0.7}, {"river", 50, 40, 0.4}}, 4);
    }

    const TemporaryFolder folder_;
    const std::string store_ = folder_.path() + "/store";
};

TEST_F(TimingOption, PrintsTheStagesOfEveryCommandAndChangesNoResult) {
    folder_.add("words", "river\n");
    const std::string result = folder_.path() + "/result.json";
    std::ofstream(result) << run({"rank", store_, "--format", "json"}).out;
    const std::vector<std::pair<Arguments, std::vector<std::string>>> commands = {
        {{"info", store_, "--format", "json"}, {"opening files", "hashing inputs"}},
        {{"rank", store_, "--format", "json"}, {"opening files", "breadths and errors", "intervals of ranks"}},
        {{"rank", store_, "--modes"}, {"modes"}},
        {{"triage", store_, "--reference", folder_.path() + "/words", "--format", "tsv", "--device", "cpu"},
         {"permutations", "concordances"}},
        {{"contexts", store_, "bank"}, {"concordances"}},
        {{"contexts", store_, "bank", "--modes"}, {"modes"}},
        {{"export", store_, "--out", folder_.path() + "/clouds.npz"}, {"writing clouds"}},
        {{"breadth", store_, "--format", "json"}, {"reading clouds", "breadths and errors", "hashing inputs"}},
        {{"breadth", store_ + ":bank", "--by-size"}, {"breadths by size"}},
        {{"calibrate", store_, "--count", "5", "--permutations", "50"}, {"halves of words", "occurrences needed"}},
        {{"devices"}, {"looking at devices"}},
        {{"verify", result}, {"hashing inputs", "breadths and errors", "comparing"}},
    };
    for (const auto& [arguments, expected] : commands) {
        SCOPED_TRACE(testing::PrintToString(arguments));
        const Outcome plain = run(arguments);
        EXPECT_EQ(plain.err.find("whole process"), std::string::npos);
        Arguments with = arguments;
        with.emplace_back("--timing");
        const Outcome timed = run(with);
        EXPECT_EQ(timed.code, plain.code);
        EXPECT_EQ(timed.out, plain.out);
        const auto stages = stages_of(timed.err);
        expect_sound(stages, expected);
        EXPECT_TRUE(stages.contains("starting the program"));
        EXPECT_TRUE(stages.contains("formatting") || stages.contains("writing clouds"));
    }
}

TEST_F(TimingOption, TellsWhatOverlaps) {
    const Arguments arguments = {"pairs",    store_, "--all",   "--device", "cpu",
                                 "--format", "json", "--quiet", "--timing"};
    const auto stages = stages_of(run(arguments).err);
    expect_sound(stages, {"starting the device", "reading clouds", "hashing inputs", "permutations", "formatting"});
    EXPECT_LE(stages.at("hashing inputs").beside_others, stages.at("hashing inputs").seconds);
}

TEST_F(TimingOption, IsHeardThoughAllElseIsQuiet) {
    const Outcome outcome =
        run({"test", store_ + ":bank", store_ + ":river", "--device", "cpu", "--quiet", "--timing"});
    EXPECT_TRUE(outcome.err.starts_with("stage ")) << outcome.err;
    expect_sound(stages_of(outcome.err), {"reading clouds", "preparing pairs", "permutations"});
}

TEST_F(TimingOption, PrintsWhatThereWasBeforeAnError) {
    const Outcome outcome = run({"breadth", store_ + ":bank", store_ + ":gold", "--timing"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with("wordbreadth: ")) << outcome.err;
    expect_sound(stages_of(outcome.err), {"opening files", "reading clouds"});
}

TEST_F(TimingOption, PrintsWhatThereWasBeforeTheWorkWasStopped) {
    const TemporaryFile out(".out", ""), err(".err", "");
    Program program({"test", store_ + ":bank", store_ + ":river", "--permutations", "100000000", "--device",
                     "reference", "--threads", "1", "--timing"},
                    out.path(), err.path());
    ASSERT_TRUE(program.is_at_work());
    program.interrupt();
    EXPECT_EQ(program.wait(), 128 + SIGINT);
    const std::string text = content_of(err.path());
    EXPECT_NE(text.find("wordbreadth: stopped\n"), std::string::npos) << text;
    expect_sound(stages_of(text), {"reading clouds"});
}

}  // namespace
}  // namespace wordbreadth::cli
