# SPDX-License-Identifier: Apache-2.0
#
# Runs a file of PyCUDA's own tests, and prints a line for each:  pass|fail|skip NAME [WHY]
# The one argument is the file. What else is said goes to stderr.
import os
import sys

import pytest


# What nvcc says of a kernel with texture or surface references, which CUDA 12 took away.
REFERENCES = ("texture<", "surface_functions.h")


def has_references(error):
    compiling = type(error).__name__ == "CompileError"
    return compiling and any(word in str(error) for word in REFERENCES)


# Linking a program that starts kernels from kernels wants a library that not each toolkit has.
def has_no_device_runtime(error):
    return isinstance(error, OSError) and "libcudadevrt.a" in str(error)


class Lines:
    """Prints what becomes of each test: of all its parameters together, and of all phases."""

    ORDER = ("skip", "pass", "fail")

    def __init__(self, out):
        self.out = out
        self.name, self.word, self.why = "", "", ""

    def becomes(self, word, why=""):
        if not self.word or self.ORDER.index(word) > self.ORDER.index(self.word):
            self.word, self.why = word, why

    def flush(self):
        if self.name:
            why = " ".join(self.why.split())[:160]
            print(*filter(None, (self.word, self.name, why)), file=self.out, flush=True)
        self.name, self.word, self.why = "", "", ""

    def begin(self, nodeid):
        name = nodeid.split("[")[0].split("/")[-1].replace(".py", "").replace("::", ".")
        if name != self.name:
            self.flush()
            self.name = name

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = (yield).get_result()
        self.begin(item.nodeid)
        if call.excinfo is None:
            if call.when == "call":
                self.becomes("pass")
        elif report.skipped:
            self.becomes("skip", str(call.excinfo.value))
        elif has_references(call.excinfo.value):
            self.becomes("skip", "this nvcc has no references to textures and surfaces")
        elif has_no_device_runtime(call.excinfo.value):
            self.becomes("skip", "this toolkit has no libcudadevrt.a")
        else:
            self.becomes("fail", call.excinfo.exconly())

    def pytest_collectreport(self, report):
        if report.failed:
            self.begin(report.nodeid)
            self.becomes("fail", "it cannot be loaded")

    def pytest_sessionfinish(self):
        self.flush()


def main():
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    lines = Lines(out)
    ended = pytest.main(["-p", "no:cacheprovider", "--tb=short", sys.argv[1]], plugins=[lines])
    return 0 if ended == pytest.ExitCode.TESTS_FAILED else ended


if __name__ == "__main__":
    sys.exit(main())
