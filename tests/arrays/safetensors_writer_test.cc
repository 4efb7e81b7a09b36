// The writers of matrices: .safetensors and .npz.
#include "arrays/safetensors.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "arrays/npy.h"
#include "arrays/safetensors.h"
#include "support/array_testing.h"
#include "support/errors.h"
#include "support/python.h"
#include "support/small_store.h"
#include "support/temporary.h"

namespace wordbreadth::arrays {
namespace {

const std::vector<MatrixShape> shapes = {{"bank", 2, 3}, {"naïve \"q\"", 1, 3}};
const std::vector<std::vector<float>> values = {{1, 2, 3, 4, 5, 6.5}, {-1, 0, 0.25}};

std::span<const float> value(std::size_t matrix) {
    return values.at(matrix);
}

void write(const std::string& path) {
    base::OutputFile file(path);
    if (path.ends_with(".npz"))
        write_npz(file, shapes, value);
    else
        write_safetensors(file, shapes, {{"a", "b"}}, value);
    file.keep();
}

Metadata metadata_of(const std::string& path) {
    base::File file(path);
    return read_safetensors_header(file).metadata;
}

TEST(MatrixWriter, RefusesTheNameThatMetadataHas) {
    const std::vector<MatrixShape> bad = {{"__metadata__", 1, 1}};
    EXPECT_EQ(error_of([&] { static_cast<void>(safetensors_header(bad, {})); }),
              "\"__metadata__\" cannot be the name of an array in a .safetensors file; rename it");
}

TEST(MatrixWriter, WritesWhatOurReadersRead) {
    const TemporaryFolder folder;
    for (const std::string& path : {folder.path() + "/x.npz", folder.path() + "/x.safetensors"}) {
        write(path);
        const auto file = open_array_file(path);
        ASSERT_EQ(file->names(), (std::vector<std::string>{"bank", "naïve \"q\""})) << path;
        const Array bank = file->read("bank");
        EXPECT_EQ(bank.rows, 2U);
        EXPECT_EQ(values_of(bank), (std::vector<double>{1, 2, 3, 4, 5, 6.5}));
        EXPECT_EQ(values_of(file->read("naïve \"q\"")), (std::vector<double>{-1, 0, 0.25}));
    }
}

TEST(MatrixWriter, GivesTheSameBytesForTheSameMatrices) {
    const TemporaryFolder folder;
    for (const std::string ending : {".npz", ".safetensors"}) {
        write(folder.path() + "/one" + ending);
        write(folder.path() + "/two" + ending);
        EXPECT_EQ(content_of(folder.path() + "/one" + ending), content_of(folder.path() + "/two" + ending));
    }
}

TEST(MatrixWriter, PassesOnWhatTheValuesThrow) {
    const TemporaryFolder folder;
    for (const std::string ending : {".npz", ".safetensors"}) {
        const auto broken = [](std::size_t matrix) -> std::span<const float> {
            if (matrix == 1) throw InputError("no more values");
            return value(matrix);
        };
        const auto write_broken = [&] {
            base::OutputFile file(folder.path() + "/x" + ending);
            if (ending == ".npz")
                write_npz(file, shapes, broken);
            else
                write_safetensors(file, shapes, {}, broken);
        };
        EXPECT_EQ(error_of(write_broken), "no more values");
        EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    }
}

TEST(SafetensorsWriter, AlignsTheValuesAndKeepsTheMetadata) {
    const std::string header = safetensors_header(shapes, {{"a", "b\n\"c\""}});
    EXPECT_EQ(header.size() % 64, 0U);
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/x.safetensors";
    base::OutputFile file(path);
    write_safetensors(file, shapes, {{"a", "b\n\"c\""}}, value);
    file.keep();
    EXPECT_EQ(metadata_of(path), (Metadata{{"a", "b\n\"c\""}}));
}

TEST(SafetensorsWriter, AFileWithoutMetadataHasNone) {
    const TemporaryFile file(".safetensors", safetensors_header(shapes, {}) + std::string(36, '\0'));
    EXPECT_TRUE(metadata_of(file.path()).empty());
}

// The libraries that the files are for; skipped where they are not installed.
TEST(MatrixWriter, WritesWhatPythonReads) {
    const std::string script =
        "import sys\n"
        "try:\n"
        "    import numpy\n"
        "    from safetensors.numpy import load_file\n"
        "except ImportError:\n"
        "    sys.exit(77)\n"
        "for f in (numpy.load(sys.argv[1]), load_file(sys.argv[2])):\n"
        "    assert sorted(f.keys()) == ['bank', 'na\\u00efve \"q\"'], list(f.keys())\n"
        "    assert f['bank'].dtype == numpy.float32\n"
        "    assert f['bank'].tolist() == [[1, 2, 3], [4, 5, 6.5]]\n";
    const TemporaryFolder folder;
    write(folder.path() + "/x.npz");
    write(folder.path() + "/x.safetensors");
    const auto outcome =
        encoder::tokenizer::run_python({"-c", script, folder.path() + "/x.npz", folder.path() + "/x.safetensors"});
    if (outcome.code == 77)
        GTEST_SKIP() << "numpy and safetensors are not installed: " << encoder::tokenizer::how_to_install();
    EXPECT_EQ(outcome.code, 0) << outcome.output;
}

}  // namespace
}  // namespace wordbreadth::arrays
