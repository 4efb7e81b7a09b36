// verify: what every command writes is found identical again, and what was changed is found out.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/cloud_files.h"
#include "cli/study_output.h"
#include "support/program.h"
#include "support/small_store.h"
#include "support/two_stores.h"
#include "wordbreadth/lexicon.h"

namespace wordbreadth::cli {
namespace {

using Json = nlohmann::ordered_json;

class Verify : public ::testing::Test {
  protected:
    Verify() {
        store::write_store(store_, {{"broad", 500, 30, 2.0}, {"middle", 400, 25, 1.0}, {"narrow", 300, 20, 0.3}}, 8, 2);
        folder_.add("list.txt", "narrow\n");
        folder_.add("clouds.safetensors", safetensors_bytes(bad_and_good_clouds(), 8));
    }

    // The path of what the command prints as JSON.
    std::string written(Arguments call) {
        call.insert(call.end(), {"--format", "json"});
        return written_text(run(call).out);
    }

    std::string written_text(const std::string& text) {
        folder_.add("result.json", text);
        return at("result.json");
    }

    std::string written_json(const Json& json) { return written_text(json.dump()); }

    Json a_test(const Arguments& more = {}) {
        Arguments call = {"test", store_ + ":broad", store_ + ":narrow", "--permutations", "200"};
        call.insert(call.end(), more.begin(), more.end());
        return Json::parse(content_of(written(call)));
    }

    [[nodiscard]] std::string at(const std::string& name) const { return folder_.path() + "/" + name; }

    static void expect_identical(const std::string& path) {
        const Outcome outcome = run({"verify", path});
        EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
        EXPECT_TRUE(contains(outcome.out, path + ": identical\n")) << outcome.out;
    }

    // Found out: what differs on stdout, in one line on stderr that it does.
    static void expect_different(const std::string& path, const std::vector<std::string>& parts) {
        const Outcome outcome = run({"verify", path});
        EXPECT_EQ(outcome.code, 1) << outcome.out;
        EXPECT_TRUE(contains(outcome.err, "is not what its command gives now")) << outcome.err;
        EXPECT_TRUE(contains(outcome.out, ": different in ")) << outcome.out;
        for (const std::string& part : parts) EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
    }

