// Times the GPU engines beside the CPU's and compares their counts; prints JSON. gpu.py runs it beside torch.
//
// What is timed is a whole count() of the engine, by the host's clock: alignment, inner products, splits, screens,
// recounts, and the way of the counts back. The clouds are on the device by then: the calls before the clock starts
// took them there. `user_call` is the opposite, test_pairs() as users call it, with the clouds in the host's memory.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "clouds.h"
#include "engine/pair_tests.h"
#include "gpu_screen.h"
#include "wordbreadth/error.h"
#include "wordbreadth/test.h"

namespace wordbreadth::bench {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t cloud_seed = 1;
constexpr std::size_t pairs_a_seed = 15;  // made by one thread; the clouds do not depend on how many threads there are
constexpr std::size_t single_tests = 10;  // pairs timed alone
constexpr std::size_t most_repeats = 200;
constexpr std::size_t least_repeats = 3;

const std::vector<Shape> shapes{{128, 128, 1024}, {100, 100, 384}, {500, 500, 384}, {40, 160, 384}};

struct Settings {
    std::size_t pairs = 300;
    std::uint64_t permutations = 20000;
    std::size_t cpu_pairs = 300;
    std::size_t paper_pairs = 300;
    std::size_t paper_block = 0;
    unsigned threads = 0;
    double seconds = 0.4;  // spent on one figure, once its warm-up is done
    bool quick = false;
    std::size_t shape = shapes.size();  // the only one, or this for all
    std::string write;                  // a folder, or empty
    std::size_t write_pairs = 100;
};

// ---- clouds

// Clouds 2k and 2k + 1 are pair k, as in clouds.h, but the words of every fifteen pairs share a direction of their own.
std::vector<Cloud> make_clouds_in_parallel(const Shape& shape, std::size_t pairs) {
    std::vector<std::vector<Cloud>> parts((pairs + pairs_a_seed - 1) / pairs_a_seed);
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t part = next++; part < parts.size(); part = next++)
            parts[part] = make_clouds(shape, std::min(pairs_a_seed, pairs - part * pairs_a_seed), cloud_seed + part);
    };
    std::vector<std::jthread> threads(std::max(1U, std::thread::hardware_concurrency()));
    for (std::jthread& thread : threads) thread = std::jthread(work);
    for (std::jthread& thread : threads) thread.join();
    std::vector<Cloud> clouds;
    clouds.reserve(2 * pairs);
    for (std::vector<Cloud>& part : parts) std::ranges::move(part, std::back_inserter(clouds));
    return clouds;
}

void write_clouds(const std::vector<Cloud>& clouds, const Shape& shape, const Settings& settings) {
    const std::string folder =
        settings.write + "/" + std::to_string(shape.n) + "-" + std::to_string(shape.m) + "-" + std::to_string(shape.d);
    std::filesystem::create_directories(folder);
    for (std::size_t k = 0; k < std::min(settings.write_pairs, clouds.size() / 2); ++k) {
        const std::string pair = folder + "/pair" + std::to_string(k);
        write_rows(clouds[2 * k], pair + "-x.f32");
        write_rows(clouds[2 * k + 1], pair + "-y.f32");
    }
}

// ---- what is counted

// Pairs with their observed statistics, ready to be counted.
class Material {
  public:
    Material(const Shape& shape, std::size_t pairs) : shape_(shape), clouds_(make_clouds_in_parallel(shape, pairs)) {
        for (const Cloud& cloud : clouds_) kept_.emplace_back(cloud);
        for (engine::TestCloud& cloud : kept_) cloud.summarise(false);
        for (const Statistic statistic : {Statistic::plain, Statistic::robust}) {
            TestOptions options;
            options.statistic = statistic;
            for (std::size_t k = 0; k < pairs; ++k) {
                const engine::TestPair pair{&kept_[2 * k], &kept_[2 * k + 1]};
                const double observed = engine::observed_value(engine::observe(pair.figures(), options));
                if (statistic == Statistic::plain) T_.push_back(observed);
                tasks(statistic).push_back(
                    {&pair.x->rows(), &pair.y->rows(), permutation::Exceedance(observed, options.alternative)});
            }
        }
    }

    Material(const Material&) = delete;  // tasks hold addresses of clouds
    Material& operator=(const Material&) = delete;

