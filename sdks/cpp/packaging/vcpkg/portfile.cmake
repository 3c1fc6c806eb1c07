# An overlay port: builds the sources that this file came with.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../.." ABSOLUTE)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DSIGNET_BUILD_TESTS=OFF -DSIGNET_BUILD_EXAMPLES=OFF -DSIGNET_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/signet)
vcpkg_fixup_pkgconfig()
vcpkg_copy_pdbs()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
find_file(SIGNET_LICENSE LICENSE PATHS "${SOURCE_PATH}" "${SOURCE_PATH}/.." NO_DEFAULT_PATH REQUIRED)
vcpkg_install_copyright(FILE_LIST "${SIGNET_LICENSE}")
