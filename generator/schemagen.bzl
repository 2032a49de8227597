"""Bazel rules that build C++ libraries from schemas, with an installed libpt2.

In WORKSPACE:

    load("//:schemagen.bzl", "libpt2_repository")

    libpt2_repository(name = "libpt2", prefix = "/usr")

In a BUILD file:

    load("//:schemagen.bzl", "schemagen_cc_library")

    schemagen_cc_library(name = "notes", schema = "notes.yaml")
"""

_HEADERS = ["fwd.h", "types.h", "json.h", "binary.h", "schema_info.h", "reflection.h", "visit.h", "undefine.h", "restore.h"]
_SOURCES = ["types.cpp", "json.cpp", "binary.cpp", "schema_info.cpp"]

_BUILD = """\
package(default_visibility = ["//visibility:public"])

exports_files(["schemagen"])

cc_library(
    name = "runtime",
    hdrs = glob(["include/schemagen/**/*.h"]),
    includes = ["include"],
    linkopts = {options},
)
"""

def _libpt2_repository(context):
    prefix = context.attr.prefix
    schemagen = context.path(prefix + "/bin/schemagen")
    if not schemagen.exists:
        fail("libpt2_repository: {} does not exist: install libpt2 into `prefix`".format(schemagen))
    found = context.execute(
        ["pkg-config", "--libs", "schemagen-json", "schemagen-binary-file"],
        environment = {"PKG_CONFIG_PATH": prefix + "/lib/pkgconfig"},
    )
    if found.return_code:
        fail("libpt2_repository: " + found.stderr)
    context.symlink(schemagen, "schemagen")
    context.symlink(prefix + "/include/schemagen", "include/schemagen")
    context.file("BUILD.bazel", _BUILD.format(options = repr(found.stdout.strip().split(" "))))

libpt2_repository = repository_rule(
    implementation = _libpt2_repository,
    doc = "The libpt2 that is installed in the folder `prefix`, an absolute path.",
    attrs = {"prefix": attr.string(mandatory = True)},
    local = True,
)

def schemagen_cc_library(name, schema, imports = [], namespace = "", libpt2 = "@libpt2", **kwargs):
    """Builds a cc_library from the types and codecs of a schema.

    Args:
      name: name of the library, with which include paths begin: <name/json.h>
      schema: the YAML file
      imports: the files that the schema imports, directly or indirectly
      namespace: the C++ namespace; by default the schema's name
      libpt2: the repository that libpt2_repository() created
      **kwargs: arguments for cc_library, e.g. visibility
    """
    folder = "{0}_code/{0}/".format(name)
    headers = [folder + file for file in _HEADERS]
    sources = [folder + file for file in _SOURCES]
    options = " --namespace " + namespace if namespace else ""
    native.genrule(
        name = name + "_code",
        srcs = [schema] + imports,
        outs = headers + sources,
        cmd = "$(execpath {0}//:schemagen) generate $(execpath {1}) -o $(RULEDIR)/{2}{3}".format(libpt2, schema, folder, options),
        exec_tools = [libpt2 + "//:schemagen"],
        message = "Generating the code of " + schema,
    )
    native.cc_library(
        name = name,
        srcs = sources,
        hdrs = headers,
        includes = [name + "_code"],
        deps = [libpt2 + "//:runtime"] + kwargs.pop("deps", []),
        **kwargs
    )
