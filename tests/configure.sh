#!/bin/sh
# The switches of configure: what is asked for and impossible is an error that says
# so, and the summary tells what was found.
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

[ ! -f "$top_srcdir/config.status" ] || skip_all "the source tree itself is configured"

folder=tests/configure.tmp
rm -rf "$folder"
trap 'rm -rf "$top_builddir/$folder"' EXIT
top_builddir=$(pwd)
mkdir -p "$folder/old/include" "$folder/new/include"
for header in old/11080 new/12000; do
  {
    echo "#define CUDA_VERSION ${header#*/}"
    echo "typedef struct CUstream_st *CUstream;"
  } > "$folder/${header%/*}/include/cuda.h"
done
cd "$folder" || exit 1

# configure ARGUMENT...: the runs share a cache, so that each asks only what is new. Nothing is built,
# so none makes a file for what each source includes, either, which takes longer than all of its
# questions. There is no pkg-config, hence no cmocka.
configure() {
  "$top_srcdir/configure" --config-cache --disable-dependency-tracking CC="$CC" CXX="$CXX" \
    PKG_CONFIG=false "$@" > configure.out 2>&1
  status=$?
  output=$(cat configure.out)
  # For expect, which shows the output of a failed test.
  echo "configure exited with $status and said:"
  tail -n 20 configure.out
  return $status
}

# fails TEXT ARGUMENT...: configure stops with an error in which TEXT stands.
fails() {
  text=$1
  shift
  ! configure "$@" && case $output in *"error: "*"$text"*) true ;; *) false ;; esac
}

# says TEXT ARGUMENT...: configure succeeds and its summary has TEXT.
says() {
  text=$1
  shift
  configure "$@" && case $output in *"$text"*) true ;; *) false ;; esac
}

expect "--with-cuda without a header is an error" \
  fails "no usable cuda.h" --enable-cuda=yes --with-cuda=/nonexistent
expect "a cuda.h that is too old is an error" \
  fails "no usable cuda.h" --with-cuda="$(pwd)/old"
expect "a cuda.h of CUDA 12 is found" \
  says "header found" --enable-cuda=yes --with-cuda="$(pwd)/new"
expect "--enable-cuda=no does not look" \
  says "cuda: no (disabled)" --enable-cuda=no
expect "a misspelt switch is an error" \
  fails "takes yes, no or auto" --enable-cuda=maybe
expect "a sanitizer that does not exist is an error" \
  fails "cannot link it" --enable-sanitizers=nonsense
expect "with pointers of 32 bits there is no CUDA backend" \
  says "cuda: no (pointers have 32 bits)" --cache-file=/dev/null ac_cv_sizeof_void_p=4
expect "nor a stand-in" \
  says "stand-in:    no" --cache-file=/dev/null ac_cv_sizeof_void_p=4
expect "to ask for the backend is an error then" \
  fails "cannot be built: pointers have 32 bits" --enable-cuda=yes --cache-file=/dev/null \
  ac_cv_sizeof_void_p=4
expect "--enable-tests=yes without cmocka is an error" \
  fails "needs pkg-config and cmocka" --enable-tests=yes
expect "--enable-tests=auto goes without cmocka" \
  says "unit tests:  no (cmocka"
done_testing
