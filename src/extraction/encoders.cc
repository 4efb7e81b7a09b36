#include "extraction/encoders.h"

#include <chrono>
#include <exception>
#include <system_error>
#include <utility>

namespace wordbreadth::extraction {

Encoders::Encoders(encoder::Encoder& first, std::span<const OpenEncoder> others, double seconds_to_open,
                   std::stop_token stop)
    : stop_(std::move(stop)), others_(others), seconds_to_open_(seconds_to_open) {
    add(first);
}

// Opening takes as long again as it took for the first: the driver starts, weights are read and copied. Until then the
// first goes on alone, so that only work for twice that time is done sooner.
void Encoders::open_others_for(double seconds) {
    if (seconds < 2 * seconds_to_open_) return;
    for (const OpenEncoder& open : std::exchange(others_, {})) {
        try {
            opening_.push_back(std::async(std::launch::async, open, stop_));
        } catch (const std::system_error&) {  // no thread can be started
        }
    }
}

void Encoders::welcome() {
    std::erase_if(opening_, [&](auto& one) {
        if (one.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
        try {
            opened_.push_back(one.get());
            add(*opened_.back());
        } catch (const std::exception&) {
        }
        return true;
    });
}

encoder::Encoder& Encoders::take() {
    encoder::Encoder& one = *free_.back();
    free_.pop_back();
    return one;
}

void Encoders::add(encoder::Encoder& encoder) {
    watches_.emplace_back(encoder, stop_);
    free_.push_back(&encoder);
}

}  // namespace wordbreadth::extraction
