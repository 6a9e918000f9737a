# postern_room(NAME DEPS...): one folder of src/ is one static library, postern_<NAME>, made of its
# *.cc files; its *_test.cc files are one test program beside it, <NAME>_test.
# Files are found by glob so that adding one needs no edit here.
function(postern_room name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  if(sources)
    add_library(postern_${name} STATIC ${sources})
    target_link_libraries(postern_${name} PUBLIC postern_options ${ARGN})
    postern_share_headers(postern_${name})
  else()
    add_library(postern_${name} INTERFACE)
    target_link_libraries(postern_${name} INTERFACE postern_options ${ARGN})
  endif()
  if(POSTERN_TESTS AND tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE postern_${name})
    postern_test_program(${name}_test)
    gtest_discover_tests(${name}_test DISCOVERY_MODE PRE_TEST PROPERTIES LABELS unit)
  endif()
endfunction()

# postern_share_headers(TARGET): the standard library's headers are a third of what a file takes to compile; they are
# compiled once for all rooms. Every file still includes what it uses.
function(postern_share_headers target)
  if(NOT TARGET postern_headers)
    file(WRITE ${PROJECT_BINARY_DIR}/headers.cc "")
    add_library(postern_headers STATIC ${PROJECT_BINARY_DIR}/headers.cc)
    target_link_libraries(postern_headers PRIVATE postern_options)
    target_precompile_headers(postern_headers PRIVATE <algorithm> <functional> <map> <memory> <optional> <span> <string>
      <string_view> <unordered_map> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM postern_headers)
endfunction()

# postern_test_program(TARGET): GoogleTest and rapidcheck for a program of unit tests. Compiling these programs is
# most of a build: the headers are compiled once for all of them, and little is optimized.
function(postern_test_program target)
  if(NOT TARGET postern_test_headers)
    # A program, so that it is compiled with the options of programs (-fPIE).
    file(WRITE ${PROJECT_BINARY_DIR}/test_headers.cc "")
    add_executable(postern_test_headers ${PROJECT_BINARY_DIR}/test_headers.cc)
    target_link_libraries(postern_test_headers PRIVATE postern_options GTest::gtest_main rapidcheck)
    target_compile_options(postern_test_headers PRIVATE $<$<CONFIG:Release>:-O1>)
    target_precompile_headers(postern_test_headers PRIVATE <gtest/gtest.h> <rapidcheck/gtest.h>)
  endif()
  # Where the golden indexes are, wherever a test runs and however the compiler was told its paths.
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/test_paths/golden.h
    CONTENT "#pragma once\n#define POSTERN_GOLDEN_FOLDER \"${PROJECT_SOURCE_DIR}/tests/golden\"\n")
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(${target} PRIVATE GTest::gtest_main rapidcheck)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_precompile_headers(${target} REUSE_FROM postern_test_headers)
endfunction()
