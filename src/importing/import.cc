#include "wordbreadth/import.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "base/failure.h"
#include "base/file.h"
#include "base/names.h"
#include "base/sha256.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "importing/rows.h"
#include "store/new_store.h"
#include "store/plan.h"
#include "store/shards.h"
#include "wordbreadth/error.h"
#include "wordbreadth/layers.h"
#include "wordbreadth/limits.h"

namespace wordbreadth {
namespace importing {
namespace {

// Which word each row of the file is of, and which row of it.
struct Layout {
    std::vector<StoredWord> words{};           // in byte order
    std::vector<std::uint32_t> word_of_row{};  // of the file
};

void require_utf8(const RowSource& source, std::uint64_t row, const char* what, const std::string& text) {
    const std::size_t fault = base::first_fault(text);
    if (fault == std::string::npos) return;
    if (text[fault] == '\0')
        base::fail(source.where(row), std::string("its ") + what + " has a NUL at byte " + std::to_string(fault) +
                                          ", which no text has; remove it");
    base::fail(source.where(row), std::string("its ") + what + " is not UTF-8: the byte " +
                                      base::hexadecimal(text[fault]) + " at byte " + std::to_string(fault) +
                                      "; convert the file");
}

void require_word(const RowSource& source, std::uint64_t row, const std::string& word) {
    if (word.empty()) base::fail(source.where(row), "has an empty word");
    require_utf8(source, row, "word", word);
    base::require_storable_name(source.where(row), word);
}

Layout read_words(RowSource& source, const base::Monitor& monitor) {
    Layout layout;
    base::TextMap<std::uint32_t> known;
    std::vector<StoredWord> found;
    source.read(Part::words, [&](RowBatch& batch) {
        monitor.check();
        for (std::size_t i = 0; i < batch.size; ++i) {
            std::string& word = batch.words[i];
            const bool repeats = !layout.word_of_row.empty() && found[layout.word_of_row.back()].word == word;
            std::uint32_t index = repeats ? layout.word_of_row.back() : 0;
            if (!repeats) {
                const auto entry = known.find(word);
                index = entry == known.end() ? static_cast<std::uint32_t>(found.size()) : entry->second;
                if (entry == known.end()) {
                    require_word(source, batch.first + i, word);
                    if (found.size() == limits::archive_entries)
                        base::fail(source.where(batch.first + i), "has a new word, but a store has at most " +
                                                                      std::to_string(limits::archive_entries));
                    known.emplace(word, index);
                    found.emplace_back().word = std::move(word);
                }
            }
            ++found[index].rows;
            layout.word_of_row.push_back(index);
        }
    });
    std::vector<std::uint32_t> order(found.size()), rank(found.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t index) -> const std::string& { return found[index].word; });
    for (std::uint32_t place = 0; place < order.size(); ++place) {
        rank[order[place]] = place;
        StoredWord& word = layout.words.emplace_back(std::move(found[order[place]]));
        word.frequency = word.usable = word.rows;
    }
    for (std::uint32_t& word : layout.word_of_row) word = rank[word];
    return layout;
}

// Of the rows of a batch.
std::span<const std::uint32_t> words_of(const RowBatch& batch, const Layout& layout, const RowSource& source) {
    const std::size_t known = layout.word_of_row.size();
    if (batch.first + batch.size > known)
        base::fail(source.where(known),
                   "was not there before: the file was changed while it was read; import it again");
    return std::span(layout.word_of_row).subspan(batch.first, batch.size);
}

// The rows of a file, one batch after the other, on their way into the plan.
class PlanRows {
  public:
    PlanRows(const RowSource& source, const Layout& layout, store::PlanWriter& plan)
        : source_(source), layout_(layout), plan_(plan), next_(layout.words.size()) {
        for (const StoredWord& word : layout.words) plan.add_word(word);
        if (source.has_places()) return;
        // Words stand for their text; rows of one share it.
        plan.add_document(0, "");
        for (std::size_t w = 0; w < layout.words.size(); ++w)
            plan.add_sentence({w, 0, layout.words[w].word, std::span(&no_token, 1)});
    }

