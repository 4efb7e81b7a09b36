#include "corpus/inflater.h"

#include <new>
#include <string>

#include "base/failure.h"

namespace wordbreadth::corpus {

namespace {

constexpr int gzip_only = 16 + MAX_WBITS;

}  // namespace

Inflater::Inflater(base::Bytes& packed) : packed_(packed) {
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
}

Inflater::~Inflater() {
    inflateEnd(&stream_);
}

std::size_t Inflater::read(std::span<std::byte> into) {
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(into.size());
    while (stream_.avail_out > 0 && (in_member_ || find_next_member())) inflate_some();
    return into.size() - stream_.avail_out;
}

bool Inflater::refill() {
    const std::size_t found = packed_.read(input_);
    taken_ += found;
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(found);
    return found > 0;
}

// Zeros may pad the file, as tapes need it.
bool Inflater::find_next_member() {
    while (stream_.avail_in > 0 || refill()) {
        if (*stream_.next_in != 0) return in_member_ = true;
        ++stream_.next_in;
        --stream_.avail_in;
    }
    return false;
}

void Inflater::inflate_some() {
    if (stream_.avail_in == 0 && !refill()) {
        base::fail(packed_.where(), "its gzip data break off after " + std::to_string(taken_) +
                                        " bytes; expected the end of a gzip member: copy the file again");
    }
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
        in_member_ = false;
        inflateReset(&stream_);
    } else if (status == Z_MEM_ERROR) {
        throw std::bad_alloc();
    } else if (status != Z_OK) {
        base::fail(packed_.where(), "its gzip data are damaged at byte " + std::to_string(consumed()) + " (" +
                                        (stream_.msg != nullptr ? stream_.msg : "no member follows") +
                                        "); copy the file again");
    }
}

}  // namespace wordbreadth::corpus
