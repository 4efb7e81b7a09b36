// Clouds: their breadth, one test, tests of many pairs, and the devices that can run them.
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "base/workers.h"
#include "engine/cuda/cuda.h"
#include "report/parts.h"

namespace wordbreadth::report {
namespace {

// As text_or_missing(), but of a type that says what the column holds, though all of it be missing.
std::optional<std::string> unless_empty(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

// Only where there are several files are they of interest to people: last, and `briefly` without the folders that all
// of them share, which tell no file from another.
Table breadth_table(std::span<const CloudBreadth> clouds, bool briefly) {
    using Row = const CloudBreadth*;
    std::vector<Row> rows;
    for (const CloudBreadth& cloud : clouds) rows.push_back(&cloud);
    std::vector<std::string> paths;
    for (const CloudBreadth& cloud : clouds) paths.push_back(cloud.file);
    const DocumentNames files = document_names(paths);
    const std::size_t dropped = briefly ? files.folder.size() : 0;
    const auto real = [](double Breadth::*member) {
        return [member](const Row& cloud) {
            return cloud->undefined.empty() ? cloud->breadth.*member : std::numeric_limits<double>::quiet_NaN();
        };
    };
    const bool blocks = std::ranges::any_of(clouds, [](const CloudBreadth& cloud) { return cloud.breadth.blocks > 0; });
    const auto documents = [](const Row& cloud) { return cloud->breadth.blocks; };
    // People see the unbiased breadth first. Programs may know columns by their numbers: new ones go to the end.
    return table_of<Row>("breadth", "", std::move(rows),
                         {{"name", "cloud", look::name, [](const Row& cloud) { return cloud->name; }},
                          {"file", [](const Row& cloud) { return cloud->file; }},
                          {"n", "n", look::plain, [](const Row& cloud) { return cloud->breadth.n; }},
                          {"", blocks ? "docs" : "", look::plain, documents, "", in::text},
                          {"d", "d", look::plain, [](const Row& cloud) { return cloud->breadth.d; }},
                          {"", "breadth", look::digits(4), real(&Breadth::breadth), "", in::text},
                          {"", "s.e.", look::digits(2), real(&Breadth::v_standard_error), "", in::text},
                          {"r", "r", look::decimals(4), real(&Breadth::r)},
                          {"kappa", real(&Breadth::kappa)},  // 1 / v
                          {"v", "v (paper)", look::digits(4), real(&Breadth::v)},
                          {"standard_error", real(&Breadth::v_standard_error)},
                          {"log_v_standard_error", real(&Breadth::log_v_standard_error)},
                          {"undefined", [](const Row& cloud) { return unless_empty(cloud->undefined); }},
                          {"breadth", real(&Breadth::breadth)},
                          {"blocks", documents},
                          {"design_effect", blocks ? "design" : "", look::decimals(2), real(&Breadth::design_effect)},
                          {"", files.names.empty() ? "" : "file", look::name,
                           [dropped](const Row& cloud) { return cloud->file.substr(dropped); }}});
}

// What the columns are where documents are blocks, and which clouds have no breadth by them.
std::string about_documents(std::span<const CloudBreadth> clouds) {
    std::size_t with_blocks = 0, of_one = 0;
    for (const CloudBreadth& cloud : clouds) {
        with_blocks += cloud.breadth.blocks > 0 ? 1 : 0;
        of_one += cloud.breadth.blocks == 1 ? 1 : 0;
    }
    if (with_blocks == 0) return "";
    std::string text =
        "documents as blocks: breadth and its standard error are from pairs of rows from different "
        "documents; design: how many times larger its variance is than with independent rows";
    if (of_one > 0)
        text +=
            "; " + counted(of_one, "cloud") + " of one document " + (of_one == 1 ? "has" : "have") + " no such pairs";
    return text;
}

std::string instruction_sets(const Device& device) {
    return base::joined(device.instruction_sets, ", ",
                        [&](const std::string& set) { return set == device.instruction_set ? set + " (used)" : set; });
}

std::string what_auto_takes(std::span<const Device> devices) {
    const auto first =
        std::find_if(devices.begin(), devices.end(), [](const Device& device) { return device.available; });
    return first == devices.end() ? "none of them is usable"
                                  : "auto takes the first usable one: " + printable(first->name);
}

// A test and what is known of it beyond its result.
struct ReportedTest {
    const TestResult* result = nullptr;
    double adjusted = 0;    // p, for the number of tests
    std::uint64_t gap = 0;  // between the ranks of the two clouds
    std::string forced{};   // what differs between their stores; empty: nothing, or nothing that is known
    std::optional<Equivalence> equivalence{};
};

// The columns that not all commands have.
struct TestColumns {
    bool gap = false;
    std::optional<std::string> adjusted{};  // the heading of p_adjusted; "" is for programs only
    bool forced = false;
    bool equivalence = false;  // was asked for: people see the answer, too
};

// The word for the side that was asked about, or, when both were, the side that was found.
std::string side(const TestResult& result) {
    if (result.alternative == Alternative::greater) return "broader";
    if (result.alternative == Alternative::less) return "narrower";
    return result.t.value_or(result.T) > 0 ? "broader" : "narrower";
}

// "10%" for 1.1.
std::string margin_of(const Equivalence& equivalence) {
    if (equivalence.ratio >= 2) return "a factor of " + shortest(equivalence.ratio);
    return percent(std::round((equivalence.ratio - 1) * 1e12) / 1e12);
}

std::string headline(const TestResult& result, double confidence, const std::optional<Equivalence>& equivalence) {
    const std::string x = printable(result.x), y = printable(result.y);
    constexpr double rounding = 1e-12;  // 1 - 0.9 is a little less than 0.1
    const bool differs = result.p <= 1 - confidence + rounding;
    std::string broader = x + " is " + side(result) + " than " + y;
    if (equivalence && equivalence->answer == BreadthAnswer::equivalent)
        return differs ? broader + ", but by less than " + margin_of(*equivalence) + ": equivalent"
                       : x + " and " + y + " are equivalent within " + margin_of(*equivalence);
    if (differs) return broader;
    const std::string level = " at the " + percent(1 - confidence) + " level";
    if (equivalence)
        return "Undecided: neither different breadths of " + x + " and " + y + " nor equivalence within " +
               margin_of(*equivalence) + " can be shown" + level;
    if (result.alternative == Alternative::two_sided)
        return "No clear difference in breadth between " + x + " and " + y + level;
    return "Not clear that " + x + " is " + side(result) + " than " + y + level;
}

// "equivalence within 10%: p = 0.01 (two one-sided tests; 90% interval of the ratio 0.97 to 1.07)".
std::string equivalence_sentence(const std::optional<Equivalence>& equivalence, double confidence) {
    if (!equivalence) return "";
    const std::string text = "equivalence within " + margin_of(*equivalence) + ": ";
    if (std::isnan(equivalence->p)) return text + "not available, since the ratio has no interval";
    return text + "p = " + p_value(equivalence->p) + " (two one-sided tests; " + percent(2 * confidence - 1) +
           " interval of the ratio " + significant(std::exp(equivalence->low), 3) + " to " +
           significant(std::exp(equivalence->high), 3) + ")";
}

std::string breadths(const TestResult& result, double confidence) {
    std::string text = "v " + significant(result.v_x, 3) + " against " + significant(result.v_y, 3) +
                       "; unbiased ratio " + significant(result.ratio, 3);
    if (std::isfinite(result.ci_low) && std::isfinite(result.ci_high))
        text += " (" + percent(confidence) + " interval " + significant(std::exp(result.ci_low), 3) + " to " +
                significant(std::exp(result.ci_high), 3) + ")";
    return text;
}

std::string effect(const TestResult& result) {
    std::string text = "effect " + significant(result.effect, 3);
    if (std::isfinite(result.standard_error)) text += " (standard error " + significant(result.standard_error, 2) + ")";
    text += ", T = " + significant(result.T, 3);
    if (result.t) text += ", t = " + significant(*result.t, 3);
    if (result.blocks_x > 0)
        text += "; documents as blocks: " + count(result.blocks_x) + " and " + count(result.blocks_y);
    return text + "; n = " + count(result.n) + ", m = " + count(result.m) + ", d = " + count(result.d);
}

// "two-sided plain test, householder alignment, seed 0; cpu (avx512)".
std::string method_of(const TestResult& result) {
    return test_and_alignment(result.alternative, result.statistic, result.align) + ", seed " +
           std::to_string(result.seed) + "; " + printable(result.device);
}

std::string tail_sentence(const TailEstimate& tail) {
    return "tail estimate of p: " + p_value(tail.p) + " (not a count, but a Pareto fit to the " +
           count(tail.exceedances) + " largest values; goodness of fit " + p_value(tail.goodness_of_fit) +
           ", bad below 0.05)";
}

// An infinite effect has no ratio that people could read.
Value ratio_of(const ReportedTest& test) {
    const Value ratio(test.result->ratio);
    return std::isfinite(test.result->effect) ? ratio : ratio.shown_as("-");
}

// New columns go to the end: programs may know them by their numbers.
Columns<ReportedTest> columns_of(const TestColumns& with) {
    const auto of = [](auto member) { return path(&ReportedTest::result, member); };
    const auto text = [](std::string TestResult::*member) {
        return [member](const ReportedTest& test) { return unless_empty(test.result->*member); };
    };
    const auto tail = [](auto member) {
        return [member](const ReportedTest& test) {
            return test.result->tail ? std::optional((*test.result->tail).*member) : std::nullopt;
        };
    };
    const auto answer = [](auto member) {
        return [member](const ReportedTest& test) {
            return test.equivalence ? std::optional((*test.equivalence).*member) : std::nullopt;
        };
    };
    Columns<ReportedTest> columns;
    if (with.gap) columns.push_back({"gap", &ReportedTest::gap});
    columns.insert(columns.end(), {{"x", "x", look::name, of(&TestResult::x)},
                                   {"y", "y", look::name, of(&TestResult::y)},
                                   {"n", "n", look::plain, of(&TestResult::n)},
                                   {"m", "m", look::plain, of(&TestResult::m)},
                                   {"d", of(&TestResult::d)},
                                   {"r_x", of(&TestResult::r_x)},
                                   {"r_y", of(&TestResult::r_y)},
                                   {"v_x", of(&TestResult::v_x)},
                                   {"v_y", of(&TestResult::v_y)},
                                   {"T", "T", look::decimals(4), of(&TestResult::T)},
                                   {"ratio", "ratio", look::decimals(3), ratio_of},
                                   {"t", of(&TestResult::t)},
                                   {"statistic", of(&TestResult::statistic)},
                                   {"standard_error", of(&TestResult::standard_error)},
                                   {"ci_low", of(&TestResult::ci_low)},
                                   {"ci_high", of(&TestResult::ci_high)},
                                   {"p", "p", look::p, of(&TestResult::p)}});
    if (with.adjusted) columns.push_back({"p_adjusted", *with.adjusted, look::p, &ReportedTest::adjusted});
    columns.insert(columns.end(), {{"exceedances", of(&TestResult::exceedances)},
                                   {"permutations", of(&TestResult::permutations)},
                                   {"exact", of(&TestResult::exact)},
                                   {"stopped_early", of(&TestResult::stopped_early)},
                                   {"alternative", of(&TestResult::alternative)},
                                   {"align", of(&TestResult::align)},
                                   {"seed", of(&TestResult::seed)},
                                   {"device", of(&TestResult::device)},
                                   {"seconds", of(&TestResult::seconds)},
                                   {"undefined", text(&TestResult::undefined)},
                                   {"tail_p", tail(&TailEstimate::p)},
                                   {"tail_shape", tail(&TailEstimate::shape)},
                                   {"tail_scale", tail(&TailEstimate::scale)},
                                   {"tail_exceedances", tail(&TailEstimate::exceedances)},
                                   {"tail_goodness_of_fit", tail(&TailEstimate::goodness_of_fit)},
                                   {"x_source", text(&TestResult::x_source)},
                                   {"y_source", text(&TestResult::y_source)}});
    if (with.forced) columns.push_back({"forced", [](const ReportedTest& test) { return unless_empty(test.forced); }});
    columns.insert(columns.end(),
                   {{"effect", of(&TestResult::effect)},
                    {"blocks_x", of(&TestResult::blocks_x)},
                    {"blocks_y", of(&TestResult::blocks_y)},
                    {"smallest_p", of(&TestResult::smallest_p)},
                    {"equivalence", with.equivalence ? "answer" : "", look::name, answer(&Equivalence::answer)},
                    {"equivalence_p", answer(&Equivalence::p)}});
    return columns;
}

Table tests_table(std::vector<ReportedTest> tests, const TestColumns& with) {
    return table_of("tests", "", std::move(tests), columns_of(with));
}

Json tail_json(const std::optional<TailEstimate>& tail) {
    if (!tail) return nullptr;
    return {{"p", json_number(tail->p)},
            {"shape", json_number(tail->shape)},
            {"scale", json_number(tail->scale)},
            {"exceedances", tail->exceedances},
            {"goodness_of_fit", json_number(tail->goodness_of_fit)},
            {"estimate", true}};
}

// The columns, and two of them as programs that read JSON like them: the interval as a pair, the tail estimate as an
// object.
Json completed(Json object, const TestResult& result) {
    object["ci"] = Json::array({json_number(result.ci_low), json_number(result.ci_high)});
    object["tail"] = tail_json(result.tail);
    return object;
}

ReportedTest test_of(const TestedPairs& pairs, std::size_t index, const TestResult& result) {
    ReportedTest test{&result, pairs.adjusted[index], pairs.gaps != nullptr ? pairs.gaps->pairs[index].gap : 0};
    if (pairs.equivalence) test.equivalence = equivalence(result, *pairs.equivalence, 1 - pairs.options.confidence);
    return test;
}

// False discovery rates are called q; those for the family-wise error are p-values still.
std::string heading_of(Adjustment method) {
    if (method == Adjustment::none) return "";
    const bool family_wise = method == Adjustment::holm || method == Adjustment::max_t;
    return (family_wise ? "p (" : "q (") + spelled(method) + ")";
}

TestColumns columns_of(const TestedPairs& pairs) {
    return {.gap = pairs.gaps != nullptr,
            .adjusted = heading_of(pairs.adjustment),
            .equivalence = pairs.equivalence.has_value()};
}

// Rows are made when they are asked for.
Table tests_table(const TestedPairs& pairs) {
    const auto columns = std::make_shared<const Columns<ReportedTest>>(columns_of(columns_of(pairs)));
    Table table{"tests", "", {columns->begin(), columns->end()}, pairs.results.size()};
    table.row = [columns, &pairs](std::size_t index) {
        const TestResult result = pairs.results.result(index);
        return cells_of(*columns, test_of(pairs, index, result));
    };
    return table;
}

Table smallest_p_first(const TestedPairs& pairs, std::size_t shown) {
    std::vector<std::size_t> order(pairs.results.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t i) { return std::isnan(pairs.results.p[i]) ? HUGE_VAL : pairs.results.p[i]; };
    std::ranges::stable_sort(order, {}, key);
    order.resize(std::min(order.size(), shown));
    std::vector<std::string> keys = {"x", "y", "n", "m", "ratio", "T", "p", "p_adjusted"};
    if (pairs.equivalence) keys.emplace_back("equivalence");
    return part_of(rows_of(tests_table(pairs), std::move(order)), keys, "");
}

// One bad cloud is the reason of all its pairs.
std::string why_no_p(const TestResults& results, const Style& style) {
    std::vector<TestResult> first;  // of each reason
    std::map<std::string, std::size_t> pairs;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!std::isnan(results.p[i])) continue;
        TestResult result = results.result(i);
        if (++pairs[result.undefined] == 1) first.push_back(std::move(result));
    }
    std::vector<std::pair<std::string, std::string>> reasons;
    for (const TestResult& result : first) {
        const std::size_t others = pairs[result.undefined] - 1;
        reasons.emplace_back("no p-value for " + printable(result.x) + " and " + printable(result.y) +
                                 (others == 0 ? "" : ", and " + counted(others, "pair") + " more"),
                             result.undefined);
    }
    return reason_lines(reasons, style);
}

// From several threads, in no order.
void for_each_result(const TestedPairs& pairs, const std::function<void(const TestResult&)>& visit) {
    constexpr std::size_t together = 1024;
    const std::size_t pieces = (pairs.results.size() + together - 1) / together;
    const unsigned threads = base::thread_count(pairs.options.execution.threads);
    base::Workers workers(static_cast<unsigned>(std::clamp<std::size_t>(pieces, 1, threads)));
    workers.run(pieces, [&](std::size_t piece, std::size_t) {
        const std::size_t end = std::min((piece + 1) * together, pairs.results.size());
        for (std::size_t i = piece * together; i < end; ++i) visit(pairs.results.result(i));
    });
}

// "190 pairs", or "3 of 190 pairs shown (...)".
std::string shown_of(std::size_t shown, std::size_t all) {
    if (shown >= all) return counted(all, "pair");
    return count(shown) + " of " + counted(all, "pair") + " shown (TSV and JSON have all)";
}

// A pair that has a test, which says how all were tested; the first where there is none.
TestResult one_tested(const TestResults& results) {
    const auto found = std::ranges::find_if(results.p, [](double p) { return !std::isnan(p); });
    return results.result(found == results.p.end() ? 0 : static_cast<std::size_t>(found - results.p.begin()));
}

// "documents as blocks: 12 to 41 a cloud; "; empty where rows were permuted.
std::string documents_of(const TestedPairs& pairs) {
    if (!takes_blocks(pairs.options.statistic)) return "";
    std::size_t fewest = std::numeric_limits<std::size_t>::max(), most = 0;
    std::mutex mutex;
    for_each_result(pairs, [&](const TestResult& result) {
        if (!result.undefined.empty() || result.blocks_x == 0) return;
        const std::lock_guard lock(mutex);
        fewest = std::min({fewest, result.blocks_x, result.blocks_y});
        most = std::max({most, result.blocks_x, result.blocks_y});
    });
    if (most == 0) return "";
    return "documents as blocks: " + (fewest == most ? "" : count(fewest) + " to ") + count(most) + " per cloud; ";
}

std::string pairs_sentence(const TestedPairs& pairs, std::size_t shown) {
    std::string text = shown_of(shown, pairs.results.size()) + ", ";
    if (pairs.common_size > 0) text += count(pairs.common_size) + " rows of each cloud, ";
    return text + "at most " + count(pairs.options.permutations) + " permutations each; " + documents_of(pairs) +
           method_of(one_tested(pairs.results)) +
           (std::isnan(pairs.seconds) ? "" : ", " + duration(pairs.seconds));  // parts have none
}

std::string method_by_gap(const TestedPairs& pairs) {
    TestResult described = one_tested(pairs.results);
    described.seed = pairs.options.seed;  // where each test has a seed of its own, this is the one that they come from
    return count(pairs.gaps->words.size()) + " words by " + spelled(pairs.gap_options.by) + ", " +
           count(pairs.gaps->rows) + " rows of each tested" +
           (pairs.gap_options.cross_fit ? ", others ranked; " : "; ") + documents_of(pairs) + method_of(described) +
           ", " + duration(pairs.seconds) + "; TSV and JSON have the pairs";
}

// 1 - 0.95 as 0.05, not as 0.050000000000000044.
double level_of(const TestOptions& options) {
    return std::round((1 - options.confidence) * 1e12) / 1e12;
}

Table gap_rates(const TestedPairs& pairs) {
    const double alpha = level_of(pairs.options);
    std::map<std::size_t, std::vector<double>> p;
    for (std::size_t i = 0; i < pairs.results.size(); ++i) p[pairs.gaps->pairs[i].gap].push_back(pairs.results.p[i]);
    std::vector<Cells> rows;
    for (const auto& [gap, values] : p) {
        const Rate rate = rejection_rate(values, alpha);
        rows.push_back({gap, rate.trials, rate.hits, rate});
    }
    return table_of("gaps", "Rejection rates by rank gap.",
                    {{"gap", "gap"},
                     {"pairs", "pairs"},
                     {"rejected", "p <= " + shortest(alpha)},
                     {"rate", "rate (95% interval)", look::rate}},
                    std::move(rows));
}

}  // namespace

