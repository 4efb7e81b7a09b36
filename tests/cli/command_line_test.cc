// What the program makes of its command line: help, and calls that cannot be understood or carried out.
#include <gtest/gtest.h>

#include "cli/cloud_files.h"
#include "cli/program.h"

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
    expect_help({"test", "--help"}, {"auto|cpu|cuda|cuda-paper|reference", "approximate"});
    expect_help({"pairs", "--help"}, {"CLOUDS", "--pairs", "--all", "--adjust"});
}

TEST(Help, NamesTheDefaultsOfTheLibrary) {
    expect_help({"test", "--help"}, {"(default householder)", "(default plain)", "(default two-sided)",
                                     "(default 20000)", "(default 0)", "(default 0.95)", "(default auto)"});
    expect_help({"pairs", "--help"}, {"(default bh)"});
}

TEST(Help, FitsEightyColumns) {
    for (const std::string command : {"", "info", "rank", "contexts", "export", "breadth", "test", "pairs"}) {
        const Arguments arguments = command.empty() ? Arguments{"--help"} : Arguments{command, "--help"};
        std::istringstream lines(run(arguments).out);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
    }
}

TEST(Version, IsOneLineOnStdout) {
    const Outcome outcome = run({"--version"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(outcome.out.starts_with("wordbreadth "));
    EXPECT_EQ(outcome.err, "");
}

struct BadCall {
    Arguments arguments;
    std::string part;  // of the message
};

TEST(BadCall, OfTheProgramIsOneLineAndExitCodeTwo) {
    const std::vector<BadCall> calls = {
        {{},
         "no command given; expected extract, info, rank, triage, compare, contexts, export, breadth, test, pairs, "
         "calibrate, experiment or devices; see `wordbreadth --help`"},
        {{"measure"}, "unknown command measure"},
        {{"--colour"}, "unknown option --colour"},
        {{"breadth"}, "FILE is required; see `wordbreadth breadth --help`"},
        {{"breadth", "none.npz"}, "none.npz: no such file"},
        {{"breadth", "two\nlines.npz"}, "two\\nlines.npz: no such file"},
        {{"devices", "cpu"}, "too many: cpu"},
        {{"devices", "--format", "xml"}, "--format xml: expected text|json|tsv; see `wordbreadth devices --help`"},
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
        {{x.path(), y.path(), "--seed"}, "--seed"},
        {{x.path(), y.path(), "--seed", "1", "--seed", "2"}, "--seed"},
        {{x.path(), y.path(), "--seed", "-1"}, "--seed -1: expected a whole number from 0 to 18446744073709551615"},
        {{x.path(), y.path(), "--seed", "18446744073709551616"},
         "--seed 18446744073709551616: expected a whole number"},
        {{x.path(), y.path(), "--seed", "0x10"}, "--seed 0x10: expected a whole number"},
        {{x.path(), y.path(), "--permutations", "0"}, "--permutations 0: expected a whole number from 1 to"},
        {{x.path(), y.path(), "--permutations", "1e9"}, "--permutations 1e9: expected a whole number"},
        {{x.path(), y.path(), "--permutations", "99999999999999"}, "--permutations 99999999999999: expected"},
        {{x.path(), y.path(), "--threads", "0"}, "--threads 0: expected a whole number from 1 to"},
        {{x.path(), y.path(), "--threads", "4294967297"}, "--threads 4294967297: expected a whole number from 1 to"},
        {{x.path(), y.path(), "--adaptive", "few"}, "--adaptive few: expected a whole number"},
        {{x.path(), y.path(), "--confidence", "high"}, "--confidence high: expected a number such as 0.95"},
        {{x.path(), y.path(), "--confidence", "1"}, "confidence"},
        {{x.path(), y.path(), "--confidence", "nan"}, "confidence"},
        {{x.path(), y.path(), "--align", "up"}, "--align up: expected householder|none"},
        {{x.path(), y.path(), "--align", ""}, "--align ''"},
        {{x.path(), y.path(), "--statistic", "mean"}, "--statistic mean: expected plain|robust"},
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

TEST(Stdout, ThatIsFullOrClosedIsOneLineAndExitCodeOne) {
    for (const std::string& out : {std::string("/dev/full"), std::string()}) {
        const TemporaryFile err(".err", "");
        const int code = Program({"devices"}, out, err.path()).wait();
        expect_one_line({code, "", text_of(err.path())}, 1, "standard output: writing failed: ");
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
