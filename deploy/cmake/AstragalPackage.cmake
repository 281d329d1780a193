# What is installed where, and the Debian packages made of it:
#
#   cpack --config build/CPackConfig.cmake -B packages
#
# makes astragal_VERSION_ARCH.deb (programs, rulesets, units, proxy, backup, dashboard) and
# astragal-ruleset-dev_VERSION_ARCH.deb (the SDK for authors).
#
# The programs stay together below lib/astragal, where they find each other and the rulesets, and PATH
# has links to them.
include(GNUInstallDirs)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # packages hold the product, not the tests

set(home lib/astragal)
install(TARGETS astragald astragal ruleset_check ruleset_probe
        RUNTIME DESTINATION ${home}/bin COMPONENT service)
install(TARGETS long_narde patolli ashtapada LIBRARY DESTINATION ${home}/plugins COMPONENT service)
install(PROGRAMS deploy/backup DESTINATION ${home}/bin COMPONENT service)
install(CODE [[
  file(MAKE_DIRECTORY "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/bin")
  foreach(link astragald=astragald astragal=astragal ruleset_check=ruleset_check astragal-backup=backup)
    string(REPLACE "=" ";" names ${link})
    list(GET names 0 name)
    list(GET names 1 program)
    file(CREATE_LINK ../lib/astragal/bin/${program}
         "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/bin/${name}" SYMBOLIC)
  endforeach()
]] COMPONENT service)
file(GLOB units deploy/systemd/*.service deploy/systemd/*.timer)
install(FILES ${units} DESTINATION lib/systemd/system COMPONENT service)
install(DIRECTORY deploy/proxy deploy/dashboard DESTINATION share/astragal COMPONENT service)
install(DIRECTORY proto/astragal proto/google DESTINATION share/astragal/proto COMPONENT service
        FILES_MATCHING PATTERN "*.proto")
install(FILES LICENSE DESTINATION share/doc/astragal RENAME copyright COMPONENT service)
install(FILES deploy/CHANGELOG.md deploy/OPERATING.md DESTINATION share/doc/astragal COMPONENT service)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME astragal)
set(CPACK_PACKAGE_VENDOR "The Astragal maintainers")
set(CPACK_PACKAGE_CONTACT "The Astragal maintainers <maintainers@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL service ruleset-sdk)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_SERVICE_PACKAGE_NAME astragal)
set(CPACK_DEBIAN_SERVICE_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_SERVICE_PACKAGE_DEPENDS adduser)
# The private database; a service with a database elsewhere needs none here.
set(CPACK_DEBIAN_SERVICE_PACKAGE_RECOMMENDS "postgresql-15, haproxy, fonts-dejavu-core")
set(CPACK_DEBIAN_SERVICE_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/deploy/debian/postinst)
set(CPACK_DEBIAN_RULESET-SDK_PACKAGE_NAME astragal-ruleset-dev)
set(CPACK_DEBIAN_RULESET-SDK_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_SERVICE_DESCRIPTION "The service, its command line, the rulesets, and what an operator needs.")
set(CPACK_COMPONENT_RULESET-SDK_DESCRIPTION "Headers and CMake files for authors of rulesets.")
include(CPack)
