#include "wordbreadth/encode.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.h"
#include "support/snapshot.h"
#include "wordbreadth/error.h"
#include "wordbreadth/extract.h"
#include "wordbreadth/store.h"

namespace wordbreadth {
namespace {

using Texts = std::vector<std::string>;

const Texts some_texts{"the bank of the river", "", "river", "the the bank and the old money of the bank river"};

class Encode : public testing::Test {
  protected:
    [[nodiscard]] EncoderOptions options() const {
        EncoderOptions options;
        options.model = workshop_.path("model");
        options.max_tokens = 40;
        options.device = "cpu";
        options.threads = 2;
        return options;
    }

    const extraction::Workshop workshop_;
};

TEST_F(Encode, GivesAVectorPerTokenAndWhereItStands) {
    const Encoder encoder(options());
    const auto texts = encoder.encode(some_texts);
    ASSERT_EQ(texts.size(), some_texts.size());
    const EncodedText& first = texts.front();
    ASSERT_EQ(first.ids.size(), 7U);  // [CLS], five words, [SEP]
    EXPECT_EQ(first.vectors.size(), first.ids.size() * encoder.dimension());
    EXPECT_EQ(first.bytes[1], (TextSpan{0, 3}));
    EXPECT_EQ(first.characters[5], (TextSpan{16, 21}));
    EXPECT_EQ(first.bytes[0], (TextSpan{0, 0}));
    EXPECT_EQ(first.ids[1], first.ids[4]);
    EXPECT_FALSE(first.truncated);
    EXPECT_EQ(texts[1].ids.size(), 2U);  // of an empty text: [CLS], [SEP]
}

TEST_F(Encode, TellsWhatItUses) {
    const Encoder encoder(options());
    EXPECT_EQ(encoder.model_layers(), 3U);
    EXPECT_EQ(encoder.layers().front().first, 1U);  // one third up of three
    EXPECT_EQ(encoder.layers().front().last, 1U);
    EXPECT_EQ(encoder.precision(), Precision::f32);
    EXPECT_TRUE(encoder.device().starts_with("cpu (")) << encoder.device();
}

TEST_F(Encode, AnAdditionalTokenForWhichTheModelHasNoRowIsRefused) {
    std::string tokens;
    for (int i = 0; i < 200; ++i) tokens += (i > 0 ? ",\"<" : "\"<") + std::to_string(i) + ">\"";
    write_file(workshop_.path("model/special_tokens_map.json"), R"({"additional_special_tokens": [)" + tokens + "]}");
    const std::string found = error_of([&] { (void)Encoder(options()); });
    EXPECT_TRUE(contains(found, "its tokenizer has ids up to 222, but config.json says vocab_size")) << found;
}

TEST_F(Encode, AdditionalTokensMayBeNamed) {
    write_file(workshop_.path("model/special_tokens_map.json"), R"({"extra_special_tokens": {"image_token": 3}})");
    EXPECT_TRUE(contains(error_of([&] { (void)Encoder(options()); }), "extra_special_tokens.image_token"));
    write_file(workshop_.path("model/special_tokens_map.json"), R"({"extra_special_tokens": {"image_token": "bank"}})");
    EXPECT_NO_THROW((void)Encoder(options()));
}

// A row of a store of texts is the pooled vector of its text, to the last bit.
TEST_F(Encode, PooledVectorsAreTheRowsThatExtractMakesOfTexts) {
    std::string records;
    for (const std::string text : {"the bank of the river", "river", "the old money of the bank"})
        records += R"({"text": ")" + text + R"(", "label": "all"})" + "\n";
    write_file(workshop_.path("texts.jsonl"), records);
    ExtractOptions extracting = workshop_.options();
    extracting.corpus = {workshop_.path("texts.jsonl")};
    extracting.corpus_format = "auto";
    extracting.unit = ExtractUnit::text;
    extracting.min_count.reset();
    extracting.per_word.reset();
    extract(extracting);
    const Store store(extracting.out);
    const Encoder encoder(options());
    std::vector<float> pooled;
    for (const auto& occurrence : store.occurrences(0)) {
        const auto one = encoder.encode_pooled(Texts{std::string(occurrence.text)});
        pooled.insert(pooled.end(), one.begin(), one.end());
    }
    const auto rows = store.rows(0);
    EXPECT_EQ(pooled.size(), 3 * encoder.dimension());
    EXPECT_EQ(pooled, std::vector<float>(rows.begin(), rows.end()));
}

TEST_F(Encode, ABatchGivesWhatItsTextsGiveAlone) {
    const Encoder encoder(options());
    const auto together = encoder.encode(some_texts);
    const auto pooled = encoder.encode_pooled(some_texts);
    for (std::size_t i = 0; i < some_texts.size(); ++i) {
        const auto alone = encode(Texts{some_texts[i]}, options());
        EXPECT_EQ(together[i].vectors, alone.front().vectors) << i;
        EXPECT_EQ(together[i].ids, alone.front().ids) << i;
        const auto begin = pooled.begin() + static_cast<std::ptrdiff_t>(i * encoder.dimension());
        EXPECT_EQ(std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(encoder.dimension())),
                  encoder.encode_pooled(Texts{some_texts[i]}));
    }
}

TEST_F(Encode, PooledIsTheMeanOfTheTokens) {
    const Encoder encoder(options());
    const std::size_t d = encoder.dimension();
    const auto tokens = encoder.encode(some_texts);
    const auto pooled = encoder.encode_pooled(some_texts);
    ASSERT_EQ(pooled.size(), some_texts.size() * d);
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        for (std::size_t j = 0; j < d; ++j) {
            double sum = 0;
            for (std::size_t i = 0; i < tokens[t].ids.size(); ++i) sum += tokens[t].vectors[i * d + j];
            EXPECT_EQ(pooled[t * d + j], static_cast<float>(sum / static_cast<double>(tokens[t].ids.size())));
        }
    }
}

