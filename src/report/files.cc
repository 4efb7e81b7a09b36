#include "report/files.h"

#include "arrays/npy.h"

namespace wordbreadth::report {

void ResultFile::write(std::string_view content) {
    file_.write(std::as_bytes(std::span(content)));
    file_.keep();
}

void ResultFile::write_npy(std::span<const double> values) {
    const std::string header = arrays::npy_header("<f8", {values.size()});
    file_.write(std::as_bytes(std::span(header)));
    file_.write(std::as_bytes(values));
    file_.keep();
}

}  // namespace wordbreadth::report