    [[nodiscard]] const std::vector<Cloud>& clouds() const { return clouds_; }
    [[nodiscard]] double T(std::size_t pair) const { return T_[pair]; }

    // `pairs` of them from number `first` on.
    [[nodiscard]] engine::Job job(Statistic statistic, std::size_t pairs, std::uint64_t permutations,
                                  std::size_t first = 0) const {
        const std::vector<engine::PairTask>& all = statistic == Statistic::plain ? plain_ : robust_;
        return {std::span(all).subspan(first, pairs), Alignment::householder, statistic,
                permutation::Splits::plan(shape_.n, shape_.m, permutations, TestOptions{}.seed), 0};
    }

  private:
    std::vector<engine::PairTask>& tasks(Statistic statistic) {
        return statistic == Statistic::plain ? plain_ : robust_;
    }

    Shape shape_;
    std::vector<Cloud> clouds_;
    std::vector<engine::TestCloud> kept_;
    std::vector<double> T_;
    std::vector<engine::PairTask> plain_, robust_;
};

// ---- timing

struct Timing {
    double median = 0;  // milliseconds
    double minimum = 0;
    std::size_t repeats = 0;
};

void to_json(Json& json, const Timing& timing) {
    json = {{"median_ms", timing.median}, {"min_ms", timing.minimum}, {"repeats", timing.repeats}};
}

Timing summary_of(std::vector<double> times) {
    std::ranges::sort(times);
    return {times[times.size() / 2], times.front(), times.size()};
}

// Times of `work`, one by one, until `seconds` are spent.
template <typename Work>
std::vector<double> repeated(double seconds, std::size_t least, const Work& work) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> times;
    double spent = 0;
    while (times.size() < least || (spent < seconds * 1e3 && times.size() < most_repeats)) {
        const auto begin = Clock::now();
        work();
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
        spent += times.back();
    }
    return times;
}

// The warm-up takes clouds to the device, and a GPU that has slept to its full clock.
template <typename Work>
Timing timed(double seconds, const Work& work) {
    static_cast<void>(repeated(seconds / 4, 2, work));
    return summary_of(repeated(seconds, least_repeats, work));
}

std::vector<permutation::Tally> count(engine::Backend& backend, const engine::Job& job) {
    base::Monitor silent(1, {}, {});
    return backend.count(job, silent);
}

struct Run {
    Timing timing;
    std::vector<permutation::Tally> tallies;
};

Run run(engine::Backend& backend, const engine::Job& job, double seconds) {
    Run result;
    result.timing = timed(seconds, [&] { result.tallies = count(backend, job); });
    return result;
}

// The median over several pairs, each timed alone.
Timing run_single(engine::Backend& backend, const Material& material, Statistic statistic, const Settings& settings) {
    const std::size_t tests = std::min(single_tests, settings.pairs);
    std::vector<double> medians;
    std::vector<double> minima;
    std::size_t repeats = 0;
    for (std::size_t k = 0; k < tests; ++k) {
        const engine::Job job = material.job(statistic, 1, settings.permutations, k);
        const Timing timing = run(backend, job, settings.seconds / static_cast<double>(tests)).timing;
        medians.push_back(timing.median);
        minima.push_back(timing.minimum);
        repeats += timing.repeats;
    }
    return {summary_of(medians).median, summary_of(minima).minimum, repeats};
}

// ---- comparing

Json agreement(const std::vector<permutation::Tally>& ours, const std::vector<permutation::Tally>& theirs,
               const permutation::Splits& splits) {
    std::size_t differing = 0;
    double largest = 0;
    const std::size_t pairs = std::min(ours.size(), theirs.size());
    for (std::size_t k = 0; k < pairs; ++k) {
        differing += ours[k].exceedances != theirs[k].exceedances;
        largest = std::max(largest,
                           std::abs(permutation::p_value(ours[k], splits) - permutation::p_value(theirs[k], splits)));
    }
    return {{"pairs", pairs}, {"differing", differing}, {"largest_p_difference", largest}};
}

// ---- the cases

const char* name_of(Statistic statistic) {
    return statistic == Statistic::plain ? "plain" : "robust";
}

Execution execution(const std::string& device, const Settings& settings, std::size_t block = 0) {
    Execution chosen;
    chosen.device = device;
    chosen.threads = settings.threads;
    chosen.block = block;
    return chosen;
}

