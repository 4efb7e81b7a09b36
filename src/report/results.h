// What studies found, for people and for programs. Each result has some of: a table (table_of), text for a terminal
// (text_of), JSON (json_of) and a page (page_of); pages lack the settings of the stores, which origin_of() and
// vectors_of() give, and the command that makes them again.
#pragma once

#include <forward_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.h"
#include "report/page/page.h"
#include "wordbreadth/breadth.h"
#include "wordbreadth/by_size.h"
#include "wordbreadth/calibrate.h"
#include "wordbreadth/compare.h"
#include "wordbreadth/concordance.h"
#include "wordbreadth/device.h"
#include "wordbreadth/equivalence.h"
#include "wordbreadth/experiment.h"
#include "wordbreadth/extract.h"
#include "wordbreadth/gap_pairs.h"
#include "wordbreadth/modes.h"
#include "wordbreadth/pair_parts.h"
#include "wordbreadth/progress.h"
#include "wordbreadth/provenance.h"
#include "wordbreadth/rank.h"
#include "wordbreadth/store.h"
#include "wordbreadth/test.h"
#include "wordbreadth/triage.h"

namespace wordbreadth::report {

// " (did you mean seed?)", " (did you mean calibrate or compare?)", of names that begin with `text`, or else are
// close to it; "" where there are none.
[[nodiscard]] std::string suggestion(const std::string& text, const std::vector<std::string>& known);

// Whose options a report names where it says what to do next.
enum class Caller { program, python };

// ---- A test

// A few lines: the verdict at the level 1 - confidence, the breadths and their ratio, p and how it was obtained, the
// effect size, the method; and, where it was asked for, whether they are equivalent. Wants a result that has a p-value.
[[nodiscard]] std::string verdict(const TestResult& result, double confidence, const Style& style,
                                  const std::optional<Equivalence>& equivalence = {});

// "p = 0.0004 (7 of 20,000 permutations as extreme)"; says so where no p can be as small as the level.
[[nodiscard]] std::string p_sentence(const TestResult& result, double alpha = 1);

// "note: forced: the two stores have different layers: 1 and 4"; empty where there is no difference.
[[nodiscard]] std::string forced_note(const std::string& differences);

// `forced`: what differs between the stores of the clouds. The null distribution goes to a file of its own.
[[nodiscard]] Table table_of(const TestResult& result, const std::string& forced,
                             const std::optional<Equivalence>& equivalence = {});
[[nodiscard]] Json json_of(const TestResult& result, const std::string& forced,
                           const std::optional<Equivalence>& equivalence = {});

// ---- Tests of many pairs

struct TestedPairs {
    TestResults results{};
    TestOptions options{};
    Adjustment adjustment = Adjustment::none;
    std::vector<double> adjusted{};  // p, one per result
    double seconds = 0;
    std::size_t common_size = 0;     // rows of each cloud; 0: all
    const GapPairs* gaps = nullptr;  // where pairs were drawn by gap: one pair per result
    GapOptions gap_options{};
    std::optional<double> equivalence{};  // the ratio within which it was asked for, at 1 - confidence
};

// The pairs in the order given; as text the first `shown`, smallest p first, and why some have none; of pairs by gap
// the share at each gap with p at or below 1 - confidence.
[[nodiscard]] Table table_of(const TestedPairs& pairs);
[[nodiscard]] std::string text_of(const TestedPairs& pairs, std::size_t shown, const Style& style);
[[nodiscard]] Json json_of(const TestedPairs& pairs);

// The JSON without its "results", an empty list, and the object of one of them, for write_json().
[[nodiscard]] Json json_without_results(const TestedPairs& pairs);
[[nodiscard]] Json json_of(const TestedPairs& pairs, const Table& table, std::size_t index);

// What a part of them did, and what is next.
[[nodiscard]] std::string text_of(const PairPartSummary& summary, const Part& part, const std::string& folder,
                                  const Style& style);

// ---- Breadths, devices

struct CloudBreadth {
    std::string name;
    std::string file;
    Breadth breadth;        // without a cloud, only n and d
    std::string undefined;  // empty, or why there is no breadth
};

// A cloud that has no breadth has a row too, and the reason below.
[[nodiscard]] Table table_of(std::span<const CloudBreadth> clouds);
[[nodiscard]] std::string text_of(std::span<const CloudBreadth> clouds, const Style& style);

[[nodiscard]] Table table_of(const BreadthBySize& found);
[[nodiscard]] std::string text_of(const BreadthBySize& found, const Style& style);
[[nodiscard]] Json json_of(const BreadthBySize& found);
[[nodiscard]] Page page_of(const BreadthBySize& found);

[[nodiscard]] Table table_of(std::span<const Device> devices);
[[nodiscard]] std::string text_of(std::span<const Device> devices, const Style& style);

// Why a GPU that this machine has cannot be used; "" where it can, where there is none, and where the program was built
// without CUDA and never promised one.
[[nodiscard]] std::string why_no_gpu();

// ---- Where the time went

// A table of the stages, and a line about the whole process.
[[nodiscard]] std::string timing_text(const Timing& timing);

// ---- A store, an extraction

[[nodiscard]] std::string text_of(const JobProgress& job, const Style& style);  // "" where it is not in parts
[[nodiscard]] Json json_of(const JobProgress& job);

// The job: of the parts that embed a store that is not finished.
[[nodiscard]] std::string text_of(const StoreDescription& store, const Style& style, const JobProgress& job = {});
[[nodiscard]] Json json_of(const StoreDescription& store, const JobProgress& job = {});

// Of a store whose plan is being made in parts.
[[nodiscard]] std::string planning_text(const std::string& folder, const JobProgress& job, const Style& style);
[[nodiscard]] Json planning_json(const std::string& folder, const JobProgress& job);

[[nodiscard]] std::string text_of(const PairsProgress& pairs, const std::string& folder, const Style& style);
[[nodiscard]] Json json_of(const PairsProgress& pairs, const std::string& folder);

// Where the clouds of a store come from, each name preceded by `prefix`; and what its vectors are: model, layers and so
// on, which stores that are compared share unless it was forced.
[[nodiscard]] std::vector<Setting> origin_of(const Store& store, const std::string& prefix = "");
[[nodiscard]] std::vector<Setting> vectors_of(const Store& store, const std::string& prefix = "");

// "50% [##########..........]", of a share from 0 to 1.
[[nodiscard]] std::string progress_bar(double done);

// How far an extraction is. `first` is the first report of the same stage, `spent` seconds ago.
[[nodiscard]] std::string progress_line(const ExtractProgress& first, const ExtractProgress& now, double spent,
                                        ExtractUnit unit);

[[nodiscard]] std::string extraction_text(const ExtractSummary& summary, const std::string& folder, const Style& style);
[[nodiscard]] std::string extraction_json(const ExtractSummary& summary, const std::string& folder);

// ---- Occurrences

struct ConcordanceLook {
    std::size_t width = 100;  // columns of a line, at least 40
    bool influence = false;   // show it, before each line
    Style style;
};

// One line per occurrence: what is left of the word, the word, what is right of it, the document where there are
// several. Columns are those of a terminal, where a Chinese character takes 2.
[[nodiscard]] std::string concordance(std::span<const ConcordanceLine> usages, const ConcordanceLook& look);

// What the lines leave out of the documents' names: "all from a.txt", "from documents in corpus/"; "" where they
// leave out nothing.
[[nodiscard]] std::string shared_document(std::span<const ConcordanceLine> usages);

// The lines of a page. A source is the name of its document without the folders; `corpus`, where there is one, stands
// before it.
[[nodiscard]] std::vector<PageLine> lines_of(std::span<const ConcordanceLine> usages, const std::string& corpus = "");

[[nodiscard]] Table table_of(std::span<const ConcordanceLine> usages);
[[nodiscard]] Json json_of(const StoredWord& word, std::span<const ConcordanceLine> usages);

// ---- Modes

// One sentence: whether the word is broad because it has separate uses or because it is vague, or that it is narrow.
// `typical`: the breadth of the median word.
[[nodiscard]] std::string why_broad(const WordModes& word, double typical);

// The modes of one of the words; as text with that sentence and the most typical occurrences of each.
[[nodiscard]] Table table_of(const Explanation& explanation, const ExplainedWord& word);
[[nodiscard]] std::string text_of(const Explanation& explanation, const ExplainedWord& word,
                                  const ConcordanceLook& look);
[[nodiscard]] Json json_of(const Explanation& explanation, const ExplainedWord& word);

// Appends a section on why the words are broad, and the occurrences that are typical of their modes.
void add_modes(Page& page, const Explanation& explanation, const std::string& heading);

// The names of documents beside each other: what they share is said once, and what tells them apart is always seen.
struct DocumentNames {
    std::string folder;              // that all of them are in, with its slash; the names go without it
    std::string only;                // where all are the same: that one, and there are no names
    std::vector<std::string> names;  // as given, but for the folder
};

// Of documents as a store calls them: mostly paths.
[[nodiscard]] DocumentNames document_names(const std::vector<std::string>& documents);

// Names of at most `width` columns (at least 8). Where they are longer, what all begin with is cut first, then what all
// end with, and only then something that tells them apart.
[[nodiscard]] std::vector<std::string> shortened(std::vector<std::string> names, std::size_t width);

// ---- Words of a store: ranking, triage, comparison with another store

// Occurrences of some words, by word.
using UsagesOfWords = std::map<std::string, std::vector<ConcordanceLine>>;

// All words, or those of a neighbourhood, which has a column more: whether a word was named. As text the first and the
// last `ends` words, or the neighbourhood with an arrow before those that were named; then what was left out.
[[nodiscard]] Table table_of(const Ranking& ranking, const Neighbourhood* part = nullptr);
[[nodiscard]] std::string text_of(const Ranking& ranking, const Neighbourhood* part, std::size_t ends,
                                  const Style& style);
[[nodiscard]] Json json_of(const Ranking& ranking, const Neighbourhood* part = nullptr);

// Words that have occurrences open to them.
[[nodiscard]] Page page_of(const Ranking& ranking, const UsagesOfWords& usages);

// The candidates, those that need attention first; as text the first and the last `ends`, the occurrences of the first
// few, how it was made, and the words that were missing or left out.
[[nodiscard]] Table table_of(const Triage& triage);
[[nodiscard]] std::string text_of(const Triage& triage, std::size_t ends, const Style& style);
[[nodiscard]] Json json_of(const Triage& triage);
[[nodiscard]] Page page_of(const Triage& triage);

// Which references a candidate is broader than, in few words: "all", "none", "hand, day", "all but hand".
[[nodiscard]] std::string broader_than(const Triage& triage, const Candidate& candidate);

// What people call two stores.
struct StoreNames {
    std::string a, b;
};

// The names of their folders, or the paths where the names are the same.
[[nodiscard]] StoreNames folder_names(const std::string& a, const std::string& b);

// The words, the clearest first; as text `ends` that are broader in A and as many that are broader in B, the clearest
// at the very ends, or all words when there are no more; then how it was made and what was left out.
// Both what a word is against equal breadth and what it is beyond the median stand in every table; `center` says by
// which of them words are sorted and called findings. Where no word has the latter, the page takes the former.
[[nodiscard]] Table table_of(const Comparison& comparison, const StoreNames& names, Center center = Center::none);
[[nodiscard]] std::string text_of(const Comparison& comparison, const StoreNames& names, std::size_t ends,
                                  const Style& style, Center center = Center::none);
[[nodiscard]] Json json_of(const Comparison& comparison, const StoreNames& names, Center center = Center::none);
[[nodiscard]] Page page_of(const Comparison& comparison, const StoreNames& names, Center center = Center::median);

// ---- Pages with what only the stores know

// The page with where its clouds come from, and what the vectors are.
void add_origin(Page& page, const Store& store);

// As page_of(), with that, and with why the words are broad whose occurrences the page shows; of a ranking these are
// the first and the last `ends` words and those named. Of `execution`, threads, progress, stop and timing count. Throw
// InputError when a store is damaged, Cancelled when stopped.
[[nodiscard]] Page page_of(const Ranking& ranking, const Store& store, std::size_t ends,
                           const std::vector<std::string>& named, const Execution& execution);
[[nodiscard]] Page page_of(const Triage& triage, const Store& store, const Execution& execution);
[[nodiscard]] Page page_of(const Comparison& comparison, const Store& a, const Store& b, const StoreNames& names,
                           Center center, const Execution& execution);

// ---- How far the tests on a store can be trusted

// A row for each kind of pairs (of mixtures: each share and size), method and alpha.
[[nodiscard]] Table table_of(const Calibration& calibration);
[[nodiscard]] std::string text_of(const Calibration& calibration, const Style& style, Caller caller = Caller::program);
[[nodiscard]] Json json_of(const Calibration& calibration, Caller caller = Caller::program);
[[nodiscard]] Page page_of(const Calibration& calibration, Caller caller = Caller::program);

// At the alpha nearest to 0.05, the false positive rates: a row per kind of pairs, a dot per method, a line where they
// should be; of a calibration with mixtures, the rates at which these are found.
[[nodiscard]] Svg figure_of(const Calibration& calibration);

// ---- The paper's study

// How the study was made, beside its options.
struct StudyOrigin {
    std::string command;                // that repeats it
    std::vector<std::string> wordnets;  // where each was read from
    std::string version;                // of this program
    Provenance provenance{};
};

// Where the study goes: report.html, each table as TSV and JSON, each picture as SVG, and settings.json.
class StudyFolder {
  public:
    // The study of the first store goes into the folder itself, that of each other one into a folder in it, called as
    // the store is. Makes those that are missing. Throws InputError when one cannot be made or written to.
    StudyFolder(const std::string& path, const std::vector<std::string>& stores);

    // `stores` are those of the studies. Pages of an earlier study are removed before anything is written, and files
    // that these studies do not have. Throws InputError when the system refuses.
    void write(const std::vector<Experiment>& studies, const std::vector<const Store*>& stores,
               const std::vector<const WordNet*>& wordnets, const StudyOrigin& origin) const;

    [[nodiscard]] std::string page_path() const { return path_ + "/report.html"; }

  private:
    [[nodiscard]] std::string folder(std::size_t study) const;

    std::string path_;
    std::vector<std::string> folders_;          // of the studies, in it; "" for the first
    std::forward_list<base::MadeFolder> made_;  // removes them again where nothing was written, the inner ones first
};

[[nodiscard]] std::string study_text(const std::vector<Experiment>& studies, const Style& style);

// Which methods' p-values of split halves are not uniform, and of which that cannot be told.
[[nodiscard]] std::string uniformity_sentence(const SplitHalf& halves);

// The meaning-frequency law over bins and over single words; where there are too few bins for R², it says so.
[[nodiscard]] std::string law_sentence(const FrequencyLaw& law);

}  // namespace wordbreadth::report
