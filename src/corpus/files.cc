// Which files a corpus is made of, and what format each has.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "base/failure.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "corpus/file_reader.h"

namespace wordbreadth::corpus {

namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

struct Signature {
    std::string_view bytes;
    std::string_view reason;
};

// What people put into a folder of texts, or pack them in.
constexpr std::array signatures{
    Signature{"%PDF"sv, "is a PDF file; save it as text first, for example with pdftotext"},
    Signature{"PK\x03\x04"sv, "is a zip archive or an office document; unpack it, or save it as text"},
    Signature{"BZh"sv, "is packed with bzip2; unpack it, or pack it with gzip instead"},
    Signature{"\xFD\x37zXZ\0"sv, "is packed with xz; unpack it, or pack it with gzip instead"},
    Signature{"\x28\xB5\x2F\xFD"sv, "is packed with zstd; unpack it, or pack it with gzip instead"},
};

std::size_t count_nul(std::string_view start, std::size_t unit_bytes) {
    std::size_t count = 0;
    for (std::size_t at = 0; at + unit_bytes <= start.size(); at += unit_bytes)
        if (start.substr(at, unit_bytes).find_first_not_of('\0') == std::string_view::npos) ++count;
    return count;
}

// Western text in UTF-16 has a NUL in most of its pairs of bytes, always on the same side.
std::string_view reason_for_nul(std::string_view start) {
    std::array<std::size_t, 2> found{};
    for (std::size_t i = 0; i < start.size(); ++i) found[i % 2] += start[i] == '\0' ? 1 : 0;
    if (found[0] == 0 && found[1] * 4 >= start.size())
        return "is a binary file, or UTF-16LE text without a byte order mark; if so, name this encoding";
    if (found[1] == 0 && found[0] * 4 >= start.size())
        return "is a binary file, or UTF-16BE text without a byte order mark; if so, name this encoding";
    return "is a binary file; expected text";
}

// What the file is instead of text in units of `unit_bytes`, for a message: "is a PDF file; ...". Empty when it may be
// text. `nul_is_fine`: a few units may be NUL, as damaged text has them.
std::string_view sign_of_binary(std::string_view start, std::size_t unit_bytes, bool nul_is_fine) {
    for (const Signature& signature : signatures) {
        if (start.starts_with(signature.bytes)) return signature.reason;
    }
    if (start.size() > 262 && start.substr(257, 5) == "ustar") return "is a tar archive; unpack it and name the folder";
    const std::size_t accepted = nul_is_fine ? start.size() / unit_bytes / 100 : 0;
    if (count_nul(start, unit_bytes) <= accepted) return {};
    return unit_bytes == 1 ? reason_for_nul(start) : "is a binary file; expected text";
}

constexpr std::size_t bytes_looked_at = 64 * 1024;
constexpr std::size_t lines_looked_at = 1000;

// Complete lines that are not blank, a sample of them.
Lines lines_of(std::string_view start, bool whole) {
    Lines lines;
    while (!start.empty() && lines.size() < lines_looked_at) {
        const std::size_t end = start.find('\n');
        if (end == std::string_view::npos && !whole && !lines.empty()) break;
        std::string_view line = start.substr(0, end);
        start.remove_prefix(std::min(line.size() + 1, start.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!base::trimmed(line).empty()) lines.push_back(line);
    }
    return lines;
}

bool starts_without_case(std::string_view text, std::string_view lower) {
    return base::ascii_lower(text.substr(0, lower.size())) == lower;
}

bool looks_like_html(std::string_view start) {
    return starts_without_case(start, "<!doctype html") || starts_without_case(start, "<html") ||
           (start.starts_with("<?xml") && start.find("<html") != std::string_view::npos);
}

bool looks_like_xml(std::string_view start) {
    return start.starts_with("<?xml") || start.starts_with("<!");
}

Detected corpus(Format format) {
    return {Content::corpus, format, {}, {}};
}

Detected other(Content content, std::string_view reason) {
    return {content, Format::automatic, std::string(reason), {}};
}

// A list of records, or one record over several lines.
bool looks_like_other_json(const Lines& lines) {
    const std::string_view first = base::trimmed(lines.front());
    return first == "{" || first == "[" || (first.starts_with('[') && base::trimmed(first.substr(1)).starts_with('{'));
}

std::string in_utf8(const std::string& where, const std::string& start, const std::string& encoding) {
    if (encoding == utf_8) return start;
    MemoryBytes bytes(where, start);
    Decoder decoder(bytes, {encoding, InvalidBytes::replace});
    std::string text;
    decoder.append_to(text, bytes_looked_at);
    return text;
}

struct Found {
    fs::path path;
    Detected what;
};

std::string name_of(Format format) {
    return std::string(traits_of(format).name);
}

fs::path real_path(const fs::path& path) {
    std::error_code error;
    fs::path found = fs::canonical(path, error);
    if (error) base::fail(path.string(), "cannot be accessed: " + error.message());
    return found;
}

std::uint64_t size_of(const fs::path& path) {
    std::error_code error;
    const std::uint64_t size = fs::file_size(path, error);
    if (error) base::fail(path.string(), "its size cannot be determined: " + error.message());
    return size;
}

// Plain text in folders is labelled by them: reviews/good/17.txt is "good", as are the files of `good` itself.
// Other formats, whose lines are the texts, are labelled by the file.
std::string label_in(const fs::path& folder, const fs::path& file, Format format) {
    if (format != Format::text) return stem_of(file.string());
    const fs::path below = file.lexically_relative(folder);
    const bool nested = std::distance(below.begin(), below.end()) > 1;
    return nested ? below.begin()->string() : real_path(folder).filename().string();
}

bool is_annotated(const Found& file) {
    return file.what.content == Content::corpus && file.what.format != Format::text;
}

// The one format of a folder. Plain text gives way to any other: it is the licence or the README of the corpus.
Format format_of(const fs::path& folder, const std::vector<Found>& files) {
    const auto first = std::ranges::find_if(files, is_annotated);
    if (first == files.end()) return Format::text;
    const auto other = std::find_if(first, files.end(), [&](const Found& file) {
        return is_annotated(file) && file.what.format != first->what.format;
    });
    if (other == files.end()) return first->what.format;
    base::fail(folder.string(), "mixes formats: " + first->path.string() + " is " + name_of(first->what.format) + ", " +
                                    other->path.string() + " is " + name_of(other->what.format) +
                                    "; name the files, or the format");
}

// Empty when the file is read.
std::string reason_to_skip(const Found& file, Format kept) {
    if (file.what.content != Content::corpus) return file.what.reason;
    return file.what.format == kept ? "" : "is plain text among files of the format " + name_of(kept);
}

[[noreturn]] void fail_twice(const std::string& path) {
    base::fail(path, "is named twice, and its sentences would count twice; name it once");
}

// XML declares its own encoding, and a parser may not skip what is invalid.
void require_own_decoding(const File& file, const Decoding& asked) {
    constexpr std::string_view expected = "UTF-8, UTF-16, ISO-8859-1 or US-ASCII";
    if (asked.encoding != utf_8)
        base::fail(file.path,
                   "is XML, which declares its own encoding, but " + asked.encoding + " was named; do not name one");
    if (asked.invalid != InvalidBytes::error)
        base::fail(file.path, "is XML, in which invalid bytes are always an error; they cannot be skipped or replaced");
    if (file.decoding.encoding.starts_with("UTF-32"))
        base::fail(file.path, "is XML in " + file.decoding.encoding + "; expected " + std::string(expected) +
                                  ": convert it, for example with iconv");
}

void require_readable(const fs::path& path, const std::error_code& error) {
    if (error) base::fail_to_open(path.string(), "cannot be read: " + error.message(), error.value());
}

// Why the entry is not a file of the corpus; null when it is one, or a folder to look into.
const char* reason_to_pass_over(const fs::directory_entry& entry) {
    if (entry.path().filename().string().starts_with('.')) return "is hidden";
    std::error_code error;
    if (entry.is_directory(error)) return entry.is_symlink(error) ? "is a link to a folder" : nullptr;
    return entry.is_regular_file(error) ? nullptr : "is not a regular file";
}

// All regular files below `folder`, sorted name by name and byte by byte, so that the order is the same on every
// machine. Hidden files and folders, links to folders and anything but regular files go into `skipped`.
std::vector<fs::path> files_below(const fs::path& folder, std::vector<Skipped>& skipped) {
    std::vector<fs::path> files;
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, error);
    require_readable(folder, error);
    while (entry != fs::end(entry)) {
        const fs::path path = entry->path();
        const char* reason = reason_to_pass_over(*entry);
        if (reason != nullptr) {
            skipped.push_back({path.string(), reason});
            entry.disable_recursion_pending();
        } else if (!entry->is_directory(error)) {
            files.push_back(path);
        }
        entry.increment(error);
        require_readable(path, error);
    }
    std::ranges::sort(files);
    std::ranges::sort(skipped, {}, &Skipped::path);
    return files;
}

class Finder {
  public:
    explicit Finder(const Options& options) : options_(options), format_(options.format) {}

