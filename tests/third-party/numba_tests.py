# SPDX-License-Identifier: Apache-2.0
#
# Runs numba's own tests of its CUDA driver layer, each in a process of its own, and prints
# a line for each:  pass|fail|skip NAME [WHY]
# Where there is a driver and nothing else of CUDA's: no libNVVM, so kernels that numba
# would have to compile are not among what can pass.
import ctypes
import importlib
import os
import select
import signal
import sys
import time
import unittest

PACKAGE = "numba.cuda.tests.cudadrv"
# How long a process may do nothing, and how often it is given as long again while it works: a
# busy machine has little time for one that takes a lot of memory.
SECONDS = 60
ROUNDS = 5


class Outcome(unittest.TestResult):
    """What became of one test, in a word and a reason."""

    def __init__(self):
        super().__init__()
        self.word, self.why = "pass", ""

    def refuse(self, word, why):
        if self.word != "fail":
            self.word, self.why = word, why

    def explain(self, error):
        text = " ".join(str(error[1]).split())
        return (error[0].__name__ + (": " + text if text else ""))[:160]

    def addError(self, test, error):
        self.refuse("fail", self.explain(error))

    addFailure = addError

    def addSubTest(self, test, subtest, error):
        if error:
            self.refuse("fail", self.explain(error))

    def addSkip(self, test, reason):
        self.refuse("skip", reason)

    def addUnexpectedSuccess(self, test):
        self.refuse("fail", "it was expected to fail")


def tests_of(suite):
    for entry in suite:
        if isinstance(entry, unittest.TestSuite):
            yield from tests_of(entry)
        else:
            yield entry


def load(name):
    return tests_of(unittest.TestLoader().loadTestsFromName(PACKAGE + "." + name))


# Importing a module of tests may start the driver, and a driver that was started does not
# outlive a fork: each process imports what it needs itself.


def list_tests(module, end):
    os.write(end, ("\n".join(test.id() for test in load(module)) + "\n").encode())


def run_test(name, end):
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    outcome = Outcome()
    unittest.TestSuite(load(name)).run(outcome)
    os.write(end, (outcome.word + " " + outcome.why).encode(errors="replace")[:1000])


def how_it_died(status):
    if os.WIFSIGNALED(status):
        return "fail it died of " + signal.Signals(os.WTERMSIG(status)).name
    return "fail it ended with %d before its outcome was known" % os.WEXITSTATUS(status)


def seconds_worked(child):
    """The processor time that a process has had."""
    with open("/proc/%d/stat" % child) as stat:
        user_and_system = stat.read().rpartition(")")[2].split()[11:13]
    return sum(map(int, user_and_system)) / os.sysconf("SC_CLK_TCK")


def apart(function, argument):
    """What function(argument, pipe) wrote in a process of its own."""
    out, end = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            function(argument, end)
            status = 0
        finally:
            # That of C, in which a layer that checks the process writes its report.
            ctypes.CDLL(None).exit(status)
    os.close(end)
    said, worked, rounds = b"", 0, ROUNDS
    late = time.monotonic() + SECONDS
    while True:
        if select.select([out], [], [], max(0, late - time.monotonic()))[0]:
            part = os.read(out, 4096)
            if not part:
                break
            said += part
        elif rounds > 1 and seconds_worked(child) > worked + 1:
            worked, rounds, late = seconds_worked(child), rounds - 1, late + SECONDS
        else:
            os.kill(child, signal.SIGKILL)
            said = b"fail it did not end within %d seconds" % (SECONDS * (ROUNDS - rounds + 1))
            break
    os.close(out)
    status = os.waitpid(child, 0)[1]
    return said.decode() if said else how_it_died(status)


def main():
    folder = importlib.import_module(PACKAGE).__path__[0]
    modules = sorted(f[:-3] for f in os.listdir(folder) if f.startswith("test_") and f.endswith(".py"))
    for module in sys.argv[1:] or modules:
        for test in apart(list_tests, module).splitlines():
            if not test:
                continue
            name = test.replace(PACKAGE + ".", "")
            word, _, why = apart(run_test, name).partition(" ")
            print(" ".join(filter(None, [word, name, why])), flush=True)


# A process that a test spawns imports this file, too.
if __name__ == "__main__":
    main()
