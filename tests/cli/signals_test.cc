// What is left of a program that is stopped, and of one that the system gives less than it asks for.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>

#include "cli/cloud_files.h"
#include "support/program.h"
#include "support/small_store.h"
#include "support/snapshot.h"

namespace wordbreadth::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
}

bool appears(const std::string& folder, const std::string& part) {
    for (int tries = 0; tries < 3000; ++tries) {
        for (const std::string& name : names_in(folder))
            if (name.find(part) != std::string::npos) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

// A soft limit that programs started meanwhile have too.
class Limit {
  public:
    Limit(__rlimit_resource resource, rlim_t value) : resource_(resource) {
        getrlimit(resource, &before_);
        rlimit limited = before_;
        limited.rlim_cur = value;
        holds_ = setrlimit(resource, &limited) == 0;
    }
    Limit(const Limit&) = delete;
    Limit& operator=(const Limit&) = delete;
    ~Limit() { setrlimit(resource_, &before_); }
    [[nodiscard]] bool holds() const { return holds_; }

  private:
    __rlimit_resource resource_;
    rlimit before_{};
    bool holds_ = false;
};

TEST(Signals, StopTheWorkAndLeaveNothing) {
    const TemporaryFile x = npy_file(1, {.n = 50}), y = npy_file(2, {.n = 50}), out(".out", ""), err(".err", "");
    const TemporaryFolder folder;
    for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
        Program program({"test", x.path(), y.path(), "--permutations", "100000000", "--device", "reference",
                         "--threads", "1", "--null", folder.path() + "/null.npy"},
                        out.path(), err.path());
        ASSERT_TRUE(program.is_at_work());
        EXPECT_TRUE(appears(folder.path(), ".part-"));
        program.interrupt(signal);
        EXPECT_EQ(program.wait(), 128 + signal);
        EXPECT_EQ(content_of(out.path()), "");
        EXPECT_TRUE(content_of(err.path()).ends_with("wordbreadth: stopped\n")) << content_of(err.path());
        EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{});
    }
}

// It waits for a list of words that nobody writes, and has begun its page.
TEST(Signals, OutsideOfTheWorkLeaveNothingEither) {
    const TemporaryFolder folder;
    const TemporaryFile out(".out", ""), err(".err", "");
    store::write_store(folder.path() + "/store", {{"bank", 30, 20, 1.0}, {"river", 30, 20, 1.0}}, 4);
    ASSERT_EQ(mkfifo((folder.path() + "/words").c_str(), 0600), 0);
    const auto before = names_in(folder.path());
    for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
        Program program({"triage", folder.path() + "/store", "--reference", folder.path() + "/words", "--html",
                         folder.path() + "/page.html"},
                        out.path(), err.path());
        ASSERT_TRUE(appears(folder.path(), "page.html.part-"));
        program.interrupt(signal);
        EXPECT_EQ(program.wait(), 128 + signal);
        EXPECT_EQ(names_in(folder.path()), before);
    }
}