    void add(const std::string& path) {
        if (path == "-") return add_standard_input();
        std::error_code error;
        const fs::file_status status = fs::status(path, error);
        if (status.type() == fs::file_type::not_found) base::fail_to_open(path, "no such file or folder", ENOENT);
        if (error) base::fail_to_open(path, "cannot be accessed: " + error.message(), error.value());
        if (fs::is_directory(status)) return add_folder(path);
        if (!fs::is_regular_file(status)) {
            base::fail(
                path,
                "is neither a file nor a folder, and the corpus is read twice; send it to standard input and name -, "
                "or save it to a file first");
        }
        const Detected found = look_into(path);
        if (found.content != Content::corpus) base::fail(path, found.reason);
        add_file(path, found, stem_of(path));
    }

    Reader reader() { return {std::move(files_), std::move(skipped_), options_.unit}; }

  private:
    [[nodiscard]] Detected look_into(const fs::path& path, const Spool* spool = nullptr) const {
        Source source(path.string(), spool);
        Detected found = detect_format_of(source, options_.decoding);
        if (format_ == Format::automatic) return found;
        if (found.content == Content::binary) base::fail(path.string(), found.reason);
        return {Content::corpus, format_, {}, found.encoding};
    }

    void add_file(const fs::path& path, const Detected& found, std::string label) {
        if (!seen_.insert(real_path(path)).second) fail_twice(path.string());
        add_found({path.string(), found.format, size_of(path), std::move(label), {}, {}}, found.encoding);
    }

