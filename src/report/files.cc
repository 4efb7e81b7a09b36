#include "report/files.h"

#include "report/npy.h"

namespace wordbreadth::report {

void ResultFile::write(std::string_view content) {
    file_.write(std::as_bytes(std::span(content)));
    file_.keep();
}

void ResultFile::write_npy(std::span<const double> values) {
    report::write_npy(file_, values);
    file_.keep();
}

}  // namespace wordbreadth::report
