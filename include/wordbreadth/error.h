// The exceptions that the library throws. It never prints and never ends the program.
#pragma once

#include <stdexcept>

namespace wordbreadth {

// Something the caller can put right: a file, a cloud, an option. The message is one line that says what was found,
// where, and what was expected.
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// A long run was stopped through its std::stop_token. Nothing of it was kept, unless the message says how to go on.
class Cancelled : public std::runtime_error {
  public:
    Cancelled() : Cancelled("stopped") {}
    using std::runtime_error::runtime_error;
};

}  // namespace wordbreadth
