#include "extraction/resume.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/failure.h"
#include "encoder/cpu/product.h"
#include "extraction/plan.h"
#include "wordbreadth/error.h"

namespace wordbreadth::extraction {

namespace {

const char* name_of(Precision precision) {
    switch (precision) {
        case Precision::automatic:
            return "auto";
        case Precision::f32:
            return "f32";
        case Precision::bf16:
            return "bf16";
        case Precision::f16:
            return "f16";
    }
    return "";
}

bool states(const ExtractOptions& options, const std::string& name) {
    if (name == "layers") return options.layers.has_value();
    if (name == "shard tokens") return options.shard_tokens > 0;
    if (name == "device") return options.device != "auto";
    if (name == "number type") return options.precision != Precision::automatic;
    // The plan says all that ICU has a part in, and a model is known by its hash, which needs the model.
    if (name == "model" || name == "model sha256" || name == "ICU") return false;
    return !options.corpus.empty() || std::ranges::find(options.stated, name) != options.stated.end();
}

// The options with those others in place that decide how a list of words is read.
ExtractOptions with_case_of(store::Plan& plan, ExtractOptions options) {
    if (!states(options, "unit")) options.unit = plan.setting("unit") == "text" ? ExtractUnit::text : ExtractUnit::word;
    if (!states(options, "case"))
        options.letter_case = plan.setting("case") == "keep" ? LetterCase::keep : LetterCase::lower;
    return options;
}

bool is_same(store::Plan& plan, const std::string& name, const std::string& stated) {
    const std::string planned = plan.setting(name);
    if (planned == stated) return true;
    if (name == "mecab dictionary") return resolved(planned) == stated;  // older plans have it as it was given
    // The plan has what is really used.
    return name == "number type" && planned == "f32" && stated == "bf16" && plan.setting("device") == "cpu" &&
           !encoder::cpu::has_bf16();
}

[[noreturn]] void fail_other(store::Plan& plan, const std::string& name, const std::string& stated) {
    base::fail(plan.folder(), "was planned with " + (name == "number type" ? "precision" : name) + " " +
                                  base::in_quotes(plan.setting(name)) + "; this call says " + base::in_quotes(stated) +
                                  ": resume it with the same, or extract anew into another folder");
}

}  // namespace

void require_same(store::Plan& plan, const ExtractOptions& options) {
    const ModelRecord record{options.layers.value_or(LayerRange{}), options.device, name_of(options.precision), "",
                             options.shard_tokens};
    for (const auto& [name, stated] : settings_of(with_case_of(plan, options), record))
        if (states(options, name) && !is_same(plan, name, stated)) fail_other(plan, name, stated);
}

std::string planned_model(store::Plan& plan) {
    std::string folder = plan.setting("model");
    std::error_code ignored;
    if (std::filesystem::is_directory(folder, ignored)) return folder;
    base::fail(plan.folder(), "its model " + base::in_quotes(folder) +
                                  " is not there any more; name the folder where it is now (sha256 " +
                                  plan.setting("model sha256").substr(0, 12) + ")");
}

void require_same_model(store::Plan& plan, const std::string& folder, const std::string& sha256) {
    const std::string planned = plan.setting("model sha256");
    if (sha256 == planned) return;
    base::fail(folder, "is not the model that " + plan.folder() + " was planned with: its sha256 is " +
                           sha256.substr(0, 12) + " instead of " + planned.substr(0, 12));
}

void require_same_precision(store::Plan& plan, const ModelRecord& model) {
    const std::string planned = plan.setting("number type");
    if (model.precision == planned) return;
    base::fail(plan.folder(), "was planned with precision " + planned + ", but this machine computes in " +
                                  model.precision +
                                  ": resume it on one like the first, or extract anew into another folder");
}

}  // namespace wordbreadth::extraction
