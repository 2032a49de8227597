from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir
import os

required_conan_version = ">=2.0"


class Libpt2Conan(ConanFile):
    name = "libpt2"
    description = "Reads, checks, changes and writes PyTorch exported programs (.pt2) without PyTorch"
    license = "BSD-3-Clause"
    topics = ("pytorch", "torch-export", "serialization")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    # components: levels as in PT2_COMPONENTS, separated by commas
    options = {"shared": [True, False], "fPIC": [True, False], "with_zstd": [True, False], "with_libdeflate": [True, False], "components": ["all", "ANY"]}
    default_options = {"shared": False, "fPIC": True, "with_zstd": True, "with_libdeflate": True, "components": "all"}
    implements = ["auto_shared_fpic"]

    def layout(self):
        cmake_layout(self, src_folder="src")

    def validate(self):
        check_min_cppstd(self, 17)

    def requirements(self):
        self.requires("xxhash/[>=0.8 <0.9]")
        self.requires("zlib/[>=1.2.11 <2]")
        if self.options.with_zstd:
            self.requires("zstd/[>=1.5 <1.6]")
        if self.options.with_libdeflate:
            self.requires("libdeflate/[>=1.14 <2]")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["PT2_BUILD_GENERATOR"] = False
        toolchain.cache_variables["PT2_BUILD_TOOLS"] = False
        toolchain.cache_variables["PT2_BUILD_TESTS"] = False
        toolchain.cache_variables["PT2_WITH_ZSTD"] = bool(self.options.with_zstd)
        toolchain.cache_variables["PT2_WITH_LIBDEFLATE"] = bool(self.options.with_libdeflate)
        if self.options.components != "all":
            toolchain.cache_variables["PT2_COMPONENTS"] = str(self.options.components).replace(",", ";")
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        rmdir(self, os.path.join(self.package_folder, "share"))

    def package_info(self):
        # Its own CMake package, which knows the levels.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "pt2")]
