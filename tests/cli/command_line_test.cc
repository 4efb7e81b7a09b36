// What the program makes of its command line: help, and calls that cannot be understood or carried out.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "cli/cloud_files.h"
#include "support/program.h"

namespace wordbreadth::cli {
namespace {

const std::vector<std::string> test_options = {
    "--align",   "--statistic",  "--alternative",   "--permutations", "--seed", "--adaptive",       "--device",
    "--threads", "--confidence", "--tail-estimate", "--format",       "--help", "--instruction-set"};

void expect_help(const Arguments& arguments, const std::vector<std::string>& parts) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    for (const std::string& part : parts) EXPECT_NE(outcome.out.find(part), std::string::npos) << part;
}

TEST(Help, ListsEveryCommand) {
    expect_help({"--help"},
                {"extract", "info", "rank", "contexts", "export", "breadth", "test", "pairs", "devices", "--version"});
}

TEST(Help, ListsEveryOptionOfACommand) {
    expect_help({"breadth", "--help"}, {"FILE", "--format", "--help"});
    expect_help({"devices", "--help"}, {"--format", "--help"});
    expect_help({"info", "--help"}, {"STORE", "--format"});
    expect_help({"rank", "--help"}, {"STORE", "--by", "--common-size", "--seed", "--top", "--all", "--format"});
    expect_help({"contexts", "--help"}, {"STORE", "WORD", "--sort", "--count", "--seed", "--width", "--format"});
    expect_help({"export", "--help"}, {"STORE", "--words", "--words-file", "--out"});
    expect_help({"test", "--help"}, test_options);
    expect_help({"test", "--help"}, {"X", "Y", "--null"});
    expect_help({"pairs", "--help"}, test_options);
    expect_help({"test", "--help"}, {"auto|cpu|cuda|cuda:N|cuda-paper|reference", "approximate"});
    expect_help({"pairs", "--help"}, {"CLOUDS", "--pairs", "--all", "--adjust"});
}

TEST(Help, NamesTheDefaultsOfTheLibrary) {
    expect_help({"test", "--help"}, {"(default householder)", "(default auto)", "(default two-sided)",
                                     "(default 20000)", "(default 0)", "(default 0.95)", "(default auto)"});
    expect_help({"pairs", "--help"}, {"(default bh)"});
}

// "  --seed N", "  STORE TEXT": where an entry of the help begins. What it is about starts in column 29, here or below.
bool is_entry(const std::string& line) {
    return line.starts_with("  ") && line.size() > 2 && line[2] != ' ';
}

TEST(Help, OfEveryCommandFitsEightyColumnsAndExplainsEverything) {
    std::vector<std::string> commands;
    for (const std::string& line : lines_of(run({"help"}).out))
        if (is_entry(line) && line[2] != '-') commands.push_back(line.substr(2, line.find(' ', 2) - 2));
    EXPECT_EQ(commands.size(), 17U);  // 16, and help itself
    for (const std::string& command : commands) {
        const Outcome outcome = run({"help", command});
        EXPECT_EQ(outcome.code, 0) << command;
        EXPECT_EQ(outcome.out, run({command, "--help"}).out);
        EXPECT_NE(outcome.out.find("Usage: wordbreadth " + command), std::string::npos) << outcome.out;
        EXPECT_NE(outcome.out.find("-q,--quiet"), std::string::npos) << command;
        EXPECT_NE(outcome.out.find("--timing"), std::string::npos) << command;
        const std::vector<std::string> lines = lines_of(outcome.out);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            EXPECT_LE(lines[i].size(), 80U) << lines[i];
            if (!is_entry(lines[i])) continue;
            const std::string next = i + 1 < lines.size() ? lines[i + 1] : "";
            const bool here = lines[i].size() > 29 && lines[i].substr(27, 2) == "  ";
            EXPECT_TRUE(here || next.starts_with(std::string(29, ' '))) << command << ": " << lines[i];
        }
    }
}

TEST(Help, HasACommandOfItsOwn) {
    EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
    EXPECT_EQ(run({"help", "help"}).code, 0);
    expect_one_line(run({"help", "rnak"}), 2, "unknown command rnak (did you mean rank?); see `wordbreadth --help`");
}

TEST(Version, StandsOnALineOfItsOwnAndCitesThePaper) {
    const Outcome outcome = run({"--version"});
    EXPECT_EQ(run({"-V"}).out, outcome.out);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(std::regex_search(outcome.out, std::regex("^wordbreadth [0-9.]+\n"))) << outcome.out;
    EXPECT_NE(outcome.out.find("Yo Ehara. 2026."), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.err, "");
}

struct BadCall {
    Arguments arguments;
    std::string part;  // of the message
};

