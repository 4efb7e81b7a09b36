// Parts of a job of pairs: one is run, all are merged.
#include "wordbreadth/pair_parts.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/strings.h"
#include "base/temporary.h"
#include "base/workers.h"
#include "engine/backend.h"
#include "engine/pair_tests.h"
#include "extraction/part_run.h"
#include "study/named_pairs.h"
#include "study/pair_job.h"
#include "study/pair_tile.h"
#include "wordbreadth/cloud_source.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth {
namespace {

namespace fs = std::filesystem;
using study::JobRecord;
using study::PairLayout;
using study::TileFile;

void check_job(const PairJob& job, const Part& part) {
    engine::check_options(job.test);
    if (job.test.max_t || job.adjustment == Adjustment::max_t)
        throw InputError(
            "maxT compares every permutation of a pair with those of all other pairs, so its pairs cannot be "
            "tested "
            "in parts; choose another adjustment, or test all pairs in one piece");
    if (job.test.null_distribution)
        throw InputError("parts do not keep null distributions; test all pairs in one piece");
    if (part.of == 0 || part.of > most_parts || part.number == 0 || part.number > part.of)
        throw InputError("part " + std::to_string(part.number) + " of " + std::to_string(part.of) +
                         "; expected one of at most " + std::to_string(most_parts) + " parts, from 1 on");
}

void make_folder(const std::string& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error || !fs::is_directory(path, error))
        base::fail(path, "cannot be made a folder: " + error.message() + "; name another");
}

// The clouds of a part, each read and summarised once.
class PartClouds {
  public:
    PartClouds(const CloudSource& source, const std::vector<std::size_t>& places, const Cut& cut,
               const Execution& execution) {
        std::vector<std::string> names;
        for (const std::size_t place : places) names.push_back(source.names()[place]);
        named_ = source.read(names, cut, execution);
        numbers_.resize(source.names().size());
        tested_.reserve(named_.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            numbers_[places[i]] = i;
            tested_.emplace_back();
            if (named_[i].cloud) tested_.back().emplace(*named_[i].cloud);
        }
    }

    [[nodiscard]] engine::TestCloud* find(std::size_t place) {
        std::optional<engine::TestCloud>& found = tested_[numbers_[place]];
        return found ? &*found : nullptr;
    }

    // What a tile keeps of it.
    [[nodiscard]] study::TileCloud figures(std::size_t place) const {
        const std::size_t i = numbers_[place];
        const NamedCloud& named = named_[i];
        study::TileCloud cloud{named.name, named.rows, named.dimension};
        cloud.reason = named.reason;
        if (!tested_[i]) return cloud;
        cloud.is_there = true;
        const engine::CloudFigures known = tested_[i]->figures();
        cloud.has_blocks = known.has_blocks;
        if (known.summary != nullptr)
            cloud.summary = {known.summary->r, known.summary->log_v, known.summary->rows, known.summary->blocks, {}};
        return cloud;
    }

  private:
    std::vector<std::size_t> numbers_;  // by place in the source
    std::vector<NamedCloud> named_;
    std::vector<std::optional<engine::TestCloud>> tested_;  // nothing where there is no cloud
};

