// What a fault says.
#pragma once

#include <string>

#include "support/text.h"
#include "wordbreadth/error.h"

namespace wordbreadth {

// The message of the InputError that `action` throws, or "no error". Anything else that it throws fails the test.
template <typename Action>
std::string error_of(Action action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace wordbreadth
