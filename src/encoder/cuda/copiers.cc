#include "encoder/cuda/copiers.h"

#include <algorithm>
#include <exception>

namespace wordbreadth::encoder::cuda {
namespace {

constexpr unsigned most_threads = 8;
constexpr std::size_t turn = std::size_t{1} << 17;  // floats: half a megabyte

}  // namespace

Copiers::Copiers(unsigned threads) : begin_(std::min(threads, most_threads)), end_(std::min(threads, most_threads)) {
    others_.reserve(most_threads);
    for (unsigned i = 1; i < std::min(threads, most_threads); ++i) start();
}

void Copiers::start() try {
    others_.emplace_back([this] {
        for (begin_.arrive_and_wait(); !is_over_; begin_.arrive_and_wait()) {
            take_turns();
            end_.arrive_and_wait();
        }
    });
} catch (const std::exception&) {
    begin_.arrive_and_drop();  // a thread that the system does not let start: the others do without it
    end_.arrive_and_drop();
}

Copiers::~Copiers() {
    is_over_ = true;
    begin_.arrive_and_wait();
}

void Copiers::copy(std::span<const float> from, float* to) {
    from_ = from;
    to_ = to;
    next_ = 0;
    begin_.arrive_and_wait();
    take_turns();
    end_.arrive_and_wait();
}

void Copiers::take_turns() {
    for (std::size_t first = turn * next_++; first < from_.size(); first = turn * next_++)
        std::copy_n(from_.data() + first, std::min(turn, from_.size() - first), to_ + first);
}

}  // namespace wordbreadth::encoder::cuda
