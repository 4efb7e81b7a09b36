// The irregular forms of one part of speech, from WordNet's noun.exc, verb.exc, adj.exc or adv.exc.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lexicon/lookup.h"

namespace wordbreadth::lexicon {

class Exceptions {
  public:
    // Throws InputError, with the line, when one has no base form.
    explicit Exceptions(const std::string& path);

    // Its base forms in the order of the file; empty when it is not in the list. A few forms have two lines in WordNet
    // 3.0, of which the first counts.
    [[nodiscard]] std::span<const std::string> bases(std::string_view form) const;

  private:
    Lookup<std::vector<std::string>> bases_;
};

}  // namespace wordbreadth::lexicon
