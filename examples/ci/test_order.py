import subprocess


def checked(*command):
    """Runs a program under the checker; the report is what a test fails with."""
    rill = ["rill", "run", "--check", "--error-exitcode", "99"]
    run = subprocess.run([*rill, *command], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_app():
    assert checked("./app") == "done\n"
