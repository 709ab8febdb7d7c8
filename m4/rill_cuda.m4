dnl RILL_CHECK_CUDA_H: is there a <cuda.h> of CUDA 12.0 or newer? A header is all
dnl that is needed, since libcuda is loaded at run time. Sets rill_ok, rill_why,
dnl CUDA_CPPFLAGS and HAVE_CUDA_H. A PREFIX that was named is the only place looked at, and
dnl must have it.
AC_DEFUN([RILL_CHECK_CUDA_H], [
AC_REQUIRE([RILL_WITH_CUDA])
AS_CASE([$rill_64_bits:$with_cuda],
  [no:*], [rill_why="pointers have 32 bits"],
  [*:no], [AS_IF([test "x$enable_cuda" = xyes],
          [AC_MSG_ERROR([--enable-cuda=yes and --without-cuda contradict each other])])],
  [*:yes], [RILL_TRY_CUDA_H([])
          AS_IF([test "x$rill_ok" = xno], [RILL_TRY_CUDA_H([-I/usr/local/cuda/include])])],
  [enable_cuda=yes
   RILL_TRY_CUDA_H([-I$with_cuda/include])])
AS_IF([test "x$rill_ok" = xyes], [HAVE_CUDA_H=yes])
])

AC_DEFUN([RILL_WITH_CUDA], [
AC_ARG_WITH([cuda],
  [AS_HELP_STRING([--with-cuda=PREFIX], [take cuda.h from PREFIX/include])],
  [], [with_cuda=yes])
CUDA_CPPFLAGS=
HAVE_CUDA_H=no
AC_SUBST([CUDA_CPPFLAGS])
AC_SUBST([HAVE_CUDA_H])
])

AC_DEFUN([RILL_TRY_CUDA_H], [
AC_MSG_CHECKING([for cuda.h of CUDA 12.0 or newer m4_default([$1], [on the default path])])
rill_save_CPPFLAGS=$CPPFLAGS
CPPFLAGS="$CPPFLAGS $1"
AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
#include <cuda.h>
#if CUDA_VERSION < 12000
#error "too old"
#endif
CUstream rill_stream;
]])], [rill_ok=yes rill_why="header found" CUDA_CPPFLAGS="$1"],
  [rill_ok=no rill_why="no usable cuda.h of CUDA 12.0 or newer"])
CPPFLAGS=$rill_save_CPPFLAGS
AC_MSG_RESULT([$rill_ok])
])

dnl RILL_CUDA_13_H: what speaks to the driver by the names of CUDA 13.0's own header is
dnl only built where there is that one or a newer one.
AC_DEFUN([RILL_CUDA_13_H], [
AC_MSG_CHECKING([for cuda.h of CUDA 13.0 or newer])
rill_save_CPPFLAGS=$CPPFLAGS
CPPFLAGS="$CPPFLAGS $CUDA_CPPFLAGS"
AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
#include <cuda.h>
#if CUDA_VERSION < 13000
#error "too old"
#endif
]])], [rill_cuda_13_h=yes], [rill_cuda_13_h=no])
CPPFLAGS=$rill_save_CPPFLAGS
AS_IF([test "x$HAVE_CUDA_H" = xno], [rill_cuda_13_h=no])
AC_MSG_RESULT([$rill_cuda_13_h])
AM_CONDITIONAL([HAVE_CUDA_13_H], [test "x$rill_cuda_13_h" = xyes])
])
