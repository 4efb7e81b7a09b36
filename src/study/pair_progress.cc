// How far tests of pairs in parts are.
#include <filesystem>
#include <system_error>

#include "store/part_state.h"
#include "store/progress.h"
#include "study/pair_job.h"
#include "wordbreadth/progress.h"

namespace wordbreadth {

PairsProgress progress_of_pairs(const std::string& folder) {
    const study::JobRecord record = study::read_job(folder);
    const study::PairLayout layout = record.layout();
    PairsProgress found{record.job.clouds, layout.pairs(), layout.tiles(), 0, {}};
    std::error_code ignored;
    for (std::size_t tile = 0; tile < layout.tiles(); ++tile)
        if (std::filesystem::exists(study::tile_path(folder, layout.part_of(tile), tile), ignored))
            ++found.finished_tiles;
    const auto pairs_of = [&](const Part& part) {
        const auto [begin, end] = layout.tiles_of(part);
        std::uint64_t pairs = 0;
        for (std::uint64_t tile = begin; tile < end; ++tile) pairs += layout.size(tile);
        return pairs;
    };
    found.job = store::progress_of(store::part_states(folder), "pair", pairs_of);
    return found;
}

}  // namespace wordbreadth
