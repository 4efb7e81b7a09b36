#include "study/comparable.h"

#include <string>

#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

[[noreturn]] void fail_different(const std::string& what, const store::CloudStore& a, const std::string& value_a,
                                 const store::CloudStore& b, const std::string& value_b) {
    const auto shown = [](const std::string& value) { return value.empty() ? "not recorded" : value; };
    throw InputError(a.folder() + " and " + b.folder() + ": different " + what + ": " + shown(value_a) + " and " +
                     shown(value_b) + "; extract both corpora with the same settings");
}

// A model is its weights, wherever they lie; the path is for people.
void check_model(const store::CloudStore& a, const store::CloudStore& b) {
    const std::string hash_a = a.setting("model sha256"), hash_b = b.setting("model sha256");
    const bool same = hash_a.empty() && hash_b.empty() ? a.setting("model") == b.setting("model") : hash_a == hash_b;
    if (same) return;
    const auto value = [](const store::CloudStore& store, const std::string& hash) {
        return store.setting("model") + (hash.empty() ? "" : " (sha256 " + hash.substr(0, 12) + ")");
    };
    fail_different("models", a, value(a, hash_a), b, value(b, hash_b));
}

}  // namespace

void check_comparable(const store::CloudStore& a, const store::CloudStore& b) {
    check_model(a, b);
    for (const char* const setting : {"layers", "unit", "case", "lemmas", "subwords"})
        if (a.setting(setting) != b.setting(setting))
            fail_different(setting, a, a.setting(setting), b, b.setting(setting));
    if (a.dimension() != b.dimension())
        fail_different("dimensions", a, std::to_string(a.dimension()), b, std::to_string(b.dimension()));
}

}  // namespace wordbreadth
