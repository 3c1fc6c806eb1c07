import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class SignetConan(ConanFile):
    name = "signet"
    version = "0.1.0"
    description = "Client of the Signet licensing server, for C++17 and C"
    license = "MIT"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True, "libcurl/*:with_ssl": "openssl"}
    implements = ["auto_shared_fpic"]

    def export_sources(self):
        source = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "cmake/*", "include/*", "src/*"):
            copy(self, pattern, source, self.export_sources_folder)
        # The license is beside the sources in an archive, and one folder up in the repository.
        for folder in (source, os.path.join(source, "..")):
            copy(self, "LICENSE", folder, self.export_sources_folder)

    def requirements(self):
        self.requires("libcurl/[>=7.87 <9]")
        self.requires("openssl/[>=3 <4]")
        self.requires("nlohmann_json/[>=3.11 <4]", visible=False)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["SIGNET_BUILD_TESTS"] = False
        toolchain.cache_variables["SIGNET_BUILD_EXAMPLES"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "signet")
        self.cpp_info.set_property("cmake_target_name", "signet::signet")
        self.cpp_info.libs = ["signet"]
        self.cpp_info.requires = ["libcurl::libcurl", "openssl::openssl", "nlohmann_json::nlohmann_json"]
        if not self.options.shared:
            self.cpp_info.defines = ["SIGNET_STATIC"]
            if self.settings.os == "Macos":
                self.cpp_info.frameworks = ["CoreFoundation", "IOKit"]
            elif self.settings.os == "Windows":
                self.cpp_info.system_libs = ["advapi32"]
            elif self.settings.os in ("Linux", "FreeBSD"):
                self.cpp_info.system_libs = ["pthread"]
