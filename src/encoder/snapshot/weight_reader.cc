#include "encoder/snapshot/weight_reader.h"

#include "base/failure.h"

namespace wordbreadth::encoder::snapshot {

std::vector<float> WeightReader::read(const std::string& name, const arrays::Shape& shape) {
    const std::string full = prefix_ + name;
    if (!tensors_.contains(full)) {
        base::fail(tensors_.where(full), "has no tensor " + base::in_quotes(full) +
                                             ", which the model of config.json needs; download the folder again");
    }
    const arrays::Shape found = tensors_.shape(full);
    if (found != shape) {
        base::fail(tensors_.where(full), "has the shape " + arrays::to_text(found) + "; config.json asks for " +
                                             arrays::to_text(shape) + ": the two files are not of the same model");
    }
    std::vector<float> values(*arrays::checked_product(found, 1));  // as many as the file was found to hold
    tensors_.read(full, values);
    return values;
}

Norm WeightReader::norm(const std::string& name, std::size_t size, bool has_bias) {
    // Models that were converted from TensorFlow call them gamma and beta.
    const bool old = tensors_.contains(prefix_ + name + ".gamma");
    Norm norm{read(name + (old ? ".gamma" : ".weight"), {size}), {}};
    if (has_bias) norm.bias = read(name + (old ? ".beta" : ".bias"), {size});
    return norm;
}

Linear WeightReader::linear(const std::string& name, std::size_t outputs, std::size_t inputs, bool has_bias) {
    Linear linear{outputs, inputs, read(name + ".weight", {outputs, inputs}), {}};
    if (has_bias) linear.bias = read(name + ".bias", {outputs});
    return linear;
}

}  // namespace wordbreadth::encoder::snapshot
