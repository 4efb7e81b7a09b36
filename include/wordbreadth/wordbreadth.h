// All of the library: from a corpus to clouds of vectors, their breadth, the test that compares two of them, and
// studies of many words.
#pragma once

#include "wordbreadth/adjust.h"        // IWYU pragma: export
#include "wordbreadth/breadth.h"       // IWYU pragma: export
#include "wordbreadth/by_size.h"       // IWYU pragma: export
#include "wordbreadth/calibrate.h"     // IWYU pragma: export
#include "wordbreadth/cloud.h"         // IWYU pragma: export
#include "wordbreadth/cloud_source.h"  // IWYU pragma: export
#include "wordbreadth/compare.h"       // IWYU pragma: export
#include "wordbreadth/concordance.h"   // IWYU pragma: export
#include "wordbreadth/device.h"        // IWYU pragma: export
#include "wordbreadth/encode.h"        // IWYU pragma: export
#include "wordbreadth/equivalence.h"   // IWYU pragma: export
#include "wordbreadth/error.h"         // IWYU pragma: export
#include "wordbreadth/experiment.h"    // IWYU pragma: export
#include "wordbreadth/extract.h"       // IWYU pragma: export
#include "wordbreadth/files.h"         // IWYU pragma: export
#include "wordbreadth/frequency.h"     // IWYU pragma: export
#include "wordbreadth/gap_pairs.h"     // IWYU pragma: export
#include "wordbreadth/layers.h"        // IWYU pragma: export
#include "wordbreadth/lexicon.h"       // IWYU pragma: export
#include "wordbreadth/limits.h"        // IWYU pragma: export
#include "wordbreadth/lists.h"         // IWYU pragma: export
#include "wordbreadth/modes.h"         // IWYU pragma: export
#include "wordbreadth/names.h"         // IWYU pragma: export
#include "wordbreadth/pair_parts.h"    // IWYU pragma: export
#include "wordbreadth/paper.h"         // IWYU pragma: export
#include "wordbreadth/part.h"          // IWYU pragma: export
#include "wordbreadth/parts.h"         // IWYU pragma: export
#include "wordbreadth/provenance.h"    // IWYU pragma: export
#include "wordbreadth/rank.h"          // IWYU pragma: export
#include "wordbreadth/rates.h"         // IWYU pragma: export
#include "wordbreadth/session.h"       // IWYU pragma: export
#include "wordbreadth/store.h"         // IWYU pragma: export
#include "wordbreadth/test.h"          // IWYU pragma: export
#include "wordbreadth/timing.h"        // IWYU pragma: export
#include "wordbreadth/triage.h"        // IWYU pragma: export
#include "wordbreadth/version.h"       // IWYU pragma: export
#include "wordbreadth/word_study.h"    // IWYU pragma: export
#include "wordbreadth/write.h"         // IWYU pragma: export
