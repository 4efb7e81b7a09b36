// The pickle of a pytorch_model.bin: what torch writes is read, and nothing else is done.
#include "encoder/snapshot/pickle.h"

#include <bit>

#include "encoder/model_testing.h"
#include "encoder/snapshot/weights.h"
#include "support/temporary.h"
#include "support/torch_old_form.h"

namespace wordbreadth::encoder::snapshot {
namespace {

using namespace std::string_literals;

std::string text(const std::string& value) {
    return "X" + arrays::little_endian(static_cast<std::uint32_t>(value.size())) + value;
}

// torch._utils._rebuild_tensor_v2(storage "7", offset 3, shape (2, 5), strides (5, 1), False, OrderedDict())
std::string tensor(const std::string& rebuild = "ctorch._utils\n_rebuild_tensor_v2\n",
                   const std::string& storage = "ctorch\nFloatStorage\n", const std::string& shape = "K\x02K\x05\x86",
                   const std::string& strides = "K\x05K\x01\x86") {
    return rebuild + "((" + text("storage") + storage + text("7") + text("cpu") + "K\x0DtQK\x03" + shape + strides +
           "\x89" + "ccollections\nOrderedDict\n)RtR";
}

std::string pickle(const std::string& inside) {
    return "\x80\x02" + inside + ".";
}

std::string one_tensor(const std::string& value) {
    return pickle("}q\x01(" + text("w") + value + "u");
}

StateDict read(const std::string& bytes) {
    std::size_t at = 0;
    return read_state_dict("file", bytes, at);
}

std::string error(const std::string& bytes) {
    return error_of([&] { (void)read(bytes); });
}

TEST(Pickle, ATensorIsAPlaceInAStorage) {
    const StateDict state = read(one_tensor(tensor()));
    ASSERT_EQ(state.size(), 1U);
    const TorchTensor& found = state.at("w");
    EXPECT_EQ(found.storage, "7");
    EXPECT_EQ(found.storage_type, "FloatStorage");
    EXPECT_EQ(found.offset, 3U);
    EXPECT_EQ(found.shape, (arrays::Shape{2, 5}));
    EXPECT_EQ(found.strides, (arrays::Shape{5, 1}));
}

TEST(Pickle, WhatIsNoTensorIsPassedOver) {
    EXPECT_TRUE(read(pickle("}(" + text("epoch") + "K\x03" + text("x") + "Nu")).empty());
}

TEST(Pickle, AttributesOfAnOrderedDictionaryAreIgnored) {
    const std::string attributes = "}" + text("_metadata") + "ccollections\nOrderedDict\n)Rsb";
    const StateDict state = read(pickle("ccollections\nOrderedDict\n)R(" + text("w") + tensor() + "u" + attributes));
    EXPECT_EQ(state.size(), 1U);
}

TEST(Pickle, AnotherGlobalIsNamedAndNotRun) {
    for (const auto& [line, name] : {std::pair{"cos\nsystem\n", "os.system"},
                                     {"cbuiltins\neval\n", "builtins.eval"},
                                     {"ctorch\nload\n", "torch.load"},
                                     {"ctorch.storage\n_load_Storage\n", "torch.storage._load_Storage"},
                                     {"ccollections\nOrderedDict.Storage\n", "OrderedDict.Storage"},
                                     {"ctorch\nos.Storage\n", "torch.os.Storage"}}) {
        const std::string found = error(pickle(line + text("echo") + "\x85R"));
        EXPECT_NE(found.find(name), std::string::npos) << found;
    }
}

TEST(Pickle, OpcodesThatRunCodeAreRefused) {
    for (const char opcode : "i\x93o\x81\x82PS") {
        if (opcode == '\0') continue;
        EXPECT_NE(error(pickle(std::string(1, opcode))).find("pickle opcode"), std::string::npos) << int{opcode};
    }
}

TEST(Pickle, ProgramsThatTakeWhatIsNotThereAreTold) {
    for (const std::string& inside :
         {""s,     "R"s,       "t"s,        "u"s,  "s"s,       "b"s,       "Q"s,
          "\x85"s, "q\x01"s,   "h\x01"s,    "(u"s, "}K\x01s"s, "N)R"s,     "ccollections\nOrderedDict\nNR"s,
          ")Q"s,   "NNNNNtQ"s, "(NNNNNtQ"s, "NN"s, "N}b"s,     "}(K\x01u"s}) {
        EXPECT_NE(error(pickle(inside)).find("file: at byte"), std::string::npos) << inside;
    }
}

TEST(Pickle, ACutOffPickleIsTold) {
    const std::string whole = one_tensor(tensor());
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_NE(error(whole.substr(0, size)), "no error") << size;
    }
}

TEST(Pickle, ATextLongerThanTheFileIsTold) {
    EXPECT_NE(error(pickle("X\xFF\xFF\xFF\xFF"s)).find("cut off"), std::string::npos);
}

TEST(Pickle, ATensorThatIsDescribedOtherwiseIsNamed) {
    for (const std::string& shape : {"K\x02"s, "N"s, "J\xFF\xFF\xFF\xFF\x85"s, "K\x02\x85"s, "(KKKKKKKKKKKKKKKKKKt"s}) {
        const std::string found =
            error(one_tensor(tensor("ctorch._utils\n_rebuild_tensor_v2\n", "ctorch\nFloatStorage\n", shape)));
        EXPECT_NE(found.find("\"w\""), std::string::npos) << found;
    }
}

TEST(Pickle, ADictionaryInItselfDoesNoHarm) {
    EXPECT_TRUE(read(pickle("}q\x01" + text("self") + "h\x01s")).empty());
}

TEST(Pickle, AStorageOfTheOldFormHasNoView) {
    const auto with_view = [](const std::string& view) {
        return one_tensor("ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nFloatStorage\n" +
                          text("7") + text("cpu") + "K\x0D" + view + "tQK\x03K\x02K\x05\x86K\x05K\x01\x86\x89}tR");
    };
    EXPECT_EQ(read(with_view("N")).at("w").storage, "7");
    EXPECT_NE(error(with_view("K\x01")).find("reference"), std::string::npos);
}

TEST(TorchFile, TheOldFormHoldsTheSameTensors) {
    const std::string zipped = model_folder("bert-torch") + "/pytorch_model.bin";
    const std::string old_form = in_old_form(zipped);
    const TemporaryFile file(".bin", old_form);
    const auto expected = open_torch_file(zipped), found = open_torch_file(file.path());
    for (const char* name : {"bert.embeddings.word_embeddings.weight", "bert.encoder.layer.2.output.LayerNorm.gamma"}) {
        ASSERT_TRUE(found.contains(name)) << name;
        const StoredTensor &one = found.tensors.at(name), &other = expected.tensors.at(name);
        ASSERT_EQ(one.shape, other.shape);
        std::vector<float> a(*arrays::checked_product(one.shape, 1)), b(a.size());
        one.read(a);
        other.read(b);
        EXPECT_EQ(a, b) << name;
    }
    for (std::size_t size = 0; size < old_form.size(); size += size < 8000 ? 23 : 1009) {
        file.write(old_form.substr(0, size));
        EXPECT_NE(error_of([&] { (void)open_torch_file(file.path()); }), "no error") << size;
    }
}

TEST(TorchFile, AFileOfNeitherFormIsTold) {
    const TemporaryFile file(".bin", "version https://git-lfs.github.com/spec/v1\n");
    const std::string found = error_of([&] { (void)open_torch_file(file.path()); });
    EXPECT_NE(found.find("is not a model that torch.save wrote"), std::string::npos) << found;
}

TEST(TorchFile, AnArchiveWithoutAListIsTold) {
    const std::string path = std::string(TESTS_DIR) + "/data/store/stored.npz";
    const std::string found = error_of([&] { (void)open_torch_file(path); });
    EXPECT_NE(found.find("data.pkl"), std::string::npos) << found;
}

// A tensor of a file whose storage "7" holds the numbers 0, 1, 2 and on.
std::vector<float> values_of(const std::string& shape, const std::string& strides, std::size_t numbers = 13) {
    std::string storage;
    for (std::size_t i = 0; i < numbers; ++i)
        storage += arrays::little_endian(std::bit_cast<std::uint32_t>(static_cast<float>(i)));
    const std::string list =
        one_tensor(tensor("ctorch._utils\n_rebuild_tensor_v2\n", "ctorch\nFloatStorage\n", shape, strides));
    const TemporaryFile file(".bin", old_form_of(list, {{"7", storage}}));
    const StoredTensor found = open_torch_file(file.path()).tensors.at("w");
    std::vector<float> values(*arrays::checked_product(found.shape, 1));
    found.read(values);
    return values;
}

using Values = std::vector<float>;

// Of models that were converted from TensorFlow.
TEST(TorchFile, ATensorIsReadByItsStrides) {
    EXPECT_EQ(values_of("K\x02K\x05\x86", "K\x05K\x01\x86"), (Values{3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
    EXPECT_EQ(values_of("K\x02K\x05\x86", "K\x01K\x02\x86"), (Values{3, 5, 7, 9, 11, 4, 6, 8, 10, 12}));
    EXPECT_EQ(values_of("K\x02K\x02\x86", "K\x05K\x02\x86"), (Values{3, 5, 8, 10}));
    EXPECT_EQ(values_of("K\x03\x85", "K\x04\x85"), (Values{3, 7, 11}));
    EXPECT_EQ(values_of("K\x02K\x01K\x03\x87", "K\x01K\x09K\x02\x87"), (Values{3, 5, 7, 4, 6, 8}));
    EXPECT_EQ(values_of("K\x02K\x02\x86", "K\x01K\x00\x86"s), (Values{3, 3, 4, 4}));
    EXPECT_EQ(values_of("K\x05K\x00\x86"s, "K\x01K\x05\x86"), Values{});
}

TEST(TorchFile, StridesThatLeadOutOfTheStorageAreRefused) {
    const std::string most = "\x8A\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F";  // 2^63 - 1
    for (const auto& [shape, strides] : {std::pair{"K\x02K\x05\x86"s, "K\x01K\x03\x86"s},
                                         {"K\x03\x85", "K\x05\x85"},
                                         {"K\x03\x85", most + "\x85"},
                                         {"K\x03K\x03\x86", most + most + "\x86"},
                                         {most + "\x85", "K\x00\x85"s}}) {
        const std::string found = error_of([&] { (void)values_of(shape, strides); });
        EXPECT_NE(found.find("but its storage holds 13 values"), std::string::npos) << found;
    }
    EXPECT_NE(error_of([] { (void)values_of("K\x02K\x05\x86", "K\x01K\x02\x86", 12); }), "no error");
}

// torch.save writes the one value of an expanded tensor; the file is whole.
TEST(TorchFile, OfAnExpandedTensorItIsSaidHowToSaveIt) {
    const std::string found = error_of([] { (void)values_of("K\x05K\x05\x86", "K\x00K\x00\x86"s); });
    EXPECT_NE(found.find("its storage holds 13 values; save the model again"), std::string::npos) << found;
}

// An error or a model, and no crash (ASan looks on in CI).
void read_with_spoilt_byte(const ModelCopy& model, std::string bytes, std::size_t i) {
    bytes[i] = static_cast<char>(bytes[i] ^ (i % 2 == 0 ? 0x01 : 0xFF));
    model.remove("pytorch_model.bin");
    model.write("pytorch_model.bin", bytes);
    (void)error_of([&] {
        const auto tensors = open_torch_file(model.folder() + "/pytorch_model.bin");
        const std::string name = "bert.embeddings.word_embeddings.weight";
        if (!tensors.contains(name)) return;
        const StoredTensor& tensor = tensors.tensors.at(name);
        std::vector<float> values(std::min<std::uint64_t>(*arrays::checked_product(tensor.shape, 1), 10'000));
        tensor.read(values);
    });
}

// Every byte of the list and of the directory in turn.
TEST(TorchFile, AnySpoiltByteGivesAnErrorOrAModel) {
    const ModelCopy model("bert-torch");
    const std::string whole = model.read("pytorch_model.bin");
    const std::string old_form = in_old_form(model.folder() + "/pytorch_model.bin");
    for (std::size_t i = 0; i < whole.size(); i += i < 16'000 || i + 12'000 > whole.size() ? 7 : 997)
        read_with_spoilt_byte(model, whole, i);
    for (std::size_t i = 0; i < old_form.size(); i += i < 8000 ? 13 : 997) read_with_spoilt_byte(model, old_form, i);
}

TEST(TorchFile, ACutOffFileIsTold) {
    const ModelCopy model("bert-torch");
    const std::string whole = model.read("pytorch_model.bin");
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{3}, std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
        model.remove("pytorch_model.bin");
        model.write("pytorch_model.bin", whole.substr(0, size));
        EXPECT_NE(model.error().find("pytorch_model.bin"), std::string::npos);
    }
}

}  // namespace
}  // namespace wordbreadth::encoder::snapshot
