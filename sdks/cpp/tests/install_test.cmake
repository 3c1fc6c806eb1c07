# Installs the library to an empty folder, and builds programs that use it from there.

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(configure ${CMAKE_COMMAND} -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Debug)

function(test_install shared)
  set(folder ${WORK_DIR}/${shared})
  set(prefix ${folder}/prefix)
  file(REMOVE_RECURSE ${prefix} ${folder}/consumer)
  run(${configure} -S ${SOURCE_DIR} -B ${folder}/library -DBUILD_SHARED_LIBS=${shared} -DSIGNET_BUILD_TESTS=OFF
      -DSIGNET_BUILD_EXAMPLES=OFF -DCMAKE_INSTALL_PREFIX=${prefix} -DCMAKE_INSTALL_LIBDIR=lib)
  run(${CMAKE_COMMAND} --build ${folder}/library)
  run(${CMAKE_COMMAND} --install ${folder}/library)

  run(${configure} -S ${SOURCE_DIR}/tests/consumer -B ${folder}/consumer -DCMAKE_PREFIX_PATH=${prefix})
  run(${CMAKE_COMMAND} --build ${folder}/consumer)
  run(${folder}/consumer/cpp_consumer)
  run(${folder}/consumer/c_consumer)

  find_program(PKG_CONFIG pkg-config)
  find_program(CXX NAMES c++ g++ clang++)
  if(PKG_CONFIG AND CXX)
    run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${prefix}/lib/pkgconfig ${PKG_CONFIG} --cflags --libs signet)
    string(STRIP "${output}" flags)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    run(${CXX} -std=c++17 ${SOURCE_DIR}/tests/consumer/consumer.cpp -o ${folder}/pkg_consumer ${flags}
        -Wl,-rpath,${prefix}/lib)
    run(${folder}/pkg_consumer)
  endif()
endfunction()

test_install(OFF)
test_install(ON)

# Only the C interface is exported.
find_program(NM nm)
if(NM AND EXISTS ${WORK_DIR}/ON/prefix/lib/libsignet.so)
  run(${NM} -D --defined-only ${WORK_DIR}/ON/prefix/lib/libsignet.so)
  string(REGEX MATCHALL "[^\n]+" lines "${output}")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES " T signet_[a-z0-9_]+$")
      message(FATAL_ERROR "The shared library exports ${line}")
    endif()
  endforeach()
  list(LENGTH lines count)
  if(count LESS 70)
    message(FATAL_ERROR "The shared library exports only ${count} functions.")
  endif()
endif()

file(REMOVE_RECURSE ${WORK_DIR}/fetched)
run(${configure} -S ${SOURCE_DIR}/tests/consumer -B ${WORK_DIR}/fetched -DSIGNET_SOURCE=${SOURCE_DIR})
