// Good corpora with some bytes changed, inserted or cut: each is read or raises InputError, and nothing else happens;
// and what is read keeps every promise of corpus.h. Seeded, so that a failure comes back.
#include <gtest/gtest.h>

#include "base/utf8.h"
#include "support/corpus_testing.h"
#include "support/mutator.h"

namespace wordbreadth::corpus {
namespace {

using namespace std::string_view_literals;

constexpr int changes_of_a_file = 400;
constexpr auto telling = "\0\xFF\x80\xC3\xE3\xEF\t\n\r \"'{}[]<>/&;:=#.-_019"sv;

struct Seed {
    const char* name;
    Format format;
};

constexpr Seed seeds[] = {
    {"plain.txt", Format::text},       {"plain.txt.gz", Format::text}, {"lines.txt", Format::lines},
    {"records.jsonl", Format::jsonl},  {"T00.xml", Format::bnc},       {"T00.xml.gz", Format::bnc},
    {"T01.xml", Format::bnc},          {"bccwj.tsv", Format::bccwj},   {"sample.conllu", Format::conllu},
    {"sample.vert", Format::vertical}, {"uses.csv", Format::dwug},     {"ca01", Format::brown},
};

void expect_promises(const Sentence& sentence) {
    EXPECT_FALSE(sentence.text.empty());
    EXPECT_EQ(base::first_fault(sentence.text), std::string_view::npos);
    EXPECT_EQ(base::trimmed(sentence.text), sentence.text);
    std::uint32_t end = 0;
    for (const Word& word : sentence.words) {
        EXPECT_LE(end, word.begin);
        EXPECT_LT(word.begin, word.end);
        end = word.end;
    }
    EXPECT_LE(end, sentence.text.size());
    if (sentence.usage) {
        EXPECT_LT(sentence.usage->begin, sentence.usage->end);
        EXPECT_LE(sentence.usage->end, sentence.text.size());
    }
}

void read_everything(const std::string& path, const Options& options) {
    Reader reader = open_corpus(std::vector{path}, options);
    std::uint64_t number = 0;
    std::uint64_t document = 0;
    for (Sentence sentence; reader.next(sentence); ++number) {
        EXPECT_EQ(sentence.number, number);
        EXPECT_GE(sentence.document, document);
        document = sentence.document;
        expect_promises(sentence);
    }
    EXPECT_EQ(reader.progress().bytes, reader.progress().total);
}

TEST(CorpusFuzz, ChangedFilesAreReadOrRefused) {
    int refused = 0;
    unsigned number = 0;
    for (const Seed& seed : seeds) {
        const std::string content = content_of(good(seed.name));
        const TemporaryFile file(".corpus", content);
        Mutator mutator(++number, telling);
        for (int i = 0; i < changes_of_a_file; ++i) {
            file.write(mutator.changed(content));
            const Options options{i % 3 == 0 ? Format::automatic : seed.format,
                                  i % 5 == 0 ? Unit::text : Unit::sentence};
            std::string error;
            EXPECT_NO_THROW(error = error_of([&] { read_everything(file.path(), options); }))
                << seed.name << " change " << i;
            EXPECT_FALSE(contains(error, "\n")) << seed.name << " change " << i;
            if (error != "no error") ++refused;
        }
    }
    EXPECT_GT(refused, 1000);  // else the changes do not reach what is checked
}

// Only formats that say where they end can be known to be cut off.
TEST(CorpusFuzz, CutXmlAndGzipAreRefusedAtEveryLength) {
    for (const Seed& seed : {seeds[1], seeds[4], seeds[5]}) {
        const std::string content = content_of(good(seed.name));
        const TemporaryFile file(".corpus", {});
        const std::size_t last_byte = content.find_last_not_of('\n');
        for (std::size_t length = 2; length <= last_byte; ++length) {
            if (seed.format == Format::text && content.substr(length).starts_with("\x1F\x8B\x08"))
                continue;  // a whole member
            file.write(std::string_view(content).substr(0, length));
            EXPECT_NE(error_of([&] {
                          read_everything(file.path(), {seed.format, Unit::sentence});
                      }),
                      "no error")
                << seed.name << " cut to " << length;
        }
    }
}

}  // namespace
}  // namespace wordbreadth::corpus
