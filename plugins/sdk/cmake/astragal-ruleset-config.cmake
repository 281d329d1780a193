# The package of ruleset authors:
#
#   find_package(astragal-ruleset 1 REQUIRED)
#   astragal_add_ruleset(my_game my_game.cc)      # build/libmy_game.so
#
# The target links the SDK, compiles with hidden symbols and exports the ruleset's entry only.
include(${CMAKE_CURRENT_LIST_DIR}/astragal-ruleset-targets.cmake)
set(ASTRAGAL_RULESET_MAP ${CMAKE_CURRENT_LIST_DIR}/ruleset.map)

function(astragal_add_ruleset name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE astragal::sdk)
  target_link_options(${name} PRIVATE -Wl,--version-script=${ASTRAGAL_RULESET_MAP} -Wl,-z,defs)
  set_target_properties(${name} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS ${ASTRAGAL_RULESET_MAP})
endfunction()
