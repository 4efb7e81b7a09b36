// Two SHA-256 hashes at a time, in one thread. A round waits for the one before it, so that the processor's SHA
// instructions are idle for half of the time when there is one hash alone, as in OpenSSL; three or four at a time were
// no faster.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wordbreadth::base {

// Whether this processor has the instructions.
[[nodiscard]] bool has_sha256_pair();

// `blocks` blocks of 64 bytes into each of two states, (8) words. Only where has_sha256_pair().
void add_blocks_to_pair(std::uint32_t* first_state, const std::byte* first, std::uint32_t* second_state,
                        const std::byte* second, std::size_t blocks);

}  // namespace wordbreadth::base
