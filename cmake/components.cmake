# SPDX-License-Identifier: Apache-2.0
# What guests ask for: find_package(doeblin COMPONENTS accountant). A component is some modules, and needs their libraries
# alone; cmake/doeblinConfig.cmake.in knows which ones those are.
set(DOEBLIN_ALL_COMPONENTS accountant verifier certificates training report)
set(DOEBLIN_MODULES_accountant core io language numerics profile mechanism composition subsampling iteration mixing diffusion
  pipeline)
set(DOEBLIN_MODULES_verifier core io language json certificate verify)
set(DOEBLIN_MODULES_certificates ${DOEBLIN_MODULES_accountant} json certificate issuing)
set(DOEBLIN_MODULES_training ${DOEBLIN_MODULES_accountant} json sampling training audit)
set(DOEBLIN_MODULES_report ${DOEBLIN_MODULES_certificates} report)
# doeblin::<component> is the module that brings the others, where it is not called the same.
set(DOEBLIN_TOP_accountant pipeline)
set(DOEBLIN_TOP_verifier verify)
set(DOEBLIN_TOP_certificates issuing)

set(DOEBLIN_COMPONENTS ${DOEBLIN_ALL_COMPONENTS} CACHE STRING "What to build and install, some of: ${DOEBLIN_ALL_COMPONENTS}")
set(unknown ${DOEBLIN_COMPONENTS})
list(REMOVE_ITEM unknown ${DOEBLIN_ALL_COMPONENTS})
if(unknown OR NOT DOEBLIN_COMPONENTS)
  message(FATAL_ERROR "DOEBLIN_COMPONENTS = ${DOEBLIN_COMPONENTS}, need some of ${DOEBLIN_ALL_COMPONENTS}")
endif()

# What has all modules of a component has the component, too.
set(DOEBLIN_WANTED_MODULES)
foreach(component IN LISTS DOEBLIN_COMPONENTS)
  list(APPEND DOEBLIN_WANTED_MODULES ${DOEBLIN_MODULES_${component}})
endforeach()
list(REMOVE_DUPLICATES DOEBLIN_WANTED_MODULES)
set(DOEBLIN_BUILT_COMPONENTS)
foreach(component IN LISTS DOEBLIN_ALL_COMPONENTS)
  set(missing ${DOEBLIN_MODULES_${component}})
  list(REMOVE_ITEM missing ${DOEBLIN_WANTED_MODULES})
  if(NOT missing)
    list(APPEND DOEBLIN_BUILT_COMPONENTS ${component})
  endif()
endforeach()
# The program, Python, the tests and the benchmarks need everything.
set(DOEBLIN_EVERYTHING OFF)
if(DOEBLIN_BUILT_COMPONENTS STREQUAL DOEBLIN_ALL_COMPONENTS)
  set(DOEBLIN_EVERYTHING ON)
endif()