std::vector<std::size_t> clouds_of(const std::vector<Pair>& pairs) {
    std::vector<std::size_t> places;
    for (const auto& [x, y] : pairs) {
        // Pairs come by their first cloud.
        if (places.empty() || places.back() != x) places.push_back(x);
        places.push_back(y);
        if (places.size() < 4096) continue;
        std::ranges::sort(places);
        places.erase(std::unique(places.begin(), places.end()), places.end());
    }
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

// Whether the pair can be given to a backend.
bool go_together(const engine::TestPair& pair, Statistic statistic) {
    if (pair.x == nullptr || pair.y == nullptr) return false;
    try {
        engine::check_pair(pair.figures(), statistic);
        return true;
    } catch (const InputError&) {
        return false;  // which is found again, with the reason, when results are made
    }
}

class PartRun {
  public:
    PartRun(const PairJob& job, const Part& part, std::string folder)
        : job_(job), part_(part), folder_(std::move(folder)), source_(job.clouds, job.layer) {
        if (!job.labels.empty()) labels_ = read_block_labels(job.labels);
        if (!job.list.empty()) list_ = listed_pairs(job.list, source_);
        if (source_.names().size() < 2) base::fail(job.clouds, "holds one cloud; pairs need at least 2");
        if (const std::shared_ptr<const Store> store = source_.store()) job_.layer = store->layer();
        record_ = study::record_of(job_, source_.names().size(), list_.size(), part.of);
        layout_ = record_.layout();
    }

    PairPartSummary run() {
        const auto start = std::chrono::steady_clock::now();
        const PartRange tiles = layout_->tiles_of(part_);
        make_folder(folder_);
        study::enter(record_, folder_);
        if (tiles.begin < tiles.end) make_folder(part_folder());
        remove_incomplete(folder_);
        remove_incomplete(part_folder());
        PairPartSummary summary;
        std::vector<std::size_t> missing;
        for (std::size_t tile = tiles.begin; tile < tiles.end; ++tile) {
            ++summary.tiles;
            summary.pairs += layout_->size(tile);
            if (is_there(tile))
                ++summary.found;
            else
                missing.push_back(tile);
        }
        extraction::run_part(folder_, part_, "testing", [&](extraction::PartProgress& progress) {
            if (!missing.empty()) run(missing, summary.pairs, progress);
        });
        summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return summary;
    }

  private:
    [[nodiscard]] std::string path_of(std::size_t tile) const { return study::tile_path(folder_, part_, tile); }
    [[nodiscard]] std::string part_folder() const { return fs::path(path_of(0)).parent_path().string(); }

    // What killed processes left.
    static void remove_incomplete(const std::string& folder) {
        std::error_code error;
        for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
             entry.increment(error)) {
            const std::string name = entry->path().filename().string();
            std::error_code ignored;
            if (name.find(".part-") != std::string::npos && !base::may_be_in_use(name))
                fs::remove(entry->path(), ignored);
        }
    }

    // Whether it is there as this job makes it; else it is made again.
    [[nodiscard]] bool is_there(std::size_t tile) const {
        std::error_code ignored;
        if (!fs::exists(path_of(tile), ignored)) return false;
        try {
            const TileFile file(path_of(tile), {record_.identity, tile}, layout_->size(tile));
            return true;
        } catch (const InputError&) {
            return false;
        }
    }

    [[nodiscard]] std::vector<Pair> pairs_in(std::size_t tile) const {
        return list_.empty() ? layout_->pairs_in(tile) : layout_->pairs_in(tile, list_);
    }

    // `all`: pairs of the part.
    void run(const std::vector<std::size_t>& tiles, std::uint64_t all, extraction::PartProgress& progress) {
        std::vector<std::size_t> places;
        double pairs = 0;
        for (const std::size_t tile : tiles) {
            const std::vector<std::size_t> more = clouds_of(pairs_in(tile));
            places.insert(places.end(), more.begin(), more.end());
            pairs += static_cast<double>(layout_->size(tile));
        }
        std::ranges::sort(places);
        places.erase(std::unique(places.begin(), places.end()), places.end());
        const Cut cut{job_.common_size, job_.test.seed, takes_blocks(job_.test.statistic),
                      labels_ ? &*labels_ : nullptr};
        const std::unique_ptr<engine::Backend> backend = engine::make_backend(job_.test.execution);
        PartClouds clouds(source_, places, cut, job_.test.execution);
        double done = 0;
        std::uint64_t tested = 0;
        for (const std::size_t tile : tiles) {
            const double size = static_cast<double>(layout_->size(tile)) / pairs;
            if (!is_there(tile)) run_tile(tile, *backend, clouds, done, size);  // another process may have made it
            done += size;
            tested += layout_->size(tile);
            progress.report(1 - (1 - done) * pairs / static_cast<double>(all), tested);
        }
    }

    // `done`: share of the work before the tile, which has a share of `size`.
    void run_tile(std::size_t tile, engine::Backend& backend, PartClouds& clouds, double done, double size) const {
        const std::vector<Pair> pairs = pairs_in(tile);
        const std::vector<std::size_t> places = clouds_of(pairs);
        TestOptions options = job_.test;
        if (const auto& whole = job_.test.execution.progress)
            options.execution.progress = [&](double share) { whole(done + size * share); };
        study::TileContents contents{backend.label(), {}, {}, options.tail_estimate};
        std::vector<engine::TestPair> tested;
        std::vector<std::size_t> numbers;  // of these in the tile
        std::vector<std::uint32_t> local(source_.names().size());
        for (std::size_t i = 0; i < places.size(); ++i) local[places[i]] = static_cast<std::uint32_t>(i);
        contents.pairs.reserve(pairs.size());
        for (const auto& [x, y] : pairs) {
            const engine::TestPair pair{clouds.find(x), clouds.find(y)};
            if (go_together(pair, options.statistic)) {
                tested.push_back(pair);
                numbers.push_back(contents.pairs.size());
            }
            contents.pairs.push_back({local[x], local[y]});
        }
        if (!tested.empty()) {
            const engine::PairTests tests(backend, tested, options, true);
            for (std::size_t i = 0; i < tested.size(); ++i) {
                contents.pairs[numbers[i]].tally = tests.tally(i);
                contents.pairs[numbers[i]].tail = tests.tail(i);
            }
        }
        for (const std::size_t place : places) contents.clouds.push_back(clouds.figures(place));
        const Timing::Stage writing(options.execution.timing, "writing");
        study::write_tile(path_of(tile), {record_.identity, tile}, contents);
    }

    PairJob job_;
    Part part_;
    std::string folder_;
    CloudSource source_;
    std::optional<BlockLabels> labels_;
    std::vector<Pair> list_;  // empty: every pair
    JobRecord record_;
    std::optional<PairLayout> layout_;
};

