// A plan in parts: merged, it is the plan made at once, to the last byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <random>
#include <sstream>
#include <thread>

#include "extraction/plan_part.h"
#include "store/layout.h"
#include "store/plan.h"
#include "support/errors.h"
#include "support/snapshot.h"
#include "wordbreadth/parts.h"
#include "wordbreadth/store.h"

namespace wordbreadth::extraction {
namespace {

namespace fs = std::filesystem;

constexpr unsigned files = 11;

// One word of the line in 24 is another.
std::string varied(const std::string& line, std::mt19937& random) {
    std::istringstream words(line);
    std::string text;
    for (std::string word; words >> word;)
        text += (random() % 24 == 0 ? snapshot_words()[random() % snapshot_words().size()] : word) + " ";
    return text;
}

// Files of unlike sizes, one of them empty but for a line. Half of the lines are from a pool that all files share, as
// they are or varied: copies and near copies of lines of the same file and of others.
void write_corpus(const std::string& folder) {
    fs::create_directories(folder);
    std::mt19937 random(3);
    std::vector<std::string> pool;
    std::istringstream lines(random_lines(400, 99));
    for (std::string line; std::getline(lines, line);) pool.push_back(line + " " + line);
    for (unsigned file = 0; file < files; ++file) {
        std::string text;
        std::istringstream own(random_lines(file == 4 ? 1 : 40 + 37 * file, file));
        for (std::string line; std::getline(own, line);) {
            text += line + "\n\n";
            const std::string& shared = pool[random() % pool.size()];
            text += (random() % 3 == 0 ? varied(shared, random) : shared) + "\n\n";
        }
        write_file(folder + "/" + std::string(1, static_cast<char>('a' + file)) + ".txt", text);
    }
}

std::vector<std::uint64_t> shuffled(std::uint64_t parts) {
    std::vector<std::uint64_t> order(parts);
    std::iota(order.begin(), order.end(), 1);
    std::ranges::shuffle(order, std::mt19937(static_cast<unsigned>(parts)));
    return order;
}

// Changes one bit.
void damage(const std::string& path, double place = 0.5) {
    std::string bytes = content_of(path);
    ASSERT_FALSE(bytes.empty()) << path;
    char& byte = bytes[static_cast<std::size_t>(place * static_cast<double>(bytes.size()))];
    byte = static_cast<char>(byte ^ 4);
    write_file(path, bytes);
}

class PlanInParts : public testing::Test {
  protected:
    PlanInParts() { write_corpus(workshop_.path("corpus")); }

    [[nodiscard]] ExtractOptions options(const std::string& out) const {
        ExtractOptions options = workshop_.options(out);
        options.corpus = {workshop_.path("corpus")};
        options.corpus_format = "text";
        options.plan_only = true;
        return options;
    }

    static void plan(ExtractOptions options, std::uint64_t number, std::uint64_t of) {
        options.threads = 2;
        extract_part(options, {number, of});
    }

    // Deleted when it was compared.
    static std::map<std::string, std::string> taken(const std::string& out) {
        auto files = files_in(out);
        fs::remove_all(out);
        return files;
    }

    void expect_same(ExtractOptions options, const std::vector<std::uint64_t>& numbers = {1, 2, 3, 8, 64}) const {
        options.out = workshop_.path("whole");
        extract(options);
        const auto whole = taken(options.out);
        EXPECT_EQ(whole.size(), 1U);
        for (const std::uint64_t parts : numbers) {
            options.out = workshop_.path("parts");
            for (const std::uint64_t part : shuffled(parts)) plan(options, part, parts);
            merge_store(options.out);
            EXPECT_TRUE(taken(options.out) == whole) << parts << " parts";
        }
    }