    void add(RowBatch& batch) {
        rows_.clear();
        sentences_.clear();
        const std::span<const std::uint32_t> words = words_of(batch, layout_, source_);
        for (std::size_t i = 0; i < batch.size; ++i) {
            const std::uint64_t row = batch.first + i;
            const std::uint32_t word = words[i];
            store::PlannedOccurrence occurrence{word, next_[word]++, row, 0, 0, 0, 1};
            if (source_.has_places())
                add_place(batch.places[i], occurrence);
            else
                occurrence = {word, occurrence.row, word, 0, characters_of(word), 0, 1};
            rows_.push_back(occurrence);
        }
        plan_.add_sentences(sentences_);
        // Those of a word lie side by side in the plan: together they go in at half the cost.
        std::ranges::stable_sort(rows_, {}, &store::PlannedOccurrence::word);
        plan_.add_occurrences(rows_);
    }

    // The last call.
    void finish(ImportSummary& summary) {
        const std::uint64_t sentences = source_.has_places() ? layout_.word_of_row.size() : layout_.words.size();
        plan_.add_shard({0, sentences - 1, sentences, layout_.word_of_row.size()});
        summary.has_texts = has_texts_;
        summary.documents = documents_.size() - (documents_.contains("") ? 1 : 0);
        summary.spans_found = spans_found_;
        summary.spans_whole = spans_whole_;
        summary.spans_differing = spans_differing_;
        summary.first_differing = first_differing_;
    }

  private:
    static constexpr std::int32_t no_token = 0;

    std::uint64_t characters_of(std::uint32_t word) const { return base::count_characters(layout_.words[word].word); }

    void add_place(const Place& place, store::PlannedOccurrence& occurrence) {
        const std::uint64_t row = occurrence.sentence;
        const std::string& word = layout_.words[occurrence.word].word;
        const std::string& text = place.text ? *place.text : word;
        require_utf8(source_, row, "text", text);
        has_texts_ |= place.text.has_value();
        std::tie(occurrence.start, occurrence.end) = span_of(place, row, word, text);
        const std::string document = place.document.value_or("");
        require_utf8(source_, row, "document", document);
        auto known = documents_.find(document);
        if (known == documents_.end()) {
            known = documents_.emplace(document, documents_.size()).first;
            plan_.add_sentences(sentences_);  // a document comes before its sentences and after all others
            sentences_.clear();
            plan_.add_document(known->second, document);
        }
        sentences_.push_back({row, known->second, text, std::span(&no_token, 1)});
    }

    using Span = std::pair<std::uint64_t, std::uint64_t>;

    Span span_of(const Place& place, std::uint64_t row, const std::string& word, const std::string& text) {
        const std::size_t characters = base::count_characters(text);
        const auto shown = [](const std::optional<std::int64_t>& end) {
            return end ? std::to_string(*end) : std::string("nothing");
        };
        if (!place.start && !place.end) return place.text ? found_span(word, text, characters) : Span{0, characters};
        if (!place.text)
            base::fail(source_.where(row), base::in_quotes(word) + " has the span " + shown(place.start) + " to " +
                                               shown(place.end) + " and no text");
        const bool fits = place.start && place.end && *place.start >= 0 && *place.start < *place.end &&
                          static_cast<std::uint64_t>(*place.end) <= characters;
        if (!fits)
            base::fail(source_.where(row), base::in_quotes(word) + " has the span " + shown(place.start) + " to " +
                                               shown(place.end) + "; expected a start before the end, within the " +
                                               std::to_string(characters) + " characters of its text");
        const Span span{static_cast<std::uint64_t>(*place.start), static_cast<std::uint64_t>(*place.end)};
        compare(row, word, text, span);
        return span;
    }

