// How much memory a test takes.
#pragma once

#include <sys/resource.h>

// The most that this process has ever held, in bytes. In a release build ctest runs every test in a process of its own.
inline double peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024;
}