TEST_F(Encode, TruncatesLongTexts) {
    EncoderOptions few = options();
    few.max_tokens = 5;
    const auto texts = encode(some_texts, few);
    EXPECT_EQ(texts[0].ids.size(), 5U);
    EXPECT_TRUE(texts[0].truncated);
    EXPECT_FALSE(texts[2].truncated);
}

TEST_F(Encode, NoTextsGiveNothing) {
    const Encoder encoder(options());
    EXPECT_TRUE(encoder.encode({}).empty());
    EXPECT_TRUE(encoder.encode_pooled({}).empty());
}

TEST_F(Encode, ReportsProgressAndStopsOnRequest) {
    const Encoder encoder(options());
    std::vector<double> seen;
    (void)encoder.encode(some_texts, {.progress = [&](double done) { seen.push_back(done); }, .stop = {}});
    ASSERT_FALSE(seen.empty());
    EXPECT_EQ(seen.back(), 1.0);
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW((void)encoder.encode(some_texts, {.progress = {}, .stop = source.get_token()}), Cancelled);
}

TEST_F(Encode, ErrorsNameWhatIsWrong) {
    const auto error_with = [&](auto change) {
        EncoderOptions wrong = options();
        change(wrong);
        return error_of([&] { const Encoder encoder(wrong); });
    };
    EXPECT_NE(error_with([](auto& o) { o.model = "/no/such/model"; }).find("/no/such/model"), std::string::npos);
    EXPECT_NE(error_with([](auto& o) { o.layers = {{4, 4}}; }).find("layer 4"), std::string::npos);
    EXPECT_NE(error_with([](auto& o) { o.max_tokens = 2; }).find("expected 3 to 40"), std::string::npos);
    EXPECT_NE(error_with([](auto& o) { o.device = "tpu"; }).find("expected auto, cpu or cuda"), std::string::npos);
    EXPECT_NE(error_with([](auto& o) { o.device = "cuda:x"; }).find("cuda:0, cuda:1"), std::string::npos);
    const std::string no_such_gpu = error_with([](auto& o) { o.device = "cuda:64"; });
    const Device gpu = encoder_devices()[0];
    EXPECT_NE(no_such_gpu.find(gpu.available ? "device 'cuda:64' cannot be used: there" : gpu.unavailable_because),
              std::string::npos)
        << no_such_gpu;
    EXPECT_NE(error_with([](auto& o) { o.precision = Precision::f16; }).find("needs a GPU"), std::string::npos);
    EXPECT_NE(error_with([](auto& o) { o.instruction_set = "mmx"; }).find("expected one of: generic"),
              std::string::npos);
    const Encoder encoder(options());
    const std::string error = error_of([&] { (void)encoder.encode(Texts{"river", "\xFF"}); });
    EXPECT_TRUE(error.starts_with("text 2: ")) << error;
}

TEST_F(Encode, DevicesAreListedWithTheirInstructionSets) {
    const auto devices = encoder_devices();
    ASSERT_EQ(devices.size(), 2U);
    EXPECT_EQ(devices[0].name, "cuda");
    EXPECT_EQ(devices[0].available, devices[0].unavailable_because.empty());
    EXPECT_EQ(devices[1].name, "cpu");
    EXPECT_TRUE(devices[1].available);
    EXPECT_EQ(devices[1].instruction_sets.front(), "generic");
    EXPECT_EQ(devices[1].instruction_sets.back(), devices[1].instruction_set);
}

TEST_F(Encode, EveryInstructionSetCanBeForcedAndGivesTheSameVectors) {
    const auto expected = encode(some_texts, options());
    const Device cpu = encoder_devices().back();
    for (const std::string& name : cpu.instruction_sets) {
        EncoderOptions forced = options();
        forced.instruction_set = name;
        forced.device = "auto";  // a forced set of the CPU chooses the CPU
        const Encoder encoder(forced);
        EXPECT_EQ(encoder.device(), "cpu (" + name + ")");
        const auto texts = encoder.encode(some_texts);
        for (std::size_t t = 0; t < texts.size(); ++t)
            for (std::size_t i = 0; i < texts[t].vectors.size(); ++i)
                ASSERT_NEAR(texts[t].vectors[i], expected[t].vectors[i], 1e-5) << name;
    }
}

}  // namespace
}  // namespace wordbreadth