std::string name_of(const Part& part) {
    return "part " + std::to_string(part.number) + " of " + std::to_string(part.of);
}

}  // namespace

PairPartSummary test_pairs_in_part(const PairJob& job, const Part& part, const std::string& folder) {
    check_job(job, part);
    return PartRun(job, part, folder).run();
}

bool has_pair_parts(const std::string& folder) {
    std::error_code ignored;
    return fs::is_regular_file(study::job_path(folder), ignored);
}

struct MergedPairs::Contents {
    Contents(const std::string& from, const Execution& execution)
        : folder(from), threads(execution.threads), record(study::read_job(from)), layout(record.layout()) {
        check_folders();
        check_presence();
        open(execution);
    }

    // Parts that were copied here from a job with another number of them.
    void check_folders() const {
        std::error_code error;
        for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
             entry.increment(error)) {
            const std::string name = entry->path().filename().string();
            if (name.starts_with("part-") && !name.ends_with("-of-" + std::to_string(record.parts)))
                base::fail(entry->path().string(),
                           "is of another job: this one has " + base::count_of(record.parts, "part") + "; remove it");
        }
    }

    void check_presence() const {
        std::map<std::uint64_t, std::size_t> missing;  // tiles, by part
        std::error_code ignored;
        for (std::size_t tile = 0; tile < layout.tiles(); ++tile)
            if (!fs::exists(path_of(tile), ignored)) ++missing[layout.part_of(tile).number];
        if (missing.empty()) return;
        const auto& [first, tiles] = *missing.begin();
        const Part part{first, record.parts};
        const PartRange all = layout.tiles_of(part);
        std::string message = name_of(part) + " is not complete: " + std::to_string(tiles) + " of its " +
                              base::count_of(all.end - all.begin, "tile") + " are missing";
        if (missing.size() > 1) {
            std::vector<std::uint64_t> others;
            for (const auto& [number, count] : missing)
                if (number != first && others.size() < 10) others.push_back(number);
            message += ", nor " + std::string(others.size() == 1 ? "is part " : "are parts ") +
                       base::joined(others, ", ", [](std::uint64_t number) { return std::to_string(number); });
            if (missing.size() - 1 > others.size())
                message += " and " + std::to_string(missing.size() - 1 - others.size()) + " more";
        }
        base::fail(folder, message + "; run " + (missing.size() > 1 ? "these" : "it") + " again");
    }

    void open(const Execution& execution) {
        std::vector<std::unique_ptr<TileFile>> opened(layout.tiles());
        base::Monitor monitor(static_cast<double>(layout.tiles()), execution.progress, execution.stop);
        base::Workers(engine::thread_count(execution)).run(layout.tiles(), [&](std::size_t tile, std::size_t) {
            monitor.check();
            try {
                opened[tile] =
                    std::make_unique<TileFile>(path_of(tile), study::TileId{record.identity, tile}, layout.size(tile));
            } catch (const InputError& error) {
                base::fail(path_of(tile),
                           std::string(error.what()) + "; run " + name_of(layout.part_of(tile)) + " again");
            }
            monitor.advance(1);
        });
        for (std::unique_ptr<TileFile>& file : opened) tiles.push_back(std::move(*file));
    }

    [[nodiscard]] std::string path_of(std::size_t tile) const {
        return study::tile_path(folder, layout.part_of(tile), tile);
    }

    [[nodiscard]] TestResult result(std::size_t index) const {
        const auto [tile, number] = layout.find(index);
        TestResult found = result(tiles[tile], tiles[tile].pair(number));
        found.device = tiles[tile].device();
        found.seconds = std::numeric_limits<double>::quiet_NaN();
        return found;
    }

    [[nodiscard]] TestResult result(const TileFile& tile, const study::TilePair& pair) const {
        const TestOptions& options = record.job.test;
        const std::string& origin = record.job.clouds;
        const study::TileCloud x = tile.cloud(pair.x), y = tile.cloud(pair.y);
        const auto figures = [&](const study::TileCloud& cloud) {
            return engine::CloudFigures{cloud.name,      origin,           cloud.rows,
                                        cloud.dimension, cloud.has_blocks, cloud.summary ? &*cloud.summary : nullptr};
        };
        const auto without_test = [&](const std::string& reason) {
            const auto named = [&](const study::TileCloud& cloud) {
                return NamedCloud{cloud.name, origin, cloud.rows, cloud.dimension, {}, {}};
            };
            return study::untested(named(x), named(y), reason, options);
        };
        for (const study::TileCloud* cloud : {&x, &y})
            if (!cloud->is_there) return without_test(cloud->reason);
        const engine::FiguresOfPair both{figures(x), figures(y)};
        try {
            engine::check_pair(both, options.statistic);
        } catch (const InputError& error) {
            return without_test(error.what());
        }
        if (both.x.summary == nullptr || both.y.summary == nullptr) base::fail(folder, "has a damaged tile");
        TestResult found = engine::observe(both, options);
        if (!found.undefined.empty()) return found;
        const auto [n, m] = engine::sizes_of(found);
        engine::add_count(found, pair.tally, permutation::Splits::plan(n, m, options.permutations, options.seed));
        found.tail = pair.tail;
        return found;
    }

    std::string folder;
    unsigned threads;
    JobRecord record;
    PairLayout layout;
    std::vector<TileFile> tiles;
};

MergedPairs::MergedPairs(const std::string& folder, const Execution& execution)
    : contents_(std::make_shared<const Contents>(folder, execution)) {}
MergedPairs::MergedPairs(MergedPairs&&) noexcept = default;
MergedPairs& MergedPairs::operator=(MergedPairs&&) noexcept = default;
MergedPairs::~MergedPairs() = default;

const PairJob& MergedPairs::job() const {
    return contents_->record.job;
}

std::uint64_t MergedPairs::parts() const {
    return contents_->record.parts;
}

TestResults MergedPairs::results() const {
    constexpr std::size_t together = 4096;
    TestResults results;
    results.p.resize(contents_->layout.pairs());
    const std::size_t pieces = (results.p.size() + together - 1) / together;
    base::Workers(base::thread_count(contents_->threads)).run(pieces, [&](std::size_t piece, std::size_t) {
        const std::size_t end = std::min((piece + 1) * together, results.p.size());
        for (std::size_t i = piece * together; i < end; ++i) results.p[i] = contents_->result(i).p;
    });
    results.result = [contents = contents_](std::size_t i) { return contents->result(i); };
    return results;
}

}  // namespace wordbreadth
