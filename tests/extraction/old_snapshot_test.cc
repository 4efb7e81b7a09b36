// Snapshots as they were uploaded in the first years, such as prajjwal1/bert-tiny: a config.json of the sizes alone,
// pytorch_model.bin, vocab.txt and nothing else.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "arrays/safetensors.h"
#include "support/errors.h"
#include "support/snapshot.h"
#include "support/torch_old_form.h"
#include "wordbreadth/store.h"

namespace wordbreadth::extraction {
namespace {

using nlohmann::json;

class OldSnapshot : public testing::Test {
  protected:
    OldSnapshot() {
        write_snapshot(workshop_.path("new"), "bert-torch");
        write_snapshot(workshop_.path("old"), "bert-torch");
        const json whole = json::parse(content_of(workshop_.path("old/config.json")));
        json sizes;
        for (const char* key : {"hidden_size", "hidden_act", "initializer_range", "vocab_size", "hidden_dropout_prob",
                                "num_attention_heads", "type_vocab_size", "max_position_embeddings",
                                "num_hidden_layers", "intermediate_size", "attention_probs_dropout_prob"})
            sizes[key] = whole.at(key);
        write_config(sizes);
        std::filesystem::remove(workshop_.path("old/tokenizer_config.json"));
    }

    void write_config(const json& config) const { write_file(workshop_.path("old/config.json"), config.dump()); }
    [[nodiscard]] json config() const { return json::parse(content_of(workshop_.path("old/config.json"))); }

    [[nodiscard]] ExtractOptions options(const std::string& model, const std::string& out) const {
        ExtractOptions options = workshop_.options(out);
        options.model = workshop_.path(model);
        return options;
    }

    [[nodiscard]] std::string error() const {
        return error_of([&] { extract(options("old", "none")); });
    }

    // The corpus has capitals, which vocab.txt has not.
    Workshop workshop_{"The Bank of Money IS OLD .\n" + random_lines(400)};
};

void expect_same_clouds(const std::string& a, const std::string& b) {
    const Store one(a), other(b);
    ASSERT_EQ(one.words().size(), other.words().size());
    for (std::size_t word = 0; word < one.words().size(); ++word)
        EXPECT_TRUE(std::ranges::equal(one.rows(word), other.rows(word))) << one.words()[word].word;
}

TEST_F(OldSnapshot, GivesTheCloudsOfTheSameModelWithAllItsFiles) {
    extract(options("new", "expected"));
    extract(options("old", "bare"));
    expect_same_clouds(workshop_.path("expected"), workshop_.path("bare"));
    const std::string weights = workshop_.path("old/pytorch_model.bin");
    write_file(weights, encoder::snapshot::in_old_form(weights));
    extract(options("old", "stream"));
    expect_same_clouds(workshop_.path("expected"), workshop_.path("stream"));
}

TEST_F(OldSnapshot, IsKnownByItsArchitecturesToo) {
    json named = config();
    named["architectures"] = {"BertForMaskedLM"};
    write_config(named);
    extract(options("old", "named"));
    named["architectures"] = {"T5ForConditionalGeneration"};
    write_config(named);
    EXPECT_TRUE(contains(error(),
                         "config.json: the file has no \"model_type\"; its architectures, "
                         "\"T5ForConditionalGeneration\", are not supported here"))
        << error();
}

TEST_F(OldSnapshot, WhatCannotBeRecognisedIsToldWithWhatWasLookedFor) {
    std::filesystem::remove(workshop_.path("old/pytorch_model.bin"));
    const std::vector<arrays::MatrixShape> others{{"transformer.wte.weight", 2, 2}};
    write_file(workshop_.path("old/model.safetensors"),
               arrays::safetensors_header(others, {}) + std::string(4 * sizeof(float), '\0'));
    EXPECT_TRUE(contains(error(), "its tensors are not those of a model supported here")) << error();
    EXPECT_TRUE(contains(error(), "add \"model_type\" with its name: bert, ")) << error();
    EXPECT_FALSE(contains(error(), "download")) << error();
}

}  // namespace
}  // namespace wordbreadth::extraction
