// All of the library: semantic breadth of clouds of vectors, and the test that compares two of them.
#pragma once

#include "wordbreadth/adjust.h"   // IWYU pragma: export
#include "wordbreadth/breadth.h"  // IWYU pragma: export
#include "wordbreadth/cloud.h"    // IWYU pragma: export
#include "wordbreadth/device.h"   // IWYU pragma: export
#include "wordbreadth/error.h"    // IWYU pragma: export
#include "wordbreadth/files.h"    // IWYU pragma: export
#include "wordbreadth/limits.h"   // IWYU pragma: export
#include "wordbreadth/session.h"  // IWYU pragma: export
#include "wordbreadth/names.h"    // IWYU pragma: export
#include "wordbreadth/test.h"     // IWYU pragma: export