    void compare(std::uint64_t row, const std::string& word, std::string_view text, Span span) {
        const std::size_t begin = base::byte_of_character(text, span.first).value();
        text.remove_prefix(begin);
        if (text.starts_with(word) && base::count_characters(word) == span.second - span.first) return;
        const std::string held(text.substr(0, base::byte_of_character(text, span.second - span.first).value()));
        if (base::case_fold(held) == base::case_fold(word)) return;
        if (spans_differing_++ == 0)
            first_differing_ =
                base::in_quotes(held) + " for " + base::in_quotes(word) + " (" + source_.where(row) + ")";
    }

    Span found_span(const std::string& word, const std::string& text, std::size_t characters) {
        const std::size_t byte = text.find(word);
        if (byte == std::string::npos) {
            ++spans_whole_;
            return {0, characters};
        }
        ++spans_found_;
        const std::size_t start = base::count_characters(std::string_view(text).substr(0, byte));
        return {start, start + base::count_characters(word)};
    }

    const RowSource& source_;
    const Layout& layout_;
    store::PlanWriter& plan_;
    std::vector<std::uint64_t> next_;  // row of each word
    std::vector<store::PlannedOccurrence> rows_;
    std::vector<store::PlannedSentence> sentences_;  // whose texts lie in the batch
    base::TextMap<std::uint64_t> documents_;
    bool has_texts_ = false;
    std::uint64_t spans_found_ = 0, spans_whole_ = 0, spans_differing_ = 0;
    std::string first_differing_;
};

// And on their way into the clouds. Rows of a word come in their order, so that they are hashed before they are
// written: reading the clouds back for that took a third of the time.
class CloudRows {
  public:
    CloudRows(const RowSource& source, const Layout& layout, store::LayerWriter& clouds, unsigned threads)
        : source_(source),
          layout_(layout),
          clouds_(clouds),
          dimension_(source.dimension()),
          written_(layout.words.size()),
          unfinished_(layout.words.size()),
          hashes_(layout.words.size()),
          workers_(threads),
          rooms_(workers_.size()) {}

    void add(const RowBatch& batch) {
        const std::vector<Run> runs = runs_of(words_of(batch, layout_, source_));
        // Two words are hashed at a time, and their rows written while they are in the cache, so that scattered ones
        // are brought together once. Where words are few one thread hashes and another writes.
        const std::size_t pairs = (runs.size() + 1) / 2;
        const bool are_few = pairs < 2 * workers_.size();
        workers_.run(are_few ? 2 * pairs : pairs, [&](std::size_t piece, std::size_t worker) {
            const std::size_t pair = are_few ? piece / 2 : piece;
            const Work work = are_few ? Work{piece % 2 == 0, piece % 2 == 1} : Work{true, true};
            const Run second = 2 * pair + 1 < runs.size() ? runs[2 * pair + 1] : Run{};
            copy(batch, {runs[2 * pair], second}, work, rooms_[worker]);
        });
        for (const Run& run : runs) finish(run);
    }

    // Of each word's rows, once all are there.
    [[nodiscard]] const std::vector<std::string>& hashes() const { return hashes_; }

  private:
    // Rows of one word in a batch.
    struct Run {
        std::uint32_t word = 0;
        std::span<const std::size_t> rows{};
    };

    struct Work {
        bool hash, write;
    };

    using Rooms = std::array<std::vector<std::byte>, 2>;  // where rows of two words are brought together

    // The longest first, so that two that follow each other have about as many rows.
    std::vector<Run> runs_of(std::span<const std::uint32_t> words) {
        order_.resize(words.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return words[i]; });
        std::vector<Run> runs;
        for (std::size_t begin = 0; begin < order_.size();) {
            std::size_t end = begin + 1;
            while (end < order_.size() && words[order_[end]] == words[order_[begin]]) ++end;
            runs.push_back({words[order_[begin]], std::span(order_).subspan(begin, end - begin)});
            begin = end;
        }
        std::ranges::stable_sort(runs, std::greater{}, [](const Run& run) { return run.rows.size(); });
        return runs;
    }

