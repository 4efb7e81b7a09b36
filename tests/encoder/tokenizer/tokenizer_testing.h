// What the tests of the tokenizers share.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "encoder/tokenizer/tokenizer.h"
#include "support/errors.h"
#include "support/temporary.h"

namespace wordbreadth::encoder::tokenizer {

using nlohmann::json;

inline std::string fixture(const std::string& name) {
    return std::string(TESTS_DIR) + "/data/tokenizers/" + name;
}

inline json json_of(const std::string& path) {
    std::ifstream file(path);
    return json::parse(file);
}

// The folder of a model for one test.
class Snapshot {
  public:
    Snapshot& with(const std::string& name, std::string_view content) {
        folder_.add(name, content);
        return *this;
    }
    Snapshot& with_json(const std::string& name, const json& content) { return with(name, content.dump()); }

    [[nodiscard]] const std::string& path() const { return folder_.path(); }

  private:
    TemporaryFolder folder_;
};

// The texts of tests/tools/hostile_texts.py, in its order.
inline std::vector<std::string> hostile_texts() {
    std::vector<std::string> texts;
    for (const json& item : json_of(fixture("texts.json"))) {
        const bool repeated = item.is_array();
        std::string text;
        for (int times = repeated ? item[1].get<int>() : 1; times > 0; --times) {
            text += (repeated ? item[0] : item).get<std::string>();
        }
        texts.push_back(text);
    }
    return texts;
}

// FNV-1a over 32-bit numbers, as in tests/tools/make_tokenizer_goldens.py.
class Digest {
  public:
    void add(std::uint32_t number) { value_ = (value_ ^ number) * 0x100000001B3U; }
    [[nodiscard]] std::string text() const {
        std::array<char, 17> hexadecimal{};
        (void)std::snprintf(hexadecimal.data(), hexadecimal.size(), "%016llx", static_cast<unsigned long long>(value_));
        return hexadecimal.data();
    }

  private:
    std::uint64_t value_ = 0xCBF29CE484222325U;
};

// ids, begins, ends (in characters) and words, as the goldens have them.
inline std::array<std::vector<std::int64_t>, 4> columns_of(const Encoding& encoding) {
    std::array<std::vector<std::int64_t>, 4> columns;
    for (std::size_t i = 0; i < encoding.size(); ++i) {
        columns[0].push_back(encoding.ids[i]);
        columns[1].push_back(encoding.characters[i].begin);
        columns[2].push_back(encoding.characters[i].end);
        columns[3].push_back(encoding.words[i]);
    }
    return columns;
}

}  // namespace wordbreadth::encoder::tokenizer
