# SPDX-License-Identifier: Apache-2.0
# find_package(doeblin) gives a target for every component, doeblin::accountant and so on, and for every module.
include(CMakePackageConfigHelpers)
include(cmake/public_headers.cmake)

get_property(targets GLOBAL PROPERTY DOEBLIN_MODULES)
foreach(component IN LISTS DOEBLIN_BUILT_COMPONENTS)
  if(NOT TARGET doeblin_${component})
    add_library(doeblin_${component} INTERFACE)
    add_library(doeblin::${component} ALIAS doeblin_${component})
    set_target_properties(doeblin_${component} PROPERTIES EXPORT_NAME ${component})
    target_link_libraries(doeblin_${component} INTERFACE doeblin_${DOEBLIN_TOP_${component}})
    list(APPEND targets doeblin_${component})
  endif()
endforeach()
set_target_properties(doeblin_flags PROPERTIES EXPORT_NAME flags)
install(TARGETS ${targets} doeblin_flags EXPORT doeblinTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT doeblinTargets NAMESPACE doeblin:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/doeblin)

foreach(header IN LISTS DOEBLIN_PUBLIC_HEADERS DOEBLIN_SUPPORTING_HEADERS)
  get_filename_component(module ${header} DIRECTORY)
  if(module IN_LIST DOEBLIN_WANTED_MODULES OR (header STREQUAL "doeblin.hpp" AND TARGET doeblin_accountant))
    install(FILES include/doeblin/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/doeblin/${module})
  endif()
endforeach()

configure_package_config_file(cmake/doeblinConfig.cmake.in ${PROJECT_BINARY_DIR}/doeblinConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/doeblin)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/doeblinConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/FindArb.cmake ${PROJECT_BINARY_DIR}/doeblinConfig.cmake ${PROJECT_BINARY_DIR}/doeblinConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/doeblin)
