#include "encoder/config.h"

#include <filesystem>

#include "encoder/config_values.h"

namespace wordbreadth::encoder {

ModelConfig read_config(const std::string& folder) {
    const std::string path = (std::filesystem::path(folder) / "config.json").string();
    const nlohmann::json file = tokenizer::read_json_file(path);
    const Json json(path, "", file);
    const Json type = json.at("model_type");
    if (type.text() == "bert") return bert_config(json);
    if (type.text() == "modernbert") return modernbert_config(json);
    type.fail_expecting("\"bert\" or \"modernbert\", the architectures known here");
}

}  // namespace wordbreadth::encoder
