# SPDX-License-Identifier: Apache-2.0
# One library target per module: sources under src/<module>, public headers under include/doeblin/<module>.

add_library(doeblin_flags INTERFACE)
target_compile_features(doeblin_flags INTERFACE cxx_std_20)
# Contracted products would change the error terms that the rounding analysis relies on.
target_compile_options(doeblin_flags INTERFACE -ffp-contract=off)
set(DOEBLIN_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
option(DOEBLIN_WERROR "Warnings are errors" ON)
if(DOEBLIN_WERROR)
  list(APPEND DOEBLIN_WARNINGS -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees overlapping copies in its own std::string (GCC bug 105651).
  list(APPEND DOEBLIN_WARNINGS -Wno-restrict)
endif()

# A whole build takes a third of the time. Names in unnamed namespaces must differ within a module.
option(DOEBLIN_UNITY "Compile the sources of a module in batches" ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)
if(DOEBLIN_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # What it warns of cannot happen: a source is in one batch only.
  list(APPEND DOEBLIN_WARNINGS -Wno-subobject-linkage)
endif()

function(doeblin_module name)
  cmake_parse_arguments(ARG "INTERNAL" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(doeblin_${name} STATIC ${sources})
  add_library(doeblin::${name} ALIAS doeblin_${name})
  set_target_properties(doeblin_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF
    UNITY_BUILD ${DOEBLIN_UNITY})
  target_include_directories(doeblin_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(doeblin_${name} PRIVATE ${DOEBLIN_WARNINGS} ${DOEBLIN_HARDENING})
  target_link_libraries(doeblin_${name} PUBLIC doeblin_flags PRIVATE fmt::fmt FastFloat::fast_float)
  foreach(dependency IN LISTS ARG_DEPENDS)
    target_link_libraries(doeblin_${name} PUBLIC doeblin_${dependency})
  endforeach()
  # What has no public header is not installed.
  if(NOT ARG_INTERNAL)
    set_property(GLOBAL APPEND PROPERTY DOEBLIN_MODULES doeblin_${name})
  endif()
endfunction()
