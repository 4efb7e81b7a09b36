// Stores from files of vectors that other programs made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "wordbreadth/store.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

struct ImportOptions {
    // .npy, .npz, .safetensors: an array (rows, dimension) per word, by its name. .parquet, .jsonl, .ndjson: a row or a
    // line per occurrence, in any order, with a word and a vector, and optionally its text, span and document.
    std::string from;
    std::string out;  // the folder of the store, which must not exist, or be empty

    // What the columns or keys of a table are called, where that is none of the usual names: {"word", "lemma"} for a
    // word that is under "lemma". Those that can be named: word, vector, text, start, end, span, document.
    std::vector<std::pair<std::string, std::string>> columns;

    // How the vectors were made, by which stores are known to be comparable; empty: not known.
    std::string model;
    std::string layers;

    Execution execution;  // of it threads, progress, stop and timing count
};

struct ImportSummary {
    std::size_t words = 0;
    std::uint64_t rows = 0;
    std::size_t dimension = 0;
    bool has_texts = false;         // where rows have none, the word stands for its text
    std::uint64_t documents = 0;    // 0: the file names none
    std::uint64_t spans_found = 0;  // of rows with a text and no span: those whose word was found in the text
    std::uint64_t spans_whole = 0;  // and those where it was not: the span is the whole text
    // Of rows with a span: those where it holds another text than the word, case aside, and the first of them, as
    // messages call it. Another form of the word, or offsets that count bytes or tokens instead of characters.
    std::uint64_t spans_differing = 0;
    std::string first_differing{};
};

// Writes a finished store, with float32 vectors, in memory that does not grow with the file. Values are not scaled. The
// names of columns that are looked for are in docs/files.md.
// Throws InputError, naming the file, the row or line, what was found and what was expected, for a file that is
// missing, cut off or malformed; for rows without a word or a vector, vectors with NaN, infinities, values beyond
// float32, zeros only or another length, spans outside of their text, text that is not UTF-8; and when the folder
// cannot be written. Throws Cancelled when stopped. Then there is no store, nor any folder that was made for it.
ImportSummary import_vectors(const ImportOptions& options);

}  // namespace wordbreadth