    [[nodiscard]] std::span<const std::byte> row_of(const RowBatch& batch, std::size_t i) const {
        return batch.row(i, dimension_);
    }

    // Rows one after the other: where they lie, if that is side by side, else in `room`.
    [[nodiscard]] std::span<const std::byte> brought_together(const RowBatch& batch, std::span<const std::size_t> rows,
                                                              std::vector<std::byte>& room) const {
        if (rows.empty()) return {};
        const std::span<const std::byte> first = row_of(batch, rows.front());
        std::size_t count = 1;
        while (count < rows.size() && row_of(batch, rows[count]).data() == first.data() + count * first.size()) ++count;
        if (count == rows.size()) return {first.data(), count * first.size()};
        room.clear();
        for (const std::size_t i : rows) {
            const std::span<const std::byte> row = row_of(batch, i);
            room.insert(room.end(), row.begin(), row.end());
        }
        return room;
    }

    void require_good(const RowBatch& batch, std::size_t i, std::uint32_t word, const std::byte* row) const {
        // In integers and without branches, so that the compiler looks at several at a time.
        constexpr std::uint32_t magnitude = 0x7FFFFFFF, infinity = 0x7F800000, top = 0x80000000;
        std::uint32_t faults = 0, any = 0;
        for (std::size_t k = 0; k < dimension_; ++k) {
            const std::uint32_t bits = value_at<std::uint32_t>(row, k) & magnitude;
            faults |= bits + (top - infinity);  // reaches the top bit from infinity on
            any |= bits;
        }
        if ((faults & top) == 0 && any != 0) return;
        refuse(batch, i, word);
    }

    [[noreturn]] void refuse(const RowBatch& batch, std::size_t i, std::uint32_t word) const {
        std::vector<float> row;
        for (std::size_t k = 0; k < dimension_; ++k) row.push_back(value_at<float>(row_of(batch, i).data(), k));
        const auto bad = std::ranges::find_if(row, [](float value) { return !std::isfinite(value); });
        const std::string where = source_.where(batch.first + i), name = base::in_quotes(layout_.words[word].word);
        if (bad == row.end()) base::fail(where, name + " has a vector of zeros only, which has no direction");
        const char* const found = std::isnan(*bad) ? "NaN"
                                  : *bad > 0       ? "infinity, or a number beyond float32"
                                                   : "-infinity, or a number beyond float32";
        base::fail(where, name + " has " + found + " at index " + std::to_string(bad - row.begin()) +
                              " of its vector; expected finite numbers");
    }

    // Rows in a file may lie at any byte.
    template <class Value>
    static Value value_at(const std::byte* row, std::size_t k) {
        Value value;
        std::memcpy(&value, row + k * sizeof value, sizeof value);
        return value;
    }

    // The rows of two words, or of one and none, some at a time.
    void copy(const RowBatch& batch, std::array<Run, 2> runs, Work work, Rooms& rooms) {
        std::array<std::size_t, 2> done{};
        for (;;) {
            // As many of both, so that they are hashed at once; one may have more in the end.
            std::size_t count = rows_in_cache();
            for (std::size_t k = 0; k < 2; ++k)
                if (done[k] < runs[k].rows.size()) count = std::min(count, runs[k].rows.size() - done[k]);
            std::array<std::span<const std::byte>, 2> bytes;
            for (std::size_t k = 0; k < 2; ++k) {
                const auto rows = runs[k].rows.subspan(done[k], std::min(count, runs[k].rows.size() - done[k]));
                bytes[k] = brought_together(batch, rows, rooms[k]);
                for (std::size_t i = 0; work.hash && i < rows.size(); ++i)
                    require_good(batch, rows[i], runs[k].word, bytes[k].data() + i * row_bytes());
            }
            if (bytes[0].empty() && bytes[1].empty()) return;
            if (work.hash) hash(runs, bytes);
            for (std::size_t k = 0; k < 2; ++k) {
                if (work.write && !bytes[k].empty())
                    clouds_.place(runs[k].word, written_[runs[k].word] + done[k], bytes[k]);
                done[k] += bytes[k].size() / row_bytes();
            }
        }
    }