    TemporaryFolder folder_;
    std::string store_ = at("store");
};

TEST_F(Verify, FindsTheJsonOfEveryCommandIdentical) {
    const TwoStores two;
    const std::string clouds = at("clouds.safetensors"), list = at("list.txt");
    for (const Arguments& call :
         {Arguments{"info", store_},
          {"rank", store_, "--common-size", "20", "--seed", "3"},
          {"rank", store_, "middle", "--neighbours", "1"},
          {"rank", store_, "--words", list, "--stop-words", "english"},
          {"rank", store_, "--modes", "--blocks", "none"},
          {"contexts", store_, "broad", "--count", "5", "--seed", "2"},
          {"contexts", store_, "broad", "--modes"},
          {"breadth", store_ + ":broad", "--by-size"},
          {"pairs", store_, "--all", "--permutations", "200", "--adjust", "maxT", "--equivalence", "1.2"},
          {"compare", two.a(), two.b(), "--permutations", "200", "--modes", "--center", "median"},
          {"breadth", store_, clouds + ":bank"},
          {"test", store_ + ":broad", store_ + ":narrow", "--permutations", "200", "--threads", "2", "--device", "cpu"},
          {"test", store_ + ":broad", store_ + ":narrow", "--blocks", "document", "--tail-estimate"},
          {"pairs", store_, "--all", "--permutations", "200", "--adjust", "holm", "--quiet"},
          {"triage", store_, "--reference", list, "--permutations", "200"},
          {"compare", two.a(), two.b(), "--permutations", "200"},
          {"calibrate", store_, "--count", "5", "--permutations", "99"}}) {
        SCOPED_TRACE(call.front());
        expect_identical(written(call));
    }
}

TEST_F(Verify, TakesResultsOfWhichSomeAreUndefined) {
    for (const Arguments& call : {Arguments{"breadth", at("clouds.safetensors")},
                                  {"pairs", at("clouds.safetensors"), "--all", "--permutations", "100"}})
        expect_identical(written(call));
}

TEST_F(Verify, FindsPagesIdenticalAndTheirChangesOut) {
    const TwoStores two;
    const std::string page = at("page.html");
    for (const Arguments& call : {Arguments{"triage", store_, "--reference", at("list.txt"), "--permutations", "200"},
                                  {"compare", two.a(), two.b(), "--permutations", "200"},
                                  {"breadth", store_ + ":broad", "--by-size"},
                                  {"rank", store_}}) {
        (void)output_of(with(call, {"--html", page}));
        expect_identical(page);
    }
    std::string text = content_of(page);
    const std::size_t row = text.find("<tr>", text.find("<tbody>"));
    text.replace(text.find("broad", row), 5, "brood");
    folder_.add("page.html", text);
    expect_different(page, {"line ", "brood", "broad"});
}

TEST_F(Verify, FindsAStudyIdentical) {
    const std::string store = at("study.store"), out = at("study");
    write_study_store(store, 60);
    (void)output_of({"experiment", store, "--out", out, "--wordnet", std::string(TESTS_DIR) + "/data/wordnet", "--gaps",
                     "1,3", "--count", "5", "--permutations", "19", "--additional-gaps", "10", "--additional-count",
                     "5", "--additional-permutations", "19"});
    for (const std::string file : {"report.html", "settings.json", "pairs.json"}) expect_identical(out + "/" + file);
    expect_one_line(run({"verify", out + "/runtime.json"}), 2, "holds times");
    EXPECT_FALSE(std::filesystem::exists(out + "/study"));
}

TEST_F(Verify, FindsTheStudyOfEveryStoreIdentical) {
    const std::string first = at("first.store"), second = at("second.store"), out = at("studies");
    write_study_store(first, 40);
    write_study_store(second, 30);
    folder_.add("wordnet.tab", "00001740-n\tw001\thand\n");
    (void)output_of({"experiment",
                     first,
                     second,
                     "--out",
                     out,
                     "--paper",
                     "--wordnet",
                     std::string(TESTS_DIR) + "/data/wordnet",
                     "--wordnet",
                     at("wordnet.tab"),
                     "--gaps",
                     "1,3",
                     "--count",
                     "5",
                     "--permutations",
                     "19",
                     "--additional-gaps",
                     "10",
                     "--additional-count",
                     "5",
                     "--additional-permutations",
                     "19"});
    for (const std::string file :
         {"main.json", "additional_pairs.json", "second.store/main.json", "second.store/report.html"})
        expect_identical(out + "/" + file);
    expect_one_line(run({"verify", out + "/second.store/runtime.json"}), 2, "holds times");
    Json json = Json::parse(content_of(out + "/second.store/main.json"));
    json["provenance"]["file"] = "second.store/../../main.json";
    expect_one_line(run({"verify", written_json(json)}), 2, "its provenance is damaged at \"file\"");
}

TEST_F(Verify, FindsAChangedValueOut) {
    Json json = a_test();
    const std::uint64_t exceedances = json["exceedances"];
    json["exceedances"] = exceedances + 7;
    json["seconds"] = 77;
    json["device"] = "another";
    const std::string path = written_json(json);
    expect_different(path, {"different in 1 of", "exceedances", std::to_string(exceedances + 7),
                            "note: device: another in the file"});
    Json ranking = Json::parse(content_of(written({"rank", store_})));
    ranking["results"][1]["v"] = 0.5;
    ranking["results"].erase(2);
    expect_different(written_json(ranking), {"results[1] (middle).v", "0.5", "a list of 2", "a list of 3"});
}

TEST_F(Verify, SaysThatAnInputHasChanged) {
    folder_.add("x.npy", npy_bytes(cloud_values(1, {.n = 10}), 8));
    folder_.add("y.npy", npy_bytes(cloud_values(2, {.n = 12}), 8));
    const std::string path = written({"test", at("x.npy"), at("y.npy")});
    expect_identical(path);
    folder_.add("y.npy", npy_bytes(cloud_values(3, {.n = 12}), 8));
    expect_one_line(run({"verify", path}), 2, "its input " + at("y.npy") + " has changed: found 896 bytes, sha256 ");
    std::filesystem::remove(at("y.npy"));
    expect_one_line(run({"verify", path}), 2, "its input " + at("y.npy") + " does not exist");
}

TEST_F(Verify, FindsInputsThatWereMoved) {
    const std::string path = written({"rank", store_, "--words", at("list.txt")});
    folder_.add("elsewhere/list.txt", "narrow\n");
    std::filesystem::rename(store_, at("elsewhere/store"));
    expect_one_line(run({"verify", path}), 2, "does not exist");
    EXPECT_EQ(run({"verify", path, "--in", at("elsewhere")}).code, 0);
    // The sources of the clouds are paths, too.
    const std::string moved = at("elsewhere/store");
    const std::string test = written({"test", moved + ":broad", moved + ":narrow", "--permutations", "200"});
    std::filesystem::rename(moved, store_);
    EXPECT_EQ(run({"verify", test, "--in", folder_.path()}).code, 0);
}

TEST_F(Verify, RefusesWhatIsNoResult) {
    const Json json = a_test();
    const std::string text = json.dump();
    expect_one_line(run({"verify", written_text(text.substr(0, text.size() / 2))}), 2, "is damaged, or not a result");
    expect_one_line(run({"verify", written_text("x\ty\n1\t2\n")}), 2, "is damaged, or not a result");
    expect_one_line(run({"verify", written_text("[" + text + "]")}), 2, "does not say how it was computed");
    expect_one_line(run({"verify", at("absent.json")}), 2, "absent.json: no such file");
    Json old = json;
    old.erase("provenance");
    expect_one_line(run({"verify", written_json(old)}), 2, "does not say how it was computed");
    for (const char* const part : {"version", "command", "inputs"}) {
        Json damaged = json;
        damaged["provenance"][part] = 1;
        expect_one_line(run({"verify", written_json(damaged)}), 2,
                        "its provenance is damaged at \"" + std::string(part) + "\"");
    }
    folder_.add("page.html", "<!DOCTYPE html>\n<p>hello</p>\n");
    expect_one_line(run({"verify", at("page.html")}), 2, "does not say how it was computed");
}

TEST_F(Verify, NotesAnotherVersion) {
    Json json = a_test();
    json["provenance"]["version"] = "9.9.9";
    json.erase("effect");
    const Outcome outcome = run({"verify", written_json(json)});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "note: version: 9.9.9 in the file")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "note: new in this version: effect")) << outcome.out;
    json["provenance"]["command"].push_back("--frobnicate");
    expect_one_line(run({"verify", written_json(json)}), 2,
                    "(it is from 9.9.9) failed: test: unknown option --frobnicate");
}

