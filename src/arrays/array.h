// One named array out of a file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace wordbreadth::arrays {

struct Array {
    std::string name;
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<double> values;  // (rows, columns), row after row, whatever the file's type and order
};

}  // namespace wordbreadth::arrays