void say(const std::string& what) {
    std::fprintf(stderr, "wordbreadth_gpu_bench: %s\n", what.c_str());
}

// One shape, all engines. Engines keep addresses of clouds, so none outlives the material.
class ShapeBench {
  public:
    ShapeBench(const Shape& shape, const Material& material, const Settings& settings)
        : shape_(shape),
          material_(material),
          settings_(settings),
          cuda_(engine::make_backend(execution("cuda", settings))) {}

    Json run_all() {
        json_ = {{"n", shape_.n}, {"m", shape_.m}, {"d", shape_.d}, {"pairs", settings_.pairs}};
        for (const Statistic statistic : {Statistic::plain, Statistic::robust}) run_ours(statistic);
        if (settings_.cpu_pairs != 0) run_cpu();
        if (settings_.paper_pairs != 0) run_paper();
        run_user_call();
        return json_;
    }

    // Time against B and against the number of pairs, which the material must have.
    Json linearity(const std::vector<std::size_t>& pairs) {
        Json by_permutations = Json::array();
        for (const std::uint64_t quarters : {1, 2, 4, 8, 16}) {
            const std::uint64_t B = settings_.permutations * quarters / 4;
            by_permutations.push_back({{"permutations", B}, {"time", ours(settings_.pairs, B)}});
        }
        Json by_pairs = Json::array();
        for (const std::size_t some : pairs)
            by_pairs.push_back({{"pairs", some}, {"time", ours(some, settings_.permutations)}});
        return {{"permutations", by_permutations}, {"pairs", by_pairs}};
    }

  private:
    Timing ours(std::size_t pairs, std::uint64_t permutations) {
        stage("cuda, " + std::to_string(pairs) + " pairs, B = " + std::to_string(permutations));
        return run(*cuda_, material_.job(Statistic::plain, pairs, permutations), settings_.seconds).timing;
    }

    void run_ours(Statistic statistic) {
        stage(std::string("cuda, ") + name_of(statistic));
        Run& ours = statistic == Statistic::plain ? plain_ : robust_;
        ours = run(*cuda_, job(statistic, settings_.pairs), settings_.seconds);
        Json& entry = json_["cuda"][name_of(statistic)];
        entry = {{"time", ours.timing}, {"single", run_single(*cuda_, material_, statistic, settings_)}};
        json_["cuda"]["device"] = cuda_->label();
        if (statistic != Statistic::plain) return;
        json_["first"] = first_results();
        const ScreenTime screen = time_first_screen(job(statistic, settings_.pairs));
        json_["screen_ms"] = screen.milliseconds;
        json_["screen_columns"] = screen.columns;
    }

    // Warmed up as the GPU is: its first call makes the threads and the products' kernels.
    void run_cpu() {
        const std::unique_ptr<engine::Backend> cpu = engine::make_backend(execution("cpu", settings_));
        json_["cpu"] = {{"device", cpu->label()}, {"threads", engine::thread_count(execution("cpu", settings_))}};
        for (const Statistic statistic : {Statistic::plain, Statistic::robust}) {
            stage(std::string("cpu, ") + name_of(statistic));
            const std::size_t pairs = std::min(settings_.cpu_pairs, settings_.pairs);
            const engine::Job some = job(statistic, pairs);
            const Run theirs = run(*cpu, some, settings_.seconds);
            const Run& ours = statistic == Statistic::plain ? plain_ : robust_;
            json_["cpu"][name_of(statistic)] = {{"pairs", pairs}, {"time", theirs.timing}};
            json_["equal_to_cpu"][name_of(statistic)] = agreement(ours.tallies, theirs.tallies, some.splits);
        }
    }

    void run_paper() {
        stage("cuda-paper");
        std::unique_ptr<engine::Backend> paper;
        try {
            paper = engine::make_backend(execution("cuda-paper", settings_, settings_.paper_block));
        } catch (const InputError& error) {  // no cuBLAS, most likely
            json_["paper"] = {{"missing", error.what()}};
            return;
        }
        const std::size_t pairs = std::min(settings_.paper_pairs, settings_.pairs);
        const engine::Job some = job(Statistic::plain, pairs);
        const Run theirs = run(*paper, some, settings_.seconds);
        json_["paper"] = {{"device", paper->label()},
                          {"pairs", pairs},
                          {"time", theirs.timing},
                          {"single", run_single(*paper, material_, Statistic::plain, settings_)},
                          {"near_ours", agreement(plain_.tallies, theirs.tallies, some.splits)}};
    }

