# libzip, as the target libzip::zip.
#
# Why not the config file that libzip brings: Debian's also names the programs zipcmp, zipmerge and ziptool, which live in
# packages of their own, and fails where they are missing. A library does not need them.
find_path(libzip_INCLUDE_DIR zip.h)
find_library(libzip_LIBRARY zip)

if(libzip_INCLUDE_DIR AND EXISTS "${libzip_INCLUDE_DIR}/zipconf.h")
  file(STRINGS "${libzip_INCLUDE_DIR}/zipconf.h" libzip_version_line REGEX "#define LIBZIP_VERSION \"")
  string(REGEX REPLACE ".*\"([0-9.]+).*" "\\1" libzip_VERSION "${libzip_version_line}")
  unset(libzip_version_line)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(libzip REQUIRED_VARS libzip_LIBRARY libzip_INCLUDE_DIR VERSION_VAR libzip_VERSION)

if(libzip_FOUND AND NOT TARGET libzip::zip)
  add_library(libzip::zip UNKNOWN IMPORTED)
  set_target_properties(libzip::zip PROPERTIES IMPORTED_LOCATION "${libzip_LIBRARY}"
                                               INTERFACE_INCLUDE_DIRECTORIES "${libzip_INCLUDE_DIR}")
endif()
mark_as_advanced(libzip_INCLUDE_DIR libzip_LIBRARY)
