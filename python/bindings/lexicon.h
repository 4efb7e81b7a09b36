// WordNet as Python holds it.
#pragma once

#include <memory>
#include <string>

#include "wordbreadth/lexicon.h"

namespace wordbreadth::python {

struct WordNetHandle {
    std::shared_ptr<const WordNet> open;
    std::string folder;
};

}  // namespace wordbreadth::python
