// An extraction in parts, by processes that are killed without warning, run twice, or find the disk full.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <thread>

#include "store/layout.h"
#include "support/program.h"
#include "support/snapshot.h"

namespace wordbreadth::extraction {
namespace {

using cli::Arguments;
using cli::Program;
using std::chrono::microseconds;

class PartsOfAJob : public testing::Test {
  protected:
    PartsOfAJob() {
        std::filesystem::create_directory(workshop_.path("corpus"));
        for (unsigned file = 0; file < 6; ++file)  // of which two are copies of others
            write_file(workshop_.path("corpus/" + std::to_string(file) + ".txt"), random_lines(500, file % 4));
    }

    [[nodiscard]] Arguments planned(const std::string& out, const Arguments& more) const {
        Arguments arguments = {"extract",
                               "--model",
                               workshop_.path("model"),
                               "--corpus",
                               workshop_.path("corpus"),
                               "--out",
                               workshop_.path(out),
                               "--corpus-format",
                               "lines",
                               "--max-tokens",
                               "40",
                               "--min-count",
                               "20",
                               "--per-word",
                               "0",
                               "--shard-tokens",
                               "3000",
                               "--device",
                               "cpu"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }

    // What makes a store in two parts, one after the other; plan and shards.
    [[nodiscard]] std::vector<Arguments> steps(const std::string& out) const {
        const std::string folder = workshop_.path(out);
        return {planned(out, {"--plan-only", "--part", "2/2"}),
                planned(out, {"--plan-only", "--part", "1/2"}),
                {"merge", folder},
                {"extract", "--resume", "--out", folder, "--part", "1/2"},
                {"extract", "--resume", "--out", folder, "--part", "2/2"},
                {"merge", folder}};
    }

    const Workshop workshop_;
};

// Of two processes that do the same, each is killed as often as not.
TEST_F(PartsOfAJob, KilledAtRandomMomentsEndWithTheSameBytes) {
    constexpr int kills_of_a_step = 4;  // of two processes each
    ASSERT_EQ(Program(planned("whole", {}), "/dev/null", "/dev/null").wait(), 0);
    std::mt19937 random(11);
    int killed = 0;
    for (const Arguments& step : steps("killed")) {
        constexpr microseconds longest(300'000);
        for (int i = 0; i < kills_of_a_step; ++i) {
            Program first(step, "/dev/null", "/dev/null"), second(step, "/dev/null", "/dev/null");
            std::this_thread::sleep_for(microseconds(random() % longest.count()));
            first.interrupt(SIGKILL);
            killed += first.wait() == 128 + SIGKILL ? 1 : 0;
            if (random() % 4 == 0) {
                EXPECT_EQ(second.wait(), 0) << step[0];
                continue;
            }
            std::this_thread::sleep_for(microseconds(random() % longest.count()));
            second.interrupt(SIGKILL);
            killed += second.wait() == 128 + SIGKILL ? 1 : 0;
        }
        const cli::Outcome outcome = cli::run(step);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
    }
    EXPECT_GT(killed, 3 * kills_of_a_step);
    EXPECT_TRUE(files_in(workshop_.path("whole")) == files_in(workshop_.path("killed")));
    RecordProperty("killed", killed);
}

TEST_F(PartsOfAJob, EachRunTwiceAtOnceEndWithTheSameBytes) {
    ASSERT_EQ(Program(planned("whole", {}), "/dev/null", "/dev/null").wait(), 0);
    for (const Arguments& step : steps("twice")) {
        Program first(step, "/dev/null", "/dev/null"), second(step, "/dev/null", "/dev/null");
        EXPECT_EQ(first.wait(), 0) << step[0];
        EXPECT_EQ(second.wait(), 0) << step[0];
    }
    EXPECT_TRUE(files_in(workshop_.path("whole")) == files_in(workshop_.path("twice")));
}

TEST_F(PartsOfAJob, MergeNamesWhatIsMissingOrDamagedAndKeepsTheRest) {
    const std::vector<Arguments> all = steps("some");
    for (std::size_t i = 0; i < 4; ++i) ASSERT_EQ(cli::run(all[i]).code, 0);
    cli::Outcome outcome = cli::run(all[5]);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(" are missing: "), std::string::npos) << outcome.err;
    ASSERT_EQ(cli::run(all[4]).code, 0);
    const std::string shard = store::shard_path(workshop_.path("some"), 1);
    std::string bytes = content_of(shard);
    bytes[bytes.size() - 9] = static_cast<char>(bytes[bytes.size() - 9] ^ 1);
    write_file(shard, bytes);
    outcome = cli::run(all[5]);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("000001.safetensors: is damaged"), std::string::npos) << outcome.err;
    outcome = cli::run(all[3]);
    EXPECT_NE(outcome.out.find("found"), std::string::npos) << outcome.out;
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    ASSERT_EQ(cli::run(all[5]).code, 0);
    ASSERT_EQ(Program(planned("whole", {}), "/dev/null", "/dev/null").wait(), 0);
    EXPECT_TRUE(files_in(workshop_.path("whole")) == files_in(workshop_.path("some")));
}

// For this process and those it starts.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

  private:
    rlimit before_{};
};

TEST_F(PartsOfAJob, ADiskThatIsFullIsAnErrorAndFinishedWorkIsKept) {
    ASSERT_EQ(Program(planned("whole", {}), "/dev/null", "/dev/null").wait(), 0);
    for (const Arguments& step : steps("full")) {
        {
            const TemporaryFile out(".out", ""), err(".err", "");
            const FileSizeLimit limit(8192);
            const int code = Program(step, out.path(), err.path()).wait();
            EXPECT_EQ(code, 2) << content_of(err.path());
            EXPECT_NE(content_of(err.path()).find("File too large"), std::string::npos) << content_of(err.path());
        }
        const cli::Outcome outcome = cli::run(step);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
    }
    EXPECT_TRUE(files_in(workshop_.path("whole")) == files_in(workshop_.path("full")));
}

}  // namespace
}  // namespace wordbreadth::extraction