    void run_user_call() {
        stage("test_pairs");
        std::vector<Pair> pairs;
        for (std::size_t k = 0; k < settings_.pairs; ++k) pairs.push_back({2 * k, 2 * k + 1});
        TestOptions options;
        options.permutations = settings_.permutations;
        options.execution = execution("cuda", settings_);
        json_["user_call"] = timed(0, [&] { (void)test_pairs(material_.clouds(), pairs, options); });
    }

    // What others can agree with.
    [[nodiscard]] Json first_results() const {
        Json first = Json::array();
        for (std::size_t k = 0; k < std::min(settings_.write_pairs, settings_.pairs); ++k)
            first.push_back({{"T", material_.T(k)},
                             {"p", permutation::p_value(plain_.tallies[k], job(Statistic::plain, 1).splits)}});
        return first;
    }

    [[nodiscard]] engine::Job job(Statistic statistic, std::size_t pairs) const {
        return material_.job(statistic, pairs, settings_.permutations);
    }

    void stage(const std::string& what) const {
        say(std::to_string(shape_.n) + " + " + std::to_string(shape_.m) + " x " + std::to_string(shape_.d) + ": " +
            what);
    }

    Shape shape_;
    const Material& material_;
    const Settings& settings_;
    std::unique_ptr<engine::Backend> cuda_;
    Run plain_, robust_;
    Json json_;
};

Json measure(const Settings& settings) {
    static_cast<void>(
        engine::make_backend(execution("cuda", settings)));  // or say what is missing before making clouds
    Json json = {{"permutations", settings.permutations}, {"pairs", settings.pairs}, {"shapes", Json::array()}};
    for (std::size_t k = 0; k < shapes.size(); ++k) {
        const Shape& shape = shapes[k];
        const bool alone = settings.shape < shapes.size();
        if (alone ? k != settings.shape : settings.quick && k > 0) continue;
        const bool lines = k == 0 && !settings.quick && !alone;
        const Material material(shape, lines ? 2 * settings.pairs : settings.pairs);
        if (!settings.write.empty()) write_clouds(material.clouds(), shape, settings);
        ShapeBench bench(shape, material, settings);
        json["shapes"].push_back(bench.run_all());
        if (!lines) continue;
        const std::size_t pairs = settings.pairs;
        json["linearity"] = bench.linearity({std::max<std::size_t>(1, pairs / 4), (pairs + 1) / 2, pairs, 2 * pairs});
    }
    return json;
}

}  // namespace
}  // namespace wordbreadth::bench

int main(int argc, char** argv) {
    wordbreadth::bench::Settings settings;
    CLI::App app("Times the GPU engines with the clouds on the device, compares their counts; prints JSON");
    app.add_option("--pairs", settings.pairs, "pairs counted in one call")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--permutations", settings.permutations, "splits a test")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--cpu-pairs", settings.cpu_pairs, "pairs for the CPU; 0: leave it out")->capture_default_str();
    app.add_option("--paper-pairs", settings.paper_pairs, "pairs for cuda-paper; 0: leave it out")
        ->capture_default_str();
    app.add_option("--paper-block", settings.paper_block, "splits of a chunk of cuda-paper; 0: its own choice")
        ->capture_default_str();
    app.add_option("--threads", settings.threads, "of the CPU; 0: OMP_NUM_THREADS, else all cores")
        ->capture_default_str();
    app.add_option("--seconds", settings.seconds, "spent on one figure")->capture_default_str();
    app.add_flag("--quick", settings.quick, "the first shape alone, without the lines in B and pairs");
    app.add_option("--shape", settings.shape, "one shape alone, by its place from 0, without the lines: for a profile");
    app.add_option("--write", settings.write, "folder for clouds, one folder a shape, for others to test");
    app.add_option("--write-pairs", settings.write_pairs, "pairs to write")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        std::puts(wordbreadth::bench::measure(settings).dump(2).c_str());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "wordbreadth_gpu_bench: %s\n", error.what());
        return 1;
    }
    return 0;
}
