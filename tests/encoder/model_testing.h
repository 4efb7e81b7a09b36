// What the tests of the encoder share: the small models of tests/data/models and what transformers made of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "arrays/safetensors.h"
#include "encoder/encoder.h"
#include "support/array_testing.h"

namespace wordbreadth::encoder {

// In tests/data/models.
inline constexpr std::array golden_models{
    "bert",      "bert-torch",  "bert-f16", "modernbert",   "modernbert-bf16", "roberta",          "xlm-roberta",
    "camembert", "distilbert",  "electra",  "electra-wide", "mpnet",           "deberta",          "deberta-plain",
    "gpt2",      "gpt2-scaled", "llama",    "llama-biased", "qwen2",           "qwen2-seeing-all", "qwen3"};

inline std::string model_folder(const std::string& name) {
    return std::string(TESTS_DIR) + "/data/models/" + name;
}

// A batch that owns its lists.
struct Tokens {
    std::vector<std::int32_t> ids, types;
    std::vector<std::size_t> ends, kept;

    void add(const std::vector<std::int32_t>& more_ids, const std::vector<std::int32_t>& more_types) {
        ids.insert(ids.end(), more_ids.begin(), more_ids.end());
        types.insert(types.end(), more_types.begin(), more_types.end());
        ends.push_back(ids.size());
    }
    void keep_all() {
        kept.resize(ids.size());
        std::iota(kept.begin(), kept.end(), 0U);
    }
    [[nodiscard]] std::size_t begin_of(std::size_t s) const { return s == 0 ? 0 : ends[s - 1]; }

    // The same, of each sentence the tokens first .. end - 1 kept, as far as it has them.
    [[nodiscard]] Tokens with_kept(std::size_t first, std::size_t end) const {
        Tokens some = *this;
        some.kept.clear();
        for (std::size_t s = 0; s < ends.size(); ++s) {
            for (std::size_t i = begin_of(s) + first; i < std::min(begin_of(s) + end, ends[s]); ++i)
                some.kept.push_back(i);
        }
        return some;
    }
    // One sentence alone; nothing of it is kept.
    [[nodiscard]] Tokens sentence(std::size_t s) const {
        const auto part = [&](const std::vector<std::int32_t>& list) -> std::vector<std::int32_t> {
            if (list.empty()) return {};
            const auto at = [&](std::size_t i) { return list.begin() + static_cast<std::ptrdiff_t>(i); };
            return {at(begin_of(s)), at(ends[s])};
        };
        Tokens one;
        one.add(part(ids), part(types));
        return one;
    }
    [[nodiscard]] Batch batch() const { return {ids, types, ends, kept}; }
};

inline std::vector<float> encoded(Encoder& encoder, const Tokens& tokens) {
    std::vector<float> vectors(tokens.kept.size() * encoder.width());
    encoder.encode(tokens.batch(), vectors);
    return vectors;
}

inline std::vector<float> encoded(const std::string& folder, const RunOptions& options, const Tokens& tokens) {
    return encoded(*open_cpu_encoder(folder, options), tokens);
}

// Those of some tokens, of the vectors of all.
template <typename Value>
std::vector<Value> rows_of_tokens(const std::vector<Value>& all, const std::vector<std::size_t>& tokens,
                                  std::size_t hidden) {
    std::vector<Value> rows;
    for (const std::size_t token : tokens) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(token * hidden);
        rows.insert(rows.end(), begin, begin + static_cast<std::ptrdiff_t>(hidden));
    }
    return rows;
}

inline std::vector<std::int32_t> row_of(const arrays::Array& table, std::size_t row) {
    const std::vector<double> all = arrays::values_of(table);
    std::vector<std::int32_t> values;
    for (std::size_t i = 0; i < table.columns && all[row * table.columns + i] >= 0; ++i) {
        values.push_back(static_cast<std::int32_t>(all[row * table.columns + i]));
    }
    return values;
}

struct Golden {
    Tokens tokens;                            // all kept
    std::vector<std::vector<double>> layers;  // (tokens, hidden) each
};

// A file as tests/tools/make_model_goldens.py describes it.
inline Golden read_golden(const std::string& path) {
    const auto file = arrays::open_safetensors(path);
    const auto ids = file->read("ids");
    const auto types = file->read("types");
    Golden golden;
    for (std::size_t i = 0; i < ids.rows; ++i) golden.tokens.add(row_of(ids, i), row_of(types, i));
    golden.tokens.keep_all();
    const auto names = file->names();
    const auto layers = std::ranges::count_if(names, [](const auto& name) { return name.starts_with("layer"); });
    for (std::ptrdiff_t k = 0; k < layers; ++k) {
        golden.layers.push_back(arrays::values_of(file->read("layer" + std::to_string(k))));
    }
    return golden;
}

inline Golden golden_of(const std::string& folder) {
    return read_golden(folder + "/golden.safetensors");
}

inline double largest_difference(const std::vector<float>& ours, const std::vector<double>& theirs) {
    if (ours.size() != theirs.size()) return INFINITY;
    double largest = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const double difference = std::abs(ours[i] - theirs[i]);
        if (!(difference <= largest)) largest = difference;  // not a number is the largest of all
    }
    return largest;
}

inline double smallest_cosine(const std::vector<float>& ours, const std::vector<double>& theirs, std::size_t width) {
    double smallest = 1;
    for (std::size_t row = 0; row + width <= ours.size(); row += width) {
        double xy = 0;
        double xx = 0;
        double yy = 0;
        for (std::size_t i = row; i < row + width; ++i) {
            xy += ours[i] * theirs[i];
            xx += double{ours[i]} * ours[i];
            yy += theirs[i] * theirs[i];
        }
        smallest = std::min(smallest, xy / std::sqrt(xx * yy));
    }
    return smallest;
}

// A copy of one of the small models, to be spoilt.
class ModelCopy {
  public:
    explicit ModelCopy(const std::string& name) {
        std::filesystem::copy(model_folder(name), folder(), std::filesystem::copy_options::recursive);
    }

    [[nodiscard]] const std::string& folder() const { return folder_.path(); }
    [[nodiscard]] std::string read(const std::string& file) const { return content_of(folder() + "/" + file); }
    void write(const std::string& file, const std::string& content) const { folder_.add(file, content); }
    void remove(const std::string& file) const { std::filesystem::remove(folder() + "/" + file); }

    // The first `old` in the file becomes `now`.
    void replace(const std::string& file, const std::string& old, const std::string& now) const {
        std::string content = read(file);
        const std::size_t at = content.find(old);
        ASSERT_NE(at, std::string::npos) << old;
        write(file, content.replace(at, old.size(), now));
    }

    // What opening the model with all its layers, or those up to `last`, throws.
    [[nodiscard]] std::string error(std::size_t last = 3) const {
        return error_of([&] { (void)open_cpu_encoder(folder(), {.layers = {{last, last}}}); });
    }

  private:
    TemporaryFolder folder_;
};

}  // namespace wordbreadth::encoder