TEST(Signals, StopAnExtractionThatLeavesNothingHalfDone) {
    const extraction::Workshop workshop(extraction::random_lines(20'000));
    const TemporaryFile out(".out", ""), err(".err", "");
    const Arguments arguments = {"extract",
                                 "--model",
                                 workshop.path("model"),
                                 "--corpus",
                                 workshop.path("corpus.txt"),
                                 "--out",
                                 workshop.path("store"),
                                 "--min-count",
                                 "20",
                                 "--max-tokens",
                                 "40",
                                 "--corpus-format",
                                 "lines",
                                 "--device",
                                 "cpu",
                                 "--per-word",
                                 "0"};
    Program program(arguments, out.path(), err.path());
    ASSERT_TRUE(program.is_at_work());
    program.interrupt(SIGTERM);
    EXPECT_EQ(program.wait(), 128 + SIGTERM);
    EXPECT_TRUE(content_of(err.path()).starts_with("wordbreadth: stopped")) << content_of(err.path());
    for (const std::string& name : names_in(workshop.folder.path())) {
        EXPECT_EQ(name.find(".part-"), std::string::npos) << name;
        EXPECT_EQ(name.find(".lock"), std::string::npos) << name;
    }
}

// It has mapped the clouds, and waits for a list of words.
TEST(Signals, AFileThatIsCutWhileItIsReadIsAnErrorOfOneLine) {
    const TemporaryFolder folder;
    const std::string words = folder.path() + "/words", clouds = folder.path() + "/store/clouds.safetensors";
    store::write_store(folder.path() + "/store", {{"bank", 900, 400, 1.0}, {"river", 900, 400, 1.0}}, 16);
    ASSERT_EQ(mkfifo(words.c_str(), 0600), 0);
    const TemporaryFile out(".out", ""), err(".err", "");
    const auto before = names_in(folder.path());
    Program program(
        {"export", folder.path() + "/store", "--words-file", words, "--quiet", "--out", folder.path() + "/clouds.npz"},
        out.path(), err.path());
    std::ofstream list(words);
    fs::resize_file(clouds, 4096);
    list << "river\n";
    list.close();
    const int code = program.wait();
    expect_one_line({code, content_of(out.path()), content_of(err.path())}, 1,
                    clouds + ": became shorter while it was being read");
    EXPECT_EQ(names_in(folder.path()), before);
}

TEST(Limits, AFileThatGrowsTooLargeIsAnErrorThatLeavesNothing) {
    const TemporaryFolder folder;
    store::write_store(folder.path() + "/store", {{"bank", 900, 400, 1.0}, {"river", 900, 400, 1.0}}, 16);
    const auto before = names_in(folder.path());
    Outcome outcome;
    {
        const Limit limit(RLIMIT_FSIZE, 8192);
        outcome = run({"export", folder.path() + "/store", "--out", folder.path() + "/clouds.npz"});
    }
    expect_one_line(outcome, 2, "clouds.npz: writing failed: File too large");
    EXPECT_EQ(names_in(folder.path()), before);
}

TEST(Limits, AStudyThatFailsLeavesNoFolder) {
    const TemporaryFolder folder;
    store::write_store(folder.path() + "/store", {{"bank", 30, 20, 1.0}, {"river", 30, 20, 1.0}}, 4);
    const auto before = names_in(folder.path());
    const Outcome outcome = run({"experiment", folder.path() + "/store", "--out", folder.path() + "/new/folder",
                                 "--wordnet", std::string(TESTS_DIR) + "/data/wordnet", "--gaps", "50"});
    expect_one_line(outcome, 2, "/store: has 2 words with at least 20 rows, so no two of them are 50 ranks apart");
    EXPECT_EQ(names_in(folder.path()), before);
}

// Stacks of 4 TB: no thread at all can be started, neither to work nor to wait for signals.
TEST(Limits, OneThreadIsEnough) {
    const TemporaryFile x = npy_file(1, {.n = 40}), y = npy_file(2, {.n = 40});
    const Arguments arguments = {"test", x.path(), y.path(), "--device", "cpu", "--threads", "64", "--format", "tsv"};
    const Outcome expected = run(arguments);
    ASSERT_EQ(expected.code, 0) << expected.err;
    const Limit limit(RLIMIT_STACK, rlim_t{1} << 42);
    if (!limit.holds()) GTEST_SKIP() << "the size of stacks is limited here";
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto without_time = [](const std::string& tsv) { return tsv.substr(0, tsv.rfind("\tcpu (")); };
    EXPECT_EQ(without_time(outcome.out), without_time(expected.out));
}

TEST(Limits, ListsThatNeverEndAreRefused) {
    const TemporaryFolder folder;
    const std::string store = folder.path() + "/store", zero = "/dev/zero";
    store::write_store(store, {{"bank", 30, 20, 1.0}, {"river", 30, 20, 1.0}}, 4);
    folder.add("words", "bank\n");
    for (const Arguments& arguments :
         {Arguments{"pairs", store, "--pairs", zero},
          {"triage", store, "--reference", zero},
          {"triage", store, "--reference", folder.path() + "/words", "--candidates", zero},
          {"export", store, "--words-file", zero, "--out", folder.path() + "/x.npz"},
          {"extract", "--model", "m", "--corpus", "c", "--out", folder.path() + "/new", "--words", zero}})
        expect_one_line(run(arguments), 2, "/dev/zero: line 1 has more than the 65536 bytes accepted");
}

}  // namespace
}  // namespace wordbreadth::cli
