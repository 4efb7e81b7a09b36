# Unity builds: sources of one room are compiled together, several at a time, because most of a small file's time goes into the headers
# that it includes. A batch of ten takes about half as long as its files do one by one (GCC 12, Release).
#
# A batch never spans two rooms, so a new file in one room moves no other room's batches. Files that define the same name
# never share a batch. Those in a folder called cuda are compiled alone: which of them exist depends on the compiler. A file that still
# cannot share gets the source property SKIP_UNITY_BUILD_INCLUSION. The debug preset and clang-tidy look at every file alone: they
# find a missing #include, and a name that is shadowed (in a batch, it may be by another file's).
option(WORDBREADTH_UNITY "Compile the sources of a room in batches" ON)

# The names that SOURCE defines at namespace scope, members of classes left out: clang-format starts those lines in column 0.
function(names_in source result)
  file(STRINGS ${source} lines REGEX "^[a-zA-Z]")
  list(FILTER lines EXCLUDE REGEX "^(namespace|template|using namespace|TEST|INSTANTIATE_|static_assert)")
  set(names)
  foreach(line IN LISTS lines)
    if(line MATCHES "^(struct|class|enum class|enum|union|using) ([A-Za-z0-9_]+)")
      list(APPEND names ${CMAKE_MATCH_2})
    elseif(line MATCHES "(^|[ *&])([A-Za-z_][A-Za-z0-9_]*)(\\(| = |{|;|\\[)")
      list(APPEND names ${CMAKE_MATCH_2})
    endif()
  endforeach()
  set(${result} "${names}" PARENT_SCOPE)
endfunction()

# Batches the C++ sources of TARGET by their first folder below ROOT, at most SIZE together.
function(wordbreadth_unity target root size)
  if(NOT WORDBREADTH_UNITY)
    return()
  endif()
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${root} OUTPUT_VARIABLE name)
    if(name MATCHES "(^|/)cuda/" OR NOT name MATCHES "^([a-z_]+)/.*\\.cc$" OR NOT EXISTS ${source})
      continue()
    endif()
    set(room ${CMAKE_MATCH_1})
    names_in(${source} names)
    foreach(number RANGE 100)  # the first batch with a place and without these names
      set(batch ${room}_${number})
      list(LENGTH files_${batch} files)
      set(shared ${names_${batch}})
      list(REMOVE_ITEM shared "" ${names})
      list(LENGTH shared different)
      list(LENGTH names_${batch} all)
      if(files LESS size AND different EQUAL all)
        break()
      endif()
    endforeach()
    list(APPEND files_${batch} ${source})
    list(APPEND names_${batch} ${names})
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${batch})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
