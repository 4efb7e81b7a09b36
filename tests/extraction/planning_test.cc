// The plan of an extraction: the same to the last byte on any number of threads, and whether or not its sentences fit
// into memory.
#include <gtest/gtest.h>

#include <sstream>

#include "corpus/corpus.h"
#include "extraction/plan.h"
#include "support/errors.h"
#include "support/snapshot.h"

namespace wordbreadth::extraction {
namespace {

constexpr std::size_t several_blocks = 10'000;  // sentences: a block has 4096

class Planning : public testing::Test {
  protected:
    [[nodiscard]] ExtractOptions options(const std::string& out) const {
        ExtractOptions options = workshop_.options(out);
        options.plan_only = true;
        return options;
    }

    // What is in the store that these options plan on `threads`.
    [[nodiscard]] auto plan_on(unsigned threads, ExtractOptions options) const {
        options.threads = threads;
        options.out = workshop_.path("on" + std::to_string(threads));
        extract(options);
        auto files = files_in(options.out);
        std::filesystem::remove_all(options.out);
        return files;
    }

    void expect_same_plans(const ExtractOptions& options) const {
        const auto one = plan_on(1, options);
        EXPECT_EQ(one.size(), 1U);
        EXPECT_TRUE(plan_on(2, options) == one);
        EXPECT_TRUE(plan_on(7, options) == one);
    }

    const Workshop workshop_{random_lines(several_blocks)};
};

TEST_F(Planning, IsTheSameOnAnyNumberOfThreads) {
    expect_same_plans(options("lines"));
}

TEST_F(Planning, FindsTheSameNearCopiesOnAnyNumberOfThreads) {
    ExtractOptions near = options("near");
    near.deduplicate = Deduplicate::near;
    near.sample = SampleBy::documents;
    expect_same_plans(near);
}

// Many small files, gaps between them, and paragraphs that are split into sentences.
TEST_F(Planning, OfManyFilesIsTheSameOnAnyNumberOfThreads) {
    std::filesystem::create_directories(workshop_.path("files"));
    for (unsigned i = 0; i < 60; ++i)
        write_file(workshop_.path("files/" + std::to_string(i) + ".txt"),
                   i % 7 == 0 ? "\n" : random_lines(200, i) + "\n\n" + random_lines(5, i + 100));
    ExtractOptions text = options("text");
    text.corpus = {workshop_.path("files")};
    text.corpus_format = "text";
    text.per_document = 3;
    expect_same_plans(text);
}

// A word per line, with its lemma and part of speech.
std::string vertical(const std::string& lines) {
    std::string text;
    std::istringstream sentences(lines);
    std::size_t number = 0;
    for (std::string line; std::getline(sentences, line); ++number) {
        if (number % 50 == 0) text += std::string(number == 0 ? "" : "</doc>\n") + "<doc>\n";
        text += "<s>\n";
        std::istringstream words(line);
        for (std::string word; words >> word;) text += word + "\t" + word + (word == "." ? "\tSENT\n" : "\tN\n");
        text += "</s>\n";
    }
    return text + "</doc>\n";
}

TEST_F(Planning, OfAnAnnotatedCorpusIsTheSameOnAnyNumberOfThreads) {
    write_file(workshop_.path("corpus.vert"), vertical(random_lines(several_blocks, 3)));
    ExtractOptions annotated = options("vertical");
    annotated.corpus = {workshop_.path("corpus.vert")};
    annotated.corpus_format = "vertical";
    annotated.by_lemma = true;
    annotated.parts_of_speech = {"N"};
    expect_same_plans(annotated);
}

class Rereading : public Planning {
  protected:
    // As extract() does, with room for no sentence.
    void plan_without_memory(const ExtractOptions& options) const {
        OpeningModel model(options);
        corpus::Options reading;
        reading.format = corpus::format_named(options.corpus_format);
        corpus::Reader reader = corpus::open_corpus(options.corpus, reading);
        ExtractSummary summary;
        make_plan(reader, model, options, summary, 0);
    }
};

TEST_F(Rereading, GivesTheSamePlanAsMemory) {
    std::filesystem::create_directories(workshop_.path("files"));
    for (unsigned i = 0; i < 9; ++i)
        write_file(workshop_.path("files/" + std::to_string(i) + ".txt"), random_lines(i % 3 == 0 ? 3000 : 2, i));
    ExtractOptions files = options("kept");
    files.corpus = {workshop_.path("files")};
    files.per_word = 20;  // of some files nothing is needed
    extract(files);
    for (const unsigned threads : {1U, 2U, 7U}) {
        ExtractOptions again = files;
        again.threads = threads;
        again.out = workshop_.path("again" + std::to_string(threads));
        plan_without_memory(again);
        EXPECT_TRUE(files_in(again.out) == files_in(files.out)) << threads << " threads";
    }
}

}  // namespace
}  // namespace wordbreadth::extraction
