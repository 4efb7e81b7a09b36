#include "importing/object_scan.h"

#include <algorithm>

#include "base/utf8.h"
#include "importing/real_list.h"

namespace wordbreadth::importing {
namespace {

// Walks over the fields of an object. Positions of npos: not understood.
class Fields {
  public:
    explicit Fields(std::string_view line) : line_(line), at_(behind_blanks(0)) {
        at_ = character() == '{' ? behind_blanks(at_ + 1) : line_.size();
    }

    // Goes to the next key and its value; false where there is none, or it is not understood.
    bool next() {
        if (character() != '"') return false;
        const std::size_t end = end_of_string(at_);
        if (end == npos) return false;
        key_ = line_.substr(at_ + 1, end - at_ - 2);
        at_ = behind_blanks(end);
        if (key_.find('\\') != npos || character() != ':') return false;
        at_ = behind_blanks(at_ + 1);
        return true;
    }

    // From a value to the next key.
    bool skip_value() {
        at_ = end_of_value();
        if (at_ == npos) return false;
        at_ = behind_blanks(at_);
        if (character() != ',') return false;
        at_ = behind_blanks(at_ + 1);
        return true;
    }

    [[nodiscard]] std::string_view key() const { return key_; }
    [[nodiscard]] std::size_t value() const { return at_; }
    [[nodiscard]] char character() const { return at_ < line_.size() ? line_[at_] : '\0'; }

    // The value, where it is a string without escapes, in UTF-8.
    [[nodiscard]] std::optional<std::string_view> plain_string() const {
        if (character() != '"') return std::nullopt;
        const std::size_t end = end_of_string(at_);
        if (end == npos) return std::nullopt;
        const std::string_view found = line_.substr(at_ + 1, end - at_ - 2);
        const bool is_plain = found.find('\\') == npos && base::first_fault(found) == npos;
        return is_plain ? std::optional(found) : std::nullopt;
    }

  private:
    static constexpr std::size_t npos = std::string_view::npos;

    [[nodiscard]] std::size_t behind_blanks(std::size_t at) const {
        return std::min(line_.find_first_not_of(" \t\r", at), line_.size());
    }

    // After the closing quote of the string whose opening one is at `at`.
    [[nodiscard]] std::size_t end_of_string(std::size_t at) const {
        for (std::size_t end = at + 1; (end = line_.find('"', end)) != npos; ++end) {
            std::size_t escapes = 0;
            while (line_[end - 1 - escapes] == '\\') ++escapes;
            if (escapes % 2 == 0) return end + 1;
        }
        return npos;
    }

    [[nodiscard]] std::size_t end_of_value() const {
        const char first = character();
        if (first == '"') return end_of_string(at_);
        if (first == '{') return npos;
        if (first != '[') return line_.find_first_of(",}", at_);
        const std::size_t end = line_.find(']', at_);
        if (end == npos) return npos;
        const std::string_view inside = line_.substr(at_ + 1, end - at_ - 1);
        return inside.find('"') == npos && inside.find('[') == npos && inside.find('{') == npos ? end + 1 : npos;
    }

    std::string_view line_, key_;
    std::size_t at_;
};

}  // namespace

std::optional<std::string_view> word_in(std::string_view line, const RoleNames& names) {
    const std::string_view preferred = names.names(Role::word).front();
    for (Fields fields(line); fields.next();) {
        if (fields.key() == preferred) return fields.plain_string();
        if (!fields.skip_value()) break;
    }
    return std::nullopt;
}

std::optional<NumberList> read_vector_in(std::string_view line, const RoleNames& names, std::size_t most,
                                         std::vector<float>& values) {
    for (Fields fields(line); fields.next();) {
        const auto role = names.match(fields.key());
        if (role && role->role == Role::vector && fields.character() == '[') {
            const char* const end = read_real_list(line.data() + fields.value(), most, values);
            if (end == nullptr) return std::nullopt;
            return NumberList{fields.value(), static_cast<std::size_t>(end - line.data())};
        }
        if (!fields.skip_value()) break;
    }
    return std::nullopt;
}

}  // namespace wordbreadth::importing