TEST_F(Verify, ComputesWithTheDefaultsOfTheVersionThatWroteTheResult) {
    Json json = a_test({"--seed", "5"});
    EXPECT_EQ(json["provenance"]["defaults"]["--adaptive"], "0");
    EXPECT_FALSE(json["provenance"]["defaults"].contains("--seed"));
    EXPECT_FALSE(json["provenance"]["defaults"].contains("--permutations"));
    // As a version would write it whose default is 5.
    Json::array_t& command = json["provenance"]["command"].get_ref<Json::array_t&>();
    const auto seed = std::ranges::find(command, Json("--seed"));
    ASSERT_NE(seed, command.end());
    command.erase(seed, seed + 2);
    expect_different(written_json(json), {"seed"});
    json["provenance"]["defaults"]["--seed"] = "5";
    json["provenance"]["defaults"]["--gone"] = "1";  // it had an option that we do not have
    expect_identical(written_json(json));
    json["provenance"]["defaults"]["--seed"] = "five";
    expect_one_line(run({"verify", written_json(json)}), 2, "failed: --seed five: expected a whole number");
    json["provenance"]["defaults"] = "none";
    expect_one_line(run({"verify", written_json(json)}), 2, "its provenance is damaged at \"defaults\"");
}

TEST_F(Verify, TakesNoDefaultOfAnOptionThatWrites) {
    const std::string page = at("page.html");
    Json json = Json::parse(content_of(written({"rank", store_})));
    json["provenance"]["defaults"]["--html"] = page;
    expect_identical(written_json(json));
    EXPECT_FALSE(std::filesystem::exists(page));
}

