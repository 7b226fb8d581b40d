# SPDX-License-Identifier: Apache-2.0
# find_package(doeblin) gives a target for every module: doeblin::core, doeblin::pipeline, doeblin::verify and so on.
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY DOEBLIN_MODULES)
set_target_properties(doeblin_flags PROPERTIES EXPORT_NAME flags)
install(TARGETS ${modules} doeblin_flags EXPORT doeblinTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/doeblin DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT doeblinTargets NAMESPACE doeblin:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/doeblin)
configure_package_config_file(cmake/doeblinConfig.cmake.in ${PROJECT_BINARY_DIR}/doeblinConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/doeblin)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/doeblinConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/FindArb.cmake ${PROJECT_BINARY_DIR}/doeblinConfig.cmake ${PROJECT_BINARY_DIR}/doeblinConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/doeblin)
