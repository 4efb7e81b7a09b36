// Names of files and folders that are not complete yet.
#pragma once

#include <string>
#include <string_view>

namespace wordbreadth::base {

// A name beside `path` that no other process has, on any machine that shares the disk: PATH.part-PROCESS-SYSTEM-RANDOM.
[[nodiscard]] std::string temporary_name(const std::string& path);

// Whether a file or folder of that name may still be written to: not when its process is known to have ended, or it has
// the name that earlier versions gave. Processes of other machines may.
[[nodiscard]] bool may_be_in_use(std::string_view temporary);

// Whether its process is known to run: not of other machines.
[[nodiscard]] bool is_in_use(std::string_view temporary);

}  // namespace wordbreadth::base