TEST(BadCall, OfTheProgramIsOneLineAndExitCodeTwo) {
    const std::vector<BadCall> calls = {
        {{},
         "no command given; expected extract, merge, import, info, rank, triage, compare, contexts, export, breadth, "
         "test, "
         "pairs, calibrate, experiment, devices, verify or help; see `wordbreadth --help`"},
        {{"measure"}, "unknown command measure; expected extract, "},
        {{"cal", "x"}, "unknown command cal (did you mean calibrate?)"},
        {{"tset", "a", "b"}, "unknown command tset (did you mean test?)"},
        {{"meassure", "test", "a", "b"}, "unknown command meassure; expected"},
        {{"devices", "--fromat", "tsv"}, "devices: unknown option --fromat (did you mean --format?)"},
        {{"devices", "--format", "jsno"}, "--format jsno: expected text|json|tsv|parquet (did you mean json?)"},
        {{"info", "--format", "tex"}, "--format tex: expected text|json (did you mean text?)"},
        {{"info", ""}, "info: STORE is empty; expected a value; see `wordbreadth info --help`"},
        {{"--colour"}, "unknown option --colour"},
        {{"breadth"}, "FILE is required; see `wordbreadth breadth --help`"},
        {{"breadth", "none.npz"}, "none.npz: no such file"},
        {{"breadth", "two\nlines.npz"}, "two\\nlines.npz: no such file"},
        {{"devices", "cpu"}, "too many: cpu"},
        {{"devices", "--format", "xml"},
         "--format xml: expected text|json|tsv|parquet; see `wordbreadth devices --help`"},
    };
    for (const BadCall& call : calls) expect_one_line(run(call.arguments), 2, call.part);
}

TEST(BadCall, OfTestIsOneLineAndExitCodeTwo) {
    const TemporaryFile x = npy_file(1, {.n = 9}), y = npy_file(2, {.n = 8}), other = npy_file(3, {.n = 8, .d = 5});
    const std::vector<BadCall> calls = {
        {{}, "X is required; see `wordbreadth test --help`"},
        {{x.path()}, "Y is required"},
        {{x.path(), y.path(), "z"}, "too many: z"},
        {{x.path(), "none.npy"}, "none.npy: no such file"},
        {{x.path(), other.path()}, "5"},
        {{x.path(), y.path(), "--colour"}, "unknown option --colour; see `wordbreadth test --help`"},
        {{x.path(), y.path(), "--seed"}, "test: --seed has no value; expected N; see `wordbreadth test --help`"},
        {{x.path(), y.path(), "--seed="}, "test: --seed has no value; expected N"},
        {{x.path(), y.path(), "--seed", ""}, "test: --seed is empty; expected N"},
        {{x.path(), y.path(), "--seed", "1", "--seed", "2"}, "test: --seed is given twice; expected it once; see"},
        {{x.path(), y.path(), "--seed", "1", "--seed", "2", "--seed", "3"}, "--seed is given 3 times"},
        {{x.path(), y.path(), "--format", "tsv", "--format", "json"}, "--format is given twice"},
        {{x.path(), y.path(), "--device", "cdua"},
         "--device cdua: expected auto|cpu|cuda|cuda:N|cuda-paper|reference (did you mean cuda?)"},
        {{x.path(), y.path(), "--tail-estimate=much"}, "--tail-estimate takes no value, but is given much"},
        {{x.path(), "--Seed", "3"}, "unknown option --Seed (did you mean --seed?)"},
        {{x.path(), y.path(), "--perm=9"}, "unknown option --perm (did you mean --permutations?)"},
        {{x.path(), y.path(), "-x"}, "unknown option -x; see"},
        {{x.path(), y.path(), "--seed", "-1"}, "--seed -1: expected a whole number from 0 to 18446744073709551615"},
        {{x.path(), y.path(), "--seed", "18446744073709551616"},
         "--seed 18446744073709551616: expected a whole number"},
        {{x.path(), y.path(), "--seed", "0x10"}, "--seed 0x10: expected a whole number"},
        {{x.path(), y.path(), "--permutations", "0"}, "--permutations 0: expected a whole number from 1 to"},
        {{x.path(), y.path(), "--permutations", "1e13"}, "--permutations 1e13: expected a whole number from 1 to"},
        {{x.path(), y.path(), "--permutations", "1.5"}, "--permutations 1.5: expected a whole number"},
        {{x.path(), y.path(), "--permutations", "1.25e1"}, "--permutations 1.25e1: expected a whole number"},
        {{x.path(), y.path(), "--permutations", "1e-1"}, "--permutations 1e-1: expected a whole number"},
        {{x.path(), y.path(), "--permutations", "1e"}, "--permutations 1e: expected a whole number"},
        {{x.path(), y.path(), "--permutations", "e3"}, "--permutations e3: expected a whole number"},
        {{x.path(), y.path(), "--permutations", ".5e3"}, "--permutations .5e3: expected a whole number"},
        {{x.path(), y.path(), "--permutations", "1e99999"}, "--permutations 1e99999: expected a whole number"},
        {{x.path(), y.path(), "--permutations", "99999999999999"}, "--permutations 99999999999999: expected"},
        {{x.path(), y.path(), "--threads", "0"}, "--threads 0: expected a whole number from 1 to"},
        {{x.path(), y.path(), "--threads", "4294967297"}, "--threads 4294967297: expected a whole number from 1 to"},
        {{x.path(), y.path(), "--adaptive", "few"}, "--adaptive few: expected a whole number"},
        {{x.path(), y.path(), "--confidence", "high"},
         "--confidence high: expected a number between 0 and 1, such as 0.95"},
        {{x.path(), y.path(), "--confidence", "1"}, "confidence"},
        {{x.path(), y.path(), "--confidence", "nan"}, "confidence"},
        {{x.path(), y.path(), "--align", "up"}, "--align up: expected householder|none; see"},
        {{x.path(), y.path(), "--align", ""}, "--align is empty; expected householder|none"},
        {{x.path(), y.path(), "--statistic", "mean"}, "--statistic mean: expected auto|plain|robust|blocks"},
        {{x.path(), y.path(), "--alternative", "both"}, "--alternative both: expected greater|less|two-sided"},
        {{x.path(), y.path(), "--device", "abacus"}, "abacus"},
        {{x.path(), y.path(), "--instruction-set", "mmx"}, "mmx"},
        {{x.path(), y.path(), "--null", "/no/such/folder/null.npy"}, "/no/such/folder/null.npy: cannot be written"},
        {{x.path(), y.path(), "--null", "null.txt"}, "--null null.txt: expected a name that ends in .npy"},
        {{x.path(), y.path(), "--null", y.path()}, "is one of the clouds tested"},
        {{x.path(), y.path(), "--adjust", "bh"}, "unknown option --adjust"},
    };
    for (const BadCall& call : calls) {
        Arguments arguments{"test"};
        arguments.insert(arguments.end(), call.arguments.begin(), call.arguments.end());
        expect_one_line(run(arguments), 2, call.part);
    }
}

