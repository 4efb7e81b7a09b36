// Whether a text is well-formed XML.
#pragma once

#include <expat.h>

#include <memory>
#include <string>

namespace wordbreadth::report {

// Empty when it is; else what is wrong, and in which line.
inline std::string xml_fault(const std::string& text) {
    const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate("UTF-8"),
                                                                              XML_ParserFree);
    if (XML_Parse(parser.get(), text.data(), static_cast<int>(text.size()), 1) == XML_STATUS_OK) return "";
    return std::string(XML_ErrorString(XML_GetErrorCode(parser.get()))) + " in line " +
           std::to_string(XML_GetCurrentLineNumber(parser.get()));
}

}  // namespace wordbreadth::report
