// The exceptions that the library throws. It never prints and never ends the program.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace wordbreadth {

// Something the caller can put right: a file, a cloud, an option. The message is one line that says what was found,
// where, and what was expected.
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// An InputError about a file or folder that cannot be opened, read or written, as opposed to one whose contents are
// wrong.
class FileError : public InputError {
  public:
    FileError(const std::string& message, int error) : InputError(message), error_(error) {}

    // As errno has it: ENOENT where there is no such file.
    [[nodiscard]] int error() const { return error_; }

  private:
    int error_;
};

// An InputError about a store whose extraction can be resumed: see ExtractOptions::resume. Finished shards are kept.
class Resumable : public InputError {
  public:
    Resumable(const std::string& message, std::string folder) : InputError(message), folder_(std::move(folder)) {}

    // Of the store.
    [[nodiscard]] const std::string& folder() const { return folder_; }

  private:
    std::string folder_;
};

// A long run was stopped through its std::stop_token. Nothing of it was kept, unless it is an extraction to be resumed.
class Cancelled : public std::runtime_error {
  public:
    explicit Cancelled(const std::string& message = "stopped", std::string folder = {})
        : std::runtime_error(message), folder_(std::move(folder)) {}

    // Of the store whose extraction can be resumed; empty where nothing was kept.
    [[nodiscard]] const std::string& folder() const { return folder_; }

  private:
    std::string folder_;
};

}  // namespace wordbreadth
