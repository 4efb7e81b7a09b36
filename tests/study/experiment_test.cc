#include "wordbreadth/experiment.h"

#include <gtest/gtest.h>

namespace wordbreadth {
namespace {

TEST(HasPrecision, WantsHalfOfTheWordsInWordNet) {
    Experiment study;
    study.ranking.words.resize(5);
    study.words.known = 2;
    EXPECT_FALSE(has_precision(study));
    study.words.known = 3;
    EXPECT_TRUE(has_precision(study));
    study.ranking.words.resize(6);
    EXPECT_TRUE(has_precision(study));
}

}  // namespace
}  // namespace wordbreadth
