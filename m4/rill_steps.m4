dnl RILL_STEPS: flags of the files whose loops run over the lanes of a kernel.
dnl STEP_CFLAGS: arithmetic as it is written, in vectors (src/ptx/step/ieee.h says more), and no
dnl tables to unwind from there: nothing is called, and they are a tenth of each library that has
dnl the engine inside. Sanitizers want them for their reports.
dnl AVX2_CFLAGS and the conditional AVX2: whether these files can be compiled a second
dnl time, for processors with AVX2 and FMA, and the choice be made when they run.
AC_DEFUN([RILL_STEPS], [
AC_SEARCH_LIBS([fma], [m])
AC_SEARCH_LIBS([fesetround], [m])
STEP_CFLAGS=
rill_save_CFLAGS=$CFLAGS
rill_flags="-ffp-contract=off -fno-math-errno -fno-trapping-math"
AS_CASE([$enable_sanitizers],
  ['' | no], [rill_flags="$rill_flags -fno-asynchronous-unwind-tables"])
for rill_flag in $rill_flags; do
  AC_MSG_CHECKING([whether $CC knows $rill_flag])
  CFLAGS="$rill_save_CFLAGS $rill_flag -Werror"
  AC_COMPILE_IFELSE([AC_LANG_SOURCE([[int rill_unit;]])],
    [AC_MSG_RESULT([yes])
     STEP_CFLAGS="$STEP_CFLAGS $rill_flag"],
    [AC_MSG_RESULT([no])])
done
AVX2_CFLAGS="-mavx2 -mfma -mbmi -mbmi2 -mpopcnt"
AC_MSG_CHECKING([whether $CC can compile for AVX2 and ask for it])
CFLAGS="$rill_save_CFLAGS $AVX2_CFLAGS -Werror"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#ifndef __x86_64__
#error another processor
#endif]], [[
    return !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
             __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
             __builtin_cpu_supports("popcnt"));]])],
  [rill_avx2=yes], [rill_avx2=no])
AC_MSG_RESULT([$rill_avx2])
CFLAGS=$rill_save_CFLAGS
AS_IF([test "x$rill_avx2" = xyes],
  [AC_DEFINE([RILL_HAVE_AVX2], [1], [Define to 1 if steps of PTX are compiled for AVX2, too.])])
AM_CONDITIONAL([AVX2], [test "x$rill_avx2" = xyes])
AC_SUBST([STEP_CFLAGS])
AC_SUBST([AVX2_CFLAGS])
])