Table table_of(std::span<const CloudBreadth> clouds) {
    return breadth_table(clouds, false);
}

std::string text_of(std::span<const CloudBreadth> clouds, const Style& style) {
    std::vector<std::pair<std::string, std::string>> reasons;
    for (const CloudBreadth& cloud : clouds)
        if (!cloud.undefined.empty()) reasons.emplace_back("no breadth", cloud.undefined);
    const std::string note = about_documents(clouds);
    return text_of(breadth_table(clouds, style.width > 0), style) + reason_lines(reasons, style) +
           (note.empty() ? "" : "\n" + style.dim_line(note));
}

Table table_of(std::span<const Device> devices) {
    return table_of<Device>(
        "devices", "", {devices.begin(), devices.end()},
        {{"name", &Device::name},
         {"description", &Device::description},
         {"available", &Device::available},
         {"instruction_set", [](const Device& device) { return text_or_missing(device.instruction_set); }},
         {"instruction_sets", &Device::instruction_sets},
         {"unavailable_because", [](const Device& device) { return text_or_missing(device.unavailable_because); }}});
}

std::string text_of(std::span<const Device> devices, const Style& style) {
    std::vector<Cells> rows;
    for (const Device& device : devices) {
        rows.push_back({device.name, device.description});
        if (!device.available) rows.push_back({"", "not usable: " + device.unavailable_because});
        if (device.available && !device.instruction_sets.empty())
            rows.push_back({"", "instruction sets: " + instruction_sets(device)});
    }
    const Table table = table_of("", "", {{"", "device", look::note}, {"", " ", look::note}}, std::move(rows));
    return text_of(table, style) + "\n" + what_auto_takes(devices) + "\n";
}

