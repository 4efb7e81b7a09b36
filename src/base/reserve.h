// Address space that is reserved for a while, so that it is available afterwards. Where memory is limited (ulimit -v)
// the stacks of threads would take all of it, and oneDNN 2.6 crashes when it cannot allocate memory for its code.
#pragma once

#include <sys/mman.h>

#include <cstddef>

namespace wordbreadth::base {

class Reserve {
  public:
    explicit Reserve(std::size_t bytes)
        : bytes_(bytes), start_(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
    Reserve(const Reserve&) = delete;
    Reserve& operator=(const Reserve&) = delete;
    ~Reserve() {
        if (is_there()) munmap(start_, bytes_);
    }

    [[nodiscard]] bool is_there() const { return start_ != MAP_FAILED; }

  private:
    std::size_t bytes_;
    void* start_;
};

}  // namespace wordbreadth::base
