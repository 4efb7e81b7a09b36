#include "wordbreadth/import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>

#include "support/errors.h"
#include "support/temporary.h"
#include "wordbreadth/concordance.h"
#include "wordbreadth/rank.h"
#include "wordbreadth/write.h"

namespace wordbreadth {
namespace {

constexpr const char* good = R"({"word": "bank", "vector": [1, 2, 3], "text": "the bank", "start": 4, "end": 8})";

ImportOptions options_of(const std::string& from, const std::string& out) {
    ImportOptions options;
    options.from = from;
    options.out = out;
    return options;
}

// What is wrong with a file of these lines, the path left out; and nothing may be left of the store.
std::string complaint(const std::string& lines) {
    const TemporaryFolder folder;
    folder.add("x.jsonl", lines);
    const std::string path = folder.path() + "/x.jsonl";
    const std::string error = error_of([&] { import_vectors(options_of(path, folder.path() + "/store")); });
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << error;
    return error.starts_with(path + ":") ? error.substr(path.size() + 1) : error;
}

std::string complaint_of_second(const std::string& line) {
    return complaint(std::string(good) + "\n" + line + "\n");
}

TEST(Import, SpansThatHoldAnotherTextAreCounted) {
    const TemporaryFolder folder;
    folder.add("x.jsonl",
               "{\"word\": \"café\", \"vector\": [1, 0], \"text\": \"une café\", \"span\": [4, 8]}\n"
               "{\"word\": \"café\", \"vector\": [1, 2], \"text\": \"CAFÉ!\", \"span\": [0, 4]}\n"
               "{\"word\": \"bank\", \"vector\": [2, 1], \"text\": \"déjà a bank, there\", \"span\": [9, 13]}\n"
               "{\"word\": \"bank\", \"vector\": [3, 1], \"text\": \"two banks\", \"span\": [4, 9]}\n"
               "{\"word\": \"bank\", \"vector\": [3, 2], \"text\": \"no span of a bank\"}\n");
    const std::string path = folder.path() + "/x.jsonl";
    const ImportSummary summary = import_vectors(options_of(path, folder.path() + "/store"));
    EXPECT_EQ(summary.spans_differing, 2U);
    EXPECT_EQ(summary.first_differing, "\"nk, \" for \"bank\" (" + path + ":3)");
    EXPECT_EQ(summary.spans_found, 1U);
}

TEST(Import, RowsOfAWordMayBeScattered) {
    const TemporaryFolder folder;
    folder.add("x.jsonl",
               "{\"word\": \"river\", \"vector\": [1, 0], \"text\": \"né river\", \"document\": \"b\"}\n"
               "{\"word\": \"bank\", \"vector\": [2, 0.5], \"text\": \"bank\", \"document\": 7}\n\n"
               "{\"vector\": [3, -1e-3], \"word\": \"river\", \"text\": \"a stream\", \"document\": null}\r\n"
               "{\"word\": \"bank\", \"vector\": [4, 0], \"text\": \"the bank\", \"span\": [4, 8]}");
    ImportOptions options = options_of(folder.path() + "/x.jsonl", folder.path() + "/store/");
    options.model = "mine";
    options.layers = "4";
    const ImportSummary summary = import_vectors(options);
    EXPECT_EQ(summary.words, 2U);
    EXPECT_EQ(summary.rows, 4U);
    EXPECT_EQ(summary.documents, 2U);
    EXPECT_EQ(summary.spans_found, 2U);
    EXPECT_EQ(summary.spans_whole, 1U);
    const Store store(folder.path() + "/store");
    ASSERT_EQ(store.words().size(), 2U);
    EXPECT_EQ(store.words()[1].word, "river");
    const auto rows = store.rows(1);
    EXPECT_EQ(std::vector<float>(rows.begin(), rows.end()), (std::vector<float>{1, 0, 3, -1e-3F}));
    const std::vector<Occurrence> bank = store.occurrences(0), river = store.occurrences(1);
    EXPECT_EQ(bank[0].document, "7");
    EXPECT_EQ(bank[1].start, 4U);
    EXPECT_EQ(river[0].start, 3U);  // in characters
    EXPECT_EQ(river[1].end, 8U);    // the whole text
    EXPECT_EQ(store.setting("model"), "mine");
    EXPECT_EQ(store.setting("layers"), "4");
    EXPECT_EQ(store.setting("imported from"), options.from);
    EXPECT_EQ(store.sources().front().format, "jsonl");
    EXPECT_EQ(rank(store).words.size(), 2U);
    EXPECT_EQ(concordance(store, "bank", {}).size(), 2U);
}

// The lines, as pandas and polars write those of tables with missing values.
TEST(Import, TheFirstLineMayLackWhatItHasAKeyFor) {
    const TemporaryFolder folder;
    folder.add("x.jsonl",
               "{\"word\": \"bank\", \"vector\": [1, 2], \"text\": null, \"document\": null}\n"
               "{\"word\": \"bank\", \"vector\": [2, 2], \"text\": \"a bank\", \"document\": \"d\"}\n");
    const ImportSummary summary = import_vectors(options_of(folder.path() + "/x.jsonl", folder.path() + "/store"));
    EXPECT_TRUE(summary.has_texts);
    EXPECT_EQ(summary.documents, 1U);
    const std::vector<Occurrence> occurrences = Store(folder.path() + "/store").occurrences(0);
    EXPECT_EQ(occurrences[0].text, "bank");
    EXPECT_EQ(occurrences[1].document, "d");
    EXPECT_EQ(complaint("{\"word\": \"a\", \"vector\": [1]}\n{\"word\": \"a\", \"vector\": [1], \"span\": [0, 1]}\n"),
              "2: has a text, a span or a document, which the first line lacks; expected the same keys in all lines");
}

// As pandas and polars write a span of two columns, where a row has neither.
TEST(Import, ASpanOfNullsIsNone) {
    const TemporaryFolder folder;
    const std::string front = R"({"word": "bank", "vector": [1, 2], "text": "a bank", "span": )";
    folder.add("x.jsonl", front + "{\"start\": null, \"end\": null}}\n" + front + "[null, null]}\n");
    const ImportSummary summary = import_vectors(options_of(folder.path() + "/x.jsonl", folder.path() + "/store"));
    EXPECT_EQ(summary.spans_found, 2U);
    EXPECT_EQ(complaint(front + "[null, 4]}\n").substr(0, 42), "1: \"bank\" has the span nothing to 4; expec");
}

// Start and end before a span, and of the names for one thing the preferred one that is not null.
TEST(Import, TheOrderOfKeysDecidesNothing) {
    const TemporaryFolder folder;
    const std::string front = "{\"word\": \"bank\", \"vector\": [1, 2], ";
    folder.add("x.jsonl",
               front + "\"text\": \"bank, bank\", \"span\": [0, 4], \"start\": 6, \"end\": 10}\n" + front +
                   "\"text\": \"bank, bank\", \"start\": 6, \"end\": 10, \"span\": [0, 4]}\n" + front +
                   "\"text\": null, \"sentence\": \"the bank\"}\n" + front +
                   "\"sentence\": \"the bank\", \"text\": null}\n" + front +
                   "\"sentence\": \"a bank\", \"text\": \"the bank\", \"start\": null, \"span\": \"4:8\"}\n");
    import_vectors(options_of(folder.path() + "/x.jsonl", folder.path() + "/store"));
    const std::vector<Occurrence> occurrences = Store(folder.path() + "/store").occurrences(0);
    ASSERT_EQ(occurrences.size(), 5U);
    for (std::size_t row = 0; row < 2; ++row) EXPECT_EQ(occurrences[row].start, 6U);
    for (std::size_t row = 2; row < 5; ++row) {
        EXPECT_EQ(occurrences[row].text, "the bank");
        EXPECT_EQ(occurrences[row].start, 4U);
    }
}

TEST(Import, WhatIsNotUsedIsAnyJson) {
    const TemporaryFolder folder;
    folder.add(
        "x.jsonl",
        R"({"a": -0.5e+7, "b": [1e400, [], {}, "\u00e9"], "c": {"d": [true, false, null], "e": 0}, "word": "bank",)"
        R"( "vector": [1, 2], "text": "bank", "start": 0.0, "end": 4.0, "emb": [1, 2, 3], "document": -1.5E-3})");
    import_vectors(options_of(folder.path() + "/x.jsonl", folder.path() + "/store"));
    const Occurrence found = Store(folder.path() + "/store").occurrences(0)[0];
    EXPECT_EQ(found.end, 4U);
    EXPECT_EQ(found.document, "-1.5E-3");
}

TEST(Import, ASpanNeedsAText) {
    for (const std::string span : {"\"start\": 5, \"end\": 1", "\"span\": [5, 1]"})
        EXPECT_EQ(complaint("{\"word\": \"a\", \"vector\": [1, 2], " + span + "}\n"),
                  "1: \"a\" has the span 5 to 1 and no text");
}

TEST(Import, AnExportedStoreComesBack) {
    const TemporaryFolder folder;
    std::string lines;
    for (int i = 0; i < 50; ++i)
        lines += "{\"word\": \"w" + std::to_string(i % 3) + "\", \"vector\": [1, " + std::to_string(i) + ".25, 0]}\n";
    folder.add("x.jsonl", lines);
    import_vectors(options_of(folder.path() + "/x.jsonl", folder.path() + "/a"));
    const Store a(folder.path() + "/a");
    const std::vector<std::size_t> all{0, 1, 2};
    for (const std::string ending : {".npz", ".safetensors"}) {
        write_clouds(a, all, folder.path() + "/x" + ending);
        import_vectors(options_of(folder.path() + "/x" + ending, folder.path() + "/b" + ending));
        const Store b(folder.path() + "/b" + ending);
        for (const std::size_t word : all) {
            EXPECT_TRUE(std::ranges::equal(a.rows(word), b.rows(word))) << ending;
            EXPECT_EQ(b.occurrences(word).back().text, a.words()[word].word);
        }
        EXPECT_EQ(differences(a, b), "");
    }
}

TEST(Import, ThreadsChangeNoByte) {
    const TemporaryFolder folder;
    std::string lines;
    for (int i = 0; i < 500; ++i)
        lines += "{\"word\": \"w" + std::to_string(i * 7 % 11) + "\", \"vector\": [1, " + std::to_string(i) + "]}\n";
    folder.add("x.jsonl", lines);
    for (const unsigned threads : {1U, 5U}) {
        ImportOptions options = options_of(folder.path() + "/x.jsonl", folder.path() + "/" + std::to_string(threads));
        options.execution.threads = threads;
        import_vectors(options);
    }
    for (const std::string file : {"/store.sqlite", "/clouds.safetensors"})
        EXPECT_EQ(content_of(folder.path() + "/1" + file), content_of(folder.path() + "/5" + file));
}

// After what object_scan skips, and after what it leaves to simdjson.
TEST(Import, NumbersAreExactWhereverTheListStands) {
    const std::string list = "[0.48072192416832743023, -0.00000000000000062265773500000000000000, 1e-400]";
    const TemporaryFolder folder;
    std::string lines;
    for (const std::string before : {R"("vector")", R"("id": [7], "vector")", R"("id": {"n": 7}, "vector")",
                                     R"("id": [[7]], "vector")", R"("emb": [1, 2, 3], "vector")", R"("vecto\u0072")"})
        lines += R"({"word": "bank", )" + before + ": " + list + "}\n";
    folder.add("x.jsonl", lines);
    EXPECT_EQ(import_vectors(options_of(folder.path() + "/x.jsonl", folder.path() + "/store")).rows, 6U);
    const Store store(folder.path() + "/store");
    const auto values = store.rows(0);
    ASSERT_EQ(values.size(), 18U);
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(values[i], (std::array{0.48072192416832743023F, -6.226577350000000e-16F, 0.0F})[i % 3]) << i / 3;
}

TEST(Import, TheLastLineMayEndWithAPageAndTheFile) {
    const std::string start = R"({"word": "bank", "vector": [)", end = "0.125]}";
    for (const std::size_t size : {std::size_t{4096}, std::size_t{4095}, 3 * std::size_t{4096}}) {
        std::string lines = start + "1, " + end + "\n" + start + "2, ";
        lines += std::string(size - lines.size() - end.size(), ' ') + end;
        ASSERT_EQ(lines.size(), size);
        const TemporaryFolder folder;
        folder.add("x.jsonl", lines);
        const ImportSummary summary = import_vectors(options_of(folder.path() + "/x.jsonl", folder.path() + "/store"));
        EXPECT_EQ(summary.rows, 2U);
        EXPECT_EQ(summary.dimension, 2U);
    }
}

// Lines of several pieces are read and parsed at the same time; blank ones in between are counted.
TEST(Import, ALargeFileOfLinesIsReadInOrder) {
    const TemporaryFolder folder;
    const std::string blanks(200'000, ' ');
    std::string lines;
    for (int i = 0; i < 250; ++i)
        lines += "{\"word\": \"w" + std::to_string(i % 3) + "\",\"vector\": [" + blanks + std::to_string(i) +
                 ", 1]}\n" + (i % 10 == 0 ? "\n" : "");
    folder.add("x.jsonl", lines);
    const ImportSummary summary = import_vectors(options_of(folder.path() + "/x.jsonl", folder.path() + "/store"));
    EXPECT_EQ(summary.rows, 250U);
    const Store store(folder.path() + "/store");
    for (std::size_t word = 0; word < 3; ++word) {
        const auto values = store.rows(word);
        for (std::size_t i = 0; i < values.size(); i += 2) EXPECT_EQ(values[i], static_cast<float>(3 * (i / 2) + word));
    }
    EXPECT_EQ(complaint(lines + "{}\n"),
              "276: has no word; expected the key \"word\" or \"lemma\" or \"target\" or "
              "\"term\" or \"token\" or \"label\"");
}

TEST(Import, NamesTheLineThatIsWrong) {
    const std::vector<std::pair<std::string, std::string>> faults = {
        {R"({"word": "bank", "vector": [1, NaN, 3]})", R"(2: "vector" has "NaN" at index 1; expected a number)"},
        {R"({"word": "bank", "vector": [1, null, 3]})", R"(2: "vector" has "null" at index 1; expected a number)"},
        {R"({"word": "bank", "vector": [1, 2, -1e400]})", R"(2: "vector" has "-1e400" at index 2; expected a number)"},
        {R"({"word": "bank", "vector": [1, 2, 03]})", R"(2: "vector" has "03" at index 2; expected a number)"},
        {R"({"word": "bank", "vector": "1"})", R"(2: "vector" is not a list of numbers)"},
        {R"({"word": "bank", "vector": [1, 2]})", R"(2: "bank" has a vector of 2 values; expected 3)"},
        {R"({"word": "bank", "vector": [0, 0, -0.0]})", R"(2: "bank" has a vector of zeros only)"},
        {R"({"word": "bank", "vector": [1, 2, -1e39]})",
         R"(2: "bank" has -infinity, or a number beyond float32 at index 2)"},
        {R"({"word": "bank"})", R"(2: "bank" has no vector; expected the key "vector" or "embedding")"},
        {R"({"vector": [1, 2, 3]})", R"(2: has no word; expected the key "word" or "lemma")"},
        {R"({"word": "", "vector": [1, 2, 3]})", "2: has an empty word"},
        {R"({"word": "__metadata__", "vector": [1, 2, 3]})",
         R"(2: holds the name "__metadata__", which no array of a)"},
        {R"({"word": "a", "word": "b", "vector": [1, 2, 3]})", R"(2: has the key "word" twice)"},
        {R"({"word": "bank", "vector": [1, 2)", "2: is not JSON: "},
        {R"([{"word": "bank", "vector": [1, 2, 3]}])", "2: is not a JSON object; expected a line"},
        {"{\"word\": \"na\xEFve\", \"vector\": [1, 2, 3]}", "2: is not UTF-8"},
        {R"({"word": "bank", "vector": [1, 2, 3], "text": "a\u0000"})",
         "2: its text has a NUL at byte 1, which no text"},
        {R"({"word": "bank", "vector": [1, 2, 3], "text": "bank", "start": 0, "end": 5})",
         R"(2: "bank" has the span 0 to 5; expected a start before the end, within the 4 characters of its text)"},
        {R"({"word": "bank", "vector": [1, 2, 3], "text": "bank", "start": 2, "end": 2})",
         R"(2: "bank" has the span 2 to 2)"},
        {R"({"word": "bank", "vector": [1, 2, 3], "text": "bank", "start": -1, "end": 2})",
         R"(2: "bank" has the span -1 to 2)"},
        {R"({"word": "bank", "vector": [1, 2, 3], "start": 0, "end": 2})",
         R"(2: "bank" has the span 0 to 2 and no text)"},
        {R"({"word": "bank", "vector": [1, 2, 3], "text": "bank", "start": 0.5, "end": 2})",
         R"(2: "start" is not an integer)"},
        {R"({"word": "bank", "vector": [1, 2, 3], "document": 1x})", R"(2: is not JSON: has "1x", which is no number)"},
        {R"({"word": "bank", "vector": [1, 2, 3], "document": 01})", R"(2: is not JSON: has "01", which is no number)"},
        {R"({"word": "bank", "vector": [1, 2, 3], "document": -})", R"(2: is not JSON: has "-", which is no number)"},
        {R"({"word": "bank", "vector": [1, 2, 3], "x": tru})", R"(2: is not JSON: has "tru"; expected true)"},
        {R"({"word": "bank", "vector": [1, 2, 3], "x": nul})", R"(2: is not JSON: has "nul"; expected true)"},
        {R"({"word": "bank", "vector": [1, 2, 3], "x": [1,,2]})", "2: is not JSON: "},
        {R"({"word": "bank", "vector": [1, 2, 3], "x": [1, +1]})", "2: is not JSON: "},
        {R"({"word": "bank", "vector": [1, 2, 3], "x": {"y": {"z" 1}}})", "2: is not JSON: "},
        {R"({"word": "\ud800", "vector": [1, 2, 3]})", "2: is not JSON: "},
        {R"({"word": 5, "vector": [1, 2, 3]})", R"(2: "word" is not a string)"},
        {R"({"x": "\q", "word": "bank", "vector": [1, 2, 3]})", "2: is not JSON: "},
        {R"({"word": "bank", "vector": [1, 2, 3], "x": )" + std::string(65, '[') + std::string(65, ']') + "}",
         "2: nests deeper than 64 levels"},
    };
    for (const auto& [line, message] : faults) EXPECT_EQ(complaint_of_second(line).substr(0, message.size()), message);
    EXPECT_EQ(complaint("\n\n"), " has no lines");
}

// Arrays of one word, of few and of many: words are hashed two at a time, or one thread hashes while another writes.
TEST(Import, ArraysBecomeTheirRows) {
    constexpr std::size_t dimension = 5;
    for (const std::size_t words : {1U, 2U, 3U, 40U, 41U}) {
        const TemporaryFolder folder;
        std::vector<WordRows> given(words);
        for (std::size_t w = 0; w < words; ++w) {
            given[w].word = "word" + std::to_string(w + 100);
            given[w].frequency = 1 + w * 7 % 11;
            given[w].occurrences.resize(given[w].frequency);
            for (std::size_t i = 0; i < given[w].frequency * dimension; ++i)
                given[w].rows.push_back(static_cast<float>(1 + w * 1000 + i));
        }
        write_store(folder.path() + "/given", dimension, given, {});
        const Store first(folder.path() + "/given");
        std::vector<std::size_t> all(words);
        std::iota(all.begin(), all.end(), std::size_t{0});
        for (const std::string ending : {".npz", ".safetensors"}) {
            const std::string file = folder.path() + "/x" + ending, out = folder.path() + "/store" + ending;
            write_clouds(first, all, file);
            import_vectors(options_of(file, out));
            const Store store(out);
            ASSERT_EQ(store.words().size(), words);
            for (std::size_t w = 0; w < words; ++w)  // also compares the hash
                EXPECT_TRUE(std::ranges::equal(store.rows(w), given[w].rows)) << words << " words, " << w << ending;
        }
    }
}

TEST(Import, RefusesWhatIsThereAlready) {
    const TemporaryFolder folder;
    folder.add("x.jsonl", good);
    folder.add("full/file", "");
    const std::string from = folder.path() + "/x.jsonl", store = folder.path() + "/store";
    import_vectors(options_of(from, store));
    EXPECT_EQ(error_of([&] { import_vectors(options_of(from, store)); }),
              store + ": is already a store; name another folder, or remove it");
    EXPECT_EQ(error_of([&] { import_vectors(options_of(from, folder.path() + "/full")); }),
              folder.path() + "/full: exists and is not an empty folder; name another");
}

TEST(Import, LeavesNothingWhenItIsStopped) {
    const TemporaryFolder folder;
    folder.add("x.jsonl", good);
    std::stop_source stop;
    stop.request_stop();
    ImportOptions options = options_of(folder.path() + "/x.jsonl", folder.path() + "/store");
    options.execution.stop = stop.get_token();
    EXPECT_THROW(import_vectors(options), Cancelled);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

// Until it is complete there is none, and folders on the way to it go again with it.
TEST(Import, LeavesNoFolderWhenItFails) {
    const TemporaryFolder folder;
    folder.add("x.jsonl", std::string(good) + "\n{\"word\": \"bank\", \"vector\": [1, 2, null]}\n");
    const std::string out = folder.path() + "/some/new/store";
    EXPECT_NE(error_of([&] { import_vectors(options_of(folder.path() + "/x.jsonl", out)); }), "no error");
    EXPECT_FALSE(std::filesystem::exists(folder.path() + "/some"));
}

TEST(Import, TakesAFolderThatIsThereAndEmpty) {
    const TemporaryFolder folder;
    folder.add("x.jsonl", good);
    std::filesystem::create_directory(folder.path() + "/real");
    std::filesystem::create_directory_symlink(folder.path() + "/real", folder.path() + "/link");
    import_vectors(options_of(folder.path() + "/x.jsonl", folder.path() + "/link/."));
    EXPECT_EQ(Store(folder.path() + "/real").words().size(), 1U);
}

TEST(Import, ColumnsMayHaveOtherNames) {
    const TemporaryFolder folder;
    folder.add("x.jsonl", R"({"w": "bank", "word": 7, "v": [1, 2]})");
    ImportOptions options = options_of(folder.path() + "/x.jsonl", folder.path() + "/store");
    options.columns = {{"word", "w"}, {"vector", "v"}};
    EXPECT_EQ(import_vectors(options).dimension, 2U);
    options.columns = {{"wort", "w"}};
    EXPECT_NE(error_of([&] { import_vectors(options); }).find("expected one of word, vector"), std::string::npos);
}

// Files of pyarrow, polars and DuckDB, all of the rows of rows.jsonl.
TEST(Import, ParquetHoldsWhatJsonDoes) {
    const std::filesystem::path data = TESTS_DIR "/data/parquet";
    const TemporaryFolder folder;
    import_vectors(options_of((data / "rows.jsonl").string(), folder.path() + "/json"));
    const Store expected(folder.path() + "/json");
    for (const auto& entry : std::filesystem::directory_iterator(data)) {
        if (entry.path().extension() != ".parquet") continue;
        const std::string out = folder.path() + "/" + entry.path().stem().string();
        import_vectors(options_of(entry.path().string(), out));
        const Store store(out);
        ASSERT_EQ(store.words().size(), expected.words().size());
        for (std::size_t word = 0; word < store.words().size(); ++word) {
            EXPECT_TRUE(std::ranges::equal(store.rows(word), expected.rows(word))) << out;
            const auto found = store.occurrences(word), wanted = expected.occurrences(word);
            ASSERT_EQ(found.size(), wanted.size());
            for (std::size_t row = 0; row < found.size(); ++row) {
                EXPECT_EQ(found[row].text, wanted[row].text) << out;
                EXPECT_EQ(found[row].start, wanted[row].start) << out;
                EXPECT_EQ(found[row].end, wanted[row].end) << out;
                EXPECT_EQ(found[row].document, wanted[row].document) << out;
            }
        }
    }
}

}  // namespace
}  // namespace wordbreadth
