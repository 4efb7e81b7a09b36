// The encoders that batches go to: the one that is open, and others on further GPUs, opened beside it where there is
// enough to do.
#pragma once

#include <functional>
#include <future>
#include <list>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "encoder/encoder.h"

namespace wordbreadth::extraction {

// Opens the same model on another GPU, where its vectors are the same. May throw anything, Cancelled when it is told to
// stop.
using OpenEncoder = std::function<std::unique_ptr<encoder::Encoder>(const std::stop_token& stop)>;

class Encoders {
  public:
    // `first` is in use already; it took so long to open. A stop makes encode() throw Cancelled, for all of them.
    Encoders(encoder::Encoder& first, std::span<const OpenEncoder> others, double seconds_to_open,
             std::stop_token stop);

    [[nodiscard]] std::size_t size() const { return opened_.size() + 1; }

    // Opens the others, unless they were, where the work that is left is worth it; does not wait for them. `seconds`:
    // what it would take without them.
    void open_others_for(double seconds);

    // Those that have become ready are among the free ones from now on. One that cannot be opened, since others have
    // filled its memory, say, is done without.
    void welcome();

    [[nodiscard]] bool has_free() const { return !free_.empty(); }
    [[nodiscard]] encoder::Encoder& take();  // a free one
    void give_back(encoder::Encoder& encoder) { free_.push_back(&encoder); }

  private:
    void add(encoder::Encoder& encoder);

    std::stop_token stop_;
    std::span<const OpenEncoder> others_;
    double seconds_to_open_;
    std::vector<std::unique_ptr<encoder::Encoder>> opened_;
    std::list<encoder::Encoder::Watch> watches_;
    std::vector<encoder::Encoder*> free_;
    std::vector<std::future<std::unique_ptr<encoder::Encoder>>> opening_;
};

}  // namespace wordbreadth::extraction