    const Workshop workshop_;
};

TEST_F(PlanInParts, IsThePlanMadeAtOnce) {
    ExtractOptions all = options("");
    all.deduplicate = Deduplicate::none;
    expect_same(all);
}

TEST_F(PlanInParts, FindsCopiesOfSentencesInOtherParts) {
    ExtractOptions exact = options("");
    exact.deduplicate = Deduplicate::exact;
    expect_same(exact);
    exact.out = workshop_.path("counted");
    for (const std::uint64_t part : {1, 2, 3}) plan(exact, part, 3);
    EXPECT_GT(merge_store(exact.out).decided_anew, 20U);  // or this shows nothing
}

TEST_F(PlanInParts, FindsNearCopiesOfSentencesInOtherParts) {
    ExtractOptions near = options("");
    near.deduplicate = Deduplicate::near;
    expect_same(near);
    store::Plan planned((near.out = workshop_.path("near"), extract(near), near.out));
    EXPECT_GT(std::stoi(planned.setting("near copies")), 20);
}

TEST_F(PlanInParts, DrawsTheSameSamples) {
    for (const Deduplicate deduplicate : {Deduplicate::none, Deduplicate::exact, Deduplicate::near})
        for (const SampleBy by : {SampleBy::rows, SampleBy::documents})
            for (const std::uint64_t per_document : {0, 3}) {
                ExtractOptions sampled = options("");
                sampled.deduplicate = deduplicate;
                sampled.sample = by;
                sampled.per_document = per_document;
                sampled.min_count = 25;
                sampled.per_word = 17;
                sampled.seed = 5;
                expect_same(sampled, {3});
            }
}

TEST_F(PlanInParts, TakesAllRowsAndForgetsRareWords) {
    ExtractOptions all = options("");
    all.per_word = 0;
    all.min_count = 700;
    expect_same(all, {3, 8});
}

// Some are missing: too rare, in another case, only in copies, or not there at all. The reasons are in the plan.
TEST_F(PlanInParts, LooksForListedWords) {
    for (const LetterCase letter_case : {LetterCase::lower, LetterCase::keep}) {
        ExtractOptions listed = options("");
        listed.words = {"bank", "river", "Bank", "absent", "the", "MONEY"};
        listed.letter_case = letter_case;
        listed.min_count = 380;
        expect_same(listed, {2, 8});
    }
}

TEST_F(PlanInParts, KnowsPartsOfSpeechAndLemmas) {
    fs::create_directories(workshop_.path("tagged"));
    for (unsigned file = 0; file < 6; ++file) {
        std::istringstream lines(random_lines(120, 7 + file % 4));  // files 4 and 5 repeat 0 and 1
        std::string text;
        for (std::string line; std::getline(lines, line);) {
            text += "<s>\n";
            std::istringstream words(line);
            for (std::string word; words >> word;)
                text += word + "\t" + word +
                        (word == "."                 ? "\tSENT\n"
                         : word == "by" && file == 5 ? "\tADP\n"
                                                     : "\tN\n");
            text += "</s>\n";
        }
        write_file(workshop_.path("tagged/" + std::to_string(file) + ".vert"), "<doc>\n" + text + "</doc>\n");
    }
    ExtractOptions tagged = options("");
    tagged.corpus = {workshop_.path("tagged")};
    tagged.corpus_format = "vertical";
    tagged.by_lemma = true;
    tagged.parts_of_speech = {"N"};
    expect_same(tagged, {3, 8});
    tagged.parts_of_speech = {"N", "ADP"};  // which one part alone has
    expect_same(tagged, {6});
    tagged.parts_of_speech = {"N", "DET"};  // which none has
    tagged.out = workshop_.path("none");
    for (const std::uint64_t part : {1, 2}) plan(tagged, part, 2);
    EXPECT_TRUE(contains(error_of([&] { merge_store(tagged.out); }), "no word of the corpus has it"));
}

TEST_F(PlanInParts, TakesWholeTextsByTheirLabels) {
    for (const Deduplicate deduplicate : {Deduplicate::none, Deduplicate::exact}) {
        ExtractOptions texts = options("");
        texts.unit = ExtractUnit::text;
        texts.corpus_format = "lines";
        texts.deduplicate = deduplicate;
        texts.min_count = 2;
        texts.per_word = 0;
        expect_same(texts, {3});
    }
}

TEST_F(PlanInParts, CountsInvalidBytesOfAllParts) {
    for (const char* const name : {"a", "f", "k"})
        std::ofstream(workshop_.path("corpus/" + std::string(name) + ".txt"), std::ios::app) << "the bank \xff of\n";
    ExtractOptions invalid = options("");
    invalid.invalid = InvalidBytes::replace;
    expect_same(invalid, {4});
}

TEST_F(PlanInParts, APartMayBeRepeatedAndRunTwiceAtOnce) {
    ExtractOptions whole = options("whole");
    extract(whole);
    ExtractOptions twice = options("twice");
    for (const std::uint64_t part : {2, 1, 2}) {
        std::jthread other([&] { plan(twice, part, 2); });
        plan(twice, part, 2);
    }
    {
        std::jthread other([&] { merge_store(twice.out); });
        merge_store(twice.out);
    }
    EXPECT_TRUE(merge_store(twice.out).found);
    plan(twice, 1, 2);  // late, when the plan is there
    EXPECT_TRUE(files_in(whole.out) == files_in(twice.out));
}

TEST_F(PlanInParts, NamesThePartsThatAreMissing) {
    const ExtractOptions some = options("some");
    for (const std::uint64_t part : {1, 4}) plan(some, part, 5);
    const std::string error = error_of([&] { merge_store(some.out); });
    EXPECT_TRUE(contains(error, "3 parts of 5 are missing: 2, 3, 5; plan them first")) << error;
    for (const std::uint64_t part : {2, 3, 5}) plan(some, part, 5);
    EXPECT_EQ(merge_store(some.out).parts, 5U);
}

TEST_F(PlanInParts, RefusesPartsOfAnotherPlan) {
    ExtractOptions mixed = options("mixed");
    plan(mixed, 1, 3);
    mixed.seed = 8;
    std::string error = error_of([&] { plan(mixed, 2, 3); });
    EXPECT_TRUE(contains(error, R"(seed is "8"; that of part 1 of 3 is "0")")) << error;
    mixed.seed = 0;
    error = error_of([&] { plan(mixed, 2, 4); });
    EXPECT_TRUE(contains(error, "part 1 of 3 is there, this is one of 4")) << error;
    std::ofstream(workshop_.path("corpus/k.txt"), std::ios::app) << "the old bank .\n";
    error = error_of([&] { plan(mixed, 2, 3); });
    EXPECT_TRUE(contains(error, "k.txt has changed: ")) << error;
    std::ofstream(workshop_.path("model/vocab.txt"), std::ios::app) << "more\n";
    write_corpus(workshop_.path("corpus"));
    error = error_of([&] { plan(mixed, 2, 3); });
    EXPECT_TRUE(contains(error, "model sha256 is ")) << error;
}

// As when parts were begun at the same time, and none could see the other.
TEST_F(PlanInParts, RefusesToMergePartsOfDifferentPlans) {
    ExtractOptions one = options("one"), other = options("other");
    other.seed = 8;
    plan(one, 1, 2);
    plan(other, 2, 2);
    fs::rename(other.out + "/parts/2-of-2", one.out + "/parts/2-of-2");
    const std::string error = error_of([&] { merge_store(one.out); });
    EXPECT_TRUE(contains(error, R"(2-of-2: is a part of another plan: its seed is "8"; that of part 1 of 2 is "0")"))
        << error;
    EXPECT_TRUE(fs::exists(one.out + "/parts/1-of-2/facts"));
}

// In a file of which everything is read.
TEST_F(PlanInParts, APartThatIsDamagedIsNamedAndMadeAgain) {
    extract(options("whole"));
    const ExtractOptions damaged = options("damaged");
    for (const char* const name : {"facts", "words", "documents", "fingerprints", "uses-3"}) {
        for (const std::uint64_t part : {1, 2}) plan(damaged, part, 2);
        damage(damaged.out + "/parts/2-of-2/" + name);
        const std::string error = error_of([&] { merge_store(damaged.out); });
        EXPECT_TRUE(contains(error, "2-of-2") && contains(error, "plan this part again")) << name << ": " << error;
        plan(damaged, 2, 2);
        merge_store(damaged.out);
        EXPECT_TRUE(taken(damaged.out) == files_in(workshop_.path("whole"))) << name;
    }
}

// Of these only the sentences of the sample are read, here every one that is no copy.
TEST_F(PlanInParts, DamagedSentencesAreNeverInAPlan) {
    ExtractOptions all = options("whole");
    all.per_word = 0;
    extract(all);
    all.out = workshop_.path("damaged");
    for (const char* const name : {"sentences", "sentences.index"})
        for (const double place : {0.01, 0.3, 0.6, 0.99}) {
            for (const std::uint64_t part : {1, 2}) plan(all, part, 2);
            damage(all.out + "/parts/2-of-2/" + name, place);
            const std::string error = error_of([&] { merge_store(all.out); });
            if (error != "no error") {
                EXPECT_TRUE(contains(error, "2-of-2") && contains(error, "plan this part again")) << error;
                plan(all, 2, 2);
                merge_store(all.out);
            }
            EXPECT_TRUE(taken(all.out) == files_in(workshop_.path("whole"))) << name << " at " << place;
        }
}

TEST_F(PlanInParts, RefusesStandardInputAndPartsOfNothing) {
    ExtractOptions wrong = options("wrong");
    wrong.corpus = {"-"};
    EXPECT_TRUE(contains(error_of([&] { plan(wrong, 1, 2); }), "standard input cannot be read in parts"));
    EXPECT_TRUE(contains(error_of([&] { plan(options("wrong"), 3, 2); }), "part 3 of 2"));
    wrong = options("wrong");
    wrong.plan_only = false;
    EXPECT_TRUE(contains(error_of([&] { plan(wrong, 1, 2); }), "neither was asked for"));
    EXPECT_FALSE(can_merge_store(workshop_.path("wrong")));
}

TEST(FilesOfAPart, AreConsecutiveAndAllOfThemOnce) {
    std::vector<corpus::File> some(23);
    for (std::size_t i = 0; i < some.size(); ++i) some[i].bytes = i * i % 7 * 1000;
    for (const std::uint64_t parts : {1, 2, 3, 8, 64}) {
        std::uint64_t next = 0;
        for (std::uint64_t number = 1; number <= parts; ++number) {
            const PartRange range = files_of({number, parts}, some);
            EXPECT_EQ(range.begin, next) << number << " of " << parts;
            next = range.end;
        }
        EXPECT_EQ(next, some.size());
    }
}

}  // namespace
}  // namespace wordbreadth::extraction
