// A reader of the little Python that stands in .npy headers: strings, True and False, tuples of whole numbers.
// It refuses to be an evaluator: no nesting, no escapes, no expressions.
#pragma once

#include <string>
#include <string_view>

#include "arrays/shape.h"

namespace wordbreadth::arrays {

class PythonLiteral {
  public:
    // `where` is what messages call the source. Both arguments must outlive the reader.
    PythonLiteral(const std::string& where, std::string_view text) : where_(where), rest_(text) {}

    // Skips white space, then takes `token` if it comes next.
    bool take(char token);

    // Skips white space and checks that nothing is left.
    [[nodiscard]] bool at_end();

    // Each throws InputError, saying what was found instead.
    void expect(char token);
    std::string string();
    bool boolean();
    Shape tuple();

  private:
    [[noreturn]] void fail_expecting(const std::string& what) const;
    void skip_space();
    bool take_word(std::string_view word);
    std::uint64_t whole_number();

    const std::string& where_;
    std::string_view rest_;
};

}  // namespace wordbreadth::arrays
