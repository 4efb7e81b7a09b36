#include "wordbreadth/version.h"

namespace wordbreadth {

std::string_view version() {
    return WORDBREADTH_VERSION;
}

std::string_view citation() {
    return "Yo Ehara. 2026. Accurate and Efficient Statistical Testing for Word Semantic Breadth. ACL 2026.";
}

}  // namespace wordbreadth