std::string why_no_gpu() {
    const Device gpu = engine::cuda::device();
    return gpu.available || !engine::cuda::gpu_is_visible() ? "" : gpu.unavailable_because;
}

std::string p_sentence(const TestResult& result, double alpha) {
    const std::string found = result.exceedances == 0 ? "none" : count(result.exceedances);
    const std::string all = count(result.permutations) + " permutations as extreme";
    std::string how = found + " of " + all;
    if (result.exact) how = "exact: " + found + " of all " + all;
    if (result.stopped_early) how = "stopped early: " + found + " of the first " + all;
    // Few documents can be divided in few ways, whatever the clouds are.
    constexpr double worth_saying = 0.001, rounding = 1e-9;
    const bool blocks = result.statistic == Statistic::blocks, out_of_reach = result.smallest_p > alpha + rounding;
    if (out_of_reach || (result.exact && blocks && result.smallest_p >= worth_saying))
        how += std::string("; with so few ") +
               (!result.exact ? "permutations"
                : blocks      ? "documents"
                              : "rows") +
               " p cannot be below " + p_value(result.smallest_p);
    return "p = " + p_value(result.p) + " (" + how + ")";
}

std::string verdict(const TestResult& result, double confidence, const Style& style,
                    const std::optional<Equivalence>& equivalence) {
    return style.bold_line(headline(result, confidence, equivalence)) + style.plain_line(breadths(result, confidence)) +
           style.plain_line(p_sentence(result, 1 - confidence)) +
           style.plain_line(equivalence_sentence(equivalence, confidence)) +
           (result.tail ? style.plain_line(tail_sentence(*result.tail)) : "") + style.plain_line(effect(result)) +
           style.dim_line(method_of(result) + ", " + duration(result.seconds));
}

