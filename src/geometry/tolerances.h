// Every tolerance that decides a count or a refusal, for the host and the devices alike.
#pragma once

namespace wordbreadth::geometry {

// Mean directions closer than this are equal up to the rounding of the sums: the reflection between them would be made
// of rounding errors.
inline constexpr double equal_directions = 1e-12;

// Rows closer than this to the first one have the same direction up to rounding.
inline constexpr double same_direction = 1e-12;

// A mean resultant length under this is a sum of rounding errors.
inline constexpr double no_direction = 1e-12;

// Below this distance from 1, r^2 is 1 but for rounding: the rows are all the same. Without the snap, 0/0 would
// come out as the ratio of two rounding errors.
inline constexpr double all_the_same = 1e-13;

// How near to 0 and to 1 a screen lets r^2 come and still decides a split in float64; nearer, the definition does.
inline constexpr double screen_guard = 1e-5;

}  // namespace wordbreadth::geometry
