#include "corpus/xml_parser.h"

#include <new>

#include "base/utf8.h"
#include "corpus/failure.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

namespace {

constexpr int bytes_at_a_time = 64 * 1024;

bool means_cut_off(XML_Error error) {
    return error == XML_ERROR_NO_ELEMENTS || error == XML_ERROR_UNCLOSED_TOKEN || error == XML_ERROR_PARTIAL_CHAR ||
           error == XML_ERROR_UNCLOSED_CDATA_SECTION;
}

// Whether the parser stopped at something that is not UTF-8.
bool stopped_at_bad_byte(XML_Parser parser) {
    int offset = 0;
    int size = 0;
    const char* context = XML_GetInputContext(parser, &offset, &size);
    if (context == nullptr || offset < 0 || offset >= size) return false;
    constexpr std::size_t longest_character = 4;
    return base::first_fault(std::string_view(context + offset, static_cast<std::size_t>(size - offset))
                                 .substr(0, longest_character)) == 0;
}

}  // namespace

const char* XmlAttributes::find(std::string_view name) const {
    for (const char** pair = pairs_; *pair != nullptr; pair += 2) {
        if (name == *pair) return pair[1];
    }
    return nullptr;
}

XmlParser::XmlParser(base::Bytes& source, XmlHandler& handler)
    : source_(source), handler_(handler), parser_(XML_ParserCreate(nullptr)) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const char* name, const char** attributes) {
            auto& parser = *static_cast<XmlParser*>(self);
            parser.guarded([&] {
                parser.enter();
                parser.handler_.start_element(name, XmlAttributes(attributes));
            });
        },
        [](void* self, const char* name) {
            auto& parser = *static_cast<XmlParser*>(self);
            parser.guarded([&] { parser.handler_.end_element(name); });
            --parser.depth_;
        });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int size) {
        auto& parser = *static_cast<XmlParser*>(self);
        parser.guarded([&] { parser.handler_.character_data({text, static_cast<std::size_t>(size)}); });
    });
    XML_SetStartDoctypeDeclHandler(parser_.get(), [](void* self, const char* name, const char*, const char*, int) {
        auto& parser = *static_cast<XmlParser*>(self);
        parser.guarded([&] {
            fail_at(parser.source_.where(), parser.line(),
                    "has the document type declaration <!DOCTYPE " + std::string(name) +
                        ">, which is refused (it can fetch files and multiply text); remove it");
        });
    });
}

// Runs an event of the handler, and keeps what it throws until expat has returned.
template <typename Action>
void XmlParser::guarded(Action action) {
    without_event_ = 0;
    if (thrown_) return;
    try {
        action();
    } catch (...) {
        thrown_ = std::current_exception();
        XML_StopParser(parser_.get(), XML_FALSE);
    }
}

void XmlParser::enter() {
    if (++depth_ <= limits::xml_depth) return;
    fail_at(source_.where(), line(), "nests deeper than the " + std::to_string(limits::xml_depth) + " levels accepted");
}

bool XmlParser::run() {
    XML_ParsingStatus state{};
    for (;;) {
        XML_GetParsingStatus(parser_.get(), &state);
        if (state.parsing == XML_FINISHED) return false;
        const XML_Status status = state.parsing == XML_SUSPENDED ? XML_ResumeParser(parser_.get()) : parse_more();
        if (thrown_) std::rethrow_exception(thrown_);
        if (status == XML_STATUS_ERROR) fail_parsing();
        if (status == XML_STATUS_SUSPENDED) return true;
        require_progress();
    }
}

void XmlParser::pause() {
    XML_StopParser(parser_.get(), XML_TRUE);
}

XML_Status XmlParser::parse_more() {
    void* buffer = XML_GetBuffer(parser_.get(), bytes_at_a_time);
    if (buffer == nullptr) throw std::bad_alloc();
    const std::size_t found = source_.read({static_cast<std::byte*>(buffer), bytes_at_a_time});
    without_event_ += found;
    final_ = found < bytes_at_a_time;
    return XML_ParseBuffer(parser_.get(), static_cast<int>(found), final_ ? 1 : 0);
}

// A tag or comment is held in memory until its end, and looked through again with every piece.
void XmlParser::require_progress() {
    if (without_event_ <= limits::xml_token_bytes) return;
    fail_at(source_.where(), line(),
            "holds a tag or comment longer than the " + std::to_string(limits::xml_token_bytes) + " bytes accepted");
}

void XmlParser::fail_parsing() {
    const XML_Error error = XML_GetErrorCode(parser_.get());
    if (error == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
    if (final_ && means_cut_off(error)) {
        fail_at(source_.where(), line(),
                "the file breaks off here; expected the end of its root element: copy it again");
    }
    if (error == XML_ERROR_INVALID_TOKEN && stopped_at_bad_byte(parser_.get())) {
        const auto column = XML_GetCurrentColumnNumber(parser_.get()) + 1;
        fail_at(source_.where(), line(),
                "character " + std::to_string(column) + " of the line is not UTF-8; convert the file");
    }
    std::string what = std::string("is not well-formed XML: ") + XML_ErrorString(error);
    if (error == XML_ERROR_UNKNOWN_ENCODING)
        what += "; expected UTF-8, UTF-16, ISO-8859-1 or US-ASCII: convert the file, and change what it declares";
    fail_at(source_.where(), line(), what);
}

}  // namespace wordbreadth::corpus
