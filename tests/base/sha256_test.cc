#include "base/sha256.h"

#include <gtest/gtest.h>

#include "support/array_testing.h"
#include "support/temporary.h"

namespace wordbreadth::base {
namespace {

std::string hash_of(const std::string& text) {
    return sha256_of(std::as_bytes(std::span(text)));
}

TEST(Sha256, GivesTheKnownAnswers) {
    EXPECT_EQ(hash_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hash_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hash_of(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
    std::string content(3'000'017, 'x');  // more than one piece
    content[2'500'000] = 'y';
    const TemporaryFile file(".bin", content);
    EXPECT_EQ(sha256_of_file(file.path()), hash_of(content));
    EXPECT_NE(error_of([] { (void)sha256_of_file("/no/such/file"); }), "no error");
}

}  // namespace
}  // namespace wordbreadth::base
