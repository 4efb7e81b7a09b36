# The CUDA compiler, where there is one. Sets WORDBREADTH_HAS_CUDA; when it is true, the language is enabled and the target
# wordbreadth::cudart is CUDA's runtime. Prints in one line what was found. The user's view: docs/cuda.md.
#
# The presets of the sanitizers say OFF: CUDA's runtime maps memory where theirs is, and locks where they do not see it.
set(WORDBREADTH_CUDA AUTO CACHE STRING "Build the CUDA engines: AUTO (where nvcc is found), ON (or fail) or OFF")
set_property(CACHE WORDBREADTH_CUDA PROPERTY STRINGS AUTO ON OFF)
set(WORDBREADTH_HAS_CUDA FALSE)
set(oldest_nvcc 12.0)  # the first that speaks C++20

# NOTICE, so that it is also seen at the log level of the Makefile.
function(say_cuda text)
  message(NOTICE "-- CUDA engine: ${text}")
endfunction()

function(no_cuda reason)
  if(WORDBREADTH_CUDA STREQUAL "AUTO")
    say_cuda("not built, ${reason} (see docs/cuda.md)")
  else()
    message(FATAL_ERROR "CUDA engine: WORDBREADTH_CUDA is ${WORDBREADTH_CUDA}, but ${reason} (see docs/cuda.md)")
  endif()
endfunction()

# CMAKE_CUDA_ARCHITECTURES as people read it: "80-real;90" is "sm_80, sm_90 and PTX".
function(readable_architectures result)
  list(TRANSFORM CMAKE_CUDA_ARCHITECTURES REPLACE "-.*" "" OUTPUT_VARIABLE numbers)
  list(REMOVE_DUPLICATES numbers)
  list(TRANSFORM numbers PREPEND "sm_")
  list(JOIN numbers ", " text)
  list(FILTER CMAKE_CUDA_ARCHITECTURES EXCLUDE REGEX "-real$")
  if(CMAKE_CUDA_ARCHITECTURES)
    string(APPEND text " and PTX")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

if(NOT WORDBREADTH_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "WORDBREADTH_CUDA is '${WORDBREADTH_CUDA}'; expected AUTO, ON or OFF")
endif()
if(WORDBREADTH_CUDA STREQUAL "OFF")
  say_cuda("not built, WORDBREADTH_CUDA is OFF")
  return()
endif()

# Which nvcc: CMAKE_CUDA_COMPILER or CUDACXX name one; else it is looked for, last where tools/cuda.sh puts it.
if(DEFINED CMAKE_CUDA_COMPILER AND NOT EXISTS "${CMAKE_CUDA_COMPILER}")
  unset(CMAKE_CUDA_COMPILER CACHE)  # not found the last time, or removed since
  file(REMOVE "${CMAKE_BINARY_DIR}/CMakeFiles/${CMAKE_VERSION}/CMakeCUDACompiler.cmake")
endif()
if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(nvcc nvcc NO_CACHE
               HINTS "$ENV{CUDA_HOME}/bin" "$ENV{CUDA_PATH}/bin"
               PATHS /usr/local/cuda/bin "${PROJECT_SOURCE_DIR}/build/cuda-toolkit/nvidia/cu13/bin")
  if(NOT nvcc)
    no_cuda("no nvcc was found")
    return()
  endif()
  set(ENV{CUDACXX} "${nvcc}")
endif()

# Does it work, with this compiler for its host code? Enabling the language would end the configuration if not.
include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  no_cuda("$ENV{CUDACXX} does not work here; the reason is in ${CMAKE_BINARY_DIR}/CMakeFiles/CMakeError.log")
  return()
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
  set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 90-virtual)  # newer GPUs compile the PTX of 90 when the program starts
endif()
if(NOT DEFINED CMAKE_CUDA_COMPILER_LAUNCHER AND DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${CMAKE_CXX_COMPILER_LAUNCHER}")
endif()
enable_language(CUDA)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS oldest_nvcc)
  no_cuda("${CMAKE_CUDA_COMPILER} is ${CMAKE_CUDA_COMPILER_VERSION}, and ${oldest_nvcc} or newer is needed")
  return()
endif()
# Not by find_package(CUDAToolkit), which asks for libcudart.so: we do not, and NVIDIA's Python packages have none.
find_library(WORDBREADTH_CUDART libcudart_static.a PATHS ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES} NO_DEFAULT_PATH NO_CACHE)
if(NOT WORDBREADTH_CUDART)
  no_cuda("${CMAKE_CUDA_COMPILER} comes without libcudart_static.a")
  return()
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc has it
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
endif()

# The runtime, static, as a target of our own: the program starts where no file of CUDA is installed, and the installed
# package brings its copy, so that projects without CUDA can link (wordbreadthConfig.cmake makes the same target).
set(CMAKE_CUDA_RUNTIME_LIBRARY None)  # or CMake would add another
add_library(wordbreadth::cudart STATIC IMPORTED)
set_target_properties(wordbreadth::cudart PROPERTIES IMPORTED_LOCATION "${WORDBREADTH_CUDART}"
                                                     INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};rt")

# Its headers, apart: the library's files outside folders called cuda are compiled by the same commands with and without CUDA, and so
# not again when nvcc is found later.
add_library(wordbreadth::cuda_headers INTERFACE IMPORTED)
target_include_directories(wordbreadth::cuda_headers INTERFACE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
function(wordbreadth_use_cuda_headers target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "/cuda/[^/]*\\.cc$")
  if(NOT sources)
    return()
  endif()
  list(TRANSFORM CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES PREPEND -isystem OUTPUT_VARIABLE options)
  set_source_files_properties(${sources} TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS "${options}")
endfunction()

set(WORDBREADTH_HAS_CUDA TRUE)
readable_architectures(architectures)
say_cuda("nvcc ${CMAKE_CUDA_COMPILER_VERSION} (${CMAKE_CUDA_COMPILER}), ${architectures}")
