// Sentences that repeat an earlier one: found, counted and dropped.
#include "extraction/copies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <unordered_set>

#include "base/strings.h"
#include "store/layout.h"
#include "store/plan.h"
#include "support/errors.h"
#include "support/snapshot.h"
#include "wordbreadth/store.h"

namespace wordbreadth::extraction {
namespace {

// As if every byte were a token of the model.
Fingerprint fingerprint_of(const KeptSentence& sentence) {
    Analysis analysis;
    analysis.ids.assign(sentence.text.begin(), sentence.text.end());
    WordFinder finder;
    Fingerprint fingerprint;
    take_fingerprint(sentence, analysis, finder.find(sentence.text), Deduplicate::near, fingerprint);
    return fingerprint;
}

Fingerprint fingerprint_of(const std::string& text) {
    KeptSentence sentence;
    sentence.text = text;
    return fingerprint_of(sentence);
}

std::vector<Copy> found_in(const std::vector<std::string>& texts, Deduplicate deduplicate) {
    Copies copies(deduplicate);
    std::vector<Copy> found;
    for (const std::string& text : texts) found.push_back(copies.add(fingerprint_of(text)));
    return found;
}

const std::string notice = "This documentation is free; you can redistribute it and/or modify it under the same terms";

TEST(Copies, OfTheSameTokensAreExact) {
    using enum Copy;
    EXPECT_EQ(found_in({"Download the ebook", "Download it now", "Download the ebook", "Download the ebook"},
                       Deduplicate::exact),
              (std::vector{none, none, exact, exact}));
    EXPECT_EQ(found_in({notice, notice + "."}, Deduplicate::exact), (std::vector{none, none}));
}

TEST(Copies, AreNeverAsShortAsWhatPeopleSayAgain) {
    using enum Copy;
    for (const std::string text : {"Yes.", "Thank you.", "1987", "...", ""})
        EXPECT_EQ(found_in({text, text}, Deduplicate::near), (std::vector{none, none})) << text;
    EXPECT_EQ(found_in({"Thank you, Sir.", "Thank you, Sir."}, Deduplicate::near), (std::vector{none, exact}));
}

TEST(Copies, ThatShareMostOfTheirShinglesAreNear) {
    using enum Copy;
    for (const std::string& other : std::vector<std::string>{
             notice + ".",
             "THIS documentation is free: you can redistribute it and or modify it, under the same terms!",
             notice + " as Perl 5.36", "It says: " + notice})
        EXPECT_EQ(found_in({notice, other}, Deduplicate::near), (std::vector{none, near})) << other;
    EXPECT_EQ(found_in({notice, "This page is free; you can give it away and/or change it under the same terms"},
                       Deduplicate::near),
              (std::vector{none, none}));
    EXPECT_EQ(found_in({"Chapter 3 of this book", "chapter 4 of this book."}, Deduplicate::near),
              (std::vector{none, near}));
}

TEST(Copies, AreNearFromAJaccardIndexOfSevenTenths) {
    const std::vector<std::uint32_t> a = {1, 2, 3, 4, 5, 6, 7}, b = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
                                     c = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    EXPECT_TRUE(are_near(a, a));
    EXPECT_TRUE(are_near(a, b));
    EXPECT_TRUE(are_near(b, a));
    EXPECT_FALSE(are_near(a, c));
    EXPECT_FALSE(are_near(c, a));
}

// What repeats a near copy is an exact one; what is near to a near copy only, stays.
TEST(Copies, AreComparedWithSentencesThatStayed) {
    using enum Copy;
    const std::string a = "one two three four five six seven eight nine ten eleven twelve";  // 10 shingles
    const std::string b = a + " thirteen fourteen fifteen", c = b + " sixteen seventeen eighteen";
    ASSERT_EQ(found_in({b, c}, Deduplicate::near), (std::vector{none, near}));
    EXPECT_EQ(found_in({a, b, b, c}, Deduplicate::near), (std::vector{none, near, exact, none}));
}

TEST(Copies, AreOfTheSameLabelOrTheSameUsage) {
    KeptSentence text;
    text.text = notice;
    const auto with_label = [&](const std::string& label) {
        text.label = label;
        return fingerprint_of(text);
    };
    Copies copies(Deduplicate::near);
    EXPECT_EQ(copies.add(with_label("a")), Copy::none);
    EXPECT_EQ(copies.add(with_label("b")), Copy::none);
    EXPECT_EQ(copies.add(with_label("a")), Copy::exact);
    KeptSentence usage;
    usage.text = "the bank of the bank of the river";
    usage.words_are_all = false;
    const auto with_word = [&](std::uint32_t begin, std::uint32_t end, const std::string& type) {
        usage.words = {{begin, end, type}};
        return fingerprint_of(usage);
    };
    EXPECT_EQ(copies.add(with_word(4, 8, "bank")), Copy::none);
    EXPECT_EQ(copies.add(with_word(16, 20, "bank")), Copy::none);
    EXPECT_EQ(copies.add(with_word(28, 33, "river")), Copy::none);
    EXPECT_EQ(copies.add(with_word(16, 20, "bank")), Copy::exact);
}

TEST(Copies, OfSentencesThatThereIsNoRoomForStayAndAreCounted) {
    for (const Deduplicate deduplicate : {Deduplicate::exact, Deduplicate::near}) {
        Copies copies(deduplicate, 2);
        const auto add = [&](const std::string& text) { return copies.add(fingerprint_of(text)); };
        for (const char* text : {"the first of them", "then the second one", "and last the third"})
            EXPECT_EQ(add(text), Copy::none);
        EXPECT_EQ(add("and last the third"), Copy::none);
        EXPECT_EQ(add("then the second one"), Copy::exact);
        EXPECT_EQ(copies.not_remembered(), 2U);
        EXPECT_EQ(copies.exact(), 1U);
    }
}

TEST(HashSlots, HoldWhatASetHolds) {
    std::mt19937_64 random(1);
    HashSlots slots;
    std::unordered_set<std::uint64_t> expected;
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t entry = ((random() % 1000) << 32) | (1 + random() % 50);  // many with one upper half
        slots.reserve(1);
        std::uint64_t& slot = slots.slot_of(entry, ~std::uint64_t{0});
        ASSERT_EQ(slot == entry, expected.contains(entry));
        slots.put(slot, entry);
        expected.insert(entry);
    }
    EXPECT_EQ(slots.size(), expected.size());
}

// Whatever bytes there are.
TEST(Fingerprint, OfAnyTextIsThatOfItself) {
    std::mt19937 random(5);
    for (int round = 0; round < 500; ++round) {
        std::string text;
        for (std::size_t i = random() % 200; i > 0; --i)
            text += random() % 4 == 0 ? ' ' : static_cast<char>(random() % (round % 2 == 0 ? 256 : 128));
        const Fingerprint one = fingerprint_of(text), other = fingerprint_of(text);
        ASSERT_EQ(one.is_short, other.is_short);
        if (one.is_short) continue;
        ASSERT_EQ(one.tokens, other.tokens);
        ASSERT_EQ(one.bands, other.bands);
        ASSERT_TRUE(are_near(one.shingles, other.shingles));
    }
}

// ---- Sentences with known edits, against a program that compares all with all

class Edits {
  public:
    explicit Edits(unsigned seed) : random_(seed) {}

