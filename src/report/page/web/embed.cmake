# Writes assets.cc: cmake -DFOLDER=this -DOUTPUT=assets.cc -P embed.cmake
cmake_minimum_required(VERSION 3.25)

function(joined result)
  set(text "")
  foreach(name ${ARGN})
    file(READ ${FOLDER}/${name} more)
    string(APPEND text "${more}")
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

joined(figure_css figure.css)
joined(page_css page.css figure.css)
joined(script dom.js download.js concordance.js table.js figure.js start.js)

set(code "#include \"report/page/web/assets.h\"\n\nnamespace wordbreadth::report::web {\n\n")
foreach(name figure_css page_css script)
  string(APPEND code "const std::string_view ${name} = R\"asset(${${name}})asset\";\n")
endforeach()
string(APPEND code "\n}  // namespace wordbreadth::report::web\n")
file(WRITE ${OUTPUT} "${code}")