    void hash(const std::array<Run, 2>& runs, const std::array<std::span<const std::byte>, 2>& bytes) {
        if (!bytes[0].empty() && !bytes[1].empty())
            return base::add_to_both(hash_of(runs[0].word), bytes[0], hash_of(runs[1].word), bytes[1]);
        for (std::size_t k = 0; k < 2; ++k)
            if (!bytes[k].empty()) hash_of(runs[k].word).add(bytes[k]);
    }

    [[nodiscard]] std::size_t row_bytes() const { return dimension_ * sizeof(float); }

    // Hashed and written at a time. Shorter writes take longer: twice as long with 32 kB. With
    // 1 MB and more the system looks for memory in large pieces, which can take longest of all.
    [[nodiscard]] std::size_t rows_in_cache() const {
        constexpr std::size_t bytes = 128 * 1024;
        return std::max<std::size_t>(1, bytes / row_bytes());
    }

    base::Sha256& hash_of(std::uint32_t word) {
        if (!unfinished_[word]) unfinished_[word] = std::make_unique<base::Sha256>();
        return *unfinished_[word];
    }

    void finish(const Run& run) {
        written_[run.word] += run.rows.size();
        if (written_[run.word] < layout_.words[run.word].rows) return;
        hashes_[run.word] = unfinished_[run.word]->digest();
        unfinished_[run.word].reset();
    }

    const RowSource& source_;
    const Layout& layout_;
    store::LayerWriter& clouds_;
    std::size_t dimension_;
    std::vector<std::size_t> written_;  // rows of each word
    std::vector<std::unique_ptr<base::Sha256>> unfinished_;
    std::vector<std::string> hashes_;
    std::vector<std::size_t> order_;
    base::Workers workers_;
    std::vector<Rooms> rooms_;  // of each thread
};

// While a batch is read, the one before it goes into the clouds, and into the plan where that has no thread of its own.
void write_rows(RowSource& source, Part part, CloudRows& clouds, PlanRows* plan, base::Monitor& monitor) {
    RowBatch written;
    std::future<void> in_plan, in_clouds;
    const auto wait = [&] {
        // Both, before either throws: they use what this function owns.
        if (in_plan.valid()) in_plan.wait();
        if (in_clouds.valid()) in_clouds.wait();
        if (in_plan.valid()) in_plan.get();
        if (in_clouds.valid()) in_clouds.get();
    };
    source.read(part, [&](RowBatch& batch) {
        monitor.check();
        wait();
        std::swap(written, batch);
        if (plan != nullptr) in_plan = std::async(std::launch::async, [&] { plan->add(written); });
        in_clouds = std::async(std::launch::async, [&] { clouds.add(written); });
        monitor.advance(static_cast<double>(written.size));
    });
    wait();
}

// Both at the same time. Where one fails the other is stopped, and its failure is thrown; the first's, where both have.
void run_both(base::Monitor& monitor, const std::function<void()>& first, const std::function<void()>& second) {
    const auto guarded = [&](const std::function<void()>& function) -> std::exception_ptr {
        try {
            function();
        } catch (...) {
            monitor.fail();
            return std::current_exception();
        }
        return nullptr;
    };
    std::future<std::exception_ptr> other = std::async(std::launch::async, [&] { return guarded(first); });
    const std::exception_ptr of_second = guarded(second), of_first = other.get();
    try {
        if (of_first) std::rethrow_exception(of_first);
    } catch (const Cancelled&) {
        if (!of_second) throw;
    }
    if (of_second) std::rethrow_exception(of_second);
}

std::unique_ptr<RowSource> open_rows(const ImportOptions& options, base::Workers& workers) {
    const std::string& path = options.from;
    const RoleNames names(options.columns);
    const base::File file(path);  // a wrong path is reported as such, whatever its ending
    const auto ends_in = [&](std::initializer_list<std::string_view> endings) {
        return std::ranges::any_of(endings, [&](std::string_view ending) { return path.ends_with(ending); });
    };
    if (ends_in({".parquet", ".pq"})) return open_parquet(path, names);
    if (ends_in({".jsonl", ".ndjson"})) return open_jsonl(path, names, workers);
    if (!ends_in({".npy", ".npz", ".safetensors"}))
        base::fail(path,
                   "its name has no known extension; expected .npz, .safetensors, .npy, .parquet, .jsonl or .ndjson");
    if (!options.columns.empty()) base::fail(path, "has no columns to name: it holds an array per word");
    return open_arrays(path);
}

void add_settings(store::PlanWriter& plan, const ImportOptions& options, const RowSource& source) {
    plan.add_setting("imported from", options.from);
    if (!options.model.empty()) plan.add_setting("model", options.model);
    if (const auto layers = layers_in(options.layers))
        plan.add_setting("layers", text_of(*layers));  // "04" is 4
    else if (!options.layers.empty())
        plan.add_setting("layers", options.layers);
    plan.add_source(options.from, source.format(), base::File(options.from).size());
}

}  // namespace
}  // namespace importing

