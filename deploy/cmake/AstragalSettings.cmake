# What every target of the project is compiled with.
set(CMAKE_C_STANDARD 11)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# A library that no part of this build makes is found when it is configured, not when it is linked.
set(CMAKE_LINK_LIBRARIES_ONLY_TARGETS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# Programs, plugins and benchmarks have fixed places, so that scripts and documents can name them.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(ASTRAGAL_PLUGIN_DIR ${CMAKE_BINARY_DIR}/plugins)
set(ASTRAGAL_BENCH_DIR ${CMAKE_BINARY_DIR}/bench)
set(ASTRAGAL_TEST_DIR ${CMAKE_BINARY_DIR}/tests)

set(ASTRAGAL_SANITIZE "" CACHE STRING "Sanitizers, for example address,undefined or thread")

add_library(astragal_settings INTERFACE)
target_compile_options(astragal_settings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wno-sign-conversion -Werror)
target_include_directories(astragal_settings INTERFACE ${CMAKE_SOURCE_DIR})
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies in std::string's operator+ (its bug 105329).
  target_compile_options(astragal_settings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # GCC 12's std::stable_sort calls a deprecated function of its own, which clang reports here.
  target_compile_options(astragal_settings INTERFACE
                         $<$<COMPILE_LANGUAGE:CXX>:-Wthread-safety -Wno-deprecated-declarations>)
endif()
if(ASTRAGAL_SANITIZE)
  add_compile_options(-fsanitize=${ASTRAGAL_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${ASTRAGAL_SANITIZE})
endif()

# A faster linker where there is one.
find_program(ASTRAGAL_MOLD mold)
find_program(ASTRAGAL_LLD ld.lld-19)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND ASTRAGAL_MOLD)
  add_link_options(-fuse-ld=mold)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND ASTRAGAL_LLD)
  add_link_options(-fuse-ld=lld)
endif()

# A compiler cache where there is one, told to treat all checkouts alike: a second checkout compiles
# in seconds.
find_program(ASTRAGAL_CCACHE ccache)
if(ASTRAGAL_CCACHE)
  foreach(language C CXX)
    if(NOT CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
          CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${ASTRAGAL_CCACHE})
    endif()
  endforeach()
endif()
