#include "study/pair_tile.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/failure.h"
#include "base/output_file.h"
#include "base/sha256.h"

namespace wordbreadth::study {
namespace {

constexpr std::string_view mark = "wbtile 1";  // of the format, with its version
constexpr std::size_t digest_bytes = 64;

struct TextRecord {
    std::uint64_t begin = 0, bytes = 0;
};

struct TileHeader {
    std::array<char, 8> format{};
    std::array<char, 64> job{};
    std::uint64_t tile = 0, clouds = 0, pairs = 0, has_tails = 0, text_bytes = 0;
    TextRecord device{};
};

struct PairwiseRecord {
    std::uint64_t blocks = 0;
    double log_v = 0, variance_of_log_v = 0, variance_of_R = 0, standard_error = 0;
};

struct CloudRecord {
    enum : std::uint64_t { is_there = 1, has_blocks = 2, has_summary = 4, has_block_summary = 8 };
    TextRecord name{}, reason{};
    std::uint64_t rows = 0, dimension = 0, flags = 0;
    double r = 0, log_v = 0;
    PairwiseRecord of_rows{}, of_blocks{};
};

struct PairRecord {
    std::uint32_t x = 0, y = 0;
    std::uint64_t exceedances = 0;
    std::uint64_t looked_at = 0;  // times 2, and 1 more where the test stopped early
};

struct TailRecord {
    double p = std::numeric_limits<double>::quiet_NaN();  // NaN: no estimate
    double shape = 0, scale = 0;
    std::uint64_t exceedances = 0;
    double goodness_of_fit = 0;
};

static_assert(sizeof(TileHeader) == 128 && sizeof(CloudRecord) == 152 && sizeof(PairRecord) == 24 &&
              sizeof(TailRecord) == 40);

template <class Record>
void append(std::string& to, const Record& record) {
    static_assert(std::is_trivially_copyable_v<Record>);
    to.append(reinterpret_cast<const char*>(&record), sizeof record);
}

template <class Record>
Record record_at(std::span<const std::byte> bytes, std::size_t begin) {
    Record record;
    std::memcpy(&record, bytes.data() + begin, sizeof record);
    return record;
}

TextRecord append_text(std::string& all, std::string_view text) {
    const TextRecord record{all.size(), text.size()};
    all += text;
    return record;
}

PairwiseRecord record_of(const geometry::Pairwise& found) {
    return {found.blocks, found.debiased.log_v, found.debiased.variance_of_log_v, found.variance_of_R,
            found.standard_error};
}

geometry::Pairwise pairwise_of(const PairwiseRecord& record) {
    return {record.blocks, {record.log_v, record.variance_of_log_v}, record.variance_of_R, record.standard_error};
}

CloudRecord record_of(const TileCloud& cloud, std::string& text) {
    CloudRecord record{append_text(text, cloud.name), append_text(text, cloud.reason), cloud.rows, cloud.dimension};
    if (cloud.is_there) record.flags |= CloudRecord::is_there;
    if (cloud.has_blocks) record.flags |= CloudRecord::has_blocks;
    if (!cloud.summary) return record;
    record.flags |= CloudRecord::has_summary;
    record.r = cloud.summary->r;
    record.log_v = cloud.summary->log_v;
    record.of_rows = record_of(cloud.summary->rows);
    if (!cloud.summary->blocks) return record;
    record.flags |= CloudRecord::has_block_summary;
    record.of_blocks = record_of(*cloud.summary->blocks);
    return record;
}

TailRecord record_of(const std::optional<TailEstimate>& tail) {
    if (!tail) return {};
    return {tail->p, tail->shape, tail->scale, tail->exceedances, tail->goodness_of_fit};
}

}  // namespace

void write_tile(const std::string& path, const TileId& id, const TileContents& contents) {
    std::string text, clouds, all;
    TileHeader header;
    mark.copy(header.format.data(), header.format.size());
    id.job.copy(header.job.data(), header.job.size());
    header.tile = id.number;
    header.clouds = contents.clouds.size();
    header.pairs = contents.pairs.size();
    header.has_tails = contents.has_tails ? 1 : 0;
    header.device = append_text(text, contents.device);
    for (const TileCloud& cloud : contents.clouds) append(clouds, record_of(cloud, text));
    header.text_bytes = text.size();
    append(all, header);
    all += clouds;
    for (const TilePair& pair : contents.pairs)
        append(all, PairRecord{pair.x, pair.y, pair.tally.exceedances,
                               2 * pair.tally.looked_at + (pair.tally.stopped_early ? 1 : 0)});
    if (contents.has_tails)
        for (const TilePair& pair : contents.pairs) append(all, record_of(pair.tail));
    all += text;
    all += base::sha256_of(std::as_bytes(std::span(all)));
    base::OutputFile file(path);
    file.write(std::as_bytes(std::span(all)));
    // A crash of the machine may leave less of it, which its hash tells: the tile is then made again.
    file.keep(false);
}

TileFile::TileFile(const std::string& path, const TileId& id, std::size_t pairs) : file_(path) {
    check(id, pairs);
    for (std::size_t i = 0; i < pairs_; ++i) {
        const auto record = record_at<PairRecord>(file_.bytes(), pairs_begin_ + i * sizeof(PairRecord));
        if (record.x >= clouds_ || record.y >= clouds_) throw InputError("is damaged");
    }
}

void TileFile::check(const TileId& id, std::size_t pairs) {
    const std::span<const std::byte> bytes = file_.bytes();
    if (bytes.size() < sizeof(TileHeader) + digest_bytes) throw InputError("is damaged");
    const auto header = record_at<TileHeader>(bytes, 0);
    const std::span<const std::byte> hashed = bytes.first(bytes.size() - digest_bytes);
    const std::string digest = base::sha256_of(hashed);
    if (std::memcmp(digest.data(), bytes.data() + hashed.size(), digest_bytes) != 0) throw InputError("is damaged");
    if (std::string_view(header.format.data(), mark.size()) != mark)
        throw InputError("was written by another version of this program");
    if (std::string_view(header.job.data(), header.job.size()) != id.job)
        throw InputError("belongs to another job: other clouds, options or number of parts");
    if (header.tile != id.number) throw InputError("is tile " + std::to_string(header.tile) + " under another name");
    // Records are counted before they are multiplied.
    const std::size_t most = hashed.size() / sizeof(PairRecord);
    if (header.pairs != pairs || header.pairs > most || header.clouds > most || header.text_bytes > hashed.size())
        throw InputError("is damaged");
    clouds_ = header.clouds;
    pairs_ = header.pairs;
    has_tails_ = header.has_tails != 0;
    pairs_begin_ = sizeof(TileHeader) + clouds_ * sizeof(CloudRecord);
    tails_begin_ = pairs_begin_ + pairs_ * sizeof(PairRecord);
    text_begin_ = tails_begin_ + (has_tails_ ? pairs_ * sizeof(TailRecord) : 0);
    text_end_ = text_begin_ + header.text_bytes;
    if (text_end_ != hashed.size()) throw InputError("is damaged");
    device_begin_ = header.device.begin;
    device_bytes_ = header.device.bytes;
}

std::string_view TileFile::text(std::uint64_t begin, std::uint64_t bytes) const {
    const std::size_t all = text_end_ - text_begin_;
    if (begin > all || bytes > all - begin) throw InputError("is damaged");
    return {reinterpret_cast<const char*>(file_.bytes().data()) + text_begin_ + begin, bytes};
}

std::string_view TileFile::device() const {
    return text(device_begin_, device_bytes_);
}

TileCloud TileFile::cloud(std::size_t index) const {
    const auto record = record_at<CloudRecord>(file_.bytes(), sizeof(TileHeader) + index * sizeof(CloudRecord));
    const auto has = [&](std::uint64_t flag) { return (record.flags & flag) != 0; };
    TileCloud cloud{std::string(text(record.name.begin, record.name.bytes)), record.rows, record.dimension,
                    has(CloudRecord::has_blocks)};
    cloud.is_there = has(CloudRecord::is_there);
    cloud.reason = text(record.reason.begin, record.reason.bytes);
    if (!has(CloudRecord::has_summary)) return cloud;
    cloud.summary = geometry::Summary{record.r, record.log_v, pairwise_of(record.of_rows), {}, {}};
    if (has(CloudRecord::has_block_summary)) cloud.summary->blocks = pairwise_of(record.of_blocks);
    if (cloud.has_blocks && !cloud.summary->blocks) throw InputError("is damaged");
    return cloud;
}

TilePair TileFile::pair(std::size_t index) const {
    const auto record = record_at<PairRecord>(file_.bytes(), pairs_begin_ + index * sizeof(PairRecord));
    TilePair pair{record.x, record.y, {record.exceedances, record.looked_at / 2, record.looked_at % 2 != 0}};
    if (!has_tails_) return pair;
    const auto tail = record_at<TailRecord>(file_.bytes(), tails_begin_ + index * sizeof(TailRecord));
    if (!std::isnan(tail.p))
        pair.tail = TailEstimate{tail.p, tail.shape, tail.scale, tail.exceedances, tail.goodness_of_fit};
    return pair;
}

}  // namespace wordbreadth::study
