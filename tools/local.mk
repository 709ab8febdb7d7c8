# Scripts for people with a checkout; the build itself needs only coverage.awk and
# own-names.sh.
# (check-packaging needs debian/, which is in no tarball.)
EXTRA_DIST += .ci/run
EXTRA_DIST += %D%/bench
EXTRA_DIST += %D%/check
EXTRA_DIST += %D%/check-gpu
EXTRA_DIST += %D%/coverage.awk
EXTRA_DIST += %D%/demo
EXTRA_DIST += %D%/lib.sh
EXTRA_DIST += %D%/make-ptx
EXTRA_DIST += %D%/measure-schedules
EXTRA_DIST += %D%/own-names.sh
EXTRA_DIST += %D%/third-party
