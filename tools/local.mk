# Scripts for people with a checkout; the build itself needs only coverage.awk and
# own-names.sh.
# (check-packaging needs debian/, which is in no tarball.)
EXTRA_DIST += .ci/run
EXTRA_DIST += %D%/abi/lines.awk %D%/abi/list
EXTRA_DIST += %D%/bench
EXTRA_DIST += %D%/check
EXTRA_DIST += %D%/check-bare
EXTRA_DIST += %D%/check-gpu
EXTRA_DIST += %D%/coverage.awk
EXTRA_DIST += %D%/demo
EXTRA_DIST += %D%/lib.sh
EXTRA_DIST += %D%/make-ptx
EXTRA_DIST += %D%/measure-schedules
EXTRA_DIST += %D%/own-names.sh
EXTRA_DIST += %D%/third-party
EXTRA_DIST += %D%/view-trace

# For PYTHONPATH, or for pip install.
pytestdir = $(datadir)/rill/pytest
dist_pytest_DATA = %D%/pytest/pyproject.toml %D%/pytest/rill_pytest.py

# Completion of the words of rill(1). A packager may have another folder for zsh.
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
dist_bashcompletion_DATA = %D%/completion/rill
dist_zshcompletion_DATA = %D%/completion/_rill
