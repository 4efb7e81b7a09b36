#include "study/comparable.h"

#include <string>

#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

std::string pair_of(const std::string& what, const std::string& value_a, const std::string& value_b) {
    const auto shown = [](const std::string& value) { return value.empty() ? "not recorded" : value; };
    return what + ": " + shown(value_a) + " and " + shown(value_b);
}

// A model is its weights, wherever they lie; the path is for people.
std::string difference_of_models(const store::CloudStore& a, const store::CloudStore& b) {
    const std::string hash_a = a.setting("model sha256"), hash_b = b.setting("model sha256");
    const bool same = hash_a.empty() && hash_b.empty() ? a.setting("model") == b.setting("model") : hash_a == hash_b;
    if (same) return {};
    const auto value = [](const store::CloudStore& store, const std::string& hash) {
        return store.setting("model") + (hash.empty() ? "" : " (sha256 " + hash.substr(0, 12) + ")");
    };
    return pair_of("models", value(a, hash_a), value(b, hash_b));
}

[[noreturn]] void fail_different(const store::CloudStore& a, const store::CloudStore& b, const std::string& what) {
    throw InputError(a.folder() + " and " + b.folder() + ": different " + what +
                     "; extract both corpora with the same settings");
}

}  // namespace

std::string differences(const store::CloudStore& a, const store::CloudStore& b) {
    std::string found = difference_of_models(a, b);
    for (const char* const setting : {"layers", "unit", "case", "lemmas", "subwords"})
        if (a.setting(setting) != b.setting(setting))
            found += (found.empty() ? "" : ", ") + pair_of(setting, a.setting(setting), b.setting(setting));
    return found;
}

void check_dimensions(const store::CloudStore& a, const store::CloudStore& b) {
    if (a.dimension() != b.dimension())
        fail_different(a, b, pair_of("dimensions", std::to_string(a.dimension()), std::to_string(b.dimension())));
}

void check_comparable(const store::CloudStore& a, const store::CloudStore& b) {
    if (const std::string found = differences(a, b); !found.empty()) fail_different(a, b, found);
    check_dimensions(a, b);
}

}  // namespace wordbreadth
