// Streams an XML file through expat. Document type declarations are refused, and with them all entities but XML's own
// five, so that nothing can be fetched from elsewhere or grow out of proportion.
#pragma once

#include <expat.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/bytes.h"

namespace wordbreadth::corpus {

class XmlAttributes {
  public:
    explicit XmlAttributes(const char** pairs) : pairs_(pairs) {}

    // Null when there is none of that name.
    [[nodiscard]] const char* find(std::string_view name) const;

  private:
    const char** pairs_;  // name, value, name, value, ..., null
};

class XmlHandler {
  public:
    virtual ~XmlHandler() = default;
    virtual void start_element(std::string_view name, const XmlAttributes& attributes) = 0;
    virtual void end_element(std::string_view name) = 0;
    virtual void character_data(std::string_view text) = 0;  // text may come in several pieces
};

class XmlParser {
  public:
    // Both outlive the parser.
    XmlParser(base::Bytes& source, XmlHandler& handler);

    // Calls the handler for what follows, until it pauses (true) or the document ends (false). Throws InputError, with
    // path and line, when the document is malformed, breaks off, has a DOCTYPE, or is past a limit; and what the
    // handler throws.
    [[nodiscard]] bool run();

    // For the handler: run() returns once the handler does.
    void pause();

    // For the handler: where the parser stands. From 1.
    [[nodiscard]] std::uint64_t line() const { return XML_GetCurrentLineNumber(parser_.get()); }

  private:
    struct Free {
        void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
    };

    template <typename Action>
    void guarded(Action action);
    void enter();
    XML_Status parse_more();
    void require_progress();
    [[noreturn]] void fail_parsing();

    base::Bytes& source_;
    XmlHandler& handler_;
    std::unique_ptr<std::remove_pointer_t<XML_Parser>, Free> parser_;
    std::exception_ptr thrown_;  // by the handler; expat, being C, cannot let it through
    std::size_t depth_ = 0;
    std::size_t without_event_ = 0;  // bytes that were parsed since the handler was last called
    bool final_ = false;
};

}  // namespace wordbreadth::corpus