    std::vector<std::string> sentence() {
        std::vector<std::string> words(6 + random_() % 30);
        for (std::string& word : words) word = any_word();
        return words;
    }

    std::vector<std::string> edited(std::vector<std::string> words, std::size_t edits) {
        for (; edits > 0; --edits) {
            const auto at = words.begin() + static_cast<std::ptrdiff_t>(random_() % words.size());
            const std::size_t kind = below(3);
            if (kind == 0) *at = any_word();
            if (kind == 1) words.insert(at, any_word());
            if (kind == 2 && words.size() > 4) words.erase(at);
        }
        return words;
    }

    std::size_t below(std::size_t end) { return random_() % end; }

  private:
    // Few words are frequent, as in a language: the square makes them so. Letters only: digits are no words.
    std::string any_word() {
        const double share = static_cast<double>(random_()) / static_cast<double>(std::mt19937::max());
        auto number = static_cast<unsigned>(3000 * share * share);
        std::string word;
        for (int i = 0; i < 3; ++i, number /= 26) word += static_cast<char>('a' + number % 26);
        return word;
    }

    std::mt19937 random_;
};

double jaccard(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    std::vector<std::uint32_t> both;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    return static_cast<double>(both.size()) / static_cast<double>(a.size() + b.size() - both.size());
}

TEST(NearCopies, AreThoseOfAProgramThatComparesAllWithAll) {
    Edits edits(7);
    std::vector<std::vector<std::string>> sentences;
    for (int i = 0; i < 2000; ++i) {
        const bool copies = i > 0 && edits.below(2) == 0;
        sentences.push_back(copies ? edits.edited(sentences[edits.below(sentences.size())], 1 + edits.below(3))
                                   : edits.sentence());
    }
    Copies copies(Deduplicate::near);
    std::vector<Fingerprint> stayed;
    std::array<int, 2> near{}, found{};  // with an index below 0.8, and from there
    int wrong = 0;
    for (const auto& words : sentences) {
        const Fingerprint sentence = fingerprint_of(base::joined(words, " "));
        double nearest = 0;
        for (const Fingerprint& other : stayed) nearest = std::max(nearest, jaccard(sentence.shingles, other.shingles));
        const Copy copy = copies.add(sentence);
        if (copy == Copy::none) stayed.push_back(sentence);
        if (copy == Copy::near && nearest < 0.7) ++wrong;
        if (nearest < 0.7 || copy == Copy::exact) continue;
        ++near[nearest < 0.8 ? 0 : 1];
        if (copy == Copy::near) ++found[nearest < 0.8 ? 0 : 1];
    }
    for (const std::size_t part : {0U, 1U})
        RecordProperty(part == 0 ? "below 0.8" : "from 0.8",
                       std::to_string(found[part]) + " of " + std::to_string(near[part]));
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(near[0], 100);
    EXPECT_GT(near[1], 100);
    EXPECT_GE(found[0], near[0] * 95 / 100);  // 0.988 is expected of those with 0.7, more of the others
    EXPECT_GE(found[1], near[1] - 1);
}

// ---- In an extraction

// Five times a sentence, in several forms, among others that are all different.
std::string with_copies(std::size_t others = 400) {
    return "the old bank is on the deep river by the water .\n" + random_lines(others / 2) +
           "The old BANK is on  the deep river by the water .\n" + random_lines(others / 2, 2) +
           "the old bank is on the deep river by the water .\n"
           "the old bank is on the deep river , by the water in 1987 .\n"
           "the old bank is on the deep river by the water flows .\n";
}

std::uint64_t skipped(const ExtractSummary& summary, const std::string& part) {
    for (const auto& [reason, count] : summary.skipped)
        if (contains(reason, part)) return count;
    return 0;
}

TEST(Deduplicate, DropsExactCopiesByDefaultAndKeepsTheFirst) {
    const Workshop workshop(with_copies());
    ExtractOptions options = workshop.options();
    options.per_word = 0;
    const ExtractSummary summary = extract(options);
    EXPECT_EQ(summary.deduplicated, "exact");
    EXPECT_EQ(summary.exact_copies, 2U);
    EXPECT_EQ(summary.near_copies, 0U);
    EXPECT_EQ(skipped(summary, "in an exact copy"), 22U);
    const Store store(options.out);
    EXPECT_EQ(store.setting("deduplicate"), "exact");
    EXPECT_EQ(store.setting("exact copies"), "2");
    const StoredWord& the = store.words()[store.find("the")];
    EXPECT_EQ(the.exact_copies, 6U);
    EXPECT_EQ(the.near_copies, 0U);
    EXPECT_EQ(the.usable, the.frequency - 6);
    EXPECT_EQ(the.rows, the.usable);
    std::set<std::uint64_t> sentences;
    for (const Occurrence& occurrence : store.occurrences(store.find("bank"))) sentences.insert(occurrence.sentence);
    EXPECT_TRUE(sentences.contains(0));
    EXPECT_FALSE(sentences.contains(201));
    EXPECT_FALSE(sentences.contains(402));
    EXPECT_TRUE(sentences.contains(403));
}

// A file's name is the label of its texts, and says nothing of its sentences.
TEST(Deduplicate, FindsCopiesAcrossFilesOfLines) {
    const Workshop workshop(with_copies());
    const TemporaryFile second(".txt",
                               "the old bank is on the deep river by the water .\nthe deep river is a bank .\n");
    ExtractOptions options = workshop.options();
    options.corpus.push_back(second.path());
    options.corpus_format = "lines";
    EXPECT_EQ(extract(options).exact_copies, 3U);
}

TEST(Deduplicate, DropsNearCopiesOnRequest) {
    const Workshop workshop(with_copies());
    ExtractOptions options = workshop.options();
    options.deduplicate = Deduplicate::near;
    const ExtractSummary summary = extract(options);
    EXPECT_EQ(summary.deduplicated, "near (Jaccard 0.7)");
    EXPECT_EQ(summary.exact_copies, 2U);
    EXPECT_EQ(summary.near_copies, 2U);
    const Store store(options.out);
    EXPECT_EQ(store.setting("near copies"), "2");
    EXPECT_EQ(store.words()[store.find("the")].near_copies, 6U);
    EXPECT_EQ(store.words()[store.find("flows")].near_copies, 1U);
    options.out = workshop.path("threads");
    options.threads = 3;
    extract(options);
    EXPECT_EQ(files_in(workshop.path("store")), files_in(options.out));
}

TEST(Deduplicate, WithoutKeepsTheBytesOfPlansBeforeThereWasIt) {
    const Workshop workshop(with_copies());
    ExtractOptions options = workshop.options();
    options.deduplicate = Deduplicate::none;
    const ExtractSummary summary = extract(options);
    EXPECT_EQ(summary.deduplicated, "");
    const std::string plan = content_of(store::plan_path(options.out));
    for (const char* word : {"deduplicate", "copies", "copy"}) EXPECT_FALSE(contains(plan, word)) << word;
    EXPECT_EQ(Store(options.out).words()[0].exact_copies, 0U);
}

TEST(Deduplicate, ChangesNoSampleWhereThereAreNoCopies) {
    const Workshop workshop;
    extract(workshop.options("exact"));
    ExtractOptions options = workshop.options("none");
    options.deduplicate = Deduplicate::none;
    extract(options);
    const Store exact(workshop.path("exact")), none(options.out);
    ASSERT_EQ(exact.setting("exact copies"), "0");
    for (std::size_t word = 0; word < none.words().size(); ++word)
        EXPECT_TRUE(std::ranges::equal(exact.rows(word), none.rows(word)));
}

TEST(Deduplicate, NamesTheWordsThatAreTooRareWithoutCopies) {
    std::string lines = random_lines(400);
    for (int i = 0; i < 30; ++i) lines += "a zebra is a zebra\n";
    const Workshop workshop(lines);
    write_file(workshop.path("model/vocab.txt"), content_of(workshop.path("model/vocab.txt")) + "zebra\n");
    EXPECT_EQ(extract(workshop.options()).lost_to_copies, std::vector<std::string>{"zebra"});
}

TEST(Deduplicate, LeavesTextsAloneUnlessAsked) {
    const Workshop workshop;
    std::string records;
    for (int i = 0; i < 12; ++i)
        records += R"({"text": "the bank of the river", "label": ")" + std::string(i % 2 == 0 ? "a" : "b") + "\"}\n";
    records += R"({"text": "money in the bank", "label": "a"})"
               "\n"
               R"({"text": "money in the bank", "label": "b"})"
               "\n";
    write_file(workshop.path("texts.jsonl"), records);
    ExtractOptions options = workshop.options();
    options.corpus = {workshop.path("texts.jsonl")};
    options.corpus_format = "jsonl";
    options.unit = ExtractUnit::text;
    options.min_count = 2;
    EXPECT_EQ(extract(options).rows, 14U);
    options.out = workshop.path("asked");
    options.deduplicate = Deduplicate::exact;
    const ExtractSummary summary = extract(options);
    EXPECT_EQ(summary.rows, 4U);
    EXPECT_EQ(summary.exact_copies, 10U);
}

TEST(Deduplicate, IsPartOfThePlan) {
    const Workshop workshop(with_copies());
    ExtractOptions options = workshop.options();
    options.plan_only = true;
    extract(options);
    ExtractOptions call = workshop.options();
    call.resume = true;
    call.deduplicate = Deduplicate::none;
    EXPECT_TRUE(contains(error_of([&] { extract(call); }),
                         "was planned with deduplicate \"exact\"; this call says \"none\": resume it with the same"));
    call.deduplicate = Deduplicate::near;
    EXPECT_TRUE(contains(error_of([&] { extract(call); }), "this call says \"near (Jaccard 0.7)\""));
    call.deduplicate.reset();  // a call that does not say: such as one of a program from before
    const ExtractSummary summary = extract(call);
    EXPECT_TRUE(summary.finished);
    EXPECT_EQ(summary.exact_copies, 2U);
}

}  // namespace
}  // namespace wordbreadth::extraction
