# SPDX-License-Identifier: Apache-2.0
# Ball arithmetic: Arb::arb, from Debian's libflint-arb-dev (elsewhere the library is called arb, or is a part of FLINT 3).
find_path(Arb_INCLUDE_DIR arb.h PATH_SUFFIXES flint)
find_path(Flint_INCLUDE_DIR flint/flint.h)
find_library(Arb_LIBRARY NAMES flint-arb arb flint)
find_library(Flint_LIBRARY NAMES flint)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Arb REQUIRED_VARS Arb_LIBRARY Flint_LIBRARY Arb_INCLUDE_DIR Flint_INCLUDE_DIR)
if(Arb_FOUND AND NOT TARGET Arb::arb)
  add_library(Arb::arb INTERFACE IMPORTED)
  set_target_properties(Arb::arb PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${Arb_INCLUDE_DIR};${Flint_INCLUDE_DIR};${Flint_INCLUDE_DIR}/flint"
    INTERFACE_LINK_LIBRARIES "${Arb_LIBRARY};${Flint_LIBRARY}")
endif()
