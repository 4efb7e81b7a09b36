// pairs --part and merge: what they print is what pairs prints in one piece.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <regex>
#include <thread>

#include "cli/tsv.h"
#include "support/program.h"
#include "support/small_store.h"

namespace wordbreadth::cli {
namespace {

namespace fs = std::filesystem;

class PartsOfPairs : public testing::Test {
  protected:
    PartsOfPairs() {
        std::vector<store::PlannedWord> words;
        for (std::size_t w = 0; w < 40; ++w)
            words.push_back({"word" + std::to_string(100 + w), 50, 12 + w % 4, 0.3 + 0.01 * static_cast<double>(w)});
        store::write_store(store_, words, 8, 2);
    }

    [[nodiscard]] Arguments pairs(const Arguments& more) const {
        Arguments call = {"pairs", store_, "--all", "--permutations", "300", "--adjust", "by"};
        call.insert(call.end(), more.begin(), more.end());
        return call;
    }

    [[nodiscard]] Arguments part(std::size_t number, std::size_t of) const {
        return pairs({"--part", std::to_string(number) + "/" + std::to_string(of), "--out", out_});
    }

    void run_parts(std::size_t of) const {
        for (std::size_t number = of; number >= 1; --number) {
            const Outcome outcome = run(part(number, of));
            ASSERT_EQ(outcome.code, 0) << outcome.err;
        }
    }

    [[nodiscard]] std::string merged(const std::string& format) const {
        const Outcome outcome = run({"merge", out_, "--format", format});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.out;
    }

    // In one piece, without the times.
    [[nodiscard]] std::string whole(const std::string& format) const {
        const std::string out = run(pairs({"--format", format})).out;
        if (format == "json") return std::regex_replace(out, std::regex("\"seconds\": [^,\n]+"), "\"seconds\": null");
        const std::string header = out.substr(0, out.find('\n'));
        const auto column =
            std::count(header.begin(), header.begin() + static_cast<long>(header.find("\tseconds")), '\t');
        std::string without;
        std::istringstream lines(out);
        for (std::string line; std::getline(lines, line);) {
            std::size_t begin = 0;
            for (long i = 0; i <= column; ++i) begin = line.find('\t', begin) + 1;
            if (line != header) line.erase(begin, line.find('\t', begin) - begin);
            without += line + "\n";
        }
        return without;
    }

    TemporaryFolder folder_;
    std::string store_ = folder_.path() + "/store", out_ = folder_.path() + "/parts";
};

TEST_F(PartsOfPairs, MergeToTheSameBytesForAnyNumberOfThem) {
    const std::string tsv = whole("tsv"), json = whole("json");
    ASSERT_EQ(std::ranges::count(tsv, '\n'), 1 + 40 * 39 / 2);
    for (const std::size_t parts : {1, 2, 3, 8, 64}) {
        run_parts(parts);
        EXPECT_EQ(merged("tsv"), tsv) << parts;
        EXPECT_EQ(merged("json"), json) << parts;
        fs::remove_all(out_);
    }
}

TEST_F(PartsOfPairs, MergeToTheSameTextButForTheTime) {
    run_parts(2);
    const std::string text = run({"merge", out_, "--top", "5"}).out, one = run(pairs({"--top", "5"})).out;
    EXPECT_EQ(text, one.substr(0, one.rfind(", ")) + "\n");
}

TEST_F(PartsOfPairs, ThatAreKilledAtAnyMomentContinue) {
    const std::string tsv = whole("tsv");
    std::mt19937 random(11);
    const TemporaryFile out("", ""), err("", "");
    for (int round = 0; round < 25; ++round) {
        Program first(part(1 + random() % 3, 3), out.path(), err.path());
        Program second(part(1 + random() % 3, 3), out.path(), err.path());  // now and then the same part
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 120));
        first.interrupt(SIGKILL);
        second.interrupt(SIGKILL);
        (void)first.wait();
        (void)second.wait();
    }
    run_parts(3);
    EXPECT_EQ(merged("tsv"), tsv);
    for (const auto& entry : fs::recursive_directory_iterator(out_))
        EXPECT_EQ(entry.path().string().find(".part-"), std::string::npos) << entry.path();
}

TEST_F(PartsOfPairs, RunTwiceAtTheSameTimeAgree) {
    const std::string tsv = whole("tsv");
    const TemporaryFile out("", ""), err("", "");
    {
        std::vector<std::unique_ptr<Program>> programs;
        for (std::size_t i = 0; i < 6; ++i)
            programs.push_back(std::make_unique<Program>(part(1 + i % 2, 2), out.path(), err.path()));
        for (const auto& program : programs) EXPECT_EQ(program->wait(), 0) << content_of(err.path());
    }
    EXPECT_EQ(merged("tsv"), tsv);
}

TEST_F(PartsOfPairs, AreVerifiedLikeAResultInOnePiece) {
    run_parts(2);
    const TemporaryFile result(".json", merged("json"));
    const Outcome verified = run({"verify", result.path()});
    EXPECT_EQ(verified.code, 0) << verified.err;
    EXPECT_NE(verified.out.find("identical"), std::string::npos) << verified.out;
}

TEST_F(PartsOfPairs, AcceptNoOptionThatBelongsToAnother) {
    const auto refused = [&](const Arguments& call, const std::string& expected) {
        const Outcome outcome = run(call);
        EXPECT_EQ(outcome.code, 2);
        EXPECT_NE(outcome.err.find(expected), std::string::npos) << outcome.err;
        EXPECT_FALSE(fs::exists(out_));
    };
    refused(pairs({"--part", "1/2"}), "--out DIR");
    refused(pairs({"--out", out_}), "without --part");
    refused(pairs({"--part", "1/2", "--out", out_, "--format", "tsv"}), "merge");
    refused(pairs({"--part", "1/2", "--out", out_, "--top", "3"}), "merge");
    refused(pairs({"--part", "0/2", "--out", out_}), "--part 0/2");
    refused({"pairs", store_, "--gap", "2", "--part", "1/2", "--out", out_}, "with --gap");
    refused({"pairs", store_, "--all", "--adjust", "maxT", "--part", "1/2", "--out", out_}, "in parts");
    refused({"merge", folder_.path()}, "holds nothing to merge");
}

}  // namespace
}  // namespace wordbreadth::cli
