// What the scan takes of a line is what a parser would; what it leaves may be anything.
#include "importing/object_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace wordbreadth::importing {
namespace {

const RoleNames& usual_names() {
    static const RoleNames names({});
    return names;
}

std::optional<std::string> word(const std::string& line) {
    const auto found = word_in(line, usual_names());
    return found ? std::optional<std::string>(*found) : std::nullopt;
}

// The list's text; nothing where it is left.
std::optional<std::string> vector_text(std::string line, std::vector<float>& values) {
    const std::size_t size = line.size();
    line.resize(size + 64);
    const auto found = read_vector_in(std::string_view(line).substr(0, size), usual_names(), 100, values);
    return found ? std::optional(line.substr(found->begin, found->end - found->begin)) : std::nullopt;
}

std::optional<std::string> vector_text(const std::string& line) {
    std::vector<float> values;
    return vector_text(line, values);
}

TEST(ObjectScan, FindsTheWordBehindOtherFields) {
    EXPECT_EQ(word(R"({"word": "bank"})"), "bank");
    EXPECT_EQ(word(R"( {"text" :"a \"bank\" \\","n":-1e5,"ok":null , "vector": [1, 2],	"word":"bank", "x": {}})"),
              "bank");
    EXPECT_EQ(word(R"({"lemma": "banks", "word": ""})"), "");
}

TEST(ObjectScan, LeavesAWordThatItCannotBeSureOf) {
    for (const std::string line :
         {"{\"word\": \"b\xE9nk\"}", R"({"word": "b\u0061nk"})", R"({"word": 7})", R"({"word": null})",
          R"({"wor\u0064": "bank"})", R"({"lemma": "bank"})", R"({"span": {"start": 1}, "word": "bank"})",
          R"({"a": [[1], "]"], "word": "bank"})", R"({"a": ["\"word\": \"x\""], "word": "bank"})", R"({"word": "bank)",
          R"({"word)", R"({"word")", R"({"word":)", R"({"word" "bank"})", R"(["word", "bank"])", R"({})", "{", "",
          "  "})
        EXPECT_EQ(word(line), std::nullopt) << line;
}

TEST(ObjectScan, ReadsTheFirstKeyForVectors) {
    std::vector<float> values;
    EXPECT_EQ(vector_text(R"({"word": "[\"", "n": 3, "emb": [ 1, -0.5 ], "vector": [2]})", values), "[ 1, -0.5 ]");
    EXPECT_EQ(values, (std::vector<float>{1, -0.5F}));
    EXPECT_EQ(vector_text(R"({"vector": null, "embedding": []})", values), "[]");
    EXPECT_TRUE(values.empty());
}

TEST(ObjectScan, LeavesAVectorThatIsNoListOfNumbers) {
    for (const std::string line :
         {R"({"vector": [1, 2)", R"({"vector": [1, )", R"({"vector": [)", R"({"vector": [1 2]})",
          R"({"vector": [null]})", R"({"vector": "[1]"})", R"({"vectors": [1]})", R"({"a": {"vector": [1]}})",
          R"({"a": {}, "vector": [1]})", R"({"v\u0065ctor": [1]})"})
        EXPECT_EQ(vector_text(line), std::nullopt) << line;
}

// Objects with fields in any order, as a library for JSON writes them, cut off or not.
TEST(ObjectScan, AgreesWithAParser) {
    std::mt19937_64 random(1);
    const std::vector<std::string> texts{
        "bank", "", "\"", "\\", "a\\\"b", "né ]}", "[1, 2]", "\n", "{\"word\": \"x\"}"};
    int found = 0;
    for (int round = 0; round < 20'000; ++round) {
        nlohmann::ordered_json object;
        for (const std::string key : {"text", "word", "start", "vector", "span", "document", "other"}) {
            if (random() % 4 == 0) continue;
            const std::string& text = texts[random() % texts.size()];
            if (key == "vector")
                object[key] = {random() % 100, 0.5, -3};
            else if (key == "span")
                object[key] = random() % 2 == 0 ? nlohmann::ordered_json{1, 2} : nlohmann::ordered_json{{"start", 1}};
            else if (key == "start")
                object[key] = random() % 100;
            else
                object[key] = random() % 8 == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(text);
        }
        std::string line = object.dump(random() % 2 == 0 ? -1 : 0, ' ', random() % 2 == 0);
        std::ranges::replace(line, '\n', ' ');
        if (const auto seen = word(line)) {
            ++found;
            EXPECT_EQ(*seen, object["word"].get<std::string>()) << line;
        }
        std::vector<float> values;
        if (const auto seen = vector_text(line, values)) {
            ++found;
            EXPECT_EQ(values, object["vector"].get<std::vector<float>>()) << line;
            EXPECT_EQ(nlohmann::json::parse(*seen), object["vector"]) << line;
        }
        line.resize(random() % (line.size() + 1));  // must not read beyond
        static_cast<void>(word(line));
        static_cast<void>(vector_text(line));
    }
    EXPECT_GT(found, 10'000);
}

}  // namespace
}  // namespace wordbreadth::importing
