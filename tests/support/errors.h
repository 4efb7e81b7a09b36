// What a fault says.
#pragma once

#include <string>

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

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace wordbreadth