TEST_F(Verify, KnowsTheDefaultFolderOfWordNetWhereItIsRead) {
    const auto inputs = [&](const Arguments& more) {
        Arguments call = {"triage", store_, "--reference", at("list.txt"), "--permutations", "200", "--format", "json"};
        call.insert(call.end(), more.begin(), more.end());
        const Outcome outcome = run(call);
        return outcome.code == 0 ? Json::parse(outcome.out)["provenance"]["inputs"].dump() : outcome.err;
    };
    EXPECT_FALSE(contains(inputs({}), WordNet::debian_folder));
    if (!std::filesystem::exists(WordNet::debian_folder)) GTEST_SKIP() << "there is no WordNet on this machine";
    const std::string found = inputs({"--match-senses"});
    EXPECT_TRUE(contains(found, "{\"path\":\"" + std::string(WordNet::debian_folder) + "\",\"bytes\":")) << found;
    expect_one_line(run({"triage", store_, "--reference", at("list.txt"), "--wordnet", store_}), 2,
                    "--wordnet has no effect without --match-senses");
}

TEST_F(Verify, RunsOnlyCommandsThatRead) {
    Json json = a_test();
    for (const char* const command : {"extract", "export", "verify", "devices", "help", "--version"}) {
        json["provenance"]["command"][0] = command;
        expect_one_line(run({"verify", written_json(json)}), 2,
                        "records the command " + std::string(command) + ", whose results cannot be verified");
    }
    json["provenance"]["command"] = {"test", "--help"};
    EXPECT_EQ(run({"verify", written_json(json)}).code, 2);
}

TEST_F(Verify, OverwritesNothing) {
    const std::string null = at("null.npy");
    Json json = a_test({"--null", null});
    folder_.add("null.npy", "mine");
    expect_identical(at("result.json"));
    Json::array_t& command = json["provenance"]["command"].get_ref<Json::array_t&>();
    const auto option = std::ranges::find(command, Json("--null"));
    ASSERT_NE(option, command.end());
    *option = "--null=" + null;
    command.erase(option + 1);
    expect_identical(written_json(json));
    EXPECT_EQ(content_of(null), "mine");
}

// verify knows by name which options write something: every such option must be known to it.
TEST_F(Verify, KnowsEveryOptionThatWrites) {
    for (const std::string command :
         {"info", "rank", "triage", "compare", "contexts", "breadth", "test", "pairs", "calibrate", "experiment"}) {
        std::istringstream lines(run({"help", command}).out);
        std::string option;
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("  --")) option = line.substr(2, line.find(' ', 2) - 2);
            if (!contains(line, "write") && !contains(line, "folder for")) continue;
            EXPECT_TRUE(option == "--html" || option == "--svg" || option == "--null" || option == "--out")
                << command << " " << line;
        }
    }
}

TEST_F(Verify, TakesNamesThatLookLikeOptions) {
    const std::string store = at("odd.store");
    store::write_store(store, {{"--top", 50, 10, 2.0}, {"-x", 40, 10, 1.0}}, 8);
    Json json = Json::parse(run({"rank", store, "--format", "json", "--", "-x", "--top"}).out);
    EXPECT_EQ(json["provenance"]["command"], Json({"rank", "--format", "json", "--", store, "-x", "--top"}));
    expect_identical(written_json(json));
}

}  // namespace
}  // namespace wordbreadth::cli
