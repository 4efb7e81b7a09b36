// Writing clouds for other programs, and stores from vectors made elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wordbreadth/store.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

// Writes one float32 array (rows, dimension) per listed word (indices into store.words(), each once, ascending) to a
// .npz or .safetensors file that numpy and the Python library safetensors read. The same words give the same bytes; the
// settings of the store are the metadata of a .safetensors file. Of `execution` only progress and stop count.
// Throws InputError for another ending, a file of the store itself, a damaged store or a full disk; Cancelled when
// stopped. Then no file is left.
void write_clouds(const Store& store, std::span<const std::size_t> words, const std::string& path,
                  const Execution& execution = {});

// A word with its vectors, and where each of them comes from.
struct WordRows {
    std::string word;
    std::uint64_t frequency = 0;  // in the corpus; at least the number of rows
    std::vector<float> rows;      // (occurrences, dimension)
    // One per row: document, text, and the span of the word in it in characters; `row` and `sentence` are ignored.
    std::vector<Occurrence> occurrences;
};

// Writes a finished store. Words may come in any order, each once; `settings` say how the vectors were made ("model",
// "layers", ...). Throws InputError, naming the word, when it is listed twice, its rows and occurrences do not match, a
// span is empty or lies outside its text, a row has zeros only or a value that is not finite; past
// limits::dimension or archive_entries; and when the folder holds anything or cannot be written. Of `execution` only
// progress and stop count; throws Cancelled when stopped. Then, or when the process is killed, too, there is no store.
void write_store(const std::string& folder, std::size_t dimension, std::vector<WordRows> words,
                 const Settings& settings, const Execution& execution = {});

}  // namespace wordbreadth
