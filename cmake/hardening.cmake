# SPDX-License-Identifier: Apache-2.0
# What makes a mistake harder to exploit: it changes no result, and is checked by tests that read the finished files.

set(DOEBLIN_HARDENING -fstack-protector-strong)
# Sanitizers watch the same calls themselves, and without optimisation the C library cannot check its own.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  list(APPEND DOEBLIN_HARDENING "$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>")
endif()

include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

# For what is run or loaded: compiled like the modules, and with addresses that nobody can change once it has started.
function(doeblin_harden target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE ${DOEBLIN_HARDENING})
  target_link_options(${target} PRIVATE LINKER:-z,relro,-z,now)
endfunction()