    void add_standard_input() {
        const std::string name = "standard input";
        if (!seen_.insert(name).second) fail_twice(name);  // no real path is like this: they start with a slash
        auto spool =
            std::make_shared<const Spool>(STDIN_FILENO, name, folder_for_spool(options_.spool_near), options_.stop);
        const Detected found = look_into(name, spool.get());
        if (found.content != Content::corpus) base::fail(name, found.reason);
        add_found({name, found.format, spool->size(), name, {}, spool}, found.encoding);
    }

    void add_found(File file, const std::string& encoding) {
        file.decoding = {encoding, options_.decoding.invalid};
        if (file.format == Format::bnc) require_own_decoding(file, options_.decoding);
        files_.push_back(std::move(file));
    }

    void skip(const fs::path& path, std::string reason) { skipped_.push_back({path.string(), std::move(reason)}); }

    void add_folder(const fs::path& folder) {
        std::vector<Found> found;
        for (const fs::path& path : files_of(folder)) found.push_back({path, look_into(path)});
        const Format kept = format_ == Format::automatic ? format_of(folder, found) : format_;
        const std::size_t before = files_.size();
        for (const Found& file : found) {
            // A folder of HTML is not the few style sheets in it.
            if (kept == Format::text && file.what.content == Content::markup)
                base::fail(file.path.string(), file.what.reason);
            std::string reason = reason_to_skip(file, kept);
            if (!reason.empty()) {
                skip(file.path, std::move(reason));
            } else {
                add_file(file.path, file.what, label_in(folder, file.path, kept));
            }
        }
        if (files_.size() == before) base::fail(folder.string(), "holds no file that can be read as a corpus");
    }