std::string forced_note(const std::string& differences) {
    return differences.empty() ? "" : "note: forced: the two stores have different " + printable(differences);
}

Table table_of(const TestResult& result, const std::string& forced, const std::optional<Equivalence>& equivalence) {
    return tests_table({{&result, 0, 0, forced, equivalence}},
                       {.forced = true, .equivalence = equivalence.has_value()});
}

Json json_of(const TestResult& result, const std::string& forced, const std::optional<Equivalence>& equivalence) {
    return completed(json_of(table_of(result, forced, equivalence), 0), result);
}

Table table_of(const TestedPairs& pairs) {
    return tests_table(pairs);
}

std::string text_of(const TestedPairs& pairs, std::size_t shown, const Style& style) {
    if (pairs.gaps != nullptr) return text_of(gap_rates(pairs), style) + "\n" + style.dim_line(method_by_gap(pairs));
    return text_of(smallest_p_first(pairs, shown), style) + why_no_p(pairs.results, style) + "\n" +
           style.dim_line(pairs_sentence(pairs, shown));
}

std::string text_of(const PairPartSummary& summary, const Part& part, const std::string& folder, const Style& style) {
    std::string text = "part " + count(part.number) + " of " + count(part.of) + ": " + counted(summary.pairs, "pair") +
                       " in " + counted(summary.tiles, "tile");
    if (summary.found > 0) text += ", " + count(summary.found) + " of them there already";
    return style.plain_line(text + ", " + duration(summary.seconds)) +
           style.dim_line("Once all parts are done: `wordbreadth merge " + printable(folder) + "`");
}

Json json_of(const TestedPairs& pairs) {
    const Table table = tests_table(pairs);
    Json json = json_without_results(pairs);
    for (std::size_t i = 0; i < table.size; ++i) json["results"].push_back(json_of(pairs, table, i));
    return json;
}

Json json_without_results(const TestedPairs& pairs) {
    Json json = {
        {"results", Json::array()}, {"seconds", json_number(pairs.seconds)}, {"adjust", spelled(pairs.adjustment)}};
    if (pairs.gaps != nullptr) json["gaps"] = json_of(gap_rates(pairs));
    return json;
}

Json json_of(const TestedPairs& pairs, const Table& table, std::size_t index) {
    return completed(json_of(table, index), pairs.results.result(index));
}

}  // namespace wordbreadth::report
