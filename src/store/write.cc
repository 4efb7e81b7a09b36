#include "wordbreadth/write.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "arrays/npy.h"
#include "arrays/safetensors.h"
#include "base/failure.h"
#include "base/names.h"
#include "base/output_file.h"
#include "base/utf8.h"
#include "base/workers.h"
#include "store/new_store.h"
#include "store/plan.h"
#include "store/shards.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth {
namespace {

// A text may be empty where it is not known.
void require_place(const std::string& where, std::size_t row, const Occurrence& occurrence) {
    const auto& [start, end, text] = std::tie(occurrence.start, occurrence.end, occurrence.text);
    const bool is_span = start < end || (start == end && text.empty());
    if (!is_span || !base::byte_of_character(text, end))
        base::fail(where, "stands at characters " + std::to_string(start) + " to " + std::to_string(end) + " in row " +
                              std::to_string(row) + "; expected a start before the end, within its text");
}

void require_fit(const std::string& folder, const WordRows& word, std::size_t dimension) {
    const std::string where = folder + ": " + base::in_quotes(word.word);
    base::require_storable_name(folder, word.word);
    if (word.occurrences.empty() || word.rows.size() != word.occurrences.size() * dimension)
        base::fail(where, "has " + std::to_string(word.rows.size()) + " values for " +
                              std::to_string(word.occurrences.size()) + " occurrences; expected " +
                              std::to_string(dimension) + " for each of at least one");
    if (word.frequency < word.occurrences.size())
        base::fail(where, "has a frequency of " + std::to_string(word.frequency) + " and " +
                              std::to_string(word.occurrences.size()) + " rows; expected no more rows than that");
    if (word.frequency > limits::stored_number)
        base::fail(where, "has a frequency of " + std::to_string(word.frequency) + "; at most " +
                              std::to_string(limits::stored_number) + " is accepted");
    for (std::size_t row = 0; row < word.occurrences.size(); ++row) {
        require_place(where, row, word.occurrences[row]);
        const auto values = std::span(word.rows).subspan(row * dimension, dimension);
        if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
            base::fail(where, "holds a value that is not finite in row " + std::to_string(row));
        if (std::ranges::all_of(values, [](float value) { return value == 0; }))
            base::fail(where, "has zeros only, as float32, in row " + std::to_string(row) +
                                  ", which has no direction; leave the row out");
    }
}

void require_size(const std::string& folder, std::size_t dimension, std::size_t words) {
    if (words == 0 || dimension == 0) throw InputError(folder + ": expected at least one word and one dimension");
    if (dimension > limits::dimension)
        base::fail(folder, "its vectors would have " + std::to_string(dimension) + " dimensions; at most " +
                               std::to_string(limits::dimension) + " are accepted");
    if (words > limits::archive_entries)
        base::fail(folder, "it would have " + std::to_string(words) + " words; at most " +
                               std::to_string(limits::archive_entries) + " are accepted");
}

void require_different(const std::string& folder, const Settings& settings) {
    std::set<std::string_view> names;
    for (const auto& [name, value] : settings)
        if (!names.insert(name).second)
            base::fail(folder, "the setting " + base::in_quotes(name) + " is given twice; give it once");
}

// A plan without tokens to embed: each row is a sentence of its own, and all are one shard.
void write_plan(const std::string& folder, const std::vector<WordRows>& words, const Settings& settings,
                const base::Monitor& monitor) {
    constexpr std::int32_t no_token = 0;
    store::PlanWriter plan(folder);
    for (const auto& [name, value] : settings) plan.add_setting(name, value);
    std::map<std::string, std::uint64_t> documents;
    std::uint64_t sentence = 0;
    for (std::size_t w = 0; w < words.size(); ++w) {
        monitor.check();
        const WordRows& word = words[w];
        plan.add_word({word.word, word.frequency, word.occurrences.size(), word.occurrences.size()});
        for (std::size_t row = 0; row < word.occurrences.size(); ++row, ++sentence) {
            const Occurrence& from = word.occurrences[row];
            const auto [document, is_new] = documents.try_emplace(from.document, documents.size());
            if (is_new) plan.add_document(document->second, from.document);
            plan.add_sentence({sentence, document->second, from.text, std::span(&no_token, 1)});
            plan.add_occurrence({w, row, sentence, from.start, from.end, 0, 1});
        }
    }
    plan.add_shard({0, sentence - 1, sentence, sentence});
    plan.keep();
}

}  // namespace

void write_clouds(const Store& store, std::span<const std::size_t> words, const std::string& path,
                  const Execution& execution) {
    const bool npz = path.ends_with(".npz");
    if (!npz && !path.ends_with(".safetensors"))
        throw InputError(path + ": expected a name that ends in .npz or .safetensors");
    if (is_file_of_store(path, store.folder()))
        throw InputError(path + ": is a file of the store itself; name another");
    std::vector<arrays::MatrixShape> matrices;
    for (const std::size_t index : words) {
        const StoredWord word = store.word(index);
        matrices.push_back({word.word, word.rows, store.dimension()});
    }
    base::Monitor monitor(static_cast<double>(words.size()), execution.progress, execution.stop);
    const arrays::MatrixValues values = [&](std::size_t matrix) {
        monitor.check();
        monitor.advance(1);
        return store.rows(words[matrix]);
    };
    base::OutputFile file(path);
    if (npz) {
        arrays::write_npz(file, matrices, values);
    } else {
        const Settings settings = store.settings();
        arrays::write_safetensors(file, matrices, {settings.begin(), settings.end()}, values);
    }
    file.keep();
}

void write_store(const std::string& folder, std::size_t dimension, std::vector<WordRows> words,
                 const Settings& settings, const Execution& execution) {
    require_size(folder, dimension, words.size());
    std::ranges::sort(words, {}, &WordRows::word);
    const auto twice = std::ranges::adjacent_find(words, {}, &WordRows::word);
    if (twice != words.end()) throw InputError(folder + ": " + base::in_quotes(twice->word) + " is listed twice");
    require_different(folder, settings);
    base::Monitor monitor(static_cast<double>(words.size()), execution.progress, execution.stop);
    std::vector<StoredWord> listed;
    for (const WordRows& word : words) {
        monitor.check();
        require_fit(folder, word, dimension);
        listed.push_back({word.word, word.frequency, word.occurrences.size(), word.occurrences.size()});
    }
    store::NewStore made(folder);
    store::LayerWriter clouds(made.temporary(), listed, dimension);
    for (std::size_t w = 0; w < words.size(); ++w) {
        monitor.check();
        clouds.place(w, 0, words[w].rows);
        monitor.advance(1);
    }
    write_plan(made.temporary(), words, settings, monitor);
    store::Plan plan(made.temporary());
    clouds.belong_to(plan);
    base::Workers workers(1);
    store::keep_clouds(plan, {&clouds}, workers, nullptr);
    made.keep();
}

}  // namespace wordbreadth
