# SPDX-License-Identifier: Apache-2.0
"""Runs tests of pytest on simulated GPUs, each in a process of its own under `rill run`.

    @pytest.mark.rill                                   # rill run --check
    @pytest.mark.rill(check="race,leak", devices=2)     # rill run --check=race,leak --devices 2
    @pytest.mark.rill(check=False, schedules=30)        # rill run --schedules 30

`--rill` runs those that have no mark like that, too. A test fails if it fails there, or if
rill reports something; the report is a section of the failure.
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import pytest

# Where the process that runs one test leaves its reports; it is not to start another one.
FOLDER = "RILL_PYTEST_FOLDER"

# Ends a process in which rill found something. Those of pytest itself are 0 to 5.
FOUND = 99

WORDS = ("check", "schedules", "devices", "driver", "suppressions", "timeout")


def pytest_addoption(parser):
    group = parser.getgroup("rill", "tests on simulated GPUs")
    group.addoption("--rill", action="store_true", help="run each test under rill run --check")
    group.addoption("--rill-command", default="rill", metavar="PATH", help="the command rill")


def pytest_configure(config):
    config.addinivalue_line(
        "markers",
        "rill(check=True, schedules=None, devices=None, driver=None, suppressions=None, "
        "timeout=300): runs the test on simulated GPUs, under rill run",
    )
    if FOLDER in os.environ:
        config.pluginmanager.register(Inside(config, os.environ[FOLDER]))


class Inside:
    """Writes down what becomes of the test."""

    def __init__(self, config, folder):
        self.config = config
        self.path = os.path.join(folder, f"{os.getpid()}.json")

    def pytest_runtest_logreport(self, report):
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(data) + "\n")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    if FOLDER in os.environ:
        return None
    mark = item.get_closest_marker("rill")
    if mark is None and not item.config.getoption("rill"):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in reports_of(item, mark):
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    # Fixtures that the test before has left for this one have nobody else to end them.
    item.session._setupstate.teardown_exact(nextitem)
    return True


def reports_of(item, mark):
    """Runs the test, and returns pytest's reports of it."""
    words = dict(mark.kwargs) if mark else {}
    unknown = [word for word in words if word not in WORDS]
    if unknown or (mark and mark.args):
        what = f'no word "{unknown[0]}"' if unknown else "nothing without a word"
        return [failure(item, f"the mark rill takes {what}; there are {', '.join(WORDS)}")]
    command = shutil.which(item.config.getoption("rill_command"))
    if command is None:
        return [failure(item, "there is no command rill; --rill-command names it")]
    with tempfile.TemporaryDirectory() as folder:
        return run_apart(item, words, command, folder)


def run_apart(item, words, command, folder):
    began = time.time()
    log = os.path.join(folder, "rill.log")
    line = [command, "run", *options_of(words, log), *command_line(item)]
    try:
        run = subprocess.run(
            line,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=None if words.get("schedules") else words.get("timeout", 300),
            env=environment(folder),
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        told = (late.stdout or b"").decode(errors="replace")
        return [failure(item, f"it did not end within {late.timeout} seconds\n{told}", began)]
    told = run.stdout.decode(errors="replace")
    return judge(item, run.returncode, told, text_of(log), read_reports(item, folder), began)


def options_of(words, log):
    """The options of `rill run` that a mark asks for."""
    check = words.get("check", True)
    options = []
    if check:
        options += ["--check" if check is True else f"--check={check}"]
        options += ["--error-exitcode", str(FOUND)]
        # Of many runs the command itself shows the report of the one that failed.
        if not words.get("schedules"):
            options += ["--log-file", log]
    if words.get("schedules"):
        options += ["--timeout", str(words.get("timeout", 300))]
    for word in ("schedules", "devices", "driver", "suppressions"):
        if words.get(word):
            options += [f"--{word}", str(words[word])]
    return options


def command_line(item):
    """The command that runs this test alone."""
    config = item.config
    test = str(item.path) + item.nodeid[len(item.nodeid.partition("::")[0]) :]
    line = [sys.executable, "-m", "pytest", "-q", "-p", __name__, "-p", "no:cacheprovider"]
    line += [f"--rootdir={config.rootpath}"]
    if config.inipath:
        line += ["-c", str(config.inipath)]
    return [*line, test]


def environment(folder):
    here = os.path.dirname(os.path.abspath(__file__))
    paths = [here, os.environ.get("PYTHONPATH", "")]
    return {**os.environ, FOLDER: folder, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def text_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def read_reports(item, folder):
    """The reports of each process that ran the test: of one, or of one for each schedule."""
    runs = []
    for path in glob.glob(os.path.join(folder, "*.json")):
        lines = text_of(path).splitlines()
        runs.append([
            item.config.hook.pytest_report_from_serializable(
                config=item.config, data=json.loads(line)
            )
            for line in lines
        ])
    return runs


def judge(item, status, told, log, runs, began):
    """What the outer pytest is to say of the test."""
    failed = [run for run in runs if any(report.failed for report in run)]
    if failed:
        reports = failed[0]
    elif status == 0 and runs:
        reports = runs[0]
    else:
        why = "rill reports a finding" if status == FOUND else f"it ended with status {status}"
        return [failure(item, f"{why}\n{log or told}", began)]
    for report in reports:
        # The nodeid of the process inside counts from another folder.
        report.nodeid, report.location = item.nodeid, item.location
        # Why a test was skipped is a tuple, which JSON does not know.
        if isinstance(report.longrepr, list):
            report.longrepr = tuple(report.longrepr)
        if report.failed:
            report.sections.append(("rill", log or told))
    return reports


def failure(item, why, began=None):
    now = time.time()
    began = now if began is None else began
    return pytest.TestReport(
        nodeid=item.nodeid,
        location=item.location,
        keywords={word: 1 for word in item.keywords},
        outcome="failed",
        longrepr=why.rstrip(),
        when="call",
        duration=now - began,
        start=began,
        stop=now,
    )
