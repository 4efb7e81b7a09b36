// A pytorch_model.bin in zip form, rewritten as torch did before version 1.6.
#pragma once

#include <map>
#include <span>
#include <string>

#include "arrays/zip.h"
#include "support/array_testing.h"

namespace wordbreadth::encoder::snapshot {

inline std::string pickled(const std::string& text) {
    return "X" + arrays::little_endian(static_cast<std::uint32_t>(text.size())) + text;
}

// The members of the archive by the last part of their names.
inline std::map<std::string, std::string> members_of(const std::string& path) {
    std::map<std::string, std::string> members;
    const arrays::Zip archive(path);
    for (std::uint64_t i = 0; i < archive.entries(); ++i) {
        const arrays::ZipEntry entry = archive.entry(i);
        std::string bytes(entry.size, '\0');
        archive.open(i, path).read_all(std::as_writable_bytes(std::span(bytes)), "a member");
        const bool is_storage = entry.name.find("/data/") != std::string::npos;
        members[(is_storage ? "data/" : "") + entry.name.substr(entry.name.rfind('/') + 1)] = bytes;
    }
    return members;
}

// A file of the old form: the pickled list of tensors, and storages of float32 by their keys.
inline std::string old_form_of(const std::string& list, const std::map<std::string, std::string>& storages) {
    using namespace std::string_literals;
    std::string file = "\x80\x02\x8A\nl\xFC\x9C\x46\xF9 j\xA8P\x19."s + "\x80\x02M\xE9\x03."s;
    file += "\x80\x02}q\0("s + pickled("protocol_version") + "M\xE9\x03" + pickled("little_endian") + "\x88" +
            pickled("type_sizes") + "}" + pickled("short") + "K\x02su.";
    file += list;
    file += "\x80\x02]q\0("s;
    for (const auto& [key, bytes] : storages) file += pickled(key);
    file += "e.";
    for (const auto& [key, bytes] : storages)
        file += arrays::little_endian(static_cast<std::uint64_t>(bytes.size() / 4)) + bytes;
    return file;
}

// All storages are of float32.
inline std::string in_old_form(const std::string& path) {
    auto members = members_of(path);
    std::map<std::string, std::string> storages;
    for (auto& [name, bytes] : members)
        if (name.starts_with("data/")) storages.emplace(name.substr(5), std::move(bytes));
    return old_form_of(members.at("data.pkl"), storages);
}

}  // namespace wordbreadth::encoder::snapshot