ImportSummary import_vectors(const ImportOptions& options) {
    using namespace importing;
    const Execution& execution = options.execution;
    base::Workers workers(base::thread_count(execution.threads));
    const std::unique_ptr<RowSource> source =
        timed(execution.timing, "opening files", [&] { return open_rows(options, workers); });
    store::NewStore made(options.out);
    const base::Monitor words_monitor(1, {}, execution.stop);
    const Layout layout = timed(execution.timing, "reading words", [&] { return read_words(*source, words_monitor); });
    ImportSummary summary{layout.words.size(), layout.word_of_row.size(), source->dimension()};
    base::Monitor monitor(static_cast<double>(summary.rows), execution.progress, execution.stop);
    // Neither file waits for the disk: what a crash of the machine loses is known by its hash, and imported again.
    store::LayerWriter clouds(made.temporary(), layout.words, summary.dimension);
    clouds.reserve();
    CloudRows cloud_rows(*source, layout, clouds, base::thread_count(execution.threads));
    std::optional<store::Plan> plan;
    {
        store::PlanWriter writer(made.temporary());
        add_settings(writer, options, *source);
        PlanRows plan_rows(*source, layout, writer);
        const auto finish_plan = [&] {
            plan_rows.finish(summary);
            writer.keep(false);
            static_cast<void>(plan.emplace(made.temporary()).sha256());
        };
        timed(execution.timing, "copying rows", [&] {
            if (!source->has_parts())
                return write_rows(*source, Part::places_and_vectors, cloud_rows, &plan_rows, monitor);
            const auto write_plan = [&] {
                const Timing::Stage stage(execution.timing, "writing the plan");
                source->read(Part::places, [&](RowBatch& batch) {
                    monitor.check();
                    plan_rows.add(batch);
                });
                finish_plan();
            };
            run_both(monitor, write_plan, [&] { write_rows(*source, Part::vectors, cloud_rows, nullptr, monitor); });
        });
        if (!plan) timed(execution.timing, "finishing the plan", finish_plan);
    }
    clouds.belong_to(*plan);
    clouds.take_hashes(cloud_rows.hashes());
    store::keep_clouds(*plan, {&clouds}, workers, execution.timing, false);
    monitor.check();
    made.keep(false);
    return summary;
}

}  // namespace wordbreadth
