# MeCab, as the target mecab::mecab. It brings no CMake files of its own.
find_path(mecab_INCLUDE_DIR mecab.h)
find_library(mecab_LIBRARY mecab)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(mecab REQUIRED_VARS mecab_LIBRARY mecab_INCLUDE_DIR)

if(mecab_FOUND AND NOT TARGET mecab::mecab)
  add_library(mecab::mecab UNKNOWN IMPORTED)
  set_target_properties(mecab::mecab PROPERTIES IMPORTED_LOCATION "${mecab_LIBRARY}"
                                                INTERFACE_INCLUDE_DIRECTORIES "${mecab_INCLUDE_DIR}")
endif()
mark_as_advanced(mecab_INCLUDE_DIR mecab_LIBRARY)