    // With a named format, those with an ending that is usual for it, where there are any.
    [[nodiscard]] std::vector<fs::path> files_of(const fs::path& folder) {
        std::vector<Skipped> skipped;
        std::vector<fs::path> paths = files_below(folder, skipped);
        std::ranges::move(skipped, std::back_inserter(skipped_));
        const auto is_usual = [&](const fs::path& path) { return has_usual_ending(format_, path.string()); };
        if (std::ranges::none_of(paths, is_usual)) return paths;
        for (const fs::path& path : paths) {
            if (!is_usual(path)) skip(path, "does not have an ending usual for " + name_of(format_));
        }
        std::erase_if(paths, std::not_fn(is_usual));
        return paths;
    }

    const Options& options_;
    Format format_;
    std::vector<File> files_;  // in the order of reading
    std::vector<Skipped> skipped_;
    std::set<fs::path> seen_;
};

}  // namespace

Detected detect_format(std::string_view start, bool whole) {
    if (start.starts_with(base::byte_order_mark)) start.remove_prefix(base::byte_order_mark.size());
    const Lines lines = lines_of(start, whole);
    if (lines.empty() && whole) return other(Content::nothing, start.empty() ? "is empty" : "holds only white space");
    if (lines.empty()) return corpus(Format::text);
    start = base::trimmed(start);
    if (looks_like_html(start))
        return other(Content::markup, "is HTML; save it as text first, for example with w3m -dump");
    if (start.starts_with('<') && start.find("<bncDoc") != std::string_view::npos) return corpus(Format::bnc);
    if (looks_like_xml(start) && start.find("<svg") != std::string_view::npos) {
        return other(Content::binary, "is a picture (SVG)");
    }
    if (looks_like_xml(start) && !looks_like_vertical(lines))
        return other(Content::markup, "is XML, but not the BNC's (<bncDoc>); save it as text first");
    if (looks_like_other_json(lines)) {
        return other(Content::markup, "is JSON, but not one object per line; convert it, for example with jq -c '.[]'");
    }
    for (const Traits& traits : all_traits())
        if (traits.looks_like != nullptr && traits.looks_like(lines)) return corpus(traits.format);
    return corpus(Format::text);
}

Detected detect_format_of(Source& source, const Decoding& decoding) {
    std::string start;
    const bool whole = !source.append_to(start, bytes_looked_at);
    const std::string_view marked = encoding_of_mark(start);
    const std::string encoding = marked.empty() ? decoding.encoding : std::string(marked);
    const std::string_view binary =
        sign_of_binary(start, unit_bytes(encoding), decoding.invalid != InvalidBytes::error);
    Detected found = binary.empty() ? detect_format(in_utf8(source.where(), start, encoding), whole)
                                    : other(Content::binary, binary);
    found.encoding = encoding;
    return found;
}

Reader open_corpus(std::span<const std::string> paths, const Options& options) {
    if (paths.empty()) base::fail("corpus", "no file or folder was named");
    Finder finder(options);
    for (const std::string& path : paths) finder.add(path);
    return finder.reader();
}

}  // namespace wordbreadth::corpus
