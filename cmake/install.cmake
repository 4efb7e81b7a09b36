# What `cmake --install` puts where: the program, the library, its headers, and the files behind find_package(wordbreadth).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/wordbreadth")

install(TARGETS wordbreadth wordbreadth_core EXPORT wordbreadthTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(TARGETS wordbreadth_program RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/wordbreadth" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h")
set(cudart_dir "${CMAKE_INSTALL_LIBDIR}/wordbreadth")
if(WORDBREADTH_HAS_CUDA)
  install(FILES "${WORDBREADTH_CUDART}" DESTINATION "${cudart_dir}" RENAME libcudart_static.a)
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

install(EXPORT wordbreadthTargets NAMESPACE wordbreadth:: DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/wordbreadthConfig.cmake.in" wordbreadthConfig.cmake
                              INSTALL_DESTINATION "${package_dir}" PATH_VARS cudart_dir)
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(wordbreadthConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/wordbreadthConfig.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/wordbreadthConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/Findlibzip.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/Findlz4.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/Findmecab.cmake"
        DESTINATION "${package_dir}")
