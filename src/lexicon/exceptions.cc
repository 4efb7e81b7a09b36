#include "lexicon/exceptions.h"

#include "corpus/failure.h"
#include "lexicon/fields.h"

namespace wordbreadth::lexicon {

Exceptions::Exceptions(const std::string& path) {
    FieldReader line(path);
    while (line.next()) {
        const auto& fields = line.fields();
        if (fields.size() < 2) {
            line.fail("has " + corpus::count_of(fields.size(), "field") + "; expected a form and its base forms");
        }
        bases_.try_emplace(std::string(fields[0]), fields.begin() + 1, fields.end());
    }
}

std::span<const std::string> Exceptions::bases(std::string_view form) const {
    const auto found = bases_.find(form);
    if (found == bases_.end()) return {};
    return found->second;
}

}  // namespace wordbreadth::lexicon
