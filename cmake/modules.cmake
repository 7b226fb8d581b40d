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

# A whole build takes a third of the time, so whatever builds everything switches it on; after a change to one source it
# compiles the batch. Names in unnamed namespaces must differ within a module.
option(DOEBLIN_UNITY "Compile the sources of a module in batches" OFF)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)
if(DOEBLIN_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # What it warns of cannot happen: a source is in one batch only.
  list(APPEND DOEBLIN_WARNINGS -Wno-subobject-linkage)
endif()

# doeblin_module(name [INTERNAL] [DEPENDS other modules...] [LINKS libraries...]), if a component that is built has it.
function(doeblin_module name)
  cmake_parse_arguments(ARG "INTERNAL" "" "DEPENDS;LINKS" ${ARGN})
  if(NOT ARG_INTERNAL AND NOT name IN_LIST DOEBLIN_WANTED_MODULES)
    return()
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  # BUILD_SHARED_LIBS decides, but what is not installed becomes a part of who uses it.
  set(kind)
  if(ARG_INTERNAL)
    set(kind STATIC)
  endif()
  add_library(doeblin_${name} ${kind} ${sources})
  add_library(doeblin::${name} ALIAS doeblin_${name})
  # Without a symbol of its own, a shared library is compiled like a static one, and ccache knows it.
  set_target_properties(doeblin_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF
    UNITY_BUILD ${DOEBLIN_UNITY} DEFINE_SYMBOL "" INSTALL_RPATH "$ORIGIN"
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_include_directories(doeblin_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(doeblin_${name} PRIVATE ${DOEBLIN_WARNINGS} ${DOEBLIN_HARDENING})
  target_link_libraries(doeblin_${name} PUBLIC doeblin_flags
    PRIVATE fmt::fmt $<BUILD_INTERFACE:FastFloat::fast_float> ${ARG_LINKS})
  foreach(dependency IN LISTS ARG_DEPENDS)
    target_link_libraries(doeblin_${name} PUBLIC doeblin_${dependency})
  endforeach()
  # What has no public header is not installed.
  if(NOT ARG_INTERNAL)
    set_property(GLOBAL APPEND PROPERTY DOEBLIN_MODULES doeblin_${name})
  endif()
endfunction()
