#include "encoder/tokenizer/load.h"

#include <filesystem>

#include "base/failure.h"
#include "encoder/snapshot/json_file.h"
#include "encoder/tokenizer/japanese.h"
#include "encoder/tokenizer/tokenizer_json.h"
#include "encoder/tokenizer/vocab_txt.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

bool is_there(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

// What is not there is empty.
nlohmann::json read_configuration(const std::string& path) {
    return is_there(path) ? snapshot::read_json_file(path) : nlohmann::json::object();
}

}  // namespace

Tokenizer load_tokenizer(const std::string& folder, const LoadOptions& options) {
    const std::filesystem::path place(folder);
    if (!std::filesystem::is_directory(place)) base::fail(folder, "no such folder; expected the folder of a model");
    const std::string configuration_path = (place / "tokenizer_config.json").string();
    const nlohmann::json json = read_configuration(configuration_path);
    const snapshot::JsonValue configuration(configuration_path, "", json);
    if (splits_with_mecab(configuration)) return load_japanese(folder, configuration, options.mecab_dictionary);
    if (is_there(place / "tokenizer.json")) return load_tokenizer_json(folder, configuration);
    if (is_there(place / "vocab.txt")) return load_vocab_txt(folder, configuration);
    base::fail(folder, "has neither tokenizer.json nor vocab.txt; download the whole model");
}

}  // namespace wordbreadth::encoder::tokenizer