TEST(WholeNumbers, MayBeInScientificNotationWhereThatIsExact) {
    const TemporaryFile x = npy_file(1, {.n = 20}), y = npy_file(2, {.n = 20});
    const auto permutations = [&](const std::string& text) {
        const Outcome outcome = run({"test", x.path(), y.path(), "--permutations", text, "--format", "json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return nlohmann::json::parse(outcome.out)["permutations"];
    };
    for (const std::string text : {"1000", "1e3", "1E+3", "1.0e3", "0.1e4", "10e2"})
        EXPECT_EQ(permutations(text), 1000) << text;
    EXPECT_EQ(permutations("1.25e2"), 125);
}

TEST(Quiet, LeavesErrorsAndResults) {
    const TemporaryFile x = npy_file(1, {.n = 9}), y = npy_file(2, {.n = 8});
    const Outcome quiet = run({"test", x.path(), y.path(), "--quiet", "--device", "cpu"});
    EXPECT_EQ(quiet.code, 0);
    EXPECT_EQ(quiet.err, "");
    EXPECT_NE(quiet.out, "");
    expect_one_line(run({"test", x.path(), "none.npy", "-q"}), 2, "none.npy: no such file");
    expect_one_line(run({"test", x.path(), y.path(), "--quiet", "--seed", "x"}), 2, "--seed x");
    expect_one_line(run({"test", "--quiet"}), 2, "X is required");
}

TEST(Stdout, ThatIsFullOrClosedIsOneLineAndExitCodeOne) {
    for (const std::string& out : {std::string("/dev/full"), std::string()}) {
        const TemporaryFile err(".err", "");
        const int code = Program({"devices"}, out, err.path()).wait();
        expect_one_line({code, "", content_of(err.path())}, 1, "standard output: writing failed: ");
    }
}

TEST(Devices, AreListedInEveryFormat) {
    for (const std::string format : {"text", "json", "tsv"}) {
        const Outcome outcome = run({"devices", "--format", format});
        EXPECT_EQ(outcome.code, 0);
        for (const std::string device : {"cpu", "cuda", "cuda-paper", "reference", "approximate"})
            EXPECT_NE(outcome.out.find(device), std::string::npos) << format;
    }
}

}  // namespace
}  // namespace wordbreadth::cli
