// Corpora of any length take the same memory. Not for AddressSanitizer, which keeps what is freed.
#include <gtest/gtest.h>
#include <zlib.h>

#include "support/corpus_testing.h"
#include "support/memory.h"

namespace wordbreadth::corpus {
namespace {

// A sample many times over, packed: hundreds of megabytes of text that take little room on the disk.
class Repeated {
  public:
    Repeated(const std::string& head, const std::string& body, const std::string& tail, int times) : file_(".gz", {}) {
        gzFile packed = gzopen(file_.path().c_str(), "wb1");
        gzputs(packed, head.c_str());
        for (int i = 0; i < times; ++i) gzwrite(packed, body.data(), static_cast<unsigned>(body.size()));
        gzputs(packed, tail.c_str());
        gzclose(packed);
    }
    [[nodiscard]] const std::string& path() const { return file_.path(); }

  private:
    TemporaryFile file_;
};

void expect_little_memory(const Repeated& corpus, Format format, std::uint64_t sentences) {
    const double before = peak_memory();
    Reader reader = open_corpus(std::vector{corpus.path()}, {format, Unit::sentence});
    std::uint64_t found = 0;
    for (Sentence sentence; reader.next(sentence);) ++found;
    EXPECT_EQ(found, sentences);
    EXPECT_LT(peak_memory() - before, 4e6);
}

TEST(Lean, PlainTextIsReadInConstantMemory) {
    const std::string text = content_of(good("plain.txt")) + "\n";
    expect_little_memory(Repeated("", text, "", 100000), Format::text, 700000);
}

TEST(Lean, ALineThatNeverEndsIsReadInConstantMemory) {
    const std::string text = "This is one of very many sentences on a line. ";
    expect_little_memory(Repeated("", text, "", 500000), Format::text, 500000);
}

TEST(Lean, XmlIsReadInConstantMemory) {
    const std::string sentence = "<s><w hw='bank' pos='SUBST'>banks </w><c c5='PUN'>.</c></s>\n";
    expect_little_memory(Repeated("<bncDoc>", sentence, "</bncDoc>", 400000), Format::bnc, 400000);
}

TEST(Lean, CoNLLUIsReadInConstantMemory) {
    expect_little_memory(Repeated("", content_of(good("sample.conllu")), "", 50000), Format::conllu, 100000);
}

}  // namespace
}  // namespace wordbreadth::corpus
