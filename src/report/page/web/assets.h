// The styles and scripts of a report, as text; made from the files of this folder when the project is built.
#pragma once

#include <string_view>

namespace wordbreadth::report::web {

extern const std::string_view figure_css;  // figure.css: pictures, within a page and alone
extern const std::string_view page_css;    // page.css and figure.css
extern const std::string_view script;      // every .js of this folder

}  // namespace wordbreadth::report::web
