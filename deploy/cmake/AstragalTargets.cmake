# The few kinds of target this project has. Libraries are named after their room:
# services/base is astragal_base, plugins/host is astragal_host.

# astragal_quick(TARGET): compiled quickly rather than well, for code that waits for others: the command
# line and the tests. Their headers (generated code, CLI11, GoogleTest) cost a third less so.
function(astragal_quick name)
  if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT ASTRAGAL_SANITIZE)
    target_compile_options(${name} PRIVATE $<IF:$<CXX_COMPILER_ID:GNU>,-O1,-O0>)
  endif()
endfunction()

# astragal_library(NAME SOURCES... [LINK ...])
function(astragal_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE astragal_settings)
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  set_property(GLOBAL APPEND PROPERTY ASTRAGAL_LIBRARIES ${name})
endfunction()

# astragal_whole_libraries(NAME SOURCE): a program with every object of every library so far. Others
# take only the objects they use, so that a function which is declared and called, and written
# nowhere, could wait for its first user.
function(astragal_whole_libraries name source)
  get_property(libraries GLOBAL PROPERTY ASTRAGAL_LIBRARIES)
  add_executable(${name} ${source})
  foreach(library IN LISTS libraries)
    target_link_options(${name} PRIVATE
      LINKER:--whole-archive,$<TARGET_FILE:${library}>,--no-whole-archive)
  endforeach()
  target_link_libraries(${name} PRIVATE ${libraries} astragal_settings)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${ASTRAGAL_TEST_DIR})
endfunction()

# astragal_program(NAME SOURCES... [LINK ...]): goes to build/bin.
function(astragal_program name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} astragal_settings)
  # An action makes some hundred small objects, many of which another thread frees. Sanitizers bring
  # their own allocator.
  if(NOT ASTRAGAL_SANITIZE)
    target_link_libraries(${name} PRIVATE PkgConfig::TCMALLOC)
  endif()
  add_dependencies(product ${name})
endfunction()

# astragal_plugin(RULESET SOURCES...): build/plugins/lib<RULESET>.so, which exports its entry only.
function(astragal_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE astragal_sdk astragal_settings)
  target_link_options(${name} PRIVATE
    -Wl,--version-script=${CMAKE_SOURCE_DIR}/plugins/sdk/ruleset.map)
  if(NOT ASTRAGAL_SANITIZE)
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
  set_target_properties(${name} PROPERTIES
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY ${ASTRAGAL_PLUGIN_DIR}
    LINK_DEPENDS ${CMAKE_SOURCE_DIR}/plugins/sdk/ruleset.map)
  add_dependencies(product ${name})
  add_dependencies(race_tests ${name})
endfunction()

# astragal_ruleset(NAME ENTRY FILE SOURCES...): the rules as the library astragal_<NAME>, so that tests
# and benchmarks can look inside and call them directly, and the plugin NAME, which is the same files
# and its entry. What runs in service is optimized as one unit: rules are many short functions in
# files by subject, called a million times a second. Elsewhere each file is compiled by itself.
function(astragal_ruleset name)
  cmake_parse_arguments(ARG "" "ENTRY" "SOURCES" ${ARGN})
  astragal_library(astragal_${name} ${ARG_SOURCES} LINK astragal_sdk)
  set_target_properties(astragal_${name} PROPERTIES
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(CMAKE_BUILD_TYPE STREQUAL Release AND CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT ASTRAGAL_SANITIZE)
    astragal_plugin(${name} ${ARG_ENTRY} ${ARG_SOURCES})
    set_target_properties(astragal_${name} ${name} PROPERTIES
      UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    set_target_properties(${name} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
  else()
    astragal_plugin(${name} ${ARG_ENTRY})
    target_link_libraries(${name} PRIVATE astragal_${name})
  endif()
endfunction()

# astragal_test(NAME SOURCES... [LINK ...] [LABEL unit|database|e2e|faults] [TIMEOUT seconds] [RACES]
# [PLAIN]): one program, one ctest entry; its closing line says how many cases passed. LABEL is the
# step of deploy/budgets.txt that runs it. RACES says that threads meet in it: the thread sanitizer
# runs it too, so it must use no gRPC. PLAIN keeps a unit test out of the address sanitizer's step,
# which runs all others: because it links generated code, takes very long there, or looks at what a
# library is made of, which a sanitizer changes.
function(astragal_test name)
  cmake_parse_arguments(ARG "RACES;PLAIN" "LABEL;TIMEOUT" "LINK" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} astragal_test_main astragal_settings)
  astragal_quick(${name})
  # Relative to the root of the source tree, where tests/support/main.cc makes tests work.
  file(RELATIVE_PATH build_dir ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  target_compile_definitions(${name} PRIVATE
    ASTRAGAL_SOURCE_DIR="." ASTRAGAL_BUILD_DIR="${build_dir}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${ASTRAGAL_TEST_DIR})
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set(labels ${ARG_LABEL})
  if(ARG_RACES)
    list(APPEND labels races)
    add_dependencies(race_tests ${name})
  endif()
  if(ARG_LABEL STREQUAL unit AND NOT ARG_PLAIN)
    list(APPEND labels sanitized)
    add_dependencies(sanitized_tests ${name})
  endif()
  if(ASTRAGAL_SANITIZE)
    math(EXPR ARG_TIMEOUT "${ARG_TIMEOUT} * 5")
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${ARG_TIMEOUT})
endfunction()

# astragal_benchmark(NAME SOURCES... [LINK ...]): goes to build/bench.
function(astragal_benchmark name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} benchmark::benchmark_main astragal_settings)
  target_compile_definitions(${name} PRIVATE ASTRAGAL_BUILD_DIR="${CMAKE_BINARY_DIR}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${ASTRAGAL_BENCH_DIR})
endfunction()

# Adds the rooms below this folder that are there, in the order given.
function(astragal_rooms)
  foreach(room IN LISTS ARGN)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${room}/CMakeLists.txt)
      add_subdirectory(${room})
    endif()
  endforeach()
endfunction()
