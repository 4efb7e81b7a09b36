// A line of vertical text that is a tag: <doc id="7" year="1999">, </s>, <g/>.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wordbreadth::corpus {

struct Tag {
    std::string_view name;
    bool closing = false;         // </s>
    bool empty = false;           // <g/>
    std::string_view attributes;  // as they stand
};

// Nothing when the line is not a tag. A line with a tab is a word, though it may start with <.
[[nodiscard]] std::optional<Tag> parse_tag(std::string_view line);

// The value of an attribute, in double or single quotes or in none; empty when there is none of that name.
[[nodiscard]] std::string attribute_of(const Tag& tag, std::string_view name);

// With the five entities of XML resolved: &amp; &lt; &gt; &quot; &apos;. Any other & stays.
[[nodiscard]] std::string without_entities(std::string_view text);

}  // namespace wordbreadth::corpus
